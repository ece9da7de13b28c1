/* The TSC: who says how fast it runs, and whether it does. */
#include "kernel/topology/checks_run.h"

#include "kernel/lib/bits.h"

enum { MSR_HWCR = 0xC0010015, HWCR_TSC_FREQ_SEL = 24, TOLERANCE_PARTS = 100 };

struct tsc_sources {
    bool has_leaf_15, has_leaf_16;
    uint32_t denominator, numerator, crystal_hz; /* leaf 0x15 */
    uint32_t base_mhz;                           /* leaf 0x16; rounded */
};

static struct tsc_sources read_sources(const struct check_run *run)
{
    struct tsc_sources sources = {0};
    struct cpuid_regs regs;

    if (run->facts->cpu_count == 0)
        return sources;
    sources.has_leaf_15 = checks_row(run, 0, 0x15, 0, &regs);
    sources.denominator = regs.eax;
    sources.numerator = regs.ebx;
    sources.crystal_hz = regs.ecx;
    sources.has_leaf_16 = checks_row(run, 0, 0x16, 0, &regs);
    sources.base_mhz = bits_get(regs.eax, 15, 0);
    return sources;
}

/* 0: leaf 0x15 does not say. */
static uint64_t hz_of_leaf_15(const struct tsc_sources *sources)
{
    if (!sources->denominator || !sources->numerator || !sources->crystal_hz)
        return 0;
    return (uint64_t)sources->crystal_hz * sources->numerator / sources->denominator;
}

static void put_comparison(struct textbuf *text, const struct tsc_sources *sources, uint64_t hz)
{
    uint64_t base_hz = sources->base_mhz * 1000000ull;
    uint64_t apart = hz > base_hz ? hz - base_hz : base_hz - hz;

    if (base_hz)
        textbuf_printf(text, "; leaf 0x16 says %u MHz base, rounded, %llu.%02llu %% %s",
                       sources->base_mhz, (unsigned long long)(apart * 100 / hz),
                       (unsigned long long)(apart * 10000 / hz % 100),
                       base_hz > hz ? "more" : "less");
}

static void check_frequency(struct check_run *run)
{
    struct tsc_sources sources = read_sources(run);
    uint64_t hz = hz_of_leaf_15(&sources);
    char storage[128];
    struct textbuf text;

    if (!sources.has_leaf_15 && !sources.has_leaf_16)
        return;
    textbuf_init(&text, storage, sizeof(storage));
    if (hz) {
        put_comparison(&text, &sources, hz);
        checks_report(run, 0, "leaf 0x15", "TSC frequency by leaf 0x15: %llu Hz (crystal %u Hz x "
                      "%u / %u)%s.", (unsigned long long)hz, sources.crystal_hz,
                      sources.numerator, sources.denominator, storage);
    } else if (sources.base_mhz) {
        checks_report(run, 0, "leaf 0x16 EAX", "TSC frequency: leaf 0x15 does not say, leaf 0x16 "
                      "gives the base frequency of %u MHz, a rounded value: it has to be measured.",
                      sources.base_mhz);
    } else {
        checks_report(run, 0, "leaves 0x15, 0x16", "TSC frequency: leaves 0x15 and 0x16 do not "
                      "say, it has to be measured.");
    }
}

static bool is_apart(uint64_t a, uint64_t b)
{
    return (a > b ? a - b : b - a) > b / TOLERANCE_PARTS;
}

static void report_apart(struct check_run *run, const char *source, uint64_t said, uint64_t is)
{
    checks_report(run, 0, source, "%s gives the TSC %llu Hz, measured were %llu Hz.", source,
                  (unsigned long long)said, (unsigned long long)is);
}

/* Leaf 0x16 is rounded, so only more than 1 % means something. */
static void check_deviation(struct check_run *run)
{
    struct tsc_sources sources = read_sources(run);
    uint64_t hz = hz_of_leaf_15(&sources), base_hz = sources.base_mhz * 1000000ull;

    if (!run->facts->has_tsc_hz)
        return;
    if (hz && is_apart(run->facts->tsc_hz, hz))
        report_apart(run, "leaf 0x15", hz, run->facts->tsc_hz);
    else if (!hz && base_hz && is_apart(run->facts->tsc_hz, base_hz))
        report_apart(run, "leaf 0x16", base_hz, run->facts->tsc_hz);
}

static void check_clocks(struct check_run *run)
{
    const struct tsc_rate *timer = &run->facts->tsc_rates[TSC_CLOCK_PM_TIMER];
    const struct tsc_rate *pit = &run->facts->tsc_rates[TSC_CLOCK_PIT];
    uint64_t apart, allowed_ppm = 1000000 / TOLERANCE_PARTS;

    if (!timer->hz || !pit->hz)
        return;
    apart = timer->hz > pit->hz ? timer->hz - pit->hz : pit->hz - timer->hz;
    allowed_ppm += (uint64_t)timer->doubt_ppm + pit->doubt_ppm;
    if (apart / allowed_ppm <= pit->hz / 1000000)
        return;
    checks_report(run, 0, tsc_clock_names[TSC_CLOCK_PM_TIMER], "The TSC runs with %llu Hz by the %s "
                  "and with %llu Hz by the %s: one of them does not have its rate, and times here "
                  "are by the first that is above 10 MHz.", (unsigned long long)timer->hz,
                  tsc_clock_names[TSC_CLOCK_PM_TIMER], (unsigned long long)pit->hz,
                  tsc_clock_names[TSC_CLOCK_PIT]);
}

static bool has_old_tsc(const struct check_run *run, uint32_t fact)
{
    const struct cpu_leaves *cpu = &run->leaves.cpus[fact];
    const struct msr_row *row = facts_msr(&run->facts->cpus[fact], MSR_HWCR);
    struct cpuid_regs regs;

    return (cpu->vendor == VENDOR_AMD || cpu->vendor == VENDOR_HYGON) &&
           (cpu->family > 0x10 || (cpu->family == 0x10 && cpu->model >= 2)) &&
           checks_row(run, fact, 0x80000007, 0, &regs) && bits_test(regs.edx, 8) && row &&
           !row->has_faulted && !(row->value >> HWCR_TSC_FREQ_SEL & 1);
}

static void check_p0(struct check_run *run)
{
    struct finding *finding = NULL;

    for (uint32_t fact = 0; fact < run->facts->cpu_count; fact++) {
        if (!has_old_tsc(run, fact))
            continue;
        if (!finding)
            finding = checks_report(run, run->profiles, "MSR 0xc0010015[24]",
                                    "The TSC is invariant but does not count with the P0 "
                                    "frequency.");
        checks_mark(run, finding, fact);
    }
}

static const struct check checks[] = {
    {"tsc-frequency", FINDING_INFO, "", "all", "leaves 0x15 or 0x16 are there", "",
     "where the frequency of the TSC comes from", check_frequency, NULL},
    {"tsc-frequency-deviates", FINDING_WARNING, "", "all",
     "the measured TSC frequency is more than 1 % off what leaf 0x15, or else 0x16, says", "",
     "every nanosecond would be wrong by as much", check_deviation, NULL},
    {"tsc-clocks-disagree", FINDING_WARNING, "", "all",
     "the rates of the TSC by the ACPI PM timer and by the PIT are more than 1 % apart, and more "
     "than reading them took", "",
     "every time and every rate may be wrong by as much", check_clocks, NULL},
    {"tsc-not-p0", FINDING_WARNING, "22", "all, AMD and Hygon",
     "the TSC is invariant (family above 0x10, or 0x10 from model 2) and MSR 0xC0010015[24] is "
     "clear",
     "[Firmware Bug]: TSC doesn't count with P0 frequency!",
     "time is measured with the wrong unit", check_p0, NULL},
};
CHECK_GROUP(checks_of_clock, checks);
