/* Published ranges for one core, local DRAM, extents of 2 MiB and more. [clear 2.6] */
#include "kernel/stats/plausible.h"

#include <stdio.h>
#include <string.h>

#include "kernel/stats/cpu_model.h"

#define MIB (1024ull * 1024)

struct range {
    const char *name;
    enum cpu_vendor vendor;
    uint32_t family, first_model, last_model;
    const char *variants[3];           /* ids it holds for */
    uint64_t min_extent, max_extent;
    uint32_t low_tenths, high_tenths;  /* GiB/s in tenths */
};

#define ANY UINT64_MAX

static const struct range ranges[] = {
    { "Broadwell-X", CPU_INTEL, 6, 79, 79, { "stosb", "stosq" }, 2 * MIB, ANY, 50, 65 },
    { "Broadwell-X", CPU_INTEL, 6, 79, 79, { "movnti8" }, 2 * MIB, ANY, 110, 130 },
    { "Skylake-SP", CPU_INTEL, 6, 85, 85, { "stosb", "stosq" }, 2 * MIB, ANY, 60, 80 },
    { "Skylake-SP", CPU_INTEL, 6, 85, 85, { "movnti8" }, 2 * MIB, ANY, 60, 80 },
    { "Ice Lake-SP", CPU_INTEL, 6, 106, 106, { "stosb", "stosq" }, 2 * MIB, ANY, 110, 130 },
    { "Ice Lake-SP", CPU_INTEL, 6, 106, 106, { "movnti8" }, 2 * MIB, ANY, 210, 250 },
    { "Rome", CPU_AMD, 0x17, 0x30, 0x3f, { "stosb", "stosq" }, 2 * MIB, ANY, 110, 125 },
    { "Rome", CPU_AMD, 0x17, 0x30, 0x3f, { "movnti8" }, 2 * MIB, ANY, 160, 170 },
    { "Milan", CPU_AMD, 0x19, 0x00, 0x0f, { "stosb", "stosq" }, 2 * MIB, 2 * MIB, 140, 160 },
    { "Milan", CPU_AMD, 0x19, 0x00, 0x0f, { "stosb", "stosq" }, 128 * MIB, ANY, 280, 430 },
    { "Milan", CPU_AMD, 0x19, 0x00, 0x0f, { "movnti8" }, 2 * MIB, ANY, 170, 200 },
    { "Milan", CPU_AMD, 0x19, 0x00, 0x0f, { "clzero" }, 2 * MIB, ANY, 380, 460 },
    { "Genoa", CPU_AMD, 0x19, 0x10, 0x1f, { "stosb", "stosq" }, 2 * MIB, 2 * MIB, 220, 250 },
    { "Genoa", CPU_AMD, 0x19, 0x10, 0x1f, { "stosb", "stosq" }, 1024 * MIB, ANY, 550, 650 },
    /* 0x30 to 0x3f and from 0x50 on are Zen 6 and what no value was published for. */
#define ZEN_5(first, last)                                                                       \
    { "Zen 5", CPU_AMD, 0x1a, first, last, { "stosb", "stosq" }, 2 * MIB, ANY, 300, 360 },       \
    { "Zen 5", CPU_AMD, 0x1a, first, last, { "movnti8" }, 2 * MIB, ANY, 450, 520 },              \
    { "Zen 5", CPU_AMD, 0x1a, first, last, { "clzero" }, 2 * MIB, ANY, 600, 670 }
    ZEN_5(0x00, 0x2f), ZEN_5(0x40, 0x4f),
};

static bool is_for(const struct range *range, const struct cpu_model *model, const char *variant,
                   uint64_t extent_bytes)
{
    if (range->vendor != model->vendor || range->family != model->family ||
        model->model < range->first_model || model->model > range->last_model ||
        extent_bytes < range->min_extent || extent_bytes > range->max_extent)
        return false;
    for (int i = 0; i < 3 && range->variants[i] != NULL; i++)
        if (strcmp(range->variants[i], variant) == 0)
            return true;
    return false;
}

const char *plausible_remark(const struct machine_facts *facts, const struct cpu_facts *cpu,
                             const struct clear_variant *variant,
                             const struct bench_setting *setting, uint64_t bytes_per_s,
                             struct arena *arena)
{
    struct cpu_model model = cpu_model_of(facts, cpu);
    uint64_t tenths = bytes_per_s / ((1ull << 30) / 10);
    /* The ranges are for memory: a region that the caches may hold is another thing. */
    if (setting->placement != BENCH_PLACE_ONE || bytes_per_s == 0 ||
        setting->region_bytes < 1024 * MIB)
        return NULL;
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        const struct range *range = &ranges[i];
        if (!is_for(range, &model, variant->id, setting->extent_bytes))
            continue;
        if (tenths * 2 >= range->low_tenths && tenths * 2 <= 3 * range->high_tenths)
            return NULL;
        char text[120];
        snprintf(text, sizeof text, "published for %s: %u.%u to %u.%u GiB/s", range->name,
                 range->low_tenths / 10, range->low_tenths % 10, range->high_tenths / 10,
                 range->high_tenths % 10);
        char *copy = ARENA_NEW(arena, char, strlen(text) + 1);
        return copy == NULL ? "outside of the published range" : strcpy(copy, text);
    }
    return NULL;
}
