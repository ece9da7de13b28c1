/* XTOPO of the classic kernels: leaf 0x1F or 0xB, level by level. */
#include "kernel/topology/extended.h"

#include "kernel/lib/bits.h"

enum { LEVEL_SMT = 1, LEVEL_CORE = 2, LEVEL_DIE = 5 };

struct widths {
    uint32_t core_count;
    unsigned smt, core, die, package; /* shifts */
    bool has_die;
};

static uint32_t level_count(const struct cpuid_regs *row)
{
    return bits_get(row->ebx, 15, 0);
}

static unsigned level_shift(const struct cpuid_regs *row)
{
    return bits_get(row->eax, 4, 0);
}

static bool is_usable(struct build *build, uint32_t cpu, enum leaf_list list, enum leaf_row row)
{
    const struct cpu_leaves *leaves = build_leaves(build, cpu);
    const struct leaf_rows *rows = &leaves->list[list];
    uint32_t leaf = leaves_number(list);

    if (leaves->max_basic < leaf)
        return false;
    if (rows->count == 0) {
        build_needs(build, cpu, row, leaf);
        return false;
    }
    if (!rows->rows[0].ebx || leaves_level_type(&rows->rows[0]) != LEVEL_SMT)
        return false;
    if (level_count(&rows->rows[0]) == 0) {
        build_note(build, NOTE_LEVEL_COUNT_ZERO, cpu, leaf, 0, rows->rows[0].ebx, 0);
        return false;
    }
    if (rows->is_endless)
        build_note(build, NOTE_LEAF_ENDLESS, cpu, leaf, 0, rows->count, 0);
    return true;
}

const struct leaf_rows *extended_leaf(struct build *build, uint32_t cpu, uint32_t *leaf)
{
    enum leaf_list list = LIST_LEAF_B;

    if (build->rules->extended.asks_leaf_1f && is_usable(build, cpu, LIST_LEAF_1F, ROW_LEAF_1F))
        list = LIST_LEAF_1F;
    else if (!is_usable(build, cpu, LIST_LEAF_B, ROW_LEAF_B))
        return NULL;
    *leaf = leaves_number(list);
    return &build_leaves(build, cpu)->list[list];
}

/* linux-4.x stops at the core level; later kernels read on to the last level. */
static struct widths read_levels(const struct rule_profile *rules, const struct leaf_rows *rows)
{
    unsigned smt = level_shift(&rows->rows[0]);
    struct widths w = {level_count(&rows->rows[0]), smt, smt, smt, smt, false};

    for (uint32_t i = 1; i < rows->count; i++) {
        const struct cpuid_regs *row = &rows->rows[i];
        uint32_t type = leaves_level_type(row);

        if (type == LEVEL_CORE) {
            w.core_count = level_count(row);
            w.core = w.die = level_shift(row);
            if (!rules->extended.reads_all_levels) {
                w.package = w.core;
                break;
            }
        }
        if (!rules->extended.reads_all_levels)
            continue;
        if (type == LEVEL_DIE) {
            w.has_die = true;
            w.die = level_shift(row);
        }
        w.package = level_shift(row);
    }
    return w;
}

bool extended_identify(struct build *build, uint32_t cpu, uint32_t *siblings)
{
    struct topology_cpu *out = &build->out->cpus[cpu];
    uint32_t leaf, cid;
    const struct leaf_rows *rows = extended_leaf(build, cpu, &leaf);

    if (!rows)
        return false;
    struct widths w = read_levels(build->rules, rows);
    uint32_t smt_count = level_count(&rows->rows[0]);

    if (!build->rules->extended.siblings_are_maximum || smt_count > *siblings)
        *siblings = smt_count;
    cid = rows->rows[0].edx;
    out->ident.cid = out->ident.eid = cid;
    out->ident.leaf_used = leaf;
    out->core_id = bits_shift_right(cid, w.smt) & (bits_ones(w.package) >> w.smt);
    if (w.has_die)
        out->die_id = bits_shift_right(cid, w.core) & (bits_ones(w.die) >> w.core);
    out->package_id = bits_shift_right(cid, w.package);
    out->ident.max_cores = w.core_count / *siblings;
    return true;
}
