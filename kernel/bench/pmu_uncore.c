/* AMD's shared counters: last-level cache, data fabric, memory controllers. They are pairs of a
 * select register and a counter like those of a core. [amd/vol2 13.2], [clear 3.7] */
#include "kernel/bench/pmu_uncore.h"

#include "kernel/lib/bits.h"
#include "kernel/lib/textbuf.h"
#include "kernel/stats/cpu_model.h"

enum {
    L3_COUNTERS = 6, FABRIC_COUNTERS = 4, FABRIC_CHANNELS = 8,
    FABRIC_CHANNEL_STEP = 0x40,  /* from a channel's event to the next one's */
    HAS_FABRIC_BIT = 24, HAS_L3_BIT = 28,
};
#define MSR_L3_SELECT 0xc0010230u
#define MSR_FABRIC_SELECT 0xc0010240u
#define MSR_UMC_SELECT 0xc0010800u
#define UMC_ENABLE (1ull << 31)
#define COUNTER_MASK ((1ull << 48) - 1)

struct slot {
    uint32_t select_msr, row;
    uint64_t select, enable;
};

static uint32_t first_select(const struct pmu_uncore *unit)
{
    return unit->kind == PMU_UNCORE_UMC      ? MSR_UMC_SELECT
           : unit->kind == PMU_UNCORE_FABRIC ? MSR_FABRIC_SELECT : MSR_L3_SELECT;
}

static uint64_t enable_bit(const struct pmu_uncore *unit)
{
    return unit->kind == PMU_UNCORE_UMC ? UMC_ENABLE : PMU_SELECT_ENABLE;
}

/* The fields that a unit has beside the event's, such as which slices, threads or kind of
 * command, are the event's extra value. */
static struct slot slot_of(const struct pmu_uncore *unit, uint32_t pass, uint32_t index)
{
    uint32_t counter = index, row = index, code;
    if (unit->kind == PMU_UNCORE_FABRIC)
        row = 0;
    if (unit->kind == PMU_UNCORE_UMC) {
        row = index % PMU_UNCORE_ROWS;
        counter = index / PMU_UNCORE_ROWS * unit->per_controller + row;
    }
    code = unit->rows[row]->event;
    if (unit->kind == PMU_UNCORE_FABRIC)
        code += (pass * FABRIC_COUNTERS + index) * FABRIC_CHANNEL_STEP;
    return (struct slot){
        .select_msr = first_select(unit) + 2 * counter, .row = row, .enable = enable_bit(unit),
        .select = (code & 0xff) | (uint64_t)unit->rows[row]->umask << 8 |
                  (uint64_t)(code >> 8) << 32 | pmu_extras[unit->rows[row]->extra],
    };
}

/* --- finding ---------------------------------------------------------------------------- */

/* Free, and a register that keeps what is written. */
static bool take(struct pmu *pmu, struct pmu_uncores *found, const struct pmu_uncore *unit,
                 uint32_t counters, struct textbuf *text)
{
    struct slot first = slot_of(unit, 0, 0);
    uint64_t value;
    for (uint32_t n = 0; n < counters; n++)
        if (pmu_is_set(pmu, first_select(unit) + 2 * n, enable_bit(unit), &value)) {
            textbuf_printf(text, "%sfirmware uses the %s's counters (MSR 0x%x is 0x%llx)",
                           text->length == 0 ? "" : "; ", unit->name, first_select(unit) + 2 * n,
                           (unsigned long long)value);
            return false;
        }
    if (!pmu_keeps(pmu, first.select_msr, first.select))
        return false;
    found->units[found->count++] = *unit;
    return true;
}

static bool find_umc(struct pmu *pmu, struct pmu_uncores *found, struct textbuf *text)
{
    struct cpuid_regs leaf = { 0 };
    struct pmu_uncore unit = {
        .kind = PMU_UNCORE_UMC, .name = "UMC", .row_count = 2, .passes = 1,
        .rows = { pmu_event_find(pmu->facts, pmu->cpu, "ct:umc-cas-rd"),
                  pmu_event_find(pmu->facts, pmu->cpu, "ct:umc-cas-wr") },
    };
    if (facts_max_extended_leaf(pmu->facts, pmu->cpu) >= 0x80000022)
        facts_cpuid(pmu->facts, pmu->cpu, 0x80000022, 0, &leaf);
    uint32_t controllers = (uint32_t)__builtin_popcount(leaf.ecx);
    uint32_t counters = bits_get(leaf.ebx, 21, 16);
    unit.slots = PMU_UNCORE_ROWS * controllers;
    if (unit.rows[0] == NULL || unit.rows[1] == NULL || !bits_test(leaf.eax, 0) ||
        controllers == 0 || counters < unit.slots || unit.slots > PMU_UNCORE_SLOTS)
        return false;
    unit.per_controller = counters / controllers;
    if (!take(pmu, found, &unit, counters, text))
        return false;
    textbuf_printf(text, "AMD UMC: %u controllers of %u counters, of this CPU's package",
                   controllers, unit.per_controller);
    return true;
}

static bool find_fabric(struct pmu *pmu, uint32_t features, struct pmu_uncores *found,
                        struct textbuf *text)
{
    struct pmu_uncore unit = {
        .kind = PMU_UNCORE_FABRIC, .name = "data fabric", .row_count = 1,
        .slots = FABRIC_COUNTERS, .passes = FABRIC_CHANNELS / FABRIC_COUNTERS,
        .rows = { pmu_event_find(pmu->facts, pmu->cpu, "ct:df-dram-ch0") },
    };
    if (unit.rows[0] == NULL || !bits_test(features, HAS_FABRIC_BIT) ||
        !take(pmu, found, &unit, FABRIC_COUNTERS, text))
        return false;
    textbuf_put(text, "AMD data fabric: reads and writes together, 8 channels of this CPU's die");
    return true;
}

static void find_l3(struct pmu *pmu, uint32_t features, struct pmu_uncores *found,
                    struct textbuf *text)
{
    static const char *const names[PMU_UNCORE_ROWS] = { "ct:l3-miss", "ct:l3-access" };
    struct pmu_uncore unit = { .kind = PMU_UNCORE_L3, .name = "L3", .passes = 1 };
    for (uint32_t i = 0; i < PMU_UNCORE_ROWS; i++) {
        const struct pmu_event *event = pmu_event_find(pmu->facts, pmu->cpu, names[i]);
        if (event != NULL)
            unit.rows[unit.row_count++] = event;
    }
    unit.slots = unit.row_count;
    if (unit.row_count != 0 && bits_test(features, HAS_L3_BIT))
        take(pmu, found, &unit, L3_COUNTERS, text);
}

static bool find_amd(struct pmu *pmu, struct pmu_uncores *found)
{
    struct cpuid_regs leaf = { 0 };
    struct textbuf text;
    textbuf_init(&text, found->text, sizeof found->text);
    if (facts_max_extended_leaf(pmu->facts, pmu->cpu) >= 0x80000001)
        facts_cpuid(pmu->facts, pmu->cpu, 0x80000001, 0, &leaf);
    bool has_memory = find_umc(pmu, found, &text) || find_fabric(pmu, leaf.ecx, found, &text);
    if (text.length == 0)
        textbuf_put(&text, "CPUID and the event lists name none, or its registers keep nothing");
    find_l3(pmu, leaf.ecx, found, &text);
    return has_memory;
}

void pmu_uncore_find(struct pmu *pmu, struct pmu_uncores *found)
{
    *found = (struct pmu_uncores){ 0 };
    found->has_memory = cpu_model_of(pmu->facts, pmu->cpu).vendor == CPU_INTEL
        ? pmu_imc_find(pmu, found) : find_amd(pmu, found);
}

/* --- counting --------------------------------------------------------------------------- */

static bool start(struct pmu *pmu, struct pmu_uncore *unit, uint32_t pass)
{
    bool is_good = true;
    for (uint32_t i = 0; i < unit->slots && is_good; i++) {
        struct slot slot = slot_of(unit, pass, i);
        is_good = pmu_set(pmu, slot.select_msr, slot.select) &&
                  pmu_set(pmu, slot.select_msr + 1, 0);
    }
    for (uint32_t i = 0; i < unit->slots && is_good; i++) {
        struct slot slot = slot_of(unit, pass, i);
        is_good = pmu_set(pmu, slot.select_msr, slot.select | slot.enable);
    }
    return is_good;
}

bool pmu_uncore_start(struct pmu *pmu, struct pmu_uncore *unit, uint32_t pass)
{
    pmu->touched_count = 0;
    if (unit->kind == PMU_UNCORE_IMC) {
        for (uint32_t i = 0; i < unit->slots; i++)
            unit->before[i] = pmu_imc_read(unit, i);
        return true;
    }
    if (start(pmu, unit, pass))
        return true;
    pmu_restore(pmu);
    return false;
}

bool pmu_uncore_stop(struct pmu *pmu, struct pmu_uncore *unit, uint32_t pass, uint64_t *rows)
{
    bool is_good = true;
    if (unit->kind == PMU_UNCORE_IMC) {
        for (uint32_t i = 0; i < unit->slots; i++)
            rows[i % PMU_UNCORE_ROWS] += pmu_imc_read(unit, i) - unit->before[i];
        return true;
    }
    for (uint32_t i = 0; i < unit->slots; i++) {
        struct slot slot = slot_of(unit, pass, i);
        is_good &= pmu_set(pmu, slot.select_msr, slot.select);
    }
    for (uint32_t i = 0; i < unit->slots && is_good; i++) {
        struct slot slot = slot_of(unit, pass, i);
        uint64_t value = 0;
        is_good = pmu->registers.read(pmu->registers.context, slot.select_msr + 1, &value);
        rows[slot.row] += value & COUNTER_MASK;
    }
    return pmu_restore(pmu) && is_good;
}
