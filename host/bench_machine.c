/* Clocks, CPUs and CPUID of this computer, under Linux; its memory is in bench_memory.c. */
#include "host/bench_machine.h"

#include <cpuid.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "host/complain.h"
#include "kernel/facts/cpuid_walk.h"
#include "kernel/lib/bits.h"
#include "kernel/stats/fixed_log.h"

enum { MAX_ROWS = 512, CALIBRATION_US = 100000 };

/* --- clocks ------------------------------------------------------------------------ */

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t now_us(void *context)
{
    (void)context;
    return now_ns() / 1000;
}

static uint64_t calibrate_tsc(void)
{
    uint64_t begin_ns = now_ns(), begin = __builtin_ia32_rdtsc(), end_ns;
    do
        end_ns = now_ns();
    while (end_ns - begin_ns < CALIBRATION_US * 1000ull);
    return fixed_log_scale(__builtin_ia32_rdtsc() - begin, 1000000000, end_ns - begin_ns);
}

/* --- CPUID ------------------------------------------------------------------------- */

static struct cpuid_regs execute_cpuid(void *context, uint32_t leaf, uint32_t subleaf)
{
    struct cpuid_regs regs;
    (void)context;
    __cpuid_count(leaf, subleaf, regs.eax, regs.ebx, regs.ecx, regs.edx);
    return regs;
}

static uint64_t read_xcr0(const struct machine_facts *facts)
{
    struct cpuid_regs leaf1;
    uint32_t low, high;
    facts_cpuid(facts, &facts->cpus[0], 1, 0, &leaf1);
    if (!bits_test(leaf1.ecx, 27)) /* OSXSAVE: XGETBV would fault */
        return 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

static bool record_cpu(struct bench_machine *machine, struct arena *arena)
{
    struct cpu_facts *cpu = ARENA_NEW(arena, struct cpu_facts, 1);
    uint32_t *number = ARENA_NEW(arena, uint32_t, 1);
    struct cpuid_row *rows = ARENA_NEW(arena, struct cpuid_row, MAX_ROWS);
    if (cpu == NULL || number == NULL || rows == NULL)
        return false;
    struct cpuid_walk walk = { .read = execute_cpuid, .rows = rows, .capacity = MAX_ROWS };
    cpuid_walk_all(&walk);
    *cpu = (struct cpu_facts){ .state = CPU_ONLINE, .rows = rows, .row_count = walk.count };
    *number = machine->cpu;
    machine->facts = (struct machine_facts){
        .cpus = cpu, .cpu_count = 1, .number = number, .has_linux_numbers = true,
        .has_tsc_hz = true, .tsc_hz = machine->tsc_hz,
    };
    snprintf(machine->facts.source, sizeof machine->facts.source, "coretruth bench");
    machine->xcr0 = read_xcr0(&machine->facts);
    return true;
}

/* --- CPUs -------------------------------------------------------------------------- */

static bool pin_to(uint32_t cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

static void find_other_cpu(struct bench_machine *machine)
{
    cpu_set_t set;
    machine->has_other_cpu = false;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return;
    for (uint32_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &set) && cpu != machine->cpu) {
            machine->has_other_cpu = true;
            machine->other_cpu = cpu;
            return;
        }
}

/* A number in the CPU's folder of sysfs; -1: not there. */
static long topology_of(uint32_t cpu, const char *name)
{
    char path[96];
    long value = -1;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/topology/%s", cpu, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return -1;
    if (fscanf(file, "%ld", &value) != 1)
        value = -1;
    fclose(file);
    return value;
}

/* Before pinning. Without sysfs no CPU is known to be a sibling or another core. */
static void find_places(struct bench_machine *machine)
{
    cpu_set_t set;
    long core = topology_of(machine->cpu, "core_id");
    long package = topology_of(machine->cpu, "physical_package_id");
    if (core < 0 || sched_getaffinity(0, sizeof set, &set) != 0)
        return;
    for (uint32_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &set) || cpu == machine->cpu)
            continue;
        bool is_sibling = topology_of(cpu, "core_id") == core &&
                          topology_of(cpu, "physical_package_id") == package;
        enum engine_place place = is_sibling ? ENGINE_AT_SIBLING : ENGINE_AT_OTHER_CORE;
        if (machine->has_at[place])
            continue;
        machine->has_at[place] = true;
        machine->at[place] = cpu;
    }
}

struct errand {
    uint32_t cpu;
    void (*function)(void *argument);
    void *argument;
    bool is_pinned;
};

static void *run_errand(void *argument)
{
    struct errand *errand = argument;
    errand->is_pinned = pin_to(errand->cpu);
    if (errand->is_pinned)
        errand->function(errand->argument);
    return NULL;
}

static bool run_at(void *context, enum engine_place place, void (*function)(void *argument),
                   void *argument)
{
    const struct bench_machine *machine = context;
    pthread_t thread;
    if (place == ENGINE_AT_CLEARING) {
        function(argument);
        return true;
    }
    struct errand errand = { machine->at[place], function, argument, false };
    if (!machine->has_at[place] || pthread_create(&thread, NULL, run_errand, &errand) != 0)
        return false;
    pthread_join(thread, NULL);
    return errand.is_pinned;
}

struct reading {
    uint32_t cpu;
    const void *start;
    uint64_t bytes, pattern, wrong;
    bool is_pinned;
};

static void *read_on_other(void *argument)
{
    struct reading *reading = argument;
    reading->is_pinned = pin_to(reading->cpu);
    if (reading->is_pinned)
        reading->wrong = timed_holds(reading->start, reading->bytes, reading->pattern);
    return NULL;
}

static bool count_wrong(void *context, const void *start, uint64_t bytes, uint64_t pattern,
                        uint64_t *wrong)
{
    const struct bench_machine *machine = context;
    struct reading reading = { .cpu = machine->other_cpu, .start = start, .bytes = bytes,
                               .pattern = pattern };
    pthread_t thread;
    if (!machine->has_other_cpu || pthread_create(&thread, NULL, read_on_other, &reading) != 0)
        return false;
    pthread_join(thread, NULL);
    *wrong = reading.wrong;
    return reading.is_pinned;
}

static void *window(void *context, const struct bench_setting *setting)
{
    struct bench_machine *machine = context;
    for (int i = 0; i < BENCH_PAGES_COUNT; i++)
        if (bench_machine_page_bytes(i) == setting->page_bytes &&
            machine->memory_bytes[i] >= setting->region_bytes)
            return machine->memory[i];
    return NULL;
}

static uint64_t half_of_available(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    unsigned long long kib = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return kib * 1024 / 2;
}

/* --- what the engine calls ----------------------------------------------------------- */

static long preemptions(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
}

/* User space sees neither the SMI count nor APERF and MPERF, but it is told when the
 * CPU was given to another thread. Asked between samples, never in one. */
static void time_pass(void *context, const struct timed_pass *pass, struct engine_marks *marks)
{
    struct timed_pass one = *pass;
    long before = preemptions();
    (void)context;
    marks->has_smi = marks->has_core_hz = marks->has_thermal_log = false;
    marks->has_preempted = true;
    one.sample_count = 1;
    for (uint32_t i = 0; i < pass->sample_count; i++) {
        one.order = pass->order + i;
        one.samples = pass->samples + i;
        timed_pass(&one);
        long after = preemptions();
        marks->is_preempted[i] = after != before;
        before = after;
    }
}

static void progress(void *context, const struct engine_progress *now)
{
    const struct bench_machine *machine = context;
    if (machine->is_quiet || !isatty(STDERR_FILENO))
        return;
    fprintf(stderr, "\r%s, %u %%", now->doing, now->percent);
    if (now->left_us != 0)
        fprintf(stderr, ", %llu s left", (unsigned long long)(now->left_us / 1000000));
    fputs("   ", stderr);
}

bool bench_machine_open(struct bench_machine *machine, int cpu, struct arena *arena)
{
    static uint8_t scratch[ENGINE_SCRATCH_BYTES] __attribute__((aligned(4096)));
    memset(machine, 0, sizeof *machine);
    machine->cpu = (uint32_t)(cpu >= 0 ? cpu : sched_getcpu());
    find_other_cpu(machine);
    find_places(machine);
    if (!pin_to(machine->cpu)) {
        complain("--cpu %u: cannot stay on this CPU: %s", machine->cpu, strerror(errno));
        return false;
    }
    machine->tsc_hz = calibrate_tsc();
    if (!record_cpu(machine, arena)) {
        complain("no memory for the CPUID leaves");
        return false;
    }
    long level2 = sysconf(_SC_LEVEL2_CACHE_SIZE), level3 = sysconf(_SC_LEVEL3_CACHE_SIZE);
    machine->cache_bytes = (level2 > 0 ? (uint64_t)level2 : 0) +
                           (level3 > 0 ? (uint64_t)level3 : 0);
    machine->usable_bytes = half_of_available();
    struct cpuid_regs leaf1, leaf7;
    facts_cpuid(&machine->facts, &machine->facts.cpus[0], 1, 0, &leaf1);
    facts_cpuid(&machine->facts, &machine->facts.cpus[0], 7, 0, &leaf7);
    machine->engine = (struct engine_machine){
        .context = machine, .window = window, .time_pass = time_pass,
        .count_wrong = count_wrong, .run_at = run_at, .now_us = now_us,
        .progress = progress, .scratch = scratch,
        .line_bytes = bits_get(leaf1.ebx, 15, 8) * 8, .has_clflushopt = bits_test(leaf7.ebx, 23),
        .l2_bytes = level2 > 0 ? (uint64_t)level2 : 0,
        .llc_bytes = level3 > 0 ? (uint64_t)level3 : 0,
    };
    return true;
}
