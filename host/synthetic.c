/* The leaves of a machine that nobody has: a two-socket Skylake's, with other
 * shifts and counts. */
#include "host/synthetic.h"

#include <stdio.h>
#include <stdlib.h>

#include "kernel/lib/bits.h"

enum { ROW_COUNT = 13, SOCKETS_MOST = 8, CPUS_MOST = 32768 };

struct id_shifts {
    unsigned core, package; /* APIC id bits below the core, and below the package */
};

static bool parse_triple(const char *text, struct synthetic_shape *shape)
{
    int end = 0;

    return sscanf(text, "%ux%ux%u%n", &shape->sockets, &shape->cores, &shape->threads, &end) == 3 &&
           text[end] == 0 && shape->sockets > 0 && shape->cores > 0 && shape->threads > 0 &&
           shape->sockets <= CPUS_MOST && shape->cores <= CPUS_MOST && shape->threads <= 64;
}

bool synthetic_parse(const char *text, struct synthetic_shape *shape)
{
    char *end;
    unsigned long cpus = strtoul(text, &end, 10);

    if (end == text)
        return false;
    if (*end != 0) {
        if (!parse_triple(text, shape))
            return false;
    } else {
        if (cpus == 0 || cpus > CPUS_MOST || cpus % 2)
            return false;
        *shape = (struct synthetic_shape){SOCKETS_MOST, 0, 2};
        while (cpus % (shape->sockets * 2ul))
            shape->sockets /= 2;
        shape->cores = (uint32_t)cpus / (shape->sockets * 2);
    }
    unsigned bits = bits_order(shape->sockets) + bits_order(shape->cores) +
                    bits_order(shape->threads);
    return bits <= 15; /* the kernels accept APIC ids below 32768 */
}

uint32_t synthetic_cpu_count(const struct synthetic_shape *shape)
{
    return shape->sockets * shape->cores * shape->threads;
}

/* Leaf 4 EAX: type, level, ids that share the cache, ids of cores in a package. */
static uint32_t cache_eax(uint32_t type, uint32_t level, unsigned sharing_shift,
                          const struct id_shifts *shifts)
{
    return type | level << 5 | bits_ones(sharing_shift) << 14 |
           bits_ones(shifts->package - shifts->core) << 26;
}

static void fill_rows(struct cpuid_row *rows, const struct synthetic_shape *shape,
                      const struct id_shifts *shifts, uint32_t id)
{
    uint32_t per_package = shape->cores * shape->threads;
    const struct cpuid_row filled[ROW_COUNT] = {
        {0x0, 0, 0x16, 0x756E6547, 0x6C65746E, 0x49656E69},
        {0x1, 0, 0x50654, (id & 0xFF) << 24 | (per_package & 0xFF) << 16 | 0x800, 0x7FFEFBFF,
         0xBFEBFBFF},
        {0x4, 0, cache_eax(1, 1, shifts->core, shifts), 0x01C0003F, 0x3F, 0},
        {0x4, 1, cache_eax(2, 1, shifts->core, shifts), 0x01C0003F, 0x3F, 0},
        {0x4, 2, cache_eax(3, 2, shifts->core, shifts), 0x03C0003F, 0x3FF, 0},
        {0x4, 3, cache_eax(3, 3, shifts->package, shifts), 0x0280003F, 0x8FFF, 4},
        {0x4, 4, 0, 0, 0, 0},
        {0x7, 0, 0, 0, 0, 0},
        {0xB, 0, shifts->core, shape->threads, 0x100, id},
        {0xB, 1, shifts->package, per_package, 0x201, id},
        {0xB, 2, 0, 0, 2, id},
        {0x80000000, 0, 0x80000001, 0, 0, 0},
        {0x80000001, 0, 0, 0, 0x121, 0x2C100800},
    };

    for (uint32_t i = 0; i < ROW_COUNT; i++)
        rows[i] = filled[i];
}

/* Linux's usual order: all first threads of all sockets, then the second ones. */
static uint32_t apic_id_of(const struct synthetic_shape *shape, const struct id_shifts *shifts,
                           uint32_t cpu, uint32_t *socket)
{
    uint32_t cores = shape->sockets * shape->cores;
    uint32_t thread = cpu / cores, core = cpu % cores;

    *socket = core / shape->cores;
    return *socket << shifts->package | core % shape->cores << shifts->core | thread;
}

bool synthetic_build(const struct synthetic_shape *shape, struct arena *arena,
                     struct machine_facts *facts)
{
    uint32_t count = synthetic_cpu_count(shape);
    struct id_shifts shifts = {bits_order(shape->threads),
                               bits_order(shape->threads) + bits_order(shape->cores)};
    int32_t *nodes = ARENA_NEW(arena, int32_t, count);
    struct cpuid_row *rows = ARENA_NEW(arena, struct cpuid_row, (size_t)count * ROW_COUNT);

    *facts = (struct machine_facts){
        .cpus = ARENA_NEW(arena, struct cpu_facts, count),
        .number = ARENA_NEW(arena, uint32_t, count),
        .cpu_count = count,
        .has_linux_numbers = true,
        .is_x2apic_at_handover = true,
        .stated_nodes = nodes,
    };
    snprintf(facts->source, sizeof(facts->source), "synthetic %ux%ux%u", shape->sockets,
             shape->cores, shape->threads);
    if (!nodes || !rows || !facts->cpus || !facts->number)
        return false;
    for (uint32_t cpu = 0; cpu < count; cpu++) {
        uint32_t socket, id = apic_id_of(shape, &shifts, cpu, &socket);

        nodes[cpu] = (int32_t)socket;
        facts->number[cpu] = cpu;
        facts->cpus[cpu] = (struct cpu_facts){.state = CPU_ONLINE, .has_apic_id = true,
                                              .apic_id = id, .madt_apic_id = id,
                                              .rows = &rows[(size_t)cpu * ROW_COUNT],
                                              .row_count = ROW_COUNT};
        fill_rows(facts->cpus[cpu].rows, shape, &shifts, id);
        facts_note_order(&facts->cpus[cpu]);
    }
    return true;
}
