/* Decodes what identifies a CPU [intel/vol2 CPUID], [amd/vol3 E.3], and the kinds
 * of memory by their E820 or EFI type. [acpi 15], [uefi 7.2] */
#include "kernel/report/machine.h"

#include <string.h>

#include "kernel/lib/bits.h"

enum {
    LEAF_CORE_TYPE = 0x1A,          /* EAX[31:24] is one of the next two */
    INTEL_ATOM = 0x20, INTEL_CORE = 0x40,
    LEAF_HYPERVISOR = 0x40000000,
    LEAF_BRAND_FIRST = 0x80000002,
    LEAF_BRAND_LAST = 0x80000004,
    LEAF_AMD_TOPOLOGY = 0x80000026, /* EAX[30]: several kinds; EBX[31:28]: the core's */
    MSR_PATCH_LEVEL = 0x8B,  /* IA32_BIOS_SIGN_ID */
    LEAF1_ECX_HYPERVISOR = 31,
};

#define EFI_MEMORY_NV 0x8000ull   /* non-volatile */
#define EFI_MEMORY_SP 0x40000ull  /* specific purpose */
#define EFI_MEMORY_RUNTIME 0x8000000000000000ull
#define E820_SOFT_RESERVED 0xEFFFFFFFu /* what Linux calls specific-purpose memory */

static void copy_registers(char *target, const uint32_t *registers, uint32_t count)
{
    memcpy(target, registers, count * sizeof(*registers));
    target[count * sizeof(*registers)] = '\0';
}

static void read_brand(const struct machine_facts *facts, const struct cpu_facts *cpu, char *brand)
{
    char text[49] = "";
    struct cpuid_regs regs;
    size_t blanks, length;

    for (uint32_t leaf = LEAF_BRAND_FIRST; leaf <= LEAF_BRAND_LAST; leaf++) {
        if (facts_cpuid(facts, cpu, leaf, 0, &regs) != CPUID_RECORDED)
            return;
        copy_registers(text + 16 * (leaf - LEAF_BRAND_FIRST),
                       (uint32_t[]){regs.eax, regs.ebx, regs.ecx, regs.edx}, 4);
    }
    blanks = strspn(text, " ");
    length = strlen(text + blanks);
    while (length && text[blanks + length - 1] == ' ')
        length--;
    memcpy(brand, text + blanks, length);
}

static void read_signature(const struct cpuid_regs *leaf1, struct machine_cpu *out)
{
    uint32_t family = bits_get(leaf1->eax, 11, 8), model = bits_get(leaf1->eax, 7, 4);

    if (family == 6 || family == 15)
        model |= bits_get(leaf1->eax, 19, 16) << 4;
    if (family == 15)
        family += bits_get(leaf1->eax, 27, 20);
    out->has_signature = true;
    out->signature = leaf1->eax;
    out->family = family;
    out->model = model;
    out->stepping = bits_get(leaf1->eax, 3, 0);
    out->is_virtual = bits_test(leaf1->ecx, LEAF1_ECX_HYPERVISOR);
}

static void read_microcode(const struct cpu_facts *cpu, struct machine_cpu *out)
{
    const struct msr_row *row = facts_msr(cpu, MSR_PATCH_LEVEL);
    bool is_intel = strcmp(out->vendor, "GenuineIntel") == 0;
    bool is_amd = strcmp(out->vendor, "AuthenticAMD") == 0 ||
                  strcmp(out->vendor, "HygonGenuine") == 0;

    if (!row || row->has_faulted || (!is_intel && !is_amd))
        return;
    out->has_microcode = true;
    out->microcode = (uint32_t)(is_intel ? row->value >> 32 : row->value);
}

void machine_describe_cpu(const struct machine_facts *facts, const struct cpu_facts *cpu,
                          struct machine_cpu *out)
{
    struct cpuid_regs regs;

    memset(out, 0, sizeof(*out));
    if (facts_cpuid(facts, cpu, 0, 0, &regs) == CPUID_RECORDED)
        copy_registers(out->vendor, (uint32_t[]){regs.ebx, regs.edx, regs.ecx}, 3);
    read_brand(facts, cpu, out->brand);
    if (facts_cpuid(facts, cpu, 1, 0, &regs) == CPUID_RECORDED)
        read_signature(&regs, out);
    if (facts_cpuid(facts, cpu, LEAF_HYPERVISOR, 0, &regs) == CPUID_RECORDED && out->is_virtual)
        copy_registers(out->hypervisor, (uint32_t[]){regs.ebx, regs.ecx, regs.edx}, 3);
    read_microcode(cpu, out);
}

bool machine_is_virtual(const struct machine_facts *facts)
{
    struct cpuid_regs regs;

    return facts->cpu_count > 0 &&
           facts_cpuid(facts, &facts->cpus[0], 1, 0, &regs) == CPUID_RECORDED &&
           bits_test(regs.ecx, LEAF1_ECX_HYPERVISOR);
}

static const char *core_type_name(uint32_t type, uint32_t performance, uint32_t efficiency)
{
    return type == performance ? "performance" : type == efficiency ? "efficiency" : NULL;
}

/* [intel/vol2 CPUID 1AH], [amd/vol3 E.4.24] */
const char *machine_core_type(const struct machine_facts *facts, const struct cpu_facts *cpu)
{
    struct cpuid_regs regs;

    if (facts_max_basic_leaf(facts, cpu) >= LEAF_CORE_TYPE &&
        facts_cpuid(facts, cpu, LEAF_CORE_TYPE, 0, &regs) == CPUID_RECORDED && regs.eax)
        return core_type_name(bits_get(regs.eax, 31, 24), INTEL_CORE, INTEL_ATOM);
    if (facts_max_extended_leaf(facts, cpu) >= LEAF_AMD_TOPOLOGY &&
        facts_cpuid(facts, cpu, LEAF_AMD_TOPOLOGY, 0, &regs) == CPUID_RECORDED &&
        bits_test(regs.eax, 30))
        return core_type_name(bits_get(regs.ebx, 31, 28), 0, 1);
    return NULL;
}

const char *machine_intel_core_type(const struct machine_facts *facts,
                                    const struct cpu_facts *cpu)
{
    struct cpuid_regs regs;

    if (facts_max_basic_leaf(facts, cpu) < LEAF_CORE_TYPE ||
        facts_cpuid(facts, cpu, LEAF_CORE_TYPE, 0, &regs) != CPUID_RECORDED)
        return NULL;
    switch (bits_get(regs.eax, 31, 24)) {
    case INTEL_CORE: return "IntelCore";
    case INTEL_ATOM: return "IntelAtom";
    default: return NULL;
    }
}

uint32_t machine_count_cpus(const struct machine_facts *facts, enum cpu_state state)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < facts->cpu_count; i++)
        count += facts->cpus[i].state == state;
    return count;
}

enum kind {
    KIND_RAM, KIND_LOADER, KIND_BOOT_SERVICES, KIND_RUNTIME, KIND_ACPI, KIND_NVS, KIND_RESERVED,
    KIND_IO, KIND_UNUSABLE, KIND_PERSISTENT, KIND_SPECIAL, KIND_UNACCEPTED, KIND_OTHER,
    KIND_COUNT,
};

static const struct { const char *name, *use; } kinds_of_memory[KIND_COUNT] = {
    [KIND_RAM] = {"RAM", "free for the run"},
    [KIND_LOADER] = {"loader", "this image, and what it took for the run"},
    [KIND_BOOT_SERVICES] = {"boot services", "left to the firmware unless it was exited"},
    [KIND_RUNTIME] = {"runtime services", "left to the firmware"},
    [KIND_ACPI] = {"ACPI tables", "read only"},
    [KIND_NVS] = {"ACPI NVS", "left to the firmware"},
    [KIND_RESERVED] = {"reserved", "never touched"},
    [KIND_IO] = {"device memory", "never touched"},
    [KIND_UNUSABLE] = {"unusable", "marked bad by the firmware"},
    [KIND_PERSISTENT] = {"persistent", "never written: it may hold somebody's files"},
    [KIND_SPECIAL] = {"specific purpose", "never written: kept for a device or a driver"},
    [KIND_UNACCEPTED] = {"unaccepted", "never touched: a confidential guest must accept it"},
    [KIND_OTHER] = {"unknown type", "never touched"},
};

static bool is_usable(enum kind kind)
{
    return kind == KIND_RAM || kind == KIND_LOADER || kind == KIND_BOOT_SERVICES;
}

static enum kind kind_of_efi(const struct memory_range *range)
{
    static const enum kind by_type[] = {
        KIND_RESERVED, KIND_LOADER, KIND_LOADER, KIND_BOOT_SERVICES, KIND_BOOT_SERVICES,
        KIND_RUNTIME, KIND_RUNTIME, KIND_RAM, KIND_UNUSABLE, KIND_ACPI, KIND_NVS, KIND_IO,
        KIND_IO, KIND_RESERVED, KIND_PERSISTENT, KIND_UNACCEPTED,
    };

    if (range->efi_type >= sizeof(by_type) / sizeof(by_type[0]))
        return KIND_OTHER;
    if (is_usable(by_type[range->efi_type])) { /* as boot/info/memory_map.c decides */
        if (range->efi_attribute & EFI_MEMORY_NV)
            return KIND_PERSISTENT;
        if (range->efi_attribute & EFI_MEMORY_SP)
            return KIND_SPECIAL;
        if (range->efi_attribute & EFI_MEMORY_RUNTIME)
            return KIND_RUNTIME;
    }
    return by_type[range->efi_type];
}

static enum kind kind_of(const struct memory_range *range)
{
    if (range->has_efi_type)
        return kind_of_efi(range);
    switch (range->type) {
    case 1: return KIND_RAM;
    case 2: return KIND_RESERVED;
    case 3: return KIND_ACPI;
    case 4: return KIND_NVS;
    case 5: return KIND_UNUSABLE;
    case 7:
    case 12: return KIND_PERSISTENT; /* 12: before ACPI 6 gave it a number */
    case E820_SOFT_RESERVED: return KIND_SPECIAL;
    default: return KIND_OTHER;
    }
}

uint32_t machine_memory_kinds(const struct machine_facts *facts,
                              struct memory_kind kinds[MACHINE_MAX_MEMORY_KINDS])
{
    struct memory_kind all[KIND_COUNT] = {0};
    uint32_t count = 0;

    for (uint32_t i = 0; i < facts->memory_count; i++) {
        const struct memory_range *range = &facts->memory[i];
        struct memory_kind *kind = &all[kind_of(range)];

        kind->range_count++;
        if (range->end > range->start)
            kind->bytes += range->end - range->start;
    }
    for (uint32_t i = 0; i < KIND_COUNT; i++) {
        if (!all[i].range_count)
            continue;
        kinds[count] = all[i];
        kinds[count].name = kinds_of_memory[i].name;
        kinds[count++].use = kinds_of_memory[i].use;
    }
    return count;
}
