/* Words for what disagrees, with the numbers on both sides of the border. */
#include "kernel/lib/textbuf.h"
#include "kernel/stats/agreement.h"
#include "kernel/stats/groups_values.h"
#include "kernel/stats/measured_summary.h"

enum {
    APART_ERROR = LOG2_ONE,  /* medians a factor of two apart */
    APART_WARNING = 497,     /* 1.4 */
    LISTED_GROUPS = 4,
    TEXT_BYTES = 400,
};

const char *agreement_name(enum agreement agreement)
{
    static const char *const names[] = {
        [AGREEMENT_YES] = "agree",
        [AGREEMENT_WIDER] = "wider",
        [AGREEMENT_NARROWER] = "narrower",
        [AGREEMENT_CROSSING] = "crossing",
        [AGREEMENT_CANNOT_TELL] = "cannot-tell",
        [AGREEMENT_NOT_TESTED] = "not-tested",
    };

    return names[agreement];
}

const char *agreement_kind_name(enum topology_mask kind)
{
    static const char *const names[] = {
        [TOPOLOGY_SMT] = "SMT", [TOPOLOGY_CLUSTER] = "cluster", [TOPOLOGY_LLC] = "LLC",
        [TOPOLOGY_DIE] = "die", [TOPOLOGY_PACKAGE] = "package",
    };

    return names[kind];
}

static const char *finding_id(enum topology_mask kind, enum agreement agreement)
{
    static const char *const ids[][3] = {
        [TOPOLOGY_SMT] = {"claimed-smt-wider", "claimed-smt-narrower", "claimed-smt-crossing"},
        [TOPOLOGY_CLUSTER] = {"claimed-cluster-wider", "claimed-cluster-narrower",
                              "claimed-cluster-crossing"},
        [TOPOLOGY_LLC] = {"claimed-llc-wider", "claimed-llc-narrower", "claimed-llc-crossing"},
        [TOPOLOGY_DIE] = {"claimed-die-wider", "claimed-die-narrower", "claimed-die-crossing"},
        [TOPOLOGY_PACKAGE] = {"claimed-package-wider", "claimed-package-narrower",
                              "claimed-package-crossing"},
    };

    return ids[kind][agreement - AGREEMENT_WIDER];
}

static enum finding_severity severity(const struct agreement_row *row)
{
    if (row->agreement == AGREEMENT_NARROWER)
        return row->kind == TOPOLOGY_CLUSTER || row->kind == TOPOLOGY_DIE ? FINDING_INFO :
                                                                             FINDING_WARNING;
    uint32_t near = log2_of(row->near_ps), far = log2_of(row->far_ps);

    if (row->is_node_border || far < near + APART_WARNING)
        return FINDING_INFO;
    return far >= near + APART_ERROR ? FINDING_ERROR : FINDING_WARNING;
}

static void put_slots(struct textbuf *out, const struct measured_results *results,
                      const struct cpumask *slots)
{
    struct measured_mask mask;

    measured_mask_of(&mask, results, slots);
    cpumask_put_list(out, &mask.cpus);
}

/* The measured groups beside the witness, as far as they touch the claimed mask. */
static void put_groups(struct textbuf *out, const struct measured_results *results,
                       const struct agreement_row *row)
{
    const struct measured_groups *groups = results->groups;
    uint32_t depth = 0, listed = 0, left = 0;

    for (uint32_t i = 0; i < groups->group_count; i++)
        if (cpumask_equal(&groups->groups[i].slots, &row->measured_slots))
            depth = groups->groups[i].depth;
    for (uint32_t i = 0; i < groups->group_count; i++) {
        if (groups->groups[i].depth != depth ||
            !cpumask_intersects(&groups->groups[i].slots, &row->claimed_slots))
            continue;
        if (listed == LISTED_GROUPS) {
            left++;
            continue;
        }
        textbuf_put(out, listed++ ? " and " : "");
        put_slots(out, results, &groups->groups[i].slots);
    }
    if (left)
        textbuf_printf(out, " and %u more", left);
}

/* Nanoseconds with one decimal, rounded. */
static void put_ns(struct textbuf *out, uint32_t ps)
{
    uint64_t tenths = ((uint64_t)ps + 50) / 100;

    textbuf_printf(out, "%llu.%llu", (unsigned long long)(tenths / 10),
                   (unsigned long long)(tenths % 10));
}

static void put_numbers(struct textbuf *out, const struct agreement_row *row)
{
    textbuf_put(out, " (");
    put_ns(out, row->near_ps);
    textbuf_put(out, " ns inside against ");
    put_ns(out, row->far_ps);
    textbuf_put(out, " ns to others; highest inside ");
    put_ns(out, row->near_high_ps);
    textbuf_put(out, ", lowest to others ");
    put_ns(out, row->far_low_ps);
    textbuf_put(out, " ns)");
}

static void put_text(struct textbuf *out, const struct measured_results *results,
                     const struct agreement_row *row)
{
    textbuf_printf(out, "claimed %s ", agreement_kind_name(row->kind));
    put_slots(out, results, &row->claimed_slots);
    if (row->agreement == AGREEMENT_NARROWER) {
        textbuf_put(out, " is narrower than measured: ");
        put_slots(out, results, &row->measured_slots);
        textbuf_put(out, " have no border there");
    } else {
        textbuf_put(out, row->agreement == AGREEMENT_WIDER ? " is wider than measured: " :
                                                              " crosses the measured ");
        put_groups(out, results, row);
    }
    put_numbers(out, row);
    if (row->contradicted_count > 1)
        textbuf_printf(out, ", and so for %u of %u such masks", row->contradicted_count,
                       row->claimed_count);
}

static void add_finding(const struct measured_results *results, const struct agreement_row *row,
                        struct findings *findings)
{
    char storage[TEXT_BYTES];
    struct textbuf text;

    textbuf_init(&text, storage, sizeof(storage));
    put_text(&text, results, row);

    struct finding *finding =
        findings_add(findings, finding_id(row->kind, row->agreement), severity(row), row->rules,
                     results->is_injected ? "pair latency, inject=" : "pair latency", "%s",
                     text.text);

    if (finding)
        CPUMASK_FOR_EACH(slot, &row->claimed_slots)
            cpumask_set(&finding->cpus, results->cpus[slot].cpu);
}

void agreement_findings(const struct measured_results *results, struct findings *findings)
{
    const struct measured_agreement *agreement = results->agreement;

    if (!agreement || (results->is_virtual && !results->is_injected))
        return;
    for (uint32_t i = 0; i < agreement->row_count; i++) {
        enum agreement found = agreement->rows[i].agreement;

        if (found == AGREEMENT_WIDER || found == AGREEMENT_NARROWER || found == AGREEMENT_CROSSING)
            add_finding(results, &agreement->rows[i], findings);
    }
}
