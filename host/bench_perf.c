/* perf bench mem memset beside the engine. Each call is a process of its own with
 * one honest loop (-l 1: over memory that holds 0xFF, [clear 3.1]); the pages are
 * made huge, where the setting's are, by glibc's own tunable. */
#include "host/bench_perf.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "kernel/stats/fixed_log.h"
#include "kernel/stats/order.h"

/* What perf calls the function with the same store loop. From 6.4 on its stosq
 * is a rep stosb as well; the version is printed for that. */
static const struct { const char *variant, *function; } pairs[] = {
    { "orig", "x86-64-unrolled" },
    { "stosq", "x86-64-stosq" },
    { "stosb", "x86-64-stosb" },
    { NULL, "default" },
};
enum { PAIRS = sizeof pairs / sizeof pairs[0], MAX_TAKES = 4 };

struct bench_perf {
    const struct bench_results *results;
    uint64_t tsc_hz;
    char version[80];
    struct bench_peer peer;
    /* Cycles for perf_unit_bytes, in 1/256: [setting][pair][block]; 0: it failed. */
    uint64_t (*cycles_q8)[PAIRS][SHIFT_MAX_PAIRS];
};

static const uint64_t perf_unit_bytes = 1 << 20;
static struct bench_perf attached;

static long preemptions_of_children(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_CHILDREN, &usage) == 0 ? usage.ru_nivcsw : 0;
}

/* Bytes per second, or 0. */
static double run_once(const char *function, uint64_t bytes, bool is_huge)
{
    char command[320], line[200];
    double rate = 0;
    snprintf(command, sizeof command,
             "%sexec perf bench --format simple mem memset -s %lluB -f %s -l 1 2>/dev/null",
             is_huge ? "GLIBC_TUNABLES=glibc.malloc.hugetlb=1 " : "", (unsigned long long)bytes,
             function);
    FILE *pipe = popen(command, "r");
    while (pipe != NULL && fgets(line, sizeof line, pipe) != NULL)
        if (line[0] != '#')
            rate = strtod(line, NULL);
    if (pipe != NULL && pclose(pipe) != 0)
        rate = 0;
    return rate;
}

/* As our passes: again when it had to give the CPU away, at most three times. */
static double run_perf(const char *function, uint64_t bytes, bool is_huge)
{
    double rate = 0;
    for (int take = 0; take < MAX_TAKES; take++) {
        long before = preemptions_of_children();
        rate = run_once(function, bytes, is_huge);
        if (preemptions_of_children() == before)
            break;
    }
    return rate;
}

/* perf clears the region in one call whatever the extent: settings that differ in it
 * only share its results. Index of the first of them. */
static uint32_t perf_setting_of(const struct bench_results *results, uint32_t index)
{
    const struct bench_setting *self = &results->settings[index];
    for (uint32_t i = 0; i < index; i++)
        if (results->settings[i].region_bytes == self->region_bytes &&
            results->settings[i].page_bytes == self->page_bytes)
            return i;
    return index;
}

static void beside(void *context, uint32_t setting_index, uint32_t block)
{
    struct bench_perf *perf = &attached;
    const struct bench_setting *setting = &perf->results->settings[setting_index];
    (void)context;
    if (perf_setting_of(perf->results, setting_index) != setting_index)
        return;
    for (uint32_t i = 0; i < PAIRS; i++) {
        uint32_t pair = (i + block) % PAIRS;
        double rate = run_perf(pairs[pair].function, setting->region_bytes,
                               setting->page_bytes > 4096);
        if (rate > 0)
            perf->cycles_q8[setting_index][pair][block] =
                (uint64_t)(256.0 * (double)perf->tsc_hz * (double)perf_unit_bytes / rate);
    }
}

static bool read_version(struct bench_perf *perf)
{
    FILE *pipe = popen("perf --version 2>/dev/null", "r");
    bool is_read = pipe != NULL && fgets(perf->version, sizeof perf->version, pipe) != NULL;
    if (pipe != NULL)
        pclose(pipe);
    perf->version[strcspn(perf->version, "\n")] = 0;
    return is_read;
}

/* One row for each function and each region with its pages. */
static bool fill_peer(struct bench_perf *perf, struct arena *arena)
{
    const struct bench_results *results = perf->results;
    struct bench_peer *peer = &perf->peer;
    *peer = (struct bench_peer){ .name = "perf bench mem memset", .version = perf->version,
                                 .unit_bytes = perf_unit_bytes };
    peer->rows = ARENA_NEW(arena, struct bench_peer_row, results->setting_count * PAIRS);
    for (uint32_t i = 0; peer->rows != NULL && i < results->setting_count; i++) {
        const struct bench_setting *setting = &results->settings[i];
        if (perf_setting_of(results, i) != i)
            continue;
        for (uint32_t pair = 0; pair < PAIRS; pair++)
            peer->rows[peer->row_count++] = (struct bench_peer_row){
                .function = pairs[pair].function, .variant = pairs[pair].variant,
                .region_bytes = setting->region_bytes, .page_bytes = setting->page_bytes,
                .cycles_q8 = perf->cycles_q8[i][pair],
                .block_count = results->cells[setting->first_cell].block_count,
            };
    }
    return peer->rows != NULL;
}

bool bench_perf_finish(struct bench_perf *perf, struct bench_results *results,
                       struct arena *arena)
{
    if (!fill_peer(perf, arena))
        return false;
    results->peer = &perf->peer;
    return true;
}

struct bench_perf *bench_perf_attach(struct bench_machine *machine,
                                     const struct bench_results *results, struct arena *arena)
{
    struct bench_perf *perf = &attached;
    perf->results = results;
    perf->tsc_hz = machine->tsc_hz;
    perf->cycles_q8 = arena_alloc(arena, results->setting_count, sizeof *perf->cycles_q8, 64);
    if (perf->cycles_q8 == NULL) {
        fputs("coretruth bench: no memory for perf's results\n", stderr);
        return NULL;
    }
    if (!read_version(perf) || run_perf("x86-64-stosb", 1 << 20, false) == 0) {
        fputs("coretruth bench: `perf bench mem memset` does not run here (Debian package "
              "linux-perf)\n", stderr);
        return NULL;
    }
    machine->engine.beside = beside;
    return perf;
}

/* --- telling -------------------------------------------------------------------------- */

static const struct bench_cell *cell_of(const struct bench_results *results,
                                        const struct bench_setting *setting, const char *variant)
{
    for (uint32_t i = 0; i < setting->cell_count; i++) {
        const struct bench_cell *cell = &results->cells[setting->first_cell + i];
        if (!cell->is_repeat && cell->block_count != 0 &&
            strcmp(results->variants[cell->variant].id, variant) == 0)
            return cell;
    }
    return NULL;
}

static double gib_per_s(uint64_t bytes, double cycles_q8, uint64_t hz)
{
    return (double)bytes * (double)hz * 256 / cycles_q8 / 1073741824.0;
}

static double median_q8(const uint64_t *values, uint32_t count)
{
    int64_t sorted[SHIFT_MAX_PAIRS];
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++)
        if (values[i] != 0)
            sorted[used++] = (int64_t)values[i];
    return (double)order_median(sorted, used);
}

/* Our cycles for perf_unit_bytes. */
static uint64_t per_unit(const struct bench_setting *setting, const struct bench_block *block)
{
    return fixed_log_scale(block->median_cycles_q8, perf_unit_bytes, setting->extent_bytes);
}

/* perf's time over ours: above 1 coretruth is the faster one. */
static void tell_pair(const struct bench_perf *perf, const struct bench_setting *setting,
                      const uint64_t *perf_q8, const struct bench_cell *cell,
                      const char *function, struct verdict_scratch *scratch, FILE *out)
{
    int64_t ratios[SHIFT_MAX_PAIRS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < cell->block_count && i < SHIFT_MAX_PAIRS; i++)
        if (perf_q8[i] != 0)
            ratios[count++] = fixed_log_ratio_q32(perf_q8[i], per_unit(setting, &cell->blocks[i]));
    if (count == 0)
        return;
    struct rng rng = rng_of(perf->results->seed, 0x9e2f);
    struct bench_verdict verdict = { .delta_ppm = perf->results->delta_ppm };
    verdict_measure(ratios, count, &rng, scratch, &verdict);
    char interval[32] = "too few blocks";
    if (verdict.high95_ppm != 0)
        snprintf(interval, sizeof interval, "%.4f-%.4f", (double)verdict.low95_ppm / 1e6,
                 (double)verdict.high95_ppm / 1e6);
    fprintf(out, "  %-10s %7.2f   %-16s %7.2f   %.4f  %s\n",
            perf->results->variants[cell->variant].id,
            gib_per_s(setting->extent_bytes, (double)cell->median_cycles_q8, perf->tsc_hz),
            function,
            gib_per_s(perf_unit_bytes, median_q8(perf_q8, cell->block_count), perf->tsc_hz),
            (double)verdict.ratio_ppm / 1e6, interval);
}

/* Our fastest that a kernel could use against the fastest of perf's functions. */
static void tell_best(const struct bench_perf *perf, const struct bench_setting *setting,
                      uint64_t (*rows)[SHIFT_MAX_PAIRS], struct verdict_scratch *scratch,
                      FILE *out)
{
    const struct bench_cell *best = NULL;
    uint32_t fastest = PAIRS;
    for (uint32_t i = 0; i < setting->cell_count; i++) {
        const struct bench_cell *cell = &perf->results->cells[setting->first_cell + i];
        if (cell->is_repeat || cell->block_count == 0 ||
            perf->results->variants[cell->variant].tier != VARIANT_MANDATORY)
            continue;
        if (best == NULL || cell->median_cycles_q8 < best->median_cycles_q8)
            best = cell;
    }
    if (best == NULL)
        return;
    for (uint32_t pair = 0; pair < PAIRS; pair++) {
        double cycles = median_q8(rows[pair], best->block_count);
        if (cycles > 0 &&
            (fastest == PAIRS || cycles < median_q8(rows[fastest], best->block_count)))
            fastest = pair;
    }
    if (fastest == PAIRS)
        return;
    fputs("  fastest of each:\n", out);
    tell_pair(perf, setting, rows[fastest], best, pairs[fastest].function, scratch, out);
}

static void tell_ratios_between(const struct bench_perf *perf, const struct bench_setting *setting,
                                uint64_t (*rows)[SHIFT_MAX_PAIRS], FILE *out)
{
    const struct bench_cell *stosb = cell_of(perf->results, setting, "stosb");
    if (stosb == NULL)
        return;
    fputs("  time against stosb:", out);
    for (uint32_t pair = 0; pair < PAIRS && pairs[pair].variant != NULL; pair++) {
        const struct bench_cell *cell = cell_of(perf->results, setting, pairs[pair].variant);
        if (cell == NULL || cell == stosb)
            continue;
        fprintf(out, "  %s %.4f (perf %.4f)", pairs[pair].variant,
                (double)cell->median_cycles_q8 / (double)stosb->median_cycles_q8,
                median_q8(rows[pair], cell->block_count) /
                    median_q8(rows[2], cell->block_count));
    }
    fputs("\n", out);
}

void bench_perf_tell(const struct bench_perf *perf, struct verdict_scratch *scratch, FILE *out)
{
    const struct bench_results *results = perf->results;
    fprintf(out, "\nAgainst perf bench mem memset (%s)\n", perf->version);
    fputs("--------------------------------------------------------\n"
          "GiB/s are 2^30 bytes; perf clears the region in one call. ratio: perf's time over\n"
          "coretruth's, block by block: above 1 coretruth is faster; 95 % interval\n", out);
    for (uint32_t i = 0; i < results->setting_count; i++) {
        const struct bench_setting *setting = &results->settings[i];
        uint64_t(*rows)[SHIFT_MAX_PAIRS] = perf->cycles_q8[perf_setting_of(results, i)];
        fprintf(out, "\nregion %llu MiB, extent %llu KiB, pages %llu KiB\n",
                (unsigned long long)(setting->region_bytes >> 20),
                (unsigned long long)(setting->extent_bytes >> 10),
                (unsigned long long)(setting->page_bytes >> 10));
        fputs("  coretruth    GiB/s   perf bench         GiB/s   ratio   interval\n", out);
        for (uint32_t pair = 0; pair < PAIRS; pair++) {
            const struct bench_cell *cell =
                pairs[pair].variant == NULL ? NULL
                                            : cell_of(results, setting, pairs[pair].variant);
            if (cell != NULL)
                tell_pair(perf, setting, rows[pair], cell, pairs[pair].function, scratch, out);
        }
        tell_best(perf, setting, rows, scratch, out);
        tell_ratios_between(perf, setting, rows, out);
    }
}
