/* The extended topology leaves as the reworked kernels parse them. [rules 3.3] */
#include "kernel/lib/bits.h"
#include "kernel/topology/identify_reworked.h"

enum { TYPES_MAX = 7, NO_TYPE = 0xFF };

struct leaf_kind {
    enum leaf_list list;
    enum leaf_row row;
    uint8_t domain_of[TYPES_MAX]; /* by level type; NO_TYPE: unknown to this leaf */
};

static const struct leaf_kind kinds[] = {
    {LIST_LEAF_1F, ROW_LEAF_1F, {NO_TYPE, DOMAIN_SMT, DOMAIN_CORE, DOMAIN_MODULE, DOMAIN_TILE,
                                 DOMAIN_DIE, DOMAIN_DIEGRP}},
    {LIST_LEAF_80000026, ROW_LEAF_80000026, {NO_TYPE, DOMAIN_SMT, DOMAIN_CORE, DOMAIN_TILE,
                                             DOMAIN_DIE, NO_TYPE, NO_TYPE}},
    {LIST_LEAF_B, ROW_LEAF_B, {NO_TYPE, DOMAIN_SMT, DOMAIN_CORE, NO_TYPE, NO_TYPE, NO_TYPE,
                               NO_TYPE}},
};

static enum domain domain_of(struct build *build, uint32_t cpu, const struct leaf_kind *kind,
                             uint32_t subleaf, uint32_t type, enum domain *last)
{
    uint8_t domain = type < TYPES_MAX ? kind->domain_of[type] : NO_TYPE;

    if (domain != NO_TYPE) {
        *last = domain;
        return domain;
    }
    build_note(build, NOTE_LEVEL_UNKNOWN, cpu, leaves_number(kind->list), subleaf, type, 0);
    return *last + 1;
}

/* SMT shift 0 with several CPUs is mended. */
static void mend_smt_shift(struct build *build, uint32_t cpu, uint32_t leaf)
{
    struct topology_ident *ident = &build->out->cpus[cpu].ident;
    uint32_t count = ident->count[DOMAIN_SMT];

    if (ident->shift[DOMAIN_SMT] || count <= 1)
        return;
    build_note(build, NOTE_SMT_SHIFT_ZERO, cpu, leaf, 0, count, 0);
    reworked_update(ident, DOMAIN_SMT, bits_order(count), count);
}

static bool parse(struct build *build, uint32_t cpu, const struct leaf_kind *kind)
{
    const struct leaf_rows *rows = &build_leaves(build, cpu)->list[kind->list];
    struct topology_ident *ident = &build->out->cpus[cpu].ident;
    uint32_t leaf = leaves_number(kind->list), i;
    enum domain last = DOMAIN_SMT;

    if (rows->count == 0)
        build_needs(build, cpu, kind->row, leaf);
    for (i = 0; i < rows->count; i++) {
        const struct cpuid_regs *row = &rows->rows[i];
        uint32_t count = bits_get(row->ebx, 15, 0);

        if (count == 0)
            break;
        enum domain domain = domain_of(build, cpu, kind, i, leaves_level_type(row), &last);
        if (domain == DOMAIN_SMT)
            ident->cid = row->edx;
        else if (row->edx != ident->cid)
            build_note(build, NOTE_EDX_MISMATCH, cpu, leaf, i, row->edx, ident->cid);
        reworked_set(ident, domain, bits_get(row->eax, 4, 0), count);
    }
    if (i == 0)
        return false;
    if (rows->is_endless)
        build_note(build, NOTE_LEAF_ENDLESS, cpu, leaf, 0, rows->count, 0);
    ident->leaf_used = leaf;
    mend_smt_shift(build, cpu, leaf);
    return true;
}

bool reworked_extended(struct reworked *r, uint32_t cpu)
{
    const struct cpu_leaves *leaves = build_leaves(r->build, cpu);

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        uint32_t leaf = leaves_number(kinds[i].list);

        if ((leaf >> 31 ? leaves->max_extended : leaves->max_basic) >= leaf &&
            parse(r->build, cpu, &kinds[i]))
            return true;
    }
    return false;
}
