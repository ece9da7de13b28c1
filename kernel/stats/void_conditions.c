/* Void conditions, from the recorded facts of every CPU. [clear 1.2, 3.4, 3.9] */
#include "kernel/stats/void_conditions.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kernel/lib/bits.h"
#include "kernel/stats/cpu_model.h"

/* PERFCTR_CORE's selects, each before its counter, and those of old. [amd/vol2 13.2.3] */
#define MSR_AMD_CORE_SELECT0 0xc0010200u
#define MSR_AMD_SELECT0 0xc0010000u

enum {
    MSR_BIOS_SIGN_ID = 0x8b,
    MSR_PERFEVTSEL0 = 0x186, INTEL_SELECTS = 8,
    AMD_CORE_SELECTS = 6, AMD_SELECTS = 4,
    MSR_MISC_ENABLE = 0x1a0,
    MSR_PAT = 0x277,
    MSR_MTRR_DEF_TYPE = 0x2ff,
    MSR_FIXED_CTR_CTRL = 0x38d,
    MTRR_ENABLE_BIT = 11,
    PERFEVTSEL_ENABLE_BIT = 22,
    PAT_WRITE_BACK = 6,
    CR0_CACHE_DISABLE_BIT = 30, CR0_NOT_WRITE_THROUGH_BIT = 29,
};

struct notes {
    struct bench_note list[VOID_CONDITIONS_MAX_NOTES];
    uint32_t count;
    struct arena *arena;
    bool is_full;
};

static void note(struct notes *notes, const char *id, bool is_void, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void note(struct notes *notes, const char *id, bool is_void, const char *format, ...)
{
    char text[200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    char *copy = ARENA_NEW(notes->arena, char, strlen(text) + 1);
    if (copy == NULL || notes->count == VOID_CONDITIONS_MAX_NOTES) {
        notes->is_full = true;
        return;
    }
    notes->list[notes->count++] =
        (struct bench_note){ .id = id, .is_void = is_void, .text = strcpy(copy, text) };
}

static uint32_t number_of(const struct machine_facts *facts, uint32_t cpu)
{
    return facts->number != NULL ? facts->number[cpu] : cpu;
}

static void check_hypervisor(const struct machine_facts *facts, bool is_hosted,
                             struct notes *notes)
{
    struct cpuid_regs leaf1;
    if (facts_cpuid(facts, &facts->cpus[0], 1, 0, &leaf1) != CPUID_RECORDED ||
        !bits_test(leaf1.ecx, 31))
        return;
    if (is_hosted)
        note(notes, "hypervisor", false,
             "CPUID 0x1 ECX[31] is 1: a virtual machine. The verdicts are about it, not about "
             "hardware.");
    else
        note(notes, "hypervisor", true,
             "CPUID 0x1 ECX[31] is 1: virtual machine, no verdict on hardware.");
}

/* MTRRs enabled and PAT entry 0, which our mappings select, write-back. A register that
 * refuses to be read proves neither. */
static void check_memory_type(const struct machine_facts *facts, struct notes *notes)
{
    for (uint32_t i = 0; i < facts->cpu_count; i++) {
        const struct msr_row *mtrr = facts_msr(&facts->cpus[i], MSR_MTRR_DEF_TYPE);
        const struct msr_row *pat = facts_msr(&facts->cpus[i], MSR_PAT);
        if ((mtrr != NULL && mtrr->has_faulted) || (pat != NULL && pat->has_faulted)) {
            note(notes, "memory-type", true,
                 "CPU %u: MSR 0x%x cannot be read, so that memory is write-back is not proven.",
                 number_of(facts, i), mtrr != NULL && mtrr->has_faulted ? MSR_MTRR_DEF_TYPE
                                                                        : MSR_PAT);
            return;
        }
        if (mtrr != NULL && !mtrr->has_faulted && !(mtrr->value >> MTRR_ENABLE_BIT & 1)) {
            note(notes, "memory-type", true, "CPU %u: MTRRs are off (MSR 0x2FF is 0x%llx).",
                 number_of(facts, i), (unsigned long long)mtrr->value);
            return;
        }
        if (pat != NULL && !pat->has_faulted && (pat->value & 7) != PAT_WRITE_BACK) {
            note(notes, "memory-type", true,
                 "CPU %u: PAT entry 0 is not write-back (MSR 0x277 is 0x%llx).",
                 number_of(facts, i), (unsigned long long)pat->value);
            return;
        }
    }
}

static void check_fast_strings(const struct machine_facts *facts, struct notes *notes)
{
    if (cpu_model_of(facts, &facts->cpus[0]).vendor != CPU_INTEL)
        return;
    for (uint32_t i = 0; i < facts->cpu_count; i++) {
        const struct msr_row *misc = facts_msr(&facts->cpus[i], MSR_MISC_ENABLE);
        if (misc == NULL || misc->has_faulted || (misc->value & 1))
            continue;
        note(notes, "fast-strings-off", true,
             "CPU %u: fast strings are off (MSR 0x1A0 is 0x%llx, bit 0): rep stos runs as a loop.",
             number_of(facts, i), (unsigned long long)misc->value);
        return;
    }
}

/* Intel has the revision in the upper half, AMD in the lower. Which of them is
 * not asked: the whole register has to be the same. */
static void check_microcode(const struct machine_facts *facts, struct notes *notes)
{
    const struct msr_row *first = NULL;
    uint32_t first_cpu = 0;
    for (uint32_t i = 0; i < facts->cpu_count; i++) {
        const struct msr_row *row = facts_msr(&facts->cpus[i], MSR_BIOS_SIGN_ID);
        if (row == NULL || row->has_faulted)
            continue;
        if (first == NULL) {
            first = row;
            first_cpu = i;
        } else if (row->value != first->value) {
            note(notes, "microcode-mixed", true,
                 "Mixed microcode: MSR 0x8B is 0x%llx on CPU %u and 0x%llx on CPU %u.",
                 (unsigned long long)first->value, number_of(facts, first_cpu),
                 (unsigned long long)row->value, number_of(facts, i));
            return;
        }
    }
}

/* The enabled select among `count` from `first` on, or NULL. */
static const struct msr_row *enabled_select(const struct cpu_facts *cpu, uint32_t first,
                                            uint32_t count, uint32_t step)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct msr_row *select = facts_msr(cpu, first + i * step);
        if (select != NULL && !select->has_faulted &&
            (select->value >> PERFEVTSEL_ENABLE_BIT & 1))
            return select;
    }
    return NULL;
}

/* Intel's fixed and general counters, AMD's six of PERFCTR_CORE and the four of old: each
 * vendor's CPUs have none of the other's registers. */
static const struct msr_row *counter_in_use(const struct cpu_facts *cpu)
{
    const struct msr_row *row = facts_msr(cpu, MSR_FIXED_CTR_CTRL);
    if (row != NULL && !row->has_faulted && row->value != 0)
        return row;
    row = enabled_select(cpu, MSR_PERFEVTSEL0, INTEL_SELECTS, 1);
    if (row == NULL)
        row = enabled_select(cpu, MSR_AMD_CORE_SELECT0, AMD_CORE_SELECTS, 2);
    return row != NULL ? row : enabled_select(cpu, MSR_AMD_SELECT0, AMD_SELECTS, 1);
}

static void check_counters(const struct machine_facts *facts, struct notes *notes)
{
    for (uint32_t i = 0; i < facts->cpu_count; i++) {
        const struct msr_row *row = counter_in_use(&facts->cpus[i]);
        if (row == NULL)
            continue;
        note(notes, "pmu-in-use", true,
             "CPU %u: firmware uses the performance counters (MSR 0x%X is 0x%llx): it may steer "
             "the clock with them.",
             number_of(facts, i), row->address, (unsigned long long)row->value);
        return;
    }
}

static void check_caches(const struct machine_facts *facts,
                         const struct void_registers *registers, struct notes *notes)
{
    for (uint32_t i = 0; registers != NULL && i < facts->cpu_count; i++) {
        if (!registers[i].is_read || (!(registers[i].cr0 >> CR0_CACHE_DISABLE_BIT & 1) &&
                                      !(registers[i].cr0 >> CR0_NOT_WRITE_THROUGH_BIT & 1)))
            continue;
        note(notes, "caches-off", true, "CPU %u: caches are off (CR0 is 0x%llx: CD or NW is 1).",
             number_of(facts, i), (unsigned long long)registers[i].cr0);
        return;
    }
}

static void check_tsc(const struct machine_facts *facts, struct notes *notes)
{
    struct cpuid_regs power;
    if (facts_max_extended_leaf(facts, &facts->cpus[0]) >= 0x80000007) {
        facts_cpuid(facts, &facts->cpus[0], 0x80000007, 0, &power);
        if (bits_test(power.edx, 8))
            return;
    }
    note(notes, "tsc-not-invariant", false,
         "CPUID 0x80000007 EDX[8] is not 1: non-invariant TSC, times are not comparable between "
         "clocks.");
}

/* Without the board's map from slots to channels one device is the only sure case; names in
 * locators are a hint. [clear 3.9] */
static void check_memory_devices(const struct machine_facts *facts, struct notes *notes)
{
    const struct smbios *smbios = &facts->smbios;
    if (smbios->has_memory && smbios->memory_filled == 1 && smbios->memory_slots > 1)
        note(notes, "one-memory-device", true,
             "SMBIOS: 1 of %u memory devices is filled: one channel, not the bandwidth of "
             "this machine.", (unsigned)smbios->memory_slots);
    else if (smbios->channels_filled == 1 && smbios->channels_named > 1)
        note(notes, "one-channel-named", false,
             "SMBIOS: the locators of all %u filled memory devices name one channel of %u: if "
             "the board's maker named them right, this is not the bandwidth of this machine.",
             (unsigned)smbios->memory_filled, (unsigned)smbios->channels_named);
}

bool void_conditions_note(const struct machine_facts *facts,
                          const struct void_registers *registers, bool is_hosted,
                          struct arena *arena, struct bench_results *results)
{
    struct notes notes = { .arena = arena };
    if (facts->cpu_count == 0)
        return true;
    check_hypervisor(facts, is_hosted, &notes);
    check_caches(facts, registers, &notes);
    check_memory_type(facts, &notes);
    check_fast_strings(facts, &notes);
    check_microcode(facts, &notes);
    check_counters(facts, &notes);
    check_tsc(facts, &notes);
    check_memory_devices(facts, &notes);
    results->notes = ARENA_NEW(arena, struct bench_note, VOID_CONDITIONS_MAX_NOTES);
    if (results->notes == NULL || notes.is_full)
        return false;
    results->note_count = 0;
    for (int is_void = 1; is_void >= 0; is_void--)
        for (uint32_t i = 0; i < notes.count; i++)
            if (notes.list[i].is_void == is_void)
                results->notes[results->note_count++] = notes.list[i];
    return true;
}
