/* Counts what each variant does, one group of events per pass. [clear 3.8] */
#include "kernel/bench/counters.h"

#include "kernel/bench/engine_pass.h"
#include "kernel/cpu/instructions.h"
#include "kernel/cpu/msr.h"
#include "kernel/cpu/physmap.h"

/* PCI configuration mechanism 1: bus 0, device 0, function 0. [pci 3.2.2.3.2] */
#define PCI_ADDRESS_PORT 0xcf8
#define PCI_VALUE_PORT 0xcfc
#define PCI_ENABLE 0x80000000u

enum { LINE_BYTES = 64, COUNTER_BLOCK = 1u << 30 };

/* In the order in which they share passes where counters are few: the closure's
 * first, then what the lists print. [clear 3.8.1, 3.8.6] */
static const char *const wanted[] = {
    "ct:stores-retired", "ct:l2-rfo-all", "ct:l2-rfo-miss", "ct:dtlb-store-walk-done",
    "ct:l2-store-reads", "ct:l2-change-to-x", "ct:stores-dispatched", "cache-misses",
    "cache-references", "L1-dcache-loads", "L1-dcache-load-misses", "L1-dcache-prefetches",
    "dTLB-loads", "dTLB-load-misses", "branch-instructions", "branch-misses",
    "ct:l1d-replacement", "ct:ocr-demand-rfo-any", "ct:ocr-streaming-wr-any",
    "ct:wcb-write", "ct:wcb-close", "ct:clzero-requests", "ct:l2-out-silent", "ct:l2-out-dirty",
    "ct:store-buffer-full", "ct:fill-buffer-full", "ct:bound-on-stores", "ct:superqueue-full",
    "ct:store-queue-full", "ct:dmnd-fills-all", "ct:rep-iterations", "ct:microcode-uops",
};

static bool read_register(void *context, uint32_t address, uint64_t *value)
{
    (void)context;
    return msr_read(address, value);
}

/* The registers that docs/msr-writes.md lists under this name. */
static bool write_register(void *context, uint32_t pmu_register, uint64_t value)
{
    (void)context;
    return msr_write(pmu_register, value);
}

/* Mechanism 1's address register is put back: an SMM handler may have left one there. */
static bool read_host_bridge(void *context, uint32_t offset, uint32_t *value)
{
    (void)context;
    uint32_t before = port_read32(PCI_ADDRESS_PORT);
    port_write32(PCI_ADDRESS_PORT, PCI_ENABLE | offset);
    *value = port_read32(PCI_VALUE_PORT);
    port_write32(PCI_ADDRESS_PORT, before);
    return *value != UINT32_MAX;
}

static const volatile uint8_t *map_registers(void *context, uint64_t physical, uint64_t bytes)
{
    (void)context;
    return physmap_device(physical, bytes, PHYSMAP_UNCACHED);
}

static void tell_event(struct bench_counters *told, const struct pmu_event *event, uint32_t pass,
                       bool is_fixed, const char *unit)
{
    if (told->event_count < BENCH_COUNTERS_MAX_EVENTS)
        told->events[told->event_count++] = (struct bench_counted_event){
            .generic = event->generic, .name = event->name, .event = event->event,
            .umask = event->umask, .pass = pass, .is_fixed = is_fixed, .unit = unit };
}

/* In the order in which count_cell() fills the counts. */
static void tell_events(struct counters *counters)
{
    struct bench_counters *told = &counters->told;
    for (uint32_t g = 0; g < counters->group_count; g++) {
        const struct pmu_group *group = &counters->groups[g];
        for (uint32_t i = g == 0 ? 0 : group->base_count; i < group->count; i++)
            tell_event(told, group->slots[i].event, g, group->slots[i].is_fixed, "core");
    }
    told->passes = counters->group_count;
    for (uint32_t u = 0; u < counters->uncores.count; u++) {
        const struct pmu_uncore *unit = &counters->uncores.units[u];
        for (uint32_t row = 0; row < unit->row_count; row++)
            tell_event(told, unit->rows[row], told->passes, unit->kind == PMU_UNCORE_IMC,
                       unit->name);
        told->passes += unit->passes;
    }
}

void counters_find(struct counters *counters, const struct machine_facts *facts,
                   const struct cpu_facts *cpu)
{
    static const struct pmu_registers registers = {
        .read = read_register, .write = write_register, .read_host_bridge = read_host_bridge,
        .map = map_registers,
    };
    struct bench_counters *told = &counters->told;
    told->pmu = counters->pmu.text;
    if (!pmu_find(&counters->pmu, facts, cpu, &registers)) {
        told->pmu = NULL;
        told->why_none = counters->pmu.text;
        return;
    }
    counters->group_count = pmu_plan(&counters->pmu, wanted, sizeof wanted / sizeof wanted[0],
                                     counters->groups);
    pmu_uncore_find(&counters->pmu, &counters->uncores);
    *(counters->uncores.has_memory ? &told->memory : &told->why_no_memory) =
        counters->uncores.text;
    tell_events(counters);
}

/* One pass of one group, for engine_pass_with(). */
struct counting {
    struct pmu *pmu;
    const struct pmu_group *group;
    uint64_t counts[PMU_MAX_SLOTS];
    bool is_counted;
};

static void count_pass(void *context, const struct timed_pass *pass)
{
    struct counting *counting = context;
    counting->is_counted = pmu_start(counting->pmu, counting->group);
    timed_pass(pass);
    if (counting->is_counted)
        counting->is_counted = pmu_stop(counting->pmu, counting->group, counting->counts);
}

/* One pass of one unit, likewise. */
struct sharing {
    struct pmu *pmu;
    struct pmu_uncore *unit;
    uint32_t pass;
    uint64_t rows[PMU_UNCORE_ROWS];
    bool is_counted;
};

/* What lay dirty in the caches before is none of the variant's traffic; what lies there
 * afterwards is, and has to reach memory before the counters are read. [clear 3.8.5] */
static void count_shared_pass(void *context, const struct timed_pass *pass)
{
    struct sharing *sharing = context;
    caches_write_back();
    sharing->is_counted = pmu_uncore_start(sharing->pmu, sharing->unit, sharing->pass);
    timed_pass(pass);
    caches_write_back();
    if (sharing->is_counted)
        sharing->is_counted = pmu_uncore_stop(sharing->pmu, sharing->unit, sharing->pass,
                                              sharing->rows);
}

static bool count_unit(struct counters *counters, struct engine *engine,
                       const struct bench_setting *setting, uint8_t *start, uint32_t cell,
                       struct pmu_uncore *unit, uint64_t *rows)
{
    struct sharing sharing = { .pmu = &counters->pmu, .unit = unit };
    for (; sharing.pass < unit->passes; sharing.pass++)
        if (!engine_pass_with(engine, setting, start, cell, count_shared_pass, &sharing) ||
            !sharing.is_counted)
            return false;
    for (uint32_t i = 0; i < PMU_UNCORE_ROWS; i++)
        rows[i] = sharing.rows[i];
    return true;
}

static void count_cell(struct counters *counters, struct engine *engine,
                       const struct bench_setting *setting, uint8_t *start, uint32_t cell,
                       struct bench_counted *counted)
{
    uint64_t *counts = counted->counts, *end = counts + counters->told.event_count;
    *counted = (struct bench_counted){
        .cell = cell, .lines = setting->pass_bytes / setting->sweeps / LINE_BYTES,
    };
    for (uint32_t g = 0; g < counters->group_count; g++) {
        const struct pmu_group *group = &counters->groups[g];
        struct counting counting = { .pmu = &counters->pmu, .group = group };
        if (!engine_pass_with(engine, setting, start, cell, count_pass, &counting))
            counting.is_counted = false;
        for (uint32_t i = g == 0 ? 0 : group->base_count; i < group->count; i++)
            if (counts < end)
                *counts++ = counting.is_counted ? counting.counts[i] : UINT64_MAX;
    }
    for (uint32_t u = 0; u < counters->uncores.count; u++) {
        struct pmu_uncore *unit = &counters->uncores.units[u];
        uint64_t rows[PMU_UNCORE_ROWS];
        bool is_counted = count_unit(counters, engine, setting, start, cell, unit, rows);
        for (uint32_t i = 0; i < unit->row_count && counts < end; i++)
            *counts++ = is_counted ? rows[i] : UINT64_MAX;
    }
}

static void count_setting(struct counters *counters, struct engine *engine, uint32_t index,
                          uint64_t end_us)
{
    const struct bench_results *results = engine->results;
    const struct bench_setting *setting = &results->settings[index];
    uint8_t *start = engine_window(engine, setting);
    if (start == NULL)
        return;
    engine_choose(engine, index, COUNTER_BLOCK);
    for (uint32_t i = 0; i < setting->cell_count; i++) {
        uint32_t cell = setting->first_cell + i;
        if (results->cells[cell].is_repeat)
            continue;
        if (engine->machine->now_us(engine->machine->context) >= end_us)
            counters->told.left_out++;
        else
            count_cell(counters, engine, setting, start, cell,
                       &counters->told.cells[counters->told.cell_count++]);
    }
}

bool counters_run(struct counters *counters, struct engine *engine, uint64_t end_us,
                  struct arena *arena)
{
    struct bench_results *results = engine->results;
    results->counters = &counters->told;
    if (counters->told.why_none != NULL)
        return true;
    counters->told.cells = ARENA_NEW(arena, struct bench_counted, results->cell_count);
    if (counters->told.cells == NULL)
        return false;
    for (uint32_t i = 0; i < results->setting_count; i++)
        if (results->settings[i].is_primary && results->settings[i].placement == BENCH_PLACE_ONE)
            count_setting(counters, engine, i, end_us);
    return bench_closure_check(results, &counters->told, arena);
}
