/* report.txt: offline/online cycles as the thread of 2024 posted them, clocks, noise. */
#include "kernel/report/text_measured.h"

enum { LISTED_CPUS = 32 };

/* Milliseconds with three decimals. */
static void put_ms(struct text_table *table, uint64_t ns)
{
    text_cell_fixed(table, (int64_t)((ns + 500) / 1000), 3);
}

static void put_duration(struct text_table *table, const struct measured_duration *duration)
{
    put_ms(table, duration->min_ns);
    put_ms(table, duration->max_ns);
    put_ms(table, duration->average_ns);
    put_ms(table, duration->deviation_ns);
}

static void put_cycle_cpus(struct textbuf *out, const struct measured_results *measured)
{
    static const struct text_column columns[] = {
        {"CPU", 6, true}, {"starts", 8, true}, {"missed", 8, true}, {"min ms", 10, true},
        {"max ms", 10, true}, {"average", 10, true}, {"std dev", 10, true}, {"95 %", 10, true}};
    const struct measured_cycles *cycles = measured->cycles;
    struct text_table table;
    uint32_t listed = 0;

    textbuf_put(out, "\nFrom INIT to running again, by CPU:\n\n");
    text_table_begin(&table, out, columns, 8);
    for (uint32_t i = 0; i < cycles->cpu_count; i++) {
        const struct measured_cycle_cpu *cpu = &cycles->cpus[i];

        if (!cpu->attempts || (listed >= LISTED_CPUS && !cpu->failures))
            continue;
        listed++;
        text_cell(&table, "%u", measured->cpus[cpu->slot].cpu);
        text_cell(&table, "%u", cpu->attempts);
        text_cell(&table, "%u", cpu->failures);
        put_duration(&table, &cpu->start);
        put_ms(&table, cpu->p95_ns);
    }
}

static void put_cycles(struct textbuf *out, const struct measured_results *measured)
{
    static const struct text_column columns[] = {
        {"CPUs", 14, false}, {"cycles", 9, true}, {"missed", 8, true}, {"min ms", 11, true},
        {"max ms", 11, true}, {"average", 11, true}, {"std dev", 11, true}};
    static const char *const names[] = {[CYCLE_HALF] = "half", [CYCLE_ALL_BUT_BOOT] = "all"};
    struct text_table table;

    text_heading(out, "Offline and online again");
    text_table_begin(&table, out, columns, 7);
    for (uint32_t i = 0; i < CYCLE_SETS; i++) {
        const struct measured_cycle_set *set = &measured->cycles->sets[i];

        text_cell(&table, "%s (%u)", names[i], set->cpu_count);
        text_cell(&table, "%u", set->cycles_done);
        text_cell(&table, "%u", set->cycles_incomplete);
        put_duration(&table, &set->whole);
    }
    put_cycle_cpus(out, measured);
}

static void put_tsc(struct textbuf *out, const struct measured_results *measured)
{
    const struct measured_tsc *tsc = measured->tsc;
    uint64_t offset = 0, bound = 0;
    uint32_t warped = 0;
    bool is_known = false;

    for (uint32_t i = 0; i < tsc->cpu_count; i++) {
        const struct measured_tsc_cpu *cpu = &tsc->cpus[i];
        uint64_t own = (uint64_t)(cpu->offset_cycles < 0 ? -cpu->offset_cycles :
                                                           cpu->offset_cycles);

        warped += cpu->warp_count != 0;
        if (cpu->has_offset && own + cpu->offset_bound_cycles >= offset + bound) {
            offset = own;
            bound = cpu->offset_bound_cycles;
            is_known = true;
        }
    }
    text_heading(out, "Clocks");
    if (!is_known)
        text_pair(out, "TSC offset", "not measured");
    else
        text_pair(out, "TSC offset", "at most %llu cycles from the boot CPU's: %llu, known within "
                  "%llu", (unsigned long long)(offset + bound), (unsigned long long)offset,
                  (unsigned long long)bound);
    text_pair(out, "TSC warp", "%u of %u CPUs, %llu reads each", warped, tsc->cpu_count,
              (unsigned long long)tsc->warp_reads);
    if (tsc->has_rate)
        text_pair(out, "TSC rate", "%d ppm off the rate in use, by %s over %llu ms",
                  tsc->rate_deviation_ppm, tsc->second_clock,
                  (unsigned long long)(tsc->rate_window_us / 1000));
    else
        text_pair(out, "TSC rate", "no second clock");
    text_pair(out, "invariant", "%s", tsc->is_invariant ? "said by every CPU" :
                                                          "not said by every CPU");
}

static void put_noise_head(struct textbuf *out, const struct measured_noise *noise)
{
    text_heading(out, "Noise");
    textbuf_put(out, "Gaps in a loop that only reads the TSC, by length from (us):\n\n  CPU");
    for (uint32_t bin = 0; bin < NOISE_BINS; bin++) {
        uint64_t ns = noise->bin_start_ns[bin];

        if (ns < 1000)
            textbuf_printf(out, "   .%llu", (unsigned long long)(ns / 10));
        else
            textbuf_printf(out, "%6llu", (unsigned long long)(ns / 1000));
    }
    textbuf_put(out, " longest us\n");
}

static void put_noise(struct textbuf *out, const struct measured_results *measured)
{
    static const char *const causes[] = {[SMI_NO_COUNTER] = "", [SMI_NOT_COUNTED] = "",
                                         [SMI_COUNTED] = " SMI"};
    const struct measured_noise *noise = measured->noise;

    put_noise_head(out, noise);
    for (uint32_t i = 0; i < noise->cpu_count && i < LISTED_CPUS; i++) {
        const struct measured_noise_cpu *cpu = &noise->cpus[i];

        textbuf_printf(out, "%5u", measured->cpus[cpu->slot].cpu);
        for (uint32_t bin = 0; bin < NOISE_BINS; bin++)
            textbuf_printf(out, "%6u", cpu->bin_counts[bin]);
        textbuf_printf(out, " %9llu%s\n", (unsigned long long)(cpu->longest_gap_ns / 1000),
                       causes[cpu->longest_gap_smi]);
    }
    if (noise->cpu_count && !noise->cpus[0].has_smi_count)
        textbuf_put(out, "These CPUs count no SMIs: gaps are unexplained.\n");
}

void text_measured_times(struct textbuf *out, const struct measured_results *measured)
{
    if (measured->cycles)
        put_cycles(out, measured);
    if (measured->tsc)
        put_tsc(out, measured);
    if (measured->noise)
        put_noise(out, measured);
}
