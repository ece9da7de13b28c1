/* report.txt: measured topology: the heat map first, then what it means for the masks,
 * then what sharing, moving and restarting cost. */
#include "kernel/report/text_measured.h"

#include "kernel/report/sections.h"
#include "kernel/report/text.h"
#include "kernel/stats/agreement.h"
#include "kernel/stats/groups_values.h"
#include "kernel/stats/measured_pairs.h"
#include "kernel/stats/measured_summary.h"

enum {
    MAP_CPUS = 64,      /* one character per CPU in an 80-column line */
    LIST_BYTES = 300,
};

static const char shades[] = ".:-=+*%#@"; /* from the shortest time to the longest */

void text_measured_put_ns(struct text_table *table, uint32_t ps)
{
    if (ps == MEASURED_NONE)
        text_cell(table, "-");
    else
        text_cell_fixed(table, ((int64_t)ps + 50) / 100, 1);
}

static void put_setting(struct textbuf *out, const struct measured_results *measured)
{
    if (measured->is_virtual && !measured->is_injected)
        text_wrap(out, "", 0, "This is a virtual machine: the times below are its host's, and no "
                              "verdict on the hardware is given.");
    if (measured->is_virtual && measured->is_injected)
        text_wrap(out, "", 0, "This is a virtual machine with inject=: pair times are a nominal "
                              "cost of the declared distance plus what was injected; verdicts are "
                              "about these.");
    if (!measured->is_virtual && measured->is_injected)
        text_wrap(out, "", 0, "inject= added costs to what was measured: verdicts are about the "
                              "sum.");
    if (measured->is_budget_spent)
        text_wrap(out, "", 0, "The time budget ended before everything was measured.");
}

/* --- heat map ------------------------------------------------------------------------- */

static void find_range(const struct measured_latency *latency, uint32_t *low, uint32_t *high)
{
    *low = MEASURED_NONE;
    *high = 0;
    for (uint32_t i = 0; i < latency->cpu_count * latency->cpu_count; i++) {
        uint32_t ps = latency->median_ps[i];

        if (ps == MEASURED_NONE)
            continue;
        *low = ps < *low ? ps : *low;
        *high = ps > *high ? ps : *high;
    }
}

/* Shades are steps of equal ratio, as the times of a machine are. */
static char shade(uint32_t ps, uint32_t low_log, uint32_t high_log)
{
    uint32_t steps = sizeof(shades) - 1;

    if (ps == MEASURED_NONE)
        return ' ';
    if (high_log == low_log)
        return shades[0];
    uint32_t at = (log2_of(ps) - low_log) * steps / (high_log - low_log);

    return shades[at < steps ? at : steps - 1];
}

static void put_map(struct textbuf *out, const struct measured_results *measured)
{
    const struct measured_latency *latency = measured->latency;
    uint32_t low, high, shown = latency->cpu_count < MAP_CPUS ? latency->cpu_count : MAP_CPUS;

    find_range(latency, &low, &high);
    if (low == MEASURED_NONE)
        return;
    textbuf_printf(out, "\nOne-way time from CPU (line) to CPU (column), %u.%u ns ", low / 1000,
                   low / 100 % 10);
    textbuf_printf(out, "%s %u.%u ns;\n", shades, high / 1000, high / 100 % 10);
    textbuf_put(out, "\"\\\" the CPU itself, blank: not measured\n");
    for (uint32_t from = 0; from < shown; from++) {
        textbuf_printf(out, "%5u  ", measured->cpus[from].cpu);
        for (uint32_t to = 0; to < shown; to++)
            textbuf_putc(out, from == to ? '\\' :
                                  shade(latency->median_ps[from * latency->cpu_count + to],
                                        log2_of(low), log2_of(high)));
        textbuf_putc(out, '\n');
    }
    if (shown < latency->cpu_count)
        textbuf_printf(out, "and %u CPUs more; report.json has every pair\n",
                       latency->cpu_count - shown);
}

static void put_latency(struct textbuf *out, const struct measured_results *measured)
{
    static const struct text_column columns[] = {
        {"declared distance", 20, false}, {"pairs", 8, true}, {"median ns", 12, true},
        {"IQR ns", 10, true}};
    const struct measured_latency *latency = measured->latency;
    struct text_table table;

    text_pair(out, "pair latency", "%u of %u pairs, median of %u samples of %u round trips",
              latency->pairs_measured, latency->pairs_possible, latency->samples_per_pair,
              latency->round_trips_per_sample);
    if (latency->is_sampled)
        text_pair(out, "", "a sample: %u partners of each declared distance per CPU, seed %llu",
                  latency->sampled_per_class, (unsigned long long)latency->seed);
    if (latency->pairs_timed_out || latency->pairs_left_out)
        text_pair(out, "", "%u pairs were cut short and have fewer samples or none, %u "
                  "had no time left",
                  latency->pairs_timed_out, latency->pairs_left_out);
    if (!latency->pairs_measured)
        return;
    textbuf_putc(out, '\n');
    text_table_begin(&table, out, columns, 4);
    for (uint32_t i = 0; i < DISTANCE_CLASSES; i++) {
        if (!latency->by_class[i].count)
            continue;
        text_cell(&table, "%s", distance_name(i));
        text_cell(&table, "%u", latency->by_class[i].count);
        text_measured_put_ns(&table, latency->by_class[i].median_ps);
        text_measured_put_ns(&table, latency->by_class[i].iqr_ps);
    }
    put_map(out, measured);
}

/* --- groups and agreement ----------------------------------------------------------------- */

static void put_slots(struct textbuf *out, const struct measured_results *measured,
                      const struct cpumask *slots)
{
    struct measured_mask mask;

    measured_mask_of(&mask, measured, slots);
    cpumask_put_list(out, &mask.cpus);
}

static void put_level(struct textbuf *out, const struct measured_results *measured, uint32_t depth)
{
    const struct measured_groups *groups = measured->groups;
    char storage[LIST_BYTES], first[24];
    struct textbuf list, label;

    textbuf_init(&list, storage, sizeof(storage));
    textbuf_init(&label, first, sizeof(first));
    textbuf_printf(&label, "  level %-10u  ", depth);
    for (uint32_t i = 0; i < groups->group_count; i++) {
        if (groups->groups[i].depth != depth)
            continue;
        textbuf_putc(&list, ' ');
        put_slots(&list, measured, &groups->groups[i].slots);
    }
    text_wrap(out, first, TEXT_LABEL_COLUMNS, list.text);
    textbuf_printf(out, "%*s%u.%u ns inside, %u.%u ns to others\n", TEXT_LABEL_COLUMNS, "",
                   groups->levels[depth - 1].inside_ps / 1000,
                   groups->levels[depth - 1].inside_ps / 100 % 10,
                   groups->levels[depth - 1].outside_ps / 1000,
                   groups->levels[depth - 1].outside_ps / 100 % 10);
}

static void put_groups(struct textbuf *out, const struct measured_results *measured)
{
    const struct measured_groups *groups = measured->groups;

    textbuf_putc(out, '\n');
    if (groups->verdict == GROUPS_CANNOT_TELL)
        text_pair(out, "measured groups", "cannot tell: %s", groups->reason);
    else if (groups->verdict == GROUPS_UNIFORM)
        text_pair(out, "measured groups", "one group, no border inside it");
    else
        text_pair(out, "measured groups", "%u level%s, widest first:", groups->level_count,
                  groups->level_count == 1 ? "" : "s");
    for (uint32_t depth = 1; depth <= groups->level_count; depth++)
        put_level(out, measured, depth);
}

/* "linux-4.9 to linux-7.2" or a list. */
static void put_rules(struct text_table *table, uint32_t rules)
{
    char storage[LIST_BYTES];
    struct textbuf names;

    textbuf_init(&names, storage, sizeof(storage));
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++) {
        uint32_t last = i;

        if (!(rules >> i & 1))
            continue;
        while (last + 1 < RULE_PROFILE_COUNT && rules >> (last + 1) & 1)
            last++;
        textbuf_printf(&names, "%s%s", names.length ? ", " : "", rules_name(&rule_profiles[i]));
        if (last > i)
            textbuf_printf(&names, " to %s", rules_name(&rule_profiles[last]));
        i = last;
    }
    text_cell(table, "%s", names.text);
}

static void put_agreement(struct textbuf *out, const struct measured_results *measured)
{
    static const struct text_column columns[] = {
        {"mask", 8, false}, {"measured", 12, false}, {"near ns", 9, true}, {"far ns", 9, true},
        {"  profiles", 36, false}};
    struct text_table table;

    textbuf_putc(out, '\n');
    text_table_begin(&table, out, columns, 5);
    for (uint32_t i = 0; i < measured->agreement->row_count; i++) {
        const struct agreement_row *row = &measured->agreement->rows[i];

        text_cell(&table, "%s", agreement_kind_name(row->kind));
        text_cell(&table, "%s", agreement_name(row->agreement));
        text_measured_put_ns(&table, row->near_ps);
        text_measured_put_ns(&table, row->far_ps);
        put_rules(&table, row->rules);
    }
}

void text_measured(struct textbuf *out, const struct report_model *model)
{
    const struct measured_results *measured = model->measured;

    if (!measured || !measured->cpus)
        return;
    text_heading(out, "Measured topology");
    put_setting(out, measured);
    if (measured->latency)
        put_latency(out, measured);
    if (measured->groups)
        put_groups(out, measured);
    if (measured->agreement)
        put_agreement(out, measured);
    text_measured_costs(out, measured);
    text_measured_times(out, measured);
}
