/* DRAM lines that Intel's client memory controllers count from power-on: nothing is
 * programmed, two registers are read before and after. [clear 3.7] */
#include "kernel/bench/pmu_uncore.h"

#include "kernel/lib/bits.h"
#include "kernel/lib/textbuf.h"
#include "kernel/stats/cpu_model.h"

enum { MCHBAR = 0x48, CONTROLLER_STEP = 0x10000, BAR_BYTES = 0x20000, FAMILY = 6 };
#define BAR_ENABLED 1ull
#define BAR_ADDRESS 0x3ffffff8000ull

/* Lines of 64 bytes; of 64-bit counters the low half is read, too: a pass is far shorter
 * than the 256 GiB after which it wraps. */
static const struct layout {
    uint16_t read, write, controllers;
    uint8_t models[18];
} layouts[] = {
    /* Sandy Bridge to Comet Lake, Ice Lake, Rocket Lake */
    { 0x5050, 0x5054, 1, { 0x2a, 0x3a, 0x3c, 0x45, 0x46, 0x3d, 0x47, 0x4e, 0x5e, 0x8e, 0x9e, 0xa5,
                           0xa6, 0x7d, 0x7e, 0xa7 } },
    /* Tiger Lake U */
    { 0x5058, 0x50a0, 2, { 0x8c } },
    /* Tiger Lake H, Alder, Raptor, Meteor, Lunar, Arrow, Panther Lake */
    { 0xd858, 0xd8a0, 2, { 0x8d, 0x97, 0x9a, 0xb7, 0xba, 0xbf, 0xaa, 0xac, 0xbd, 0xb5, 0xc5, 0xc6,
                           0xcc } },
};

static const struct pmu_event events[PMU_UNCORE_ROWS] = {
    { .generic = "ct:imc-lines-rd", .name = "DRAM_DATA_READS, whole machine", .missing_bit = -1 },
    { .generic = "ct:imc-lines-wr", .name = "DRAM_DATA_WRITES, whole machine", .missing_bit = -1 },
};

static const struct layout *layout_of(const struct pmu *pmu)
{
    struct cpu_model model = cpu_model_of(pmu->facts, pmu->cpu);
    for (uint32_t i = 0; i < sizeof layouts / sizeof layouts[0] && model.family == FAMILY; i++)
        for (uint32_t m = 0; m < sizeof layouts[i].models && layouts[i].models[m] != 0; m++)
            if (layouts[i].models[m] == model.model)
                return &layouts[i];
    return NULL;
}

static bool say(struct pmu_uncores *found, const char *text)
{
    struct textbuf out;
    textbuf_init(&out, found->text, sizeof found->text);
    textbuf_put(&out, text);
    return false;
}

static bool is_virtual(const struct pmu *pmu)
{
    struct cpuid_regs leaf1 = { 0 };
    facts_cpuid(pmu->facts, pmu->cpu, 1, 0, &leaf1);
    return bits_test(leaf1.ecx, 31);
}

bool pmu_imc_find(const struct pmu *pmu, struct pmu_uncores *found)
{
    const struct pmu_registers *registers = &pmu->registers;
    const struct layout *layout = layout_of(pmu);
    struct pmu_uncore *unit = &found->units[found->count];
    uint32_t low, high;
    if (layout == NULL)
        return say(found, "those of this model are in PCI space or MMIO and have to be programmed");
    if (is_virtual(pmu))
        return say(found, "a virtual machine has no memory controller");
    if (!registers->read_host_bridge(registers->context, MCHBAR, &low) ||
        !registers->read_host_bridge(registers->context, MCHBAR + 4, &high) ||
        !(low & BAR_ENABLED))
        return say(found, "MCHBAR (PCI 00:00.0 register 0x48) is off");
    *unit = (struct pmu_uncore){
        .kind = PMU_UNCORE_IMC, .name = "IMC", .rows = { &events[0], &events[1] },
        .row_count = PMU_UNCORE_ROWS, .slots = PMU_UNCORE_ROWS * layout->controllers, .passes = 1,
        .read_offset = layout->read, .write_offset = layout->write,
        .bar = registers->map(registers->context, ((uint64_t)high << 32 | low) & BAR_ADDRESS,
                              BAR_BYTES),
    };
    if (unit->bar == NULL)
        return say(found, "MCHBAR could not be mapped");
    found->count++;
    return say(found, "Intel's free-running counters, whole machine, with display and devices") ||
           true;
}

uint32_t pmu_imc_read(const struct pmu_uncore *unit, uint32_t slot)
{
    uint32_t offset = slot % PMU_UNCORE_ROWS == 0 ? unit->read_offset : unit->write_offset;
    return *(const volatile uint32_t *)(const volatile void *)
        (unit->bar + offset + slot / PMU_UNCORE_ROWS * CONTROLLER_STEP);
}
