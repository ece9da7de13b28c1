/* TSC rate by the ACPI PM timer and by PIT channel 2; without either what CPUID says, else an
 * assumption that only serves to bound waits. Every poll is counted: a dead clock costs time, not the
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
    PPM = 1000000,
};

#define ASSUMED_HZ 3000000000ull
#define SLOWEST_HZ 10000000ull /* an emulated clock may crawl; slower than this is broken */

static uint64_t rate_hz;

uint64_t tsc_hz(void)
{
    return rate_hz;
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

/* One round; its doubt is the width of both brackets together. hz 0: the clock stopped. */
static struct tsc_rate measure(const struct clock *clock)
{
    struct reading start = read_narrowest(clock);
    uint32_t wanted = clock->hz / ROUNDS_PER_SECOND, polls = 0;
    while (((clock->read(clock) - start.ticks) & clock->mask) < wanted) {
        if (polls++ == RUN_POLLS)
            return (struct tsc_rate){0};
    }
    struct reading end = read_narrowest(clock);
    uint64_t ticks = (end.ticks - start.ticks) & clock->mask;
    uint64_t cycles = (end.before + (end.after - end.before) / 2) -
                      (start.before + (start.after - start.before) / 2);
    uint64_t doubt = (end.after - end.before) + (start.after - start.before);
    if (ticks == 0 || cycles == 0)
        return (struct tsc_rate){0};
    uint64_t ppm = doubt < cycles ? doubt * PPM / cycles : PPM;
    return (struct tsc_rate){ .hz = cycles * clock->hz / ticks, .doubt_ppm = (uint32_t)ppm };
}

/* The least doubtful of some rounds. */
static struct tsc_rate measure_best(const struct clock *clock,
                                    struct tsc_rate (*round)(const struct clock *clock))
{
    struct tsc_rate best = {0};
    for (int i = 0; i < ROUNDS; i++) {
        struct tsc_rate rate = round(clock);
        if (rate.hz && (!best.hz || rate.doubt_ppm < best.doubt_ppm))
            best = rate;
    }
    return best;
}

static struct tsc_rate from_pm_timer(uint16_t port, bool is_32bit)
{
    const struct clock clock = {read_pm_timer, port, is_32bit ? UINT32_MAX : 0xffffff,
                                PM_TIMER_HZ};
    if (port == 0 || !is_running(&clock))
        return (struct tsc_rate){0};
    return measure_best(&clock, measure);
}

/* A round of which the counter passed zero, because something held us up, is void. */
static struct tsc_rate measure_pit(const struct clock *clock)
{
    port_write8(PIT_COMMAND, PIT_CHANNEL2_MODE0);
    port_write8(PIT_CHANNEL2, 0xff);
    port_write8(PIT_CHANNEL2, 0xff);
    if ((port_read8(PIT_GATE) & GATE_OUT2) || !is_running(clock))
        return (struct tsc_rate){0};
    struct tsc_rate rate = measure(clock);
    return port_read8(PIT_GATE) & GATE_OUT2 ? (struct tsc_rate){0} : rate;
}

static struct tsc_rate from_pit(void)
{
    const struct clock clock = {read_pit, PIT_CHANNEL2, 0xffff, PIT_HZ};
    uint8_t gate = port_read8(PIT_GATE);
    port_write8(PIT_GATE, (uint8_t)((gate & ~GATE_SPEAKER) | GATE_CHANNEL2));
    struct tsc_rate best = measure_best(&clock, measure_pit);
    port_write8(PIT_GATE, gate);
    return best;
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

/* Slower than that is no clock's word but a broken one's. */
static bool use(uint64_t hz)
{
    if (hz < SLOWEST_HZ)
        return false;
    rate_hz = hz / KHZ * KHZ;
    return true;
}

bool tsc_calibrate(uint16_t pm_timer_port, bool is_pm_timer_32bit,
                   struct tsc_rate rates[TSC_CLOCK_COUNT])
{
    rates[TSC_CLOCK_PM_TIMER] = from_pm_timer(pm_timer_port, is_pm_timer_32bit);
    rates[TSC_CLOCK_PIT] = from_pit();
    for (int i = 0; i < TSC_CLOCK_COUNT; i++)
        if (use(rates[i].hz))
            return true;
    if (!use(from_cpuid_crystal()) && !use(from_cpuid_base()))
        use(ASSUMED_HZ);
    return false;
}
