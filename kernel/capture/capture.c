/* Runs on every CPU at once; each writes into memory that was taken for it before. */
#include "kernel/capture/capture.h"

#include <string.h>

#include "kernel/facts/cpuid_walk.h"
#include "kernel/cpu/instructions.h"
#include "kernel/cpu/msr.h"
#include "kernel/cpu/msr_numbers.h"
#include "drivers/apic/apic.h"
#include "kernel/smp/smp.h"
#include "kernel/capture/msr_list.h"

enum { MSR_MICROCODE = 0x8B, LEAF_FEATURES = 1 };

bool capture_init(struct capture *capture, struct machine_facts *facts, uint32_t cpu_count,
                  struct arena *arena)
{
    uint32_t msr_total = msr_list_total();
    struct cpuid_row *rows = ARENA_NEW(arena, struct cpuid_row, (size_t)cpu_count *
                                                                    CAPTURE_MAX_ROWS);
    struct msr_row *msrs = ARENA_NEW(arena, struct msr_row, (size_t)cpu_count * msr_total);

    *capture = (struct capture){.facts = facts, .cpu_count = cpu_count};
    capture->is_cut = ARENA_NEW(arena, bool, cpu_count);
    if (rows == NULL || msrs == NULL || capture->is_cut == NULL ||
        !cpumask_init(&capture->faulted, cpu_count, arena))
        return false;
    for (uint32_t cpu = 0; cpu < cpu_count; cpu++) {
        facts->cpus[cpu].rows = rows + (size_t)cpu * CAPTURE_MAX_ROWS;
        facts->cpus[cpu].msrs = msrs + (size_t)cpu * msr_total;
    }
    return true;
}

static struct cpuid_regs read_cpuid(void *context, uint32_t leaf, uint32_t subleaf)
{
    struct cpuid_result result = cpuid_read(leaf, subleaf);

    (void)context;
    return (struct cpuid_regs){result.eax, result.ebx, result.ecx, result.edx};
}

static bool read_rows(struct cpu_facts *cpu)
{
    struct cpuid_walk walk = {.read = read_cpuid, .rows = cpu->rows,
                              .capacity = CAPTURE_MAX_ROWS};

    cpuid_walk_all(&walk);
    cpu->row_count = walk.count;
    facts_note_order(cpu);
    return walk.is_cut;
}

/* The revision shows up after the register was cleared and CPUID 1 executed; a CPU on
 * which it cannot be written shows it anyway. [intel/vol3 10.11.7.1] */
static bool read_microcode(uint64_t *value)
{
    msr_write(MSR_MICROCODE, 0);
    cpuid_read(LEAF_FEATURES, 0);
    return msr_read(MSR_MICROCODE, value);
}

/* The image runs with its own PAT: what counts is the one the CPU came with. */
static bool read_one(uint32_t index, uint32_t address, uint64_t *value)
{
    if (address == MSR_MICROCODE)
        return read_microcode(value);
    if (address == MSR_IA32_PAT)
        return smp_found_pat(index, value);
    return msr_read(address, value);
}

static void read_msrs(struct cpu_facts *cpu, uint32_t index)
{
    cpu->msr_count = 0;
    for (uint32_t i = 0; i < msr_list_count; i++)
        for (uint32_t address = msr_list[i].first; address <= msr_list[i].last; address++) {
            struct msr_row row = {.address = address};

            row.has_faulted = !read_one(index, address, &row.value);
            cpu->msrs[cpu->msr_count++] = row;
        }
}

static void capture_one(uint32_t index, void *context)
{
    struct capture *capture = context;
    struct cpu_facts *cpu = &capture->facts->cpus[index];

    capture->is_cut[index] = read_rows(cpu);
    read_msrs(cpu, index);
    cpu->cr0 = cr0_read();
    cpu->has_cr0 = true;
    if (apic_ops() == NULL)
        return;
    cpu->apic_id = apic_ops()->read_id();
    cpu->has_apic_id = true;
    cpu->apic_version = apic_version();
    cpu->has_apic_version = true;
}

static enum cpu_state state_of(const struct capture *capture, uint32_t cpu)
{
    if (cpumask_has(&capture->faulted, cpu))
        return CPU_FAULTED;
    return cpumask_has(smp_running(), cpu) ? CPU_ONLINE : CPU_SILENT;
}

void capture_cpus(struct capture *capture, uint64_t bound_cycles)
{
    smp_run_on(smp_running(), capture_one, capture, bound_cycles, &capture->faulted);
    for (uint32_t cpu = 0; cpu < capture->cpu_count; cpu++) {
        capture->facts->cpus[cpu].state = state_of(capture, cpu);
        capture->facts->cpus[cpu].unsent_count = smp_unsent_count(cpu);
        capture->cut_count += capture->is_cut[cpu];
    }
}

static uint32_t e820_type(enum boot_range_kind kind, uint32_t source_type, bool is_efi)
{
    enum { E820_RAM = 1, E820_RESERVED, E820_ACPI };

    if (!is_efi)
        return source_type;
    switch (kind) {
    case BOOT_RANGE_GRANTED:
    case BOOT_RANGE_KERNEL:
    case BOOT_RANGE_FIRMWARE: return E820_RAM;
    case BOOT_RANGE_ACPI: return E820_ACPI;
    default: return E820_RESERVED;
    }
}

static void capture_repairs(struct machine_facts *facts, const struct boot_map_repairs *repairs)
{
    facts->has_memory_repairs = true;
    facts->memory_repairs = (struct memory_repairs){
        .unsorted = repairs->unsorted, .overlapping = repairs->overlapping,
        .unaligned = repairs->unaligned, .empty = repairs->empty, .endless = repairs->endless};
}

bool capture_firmware(struct machine_facts *facts, const struct boot_info *info,
                      struct arena *arena)
{
    bool is_efi = info->path != BOOT_BIOS_GRUB;

    strncpy(facts->source, "this boot", sizeof(facts->source) - 1);
    strncpy(facts->firmware_vendor, info->firmware_vendor, sizeof(facts->firmware_vendor) - 1);
    facts->firmware_revision = info->firmware_revision;
    facts->secure_boot = (struct efi_variable){info->secure_boot.is_read, info->secure_boot.value};
    facts->setup_mode = (struct efi_variable){info->setup_mode.is_read, info->setup_mode.value};
    capture_repairs(facts, &info->map_repairs);
    facts->memory = ARENA_NEW(arena, struct memory_range, info->range_count);
    if (facts->memory == NULL)
        return false;
    for (uint32_t i = 0; i < info->range_count; i++) {
        const struct boot_range *range = &info->ranges[i];

        facts->memory[facts->memory_count++] = (struct memory_range){
            .start = range->start,
            .end = range->end,
            .type = e820_type(range->kind, range->source_type, is_efi),
            .has_efi_type = is_efi,
            .efi_type = is_efi ? range->source_type : 0,
            .efi_attribute = range->efi_attribute,
        };
    }
    return true;
}
