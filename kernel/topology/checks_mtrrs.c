/* What caches may keep: CR0, and MTRRs by effect: whatever the order of the register pairs,
 * every address must have one memory type on all CPUs. [intel/vol3 12.5.1, 12.11] */
#include "kernel/topology/checks_run.h"

#include "kernel/lib/bits.h"

enum {
    MSR_MTRRCAP = 0xFE, MSR_MTRR_BASE = 0x200, MSR_MTRR_DEFAULT = 0x2FF, VARIABLE_MAX = 10,
    FIXED_COUNT = 11, TYPE_UC = 0, TYPE_WT = 4, TYPE_WB = 6,
    LEAF_1_ECX_HYPERVISOR = 31, MTRR_ENABLED = 1 << 11, MTRR_FIXED_ENABLED = 1 << 10, PAIR_VALID = 1 << 11,
};

static const uint32_t fixed_msrs[FIXED_COUNT] = {0x250, 0x258, 0x259, 0x268, 0x269, 0x26A,
                                                 0x26B, 0x26C, 0x26D, 0x26E, 0x26F};

#define CR0_NOT_WRITE_THROUGH (1ull << 29)
#define CR0_CACHE_DISABLE (1ull << 30)

struct mtrr_pair {
    uint64_t base, mask;
    uint32_t type;
};

struct mtrr_state {
    bool is_known, is_enabled, has_fixed;
    uint32_t default_type, pair_count;
    struct mtrr_pair pairs[VARIABLE_MAX];
    uint64_t fixed[FIXED_COUNT];
};

static bool read_value(const struct cpu_facts *cpu, uint32_t address, uint64_t *value)
{
    const struct msr_row *row = facts_msr(cpu, address);

    *value = row && !row->has_faulted ? row->value : 0;
    return row && !row->has_faulted;
}

static void read_state(const struct cpu_facts *cpu, struct mtrr_state *state)
{
    uint64_t value, mask;

    *state = (struct mtrr_state){.is_known = read_value(cpu, MSR_MTRR_DEFAULT, &value)};
    state->is_enabled = value & MTRR_ENABLED;
    state->has_fixed = value & MTRR_FIXED_ENABLED;
    state->default_type = value & 0xFF;
    for (uint32_t i = 0; i < VARIABLE_MAX; i++) {
        if (!read_value(cpu, MSR_MTRR_BASE + 2 * i + 1, &mask) || !(mask & PAIR_VALID) ||
            !read_value(cpu, MSR_MTRR_BASE + 2 * i, &value))
            continue;
        state->pairs[state->pair_count++] =
            (struct mtrr_pair){value & ~0xFFFull, mask & ~0xFFFull, value & 0xFF};
    }
    for (uint32_t i = 0; i < FIXED_COUNT; i++)
        read_value(cpu, fixed_msrs[i], &state->fixed[i]);
}

/* UC wins, then WT over WB; without a pair the default type counts. */
static uint32_t type_at(const struct mtrr_state *state, uint64_t address)
{
    uint32_t type = UINT32_MAX;

    if (!state->is_enabled)
        return TYPE_UC;
    for (uint32_t i = 0; i < state->pair_count; i++) {
        const struct mtrr_pair *pair = &state->pairs[i];

        if ((address & pair->mask) != (pair->base & pair->mask))
            continue;
        if (type == UINT32_MAX || pair->type == TYPE_UC ||
            (pair->type == TYPE_WT && type == TYPE_WB))
            type = pair->type;
        if (type == TYPE_UC)
            break;
    }
    return type == UINT32_MAX ? state->default_type : type;
}

/* A type can only change where a range of either CPU begins or ends. */
static bool find_difference(const struct mtrr_state *a, const struct mtrr_state *b,
                            const struct mtrr_state *edges, uint64_t *address)
{
    for (uint32_t i = 0; i < edges->pair_count; i++) {
        const struct mtrr_pair *pair = &edges->pairs[i];
        uint64_t size = pair->mask & -pair->mask;
        uint64_t places[2] = {pair->base & pair->mask, (pair->base & pair->mask) + size};

        for (uint32_t j = 0; j < 2; j++)
            if (type_at(a, places[j]) != type_at(b, places[j])) {
                *address = places[j];
                return true;
            }
    }
    return false;
}

static bool have_equal_fixed(const struct mtrr_state *a, const struct mtrr_state *b)
{
    if (a->has_fixed != b->has_fixed)
        return false;
    for (uint32_t i = 0; a->has_fixed && i < FIXED_COUNT; i++)
        if (a->fixed[i] != b->fixed[i])
            return false;
    return true;
}

static bool differ(const struct mtrr_state *a, const struct mtrr_state *b, uint64_t *address)
{
    *address = 0;
    if (a->is_enabled != b->is_enabled || !have_equal_fixed(a, b))
        return true;
    *address = 1ull << 51; /* above every range: the default type */
    if (type_at(a, *address) != type_at(b, *address))
        return true;
    return find_difference(a, b, a, address) || find_difference(a, b, b, address);
}

/* QEMU's INIT clears MTRRs, hardware's does not [intel/vol3 table 10-1]: on an emulated
 * CPU that was just started, MTRRs that are off say nothing about the firmware. */
static bool is_cleared_by_emulator(const struct check_run *run, uint32_t fact,
                                   const struct mtrr_state *state)
{
    struct cpuid_regs regs;

    return !state->is_enabled && state->pair_count == 0 && checks_row(run, fact, 1, 0, &regs) &&
           bits_test(regs.ecx, LEAF_1_ECX_HYPERVISOR);
}

static void check_mtrrs(struct check_run *run)
{
    struct mtrr_state boot, state;
    struct finding *finding = NULL;

    if (run->facts->cpu_count == 0)
        return;
    read_state(&run->facts->cpus[0], &boot);
    for (uint32_t fact = 1; boot.is_known && fact < run->facts->cpu_count; fact++) {
        uint64_t address;

        read_state(&run->facts->cpus[fact], &state);
        if (!state.is_known || is_cleared_by_emulator(run, fact, &state) ||
            !differ(&boot, &state, &address))
            continue;
        if (!finding)
            finding = checks_report(run, 0, "MSRs 0x200-0x2ff",
                                    "Memory at 0x%llx has type %u on CPU %u and type %u on CPU %u.",
                                    (unsigned long long)address, type_at(&boot, address),
                                    run->number[0], type_at(&state, address), run->number[fact]);
        checks_mark(run, finding, fact);
    }
}

static void check_caches_off(struct check_run *run)
{
    struct finding *finding = NULL;

    for (uint32_t fact = 0; fact < run->facts->cpu_count; fact++) {
        const struct cpu_facts *cpu = &run->facts->cpus[fact];

        if (!cpu->has_cr0 || !(cpu->cr0 & (CR0_CACHE_DISABLE | CR0_NOT_WRITE_THROUGH)))
            continue;
        if (!finding)
            finding = checks_report(run, 0, "CR0", "The caches of CPU %u are off: its CR0 is "
                                    "0x%llx, with CD (bit 30) or NW (bit 29) set.",
                                    run->number[fact], (unsigned long long)cpu->cr0);
        checks_mark(run, finding, fact);
    }
}

static const struct check checks[] = {
    {"cpu-caches-off", FINDING_ERROR, "", "all",
     "a CPU runs with CR0.CD or CR0.NW set although the image clears both", "",
     "it runs from memory, many times slower; page clearing gets no verdict", check_caches_off,
     NULL},
    {"msr-mtrr-differs", FINDING_ERROR, "", "all",
     "some address has different memory types on two CPUs, by the MTRRs",
     "mtrr: your CPUs had inconsistent", "caches and DMA may see different memory", check_mtrrs,
     NULL},
};
CHECK_GROUP(checks_of_mtrrs, checks);
