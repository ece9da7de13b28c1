/* Known tables and the values that were posted in them. [clear 2.1, 2.2] */
#include "kernel/stats/bench_tables.h"

#include <string.h>

#include "kernel/stats/cpu_model.h"

#define KIB 1024ull
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

enum { MAP_BIT_1G = 4 };

static const uint64_t table_sizes[] = { 16 * MIB, 128 * MIB, 1 * GIB, 4 * GIB };
/* The walk takes the largest that fits. */
static const uint64_t walk_sizes[] = { 128 * GIB, 64 * GIB, 32 * GIB, 16 * GIB, 8 * GIB, 4 * GIB,
                                       2 * GIB, 1 * GIB };
static const uint64_t walk_extents[] = { 1 * GIB };
static const uint64_t chunk_sizes[] = { 4 * GIB, 2 * GIB, 1 * GIB, 256 * MIB };
static const uint64_t chunk_extents[] = { 4 * KIB, 64 * KIB, 2 * MIB, 8 * MIB, 32 * MIB,
                                          128 * MIB, 1 * GIB };

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

const char *bench_table_name(enum bench_table table)
{
    static const char *const names[] = {
        [BENCH_TABLE_NONE] = "none", [BENCH_TABLE_SIZES] = "sizes",
        [BENCH_TABLE_WALK] = "walk", [BENCH_TABLE_CHUNKS] = "chunks",
    };
    return names[table];
}

/* The first that fits stands for the list; without one the list stays, and the plan says
 * that nothing fits. */
static void take_largest(struct plan_request *request, const uint64_t *sizes, uint32_t count)
{
    request->sizes = sizes;
    request->size_count = count;
    for (uint32_t i = 0; i < count && request->usable_bytes != 0; i++)
        if (sizes[i] <= request->usable_bytes) {
            request->sizes = &sizes[i];
            request->size_count = 1;
            return;
        }
}

uint32_t bench_table_apply(enum bench_table table, uint32_t map, struct plan_request *request)
{
    bool has_sizes = request->size_count != 0, has_extents = request->extent_count != 0;
    switch (table) {
    case BENCH_TABLE_NONE: break;
    case BENCH_TABLE_SIZES:
        if (!has_sizes) {
            request->sizes = table_sizes;
            request->size_count = COUNT(table_sizes);
        }
        break;
    case BENCH_TABLE_WALK:
        if (!has_sizes)
            take_largest(request, walk_sizes, COUNT(walk_sizes));
        if (!has_extents) {
            request->extents = walk_extents;
            request->extent_count = COUNT(walk_extents);
        }
        return map != 0 ? map : MAP_BIT_1G;
    case BENCH_TABLE_CHUNKS:
        if (!has_sizes)
            take_largest(request, chunk_sizes, COUNT(chunk_sizes));
        if (!has_extents) {
            request->extents = chunk_extents;
            request->extent_count = COUNT(chunk_extents);
        }
        break;
    }
    return map;
}

static const char arora_2020[] = "A. Arora, 14 Oct 2020", arora_2021[] = "A. Arora, 20 Oct 2021",
                  arora_2022[] = "A. Arora, 6 Jun 2022";
static const char gib[] = "GiB/s", mb[] = "MB/s as posted";

#define ANY_ROW UINT64_MAX
/* From `row` on to `last` bytes. */
static const struct published {
    const char *family_name;
    enum cpu_vendor vendor;
    uint32_t family, first_model, last_model;
    enum bench_table table;
    const char *variant;
    uint64_t row, last;
    uint32_t hundredths, to_hundredths; /* the second one is 0 unless a range was posted */
    const char *unit, *source;
} list[] = {
#define SIZE(name, vendor, family, model, variant, size, value, source)                        \
    {name, vendor, family, model, model, BENCH_TABLE_SIZES, variant, size, size, value, 0, gib, source}
#define SIZES(name, vendor, family, model, variant, a, b, c, d, source)                        \
    SIZE(name, vendor, family, model, variant, 16 * MIB, a, source),                           \
    SIZE(name, vendor, family, model, variant, 128 * MIB, b, source),                          \
    SIZE(name, vendor, family, model, variant, 1 * GIB, c, source),                            \
    SIZE(name, vendor, family, model, variant, 4 * GIB, d, source)
    SIZES("Broadwell-X", CPU_INTEL, 6, 79, "stosb", 1735, 531, 542, 541, arora_2020),
    SIZES("Broadwell-X", CPU_INTEL, 6, 79, "movnti8", 1183, 1172, 1178, 1176, arora_2020),
    SIZES("Skylake-X", CPU_INTEL, 6, 85, "stosb", 2038, 652, 648, 651, arora_2021),
    SIZES("Skylake-X", CPU_INTEL, 6, 85, "movnti8", 625, 631, 624, 627, arora_2021),
    SIZES("Icelake-X", CPU_INTEL, 6, 106, "stosb", 1693, 1212, 1212, 1208, arora_2021),
    SIZES("Icelake-X", CPU_INTEL, 6, 106, "movnti8", 1591, 2233, 2392, 2398, arora_2021),
    SIZES("Rome", CPU_AMD, 0x17, 49, "stosq", 1539, 1104, 1186, 1189, arora_2020),
    SIZES("Rome", CPU_AMD, 0x17, 49, "movnti8", 1456, 1449, 1654, 1649, arora_2020),
    {"Rome", CPU_AMD, 0x17, 49, 49, BENCH_TABLE_WALK, "stosq", 0, ANY_ROW, 1133, 0, gib, arora_2020},
    {"Rome", CPU_AMD, 0x17, 49, 49, BENCH_TABLE_WALK, "movnti8", 0, ANY_ROW, 1629, 0, gib, arora_2020},
#define CHUNK(name, vendor, family, first, last, variant, row, to, value)                      \
    {name, vendor, family, first, last, BENCH_TABLE_CHUNKS, variant, row, to, value * 100, 0, mb, arora_2022}
    CHUNK("Icelake-X", CPU_INTEL, 6, 106, 106, "stosb", 4 * KIB, 4 * KIB, 9444),
    CHUNK("Icelake-X", CPU_INTEL, 6, 106, 106, "stosb", 64 * KIB, 64 * KIB, 11931),
    CHUNK("Icelake-X", CPU_INTEL, 6, 106, 106, "stosb", 2 * MIB, ANY_ROW, 12370),
    CHUNK("Icelake-X", CPU_INTEL, 6, 106, 106, "movnti8", 4 * KIB, ANY_ROW, 24500),
    CHUNK("Milan", CPU_AMD, 0x19, 0, 0xf, "stosb", 4 * KIB, 4 * KIB, 13034),
    CHUNK("Milan", CPU_AMD, 0x19, 0, 0xf, "stosb", 64 * KIB, 64 * KIB, 15196),
    CHUNK("Milan", CPU_AMD, 0x19, 0, 0xf, "stosb", 2 * MIB, 2 * MIB, 14821),
    CHUNK("Milan", CPU_AMD, 0x19, 0, 0xf, "stosb", 8 * MIB, 8 * MIB, 13964),
    CHUNK("Milan", CPU_AMD, 0x19, 0, 0xf, "stosb", 32 * MIB, 32 * MIB, 22525),
    CHUNK("Milan", CPU_AMD, 0x19, 0, 0xf, "stosb", 128 * MIB, 128 * MIB, 29311),
    CHUNK("Milan", CPU_AMD, 0x19, 0, 0xf, "stosb", 1 * GIB, 1 * GIB, 35807),
    CHUNK("Milan", CPU_AMD, 0x19, 0, 0xf, "movnti8", 4 * KIB, 4 * KIB, 17815),
    CHUNK("Milan", CPU_AMD, 0x19, 0, 0xf, "movnti8", 64 * KIB, ANY_ROW, 18560),
    {"Milan", CPU_AMD, 0x19, 0, 0xf, BENCH_TABLE_CHUNKS, "clzero", 4 * KIB, ANY_ROW, 3900000, 4600000,
     mb, arora_2022},
};

bool bench_published_find(const struct machine_facts *facts, const struct cpu_facts *cpu,
                          enum bench_table table, const char *variant, uint64_t row_bytes,
                          struct bench_published *out)
{
    struct cpu_model model = cpu_model_of(facts, cpu);
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        const struct published *entry = &list[i];
        if (entry->vendor != model.vendor || entry->family != model.family ||
            model.model < entry->first_model || model.model > entry->last_model ||
            entry->table != table || row_bytes < entry->row || row_bytes > entry->last ||
            strcmp(entry->variant, variant) != 0)
            continue;
        *out = (struct bench_published){ entry->family_name, entry->source, entry->hundredths,
                                         entry->to_hundredths, entry->unit };
        return true;
    }
    return false;
}
