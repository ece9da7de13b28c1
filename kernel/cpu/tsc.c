/* TSC rate: ACPI PM timer, else PIT channel 2, else what CPUID says, else an assumption
 * that only serves to bound waits. Every poll is counted: a dead clock costs time, not the
 * run. */
#include "kernel/cpu/tsc.h"

#include "kernel/cpu/instructions.h"

enum {
    PM_TIMER_HZ = 3579545,          /* [acpi 4.8.3.3] */
    PIT_HZ = 1193182,
    PIT_CHANNEL2 = 0x42,
    PIT_COMMAND = 0x43,
    PIT_CHANNEL2_MODE0 = 0xb0,      /* low byte, high byte, counts down, OUT rises at zero */
    PIT_CHANNEL2_LATCH = 0x80,
    PIT_GATE = 0x61,
    GATE_CHANNEL2 = 1,
    GATE_SPEAKER = 2,
    GATE_OUT2 = 0x20,
    ROUNDS_PER_SECOND = 50,         /* a round lasts 20 ms; the PIT wraps after 55 ms */
    ROUNDS = 3,
    READINGS = 16,
    /* A port read takes about a microsecond on hardware, less in emulators. */
    START_POLLS = 20000,
    RUN_POLLS = 4000000,
    KHZ = 1000,
    MHZ = 1000000,
};

#define ASSUMED_HZ 3000000000ull
#define SLOWEST_HZ 10000000ull /* an emulated clock may crawl; slower than this is broken */

static uint64_t rate_hz;
static const char *rate_source = "assumed";

uint64_t tsc_hz(void)
{
    return rate_hz;
}

const char *tsc_source(void)
{
    return rate_source;
}

uint64_t tsc_cycles_of_us(uint64_t microseconds)
{
    uint64_t hz = rate_hz ? rate_hz : ASSUMED_HZ;
    return microseconds / MHZ * hz + microseconds % MHZ * hz / MHZ;
}

/* A clock that counts up in `mask`. */
struct clock {
    uint32_t (*read)(const struct clock *clock);
    uint16_t port;
    uint32_t mask, hz;
};

/* The clock was read somewhere between two readings of the TSC. */
struct reading {
    uint64_t before, after;
    uint32_t ticks;
};

static uint32_t read_pm_timer(const struct clock *clock)
{
    return port_read32(clock->port);
}

static uint32_t read_pit(const struct clock *clock)
{
    port_write8(PIT_COMMAND, PIT_CHANNEL2_LATCH);
    uint32_t low = port_read8(clock->port);
    return 0xffff - (low | (uint32_t)port_read8(clock->port) << 8);
}

/* An SMI or a host that takes the CPU away widens the bracket; the narrowest of some is
 * exact to a few reads of the clock. */
static struct reading read_narrowest(const struct clock *clock)
{
    struct reading best = {0, UINT64_MAX, 0};
    for (int i = 0; i < READINGS; i++) {
        struct reading reading;
        reading.before = tsc_read();
        reading.ticks = clock->read(clock);
        reading.after = tsc_read();
        if (reading.after - reading.before < best.after - best.before)
            best = reading;
    }
    return best;
}

static bool is_running(const struct clock *clock)
{
    uint32_t first = clock->read(clock);
    for (int polls = 0; polls < START_POLLS; polls++) {
        if ((clock->read(clock) ^ first) & clock->mask)
            return true;
    }
    return false;
}

/* One round; *doubt is the width of both brackets together. 0: the clock stopped. */
static uint64_t measure(const struct clock *clock, uint64_t *doubt)
{
    struct reading start = read_narrowest(clock);
    uint32_t wanted = clock->hz / ROUNDS_PER_SECOND, polls = 0;
    while (((clock->read(clock) - start.ticks) & clock->mask) < wanted) {
        if (polls++ == RUN_POLLS)
            return 0;
    }
    struct reading end = read_narrowest(clock);
    uint64_t ticks = (end.ticks - start.ticks) & clock->mask;
    uint64_t cycles = (end.before + (end.after - end.before) / 2) -
                      (start.before + (start.after - start.before) / 2);
    *doubt = (end.after - end.before) + (start.after - start.before);
    return ticks ? cycles * clock->hz / ticks : 0;
}

static uint64_t from_pm_timer(uint16_t port, bool is_32bit)
{
    const struct clock clock = {read_pm_timer, port, is_32bit ? UINT32_MAX : 0xffffff,
                                PM_TIMER_HZ};
    uint64_t best_hz = 0, best_doubt = UINT64_MAX;
    if (!is_running(&clock))
        return 0;
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t doubt, hz = measure(&clock, &doubt);
        if (hz && doubt < best_doubt) {
            best_doubt = doubt;
            best_hz = hz;
        }
    }
    return best_hz;
}

/* A round of which the counter passed zero, because something held us up, is void. */
static uint64_t measure_pit(const struct clock *clock, uint64_t *doubt)
{
    port_write8(PIT_COMMAND, PIT_CHANNEL2_MODE0);
    port_write8(PIT_CHANNEL2, 0xff);
    port_write8(PIT_CHANNEL2, 0xff);
    if ((port_read8(PIT_GATE) & GATE_OUT2) || !is_running(clock))
        return 0;
    uint64_t hz = measure(clock, doubt);
    return port_read8(PIT_GATE) & GATE_OUT2 ? 0 : hz;
}

static uint64_t from_pit(void)
{
    const struct clock clock = {read_pit, PIT_CHANNEL2, 0xffff, PIT_HZ};
    uint64_t best_hz = 0, best_doubt = UINT64_MAX;
    uint8_t gate = port_read8(PIT_GATE);
    port_write8(PIT_GATE, (uint8_t)((gate & ~GATE_SPEAKER) | GATE_CHANNEL2));
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t doubt, hz = measure_pit(&clock, &doubt);
        if (hz && doubt < best_doubt) {
            best_doubt = doubt;
            best_hz = hz;
        }
    }
    port_write8(PIT_GATE, gate);
    return best_hz;
}

/* [intel/vol2 CPUID leaf 15H]: crystal times EBX/EAX. */
static uint64_t from_cpuid_crystal(void)
{
    struct cpuid_result leaf = cpuid_read_if_present(0x15, 0);
    return leaf.eax ? (uint64_t)leaf.ecx * leaf.ebx / leaf.eax : 0;
}

static uint64_t from_cpuid_base(void)
{
    return (uint64_t)(cpuid_read_if_present(0x16, 0).eax & 0xffff) * MHZ;
}

static bool use(uint64_t hz, const char *source)
{
    if (hz < SLOWEST_HZ)
        return false;
    rate_hz = hz / KHZ * KHZ;
    rate_source = source;
    return true;
}

bool tsc_calibrate(uint16_t pm_timer_port, bool is_pm_timer_32bit)
{
    if (pm_timer_port && use(from_pm_timer(pm_timer_port, is_pm_timer_32bit), "acpi-pm-timer"))
        return true;
    if (use(from_pit(), "pit"))
        return true;
    if (!use(from_cpuid_crystal(), "cpuid-0x15") && !use(from_cpuid_base(), "cpuid-0x16"))
        use(ASSUMED_HZ, "assumed");
    return false;
}
