/* Closure: counts per cleared line against what the variant must do. [clear 3.8.5] */
#include <string.h>

#include "kernel/stats/bench_counters.h"
#include "kernel/stats/bench_results.h"

#define MIN_EXTENT (2ull << 20)

enum { TOLERANCE_MILLI = 10, CANDIDATES = 2, AMD_FILL_EVENT = 0x60 };
enum quantity {
    INSTRUCTIONS, STORES, FILLS, STREAMING, LINE_ZEROS,
    DRAM_READS, DRAM_WRITES, DRAM_REQUESTS, QUANTITIES,
};

static const char *const quantity_names[QUANTITIES] = {
    [INSTRUCTIONS] = "instructions", [STORES] = "stores", [FILLS] = "fills",
    [STREAMING] = "streaming", [LINE_ZEROS] = "line-zeros",
    [DRAM_READS] = "dram-reads", [DRAM_WRITES] = "dram-writes",
    [DRAM_REQUESTS] = "dram-requests",
};

/* Events that count it, the better one first. */
static const char *const events_of[QUANTITIES][CANDIDATES] = {
    [INSTRUCTIONS] = { "instructions" },
    [STORES] = { "ct:stores-retired", "ct:stores-dispatched" },
    [FILLS] = { "ct:l1d-replacement", "L1-dcache-load-misses" },
    [STREAMING] = { "ct:ocr-streaming-wr-any", "ct:wcb-close" },
    [LINE_ZEROS] = { "ct:clzero-requests" }, /* Zen to Zen 3 */
    [DRAM_READS] = { "ct:umc-cas-rd", "ct:imc-lines-rd" },
    [DRAM_WRITES] = { "ct:umc-cas-wr", "ct:imc-lines-wr" },
    [DRAM_REQUESTS] = { "ct:df-dram-ch0" },
};

/* Per line, in 1/1000. A quantity that a variant's manual entry leaves open, such as the
 * stores of a string instruction, is not in the table. */
static const struct expected {
    const char *variant;
    enum quantity quantity;
    uint32_t low, high;
} table[] = {
    { "orig", STORES, 8000, 8000 },      { "orig", FILLS, 1000, 1000 },
    { "orig", STREAMING, 0, 0 },
    { "stosq", FILLS, 0, 1000 },         { "stosq", STREAMING, 0, 0 },
    { "stosb", FILLS, 0, 1000 },         { "stosb", STREAMING, 0, 0 },
    { "movnti8", STORES, 8000, 8000 },   { "movnti8", FILLS, 0, 0 },
    { "movnti8", STREAMING, 1000, 1000 },
    { "movnti4", STORES, 8000, 8000 },   { "movnti4", FILLS, 0, 0 },
    { "movnti4", STREAMING, 1000, 1000 },
    { "movntdq16", STORES, 4000, 4000 }, { "movntdq16", FILLS, 0, 0 },
    { "movntdq16", STREAMING, 1000, 1000 },
    { "vmovntdq32", STORES, 2000, 2000 }, { "vmovntdq32", FILLS, 0, 0 },
    { "vmovntdq32", STREAMING, 1000, 1000 },
    { "vmovntdq64", STORES, 1000, 1000 }, { "vmovntdq64", FILLS, 0, 0 },
    { "vmovntdq64", STREAMING, 1000, 1000 },
    { "avx_st", STORES, 2000, 2000 },    { "avx_st", FILLS, 1000, 1000 },
    { "avx512_st", STORES, 1000, 1000 }, { "avx512_st", FILLS, 1000, 1000 },
    { "clzero", STORES, 0, 1000 },       { "clzero", FILLS, 0, 0 },
    { "clzero", LINE_ZEROS, 1000, 1000 },
    { "movdir64b", STORES, 1000, 1000 }, { "movdir64b", FILLS, 0, 0 },
    { "movdir64b", STREAMING, 1000, 1000 },
};

/* Lines read from and written to DRAM. One CPU alone does not saturate a controller, so
 * SpecI2M does not come in and a stored line is read first. [clear 2.4, 2.5] */
static const struct traffic {
    const char *variant;
    uint32_t reads_low, reads_high, writes_low, writes_high;
} traffic[] = {
    { "orig", 1000, 1000, 1000, 1000 },      { "avx_st", 1000, 1000, 1000, 1000 },
    { "avx512_st", 1000, 1000, 1000, 1000 }, { "stosq", 0, 1000, 1000, 1000 },
    { "stosb", 0, 1000, 1000, 1000 },        { "movnti8", 0, 0, 1000, 1000 },
    { "movnti4", 0, 0, 1000, 1000 },         { "movntdq16", 0, 0, 1000, 1000 },
    { "vmovntdq32", 0, 0, 1000, 1000 },      { "vmovntdq64", 0, 0, 1000, 1000 },
    { "clzero", 0, 0, 0, 1000 },             { "movdir64b", 0, 0, 1000, 1000 },
};

enum { TRAFFIC = sizeof traffic / sizeof traffic[0] };
enum { TABLE = sizeof table / sizeof table[0] };

/* The load misses of AMD's 0x60 count stores too; those of Intel's list are
 * replacements where ct:l1d-replacement is there, and loads where it is not. */
static bool counts_stores(const struct bench_counted_event *event)
{
    return strcmp(event->generic, "L1-dcache-load-misses") != 0 ||
           event->event == AMD_FILL_EVENT;
}

static uint32_t find_event(const struct bench_counters *counters, enum quantity quantity)
{
    for (uint32_t c = 0; c < CANDIDATES && events_of[quantity][c] != NULL; c++)
        for (uint32_t i = 0; i < counters->event_count; i++)
            if (strcmp(counters->events[i].generic, events_of[quantity][c]) == 0 &&
                counts_stores(&counters->events[i]))
                return i;
    return UINT32_MAX;
}

static void compare(struct bench_counters *counters, const struct bench_counted *counted,
                    enum quantity quantity, uint64_t low, uint64_t high)
{
    uint32_t event = find_event(counters, quantity);
    if (event == UINT32_MAX || counted->counts[event] == UINT64_MAX || counted->lines == 0)
        return;
    /* 128 GiB are 2^31 lines: no overflow below 2^43 times that. */
    uint64_t seen = counted->counts[event] / counted->lines * 1000 +
                    counted->counts[event] % counted->lines * 1000 / counted->lines;
    uint64_t slack = high / 1000 * TOLERANCE_MILLI;
    slack = slack > TOLERANCE_MILLI ? slack : TOLERANCE_MILLI;
    counters->closures[counters->closure_count++] = (struct bench_closure){
        .cell = counted->cell, .event = event, .quantity = quantity_names[quantity],
        .low_milli = low, .high_milli = high, .seen_milli = seen,
        .is_met = seen + slack >= low && seen <= high + slack,
    };
}

static void compare_traffic(struct bench_counters *counters, const struct bench_counted *counted,
                            const struct traffic *known)
{
    compare(counters, counted, DRAM_READS, known->reads_low, known->reads_high);
    compare(counters, counted, DRAM_WRITES, known->writes_low, known->writes_high);
    compare(counters, counted, DRAM_REQUESTS, known->reads_low + known->writes_low,
            known->reads_high + known->writes_high);
}

bool bench_closure_check(const struct bench_results *results, struct bench_counters *counters,
                         struct arena *arena)
{
    counters->closure_count = 0;
    counters->closures = ARENA_NEW(arena, struct bench_closure, counters->cell_count * QUANTITIES);
    if (counters->closures == NULL)
        return counters->cell_count == 0;
    for (uint32_t i = 0; i < counters->cell_count; i++) {
        const struct bench_counted *counted = &counters->cells[i];
        const struct bench_cell *cell = &results->cells[counted->cell];
        const struct clear_variant *variant = &results->variants[cell->variant];
        if (results->settings[cell->setting].extent_bytes < MIN_EXTENT)
            continue;
        uint64_t instructions = variant->instructions_q4 * 1000ull / 16;
        compare(counters, counted, INSTRUCTIONS, instructions, instructions);
        for (uint32_t row = 0; row < TABLE; row++)
            if (strcmp(table[row].variant, variant->id) == 0)
                compare(counters, counted, table[row].quantity, table[row].low, table[row].high);
        for (uint32_t row = 0; row < TRAFFIC; row++)
            if (strcmp(traffic[row].variant, variant->id) == 0)
                compare_traffic(counters, counted, &traffic[row]);
    }
    return true;
}
