/* Look-ups in what was recorded. A row that is not there is never taken for
 * zeros, unless the source says that it reads so. */
#include "kernel/facts/machine_facts.h"

#include <string.h>

const char *const facts_space_names[FACTS_SPACES] = {"pci", "port", "memory"};
const char *const facts_state_names[FACTS_CPU_STATES] = {
    [CPU_ONLINE] = "online",
    [CPU_SILENT] = "silent",
    [CPU_FAULTED] = "faulted",
    [CPU_DISABLED] = "disabled",
};

const char *const tsc_clock_words[TSC_CLOCK_COUNT] = {"pm-timer", "pit"};
const char *const tsc_clock_names[TSC_CLOCK_COUNT] = {"ACPI PM timer", "PIT"};

static uint64_t row_key(uint32_t leaf, uint32_t subleaf)
{
    return (uint64_t)leaf << 32 | subleaf;
}

static const struct cpuid_row *search_sorted(const struct cpu_facts *cpu, uint64_t key)
{
    uint32_t low = 0, high = cpu->row_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct cpuid_row *row = &cpu->rows[middle];
        uint64_t here = row_key(row->leaf, row->subleaf);

        if (here == key)
            return row;
        if (here < key)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static const struct cpuid_row *find_row(const struct cpu_facts *cpu, uint32_t leaf,
                                        uint32_t subleaf)
{
    const struct cpuid_row *row = search_sorted(cpu, row_key(leaf, subleaf));

    if (row || cpu->rows_are_sorted)
        return row;
    for (uint32_t i = 0; i < cpu->row_count; i++)
        if (cpu->rows[i].leaf == leaf && cpu->rows[i].subleaf == subleaf)
            return &cpu->rows[i];
    return NULL;
}

static const struct cpuid_end *find_end(const struct cpu_facts *cpu, uint32_t leaf,
                                        uint32_t subleaf)
{
    for (uint32_t i = 0; i < cpu->end_count; i++)
        if (cpu->ends[i].leaf == leaf && subleaf >= cpu->ends[i].subleaf)
            return &cpu->ends[i];
    return NULL;
}

static bool is_topology_leaf(uint32_t leaf)
{
    return leaf == 0xB || leaf == 0x1F || leaf == 0x80000026;
}

/* An invalid sub-leaf reads as zeros, but the topology leaves still repeat the
 * sub-leaf in ECX[7:0] and the x2APIC id in EDX. [intel/vol2 CPUID] A leaf that
 * is invalid as a whole (its end is sub-leaf 0) reads as four zeros. */
static enum cpuid_answer read_beyond_end(const struct cpu_facts *cpu, const struct cpuid_end *end,
                                         uint32_t subleaf, struct cpuid_regs *regs)
{
    if (is_topology_leaf(end->leaf) && end->subleaf > 0) {
        const struct cpuid_row *first = find_row(cpu, end->leaf, 0);

        if (!first)
            return CPUID_ABSENT;
        regs->ecx = subleaf & 0xFF;
        regs->edx = first->edx;
    }
    return CPUID_BEYOND_END;
}

enum cpuid_answer facts_cpuid(const struct machine_facts *facts, const struct cpu_facts *cpu,
                              uint32_t leaf, uint32_t subleaf, struct cpuid_regs *regs)
{
    const struct cpuid_row *row = find_row(cpu, leaf, subleaf);
    const struct cpuid_end *end;

    *regs = (struct cpuid_regs){0};
    if (row) {
        *regs = (struct cpuid_regs){row->eax, row->ebx, row->ecx, row->edx};
        return CPUID_RECORDED;
    }
    end = find_end(cpu, leaf, subleaf);
    if (end)
        return read_beyond_end(cpu, end, subleaf, regs);
    return facts->missing_rows_are_zero ? CPUID_RECORDED : CPUID_ABSENT;
}

void facts_note_order(struct cpu_facts *cpu)
{
    cpu->rows_are_sorted = true;
    for (uint32_t i = 1; i < cpu->row_count && cpu->rows_are_sorted; i++)
        cpu->rows_are_sorted = row_key(cpu->rows[i - 1].leaf, cpu->rows[i - 1].subleaf) <
                               row_key(cpu->rows[i].leaf, cpu->rows[i].subleaf);
}

uint32_t facts_cpu_index(const struct machine_facts *facts, uint32_t number)
{
    uint32_t low = 0, high = facts->cpu_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (facts->number[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < facts->cpu_count && facts->number[low] == number ? low : FACTS_NO_CPU;
}

uint32_t facts_max_basic_leaf(const struct machine_facts *facts, const struct cpu_facts *cpu)
{
    struct cpuid_regs regs;

    facts_cpuid(facts, cpu, 0, 0, &regs);
    return regs.eax;
}

/* Some CPUs answer unknown leaves with other leaves' values: without 0x8000 in
 * the upper half there are no extended leaves. [rules 1] */
uint32_t facts_max_extended_leaf(const struct machine_facts *facts, const struct cpu_facts *cpu)
{
    struct cpuid_regs regs;

    facts_cpuid(facts, cpu, 0x80000000, 0, &regs);
    return regs.eax >> 16 == 0x8000 ? regs.eax : 0;
}

const struct msr_row *facts_msr(const struct cpu_facts *cpu, uint32_t address)
{
    for (uint32_t i = 0; i < cpu->msr_count; i++)
        if (cpu->msrs[i].address == address)
            return &cpu->msrs[i];
    return NULL;
}

const struct facts_register *facts_find_register(const struct machine_facts *facts,
                                                 enum facts_space space, uint64_t address,
                                                 uint32_t bytes)
{
    for (uint32_t i = 0; i < facts->register_count; i++) {
        const struct facts_register *known = &facts->registers[i];

        if (known->space == space && known->address == address && known->bytes == bytes)
            return known;
    }
    return NULL;
}

const struct acpi_table *facts_table(const struct machine_facts *facts, const char *signature)
{
    for (uint32_t i = 0; i < facts->table_count; i++)
        if (strcmp(facts->tables[i].signature, signature) == 0)
            return &facts->tables[i];
    return NULL;
}

bool facts_set_node(struct machine_facts *facts, uint32_t index, int32_t node, struct arena *arena)
{
    uint32_t needed = index < facts->cpu_count ? facts->cpu_count : index + 1;

    if (needed > facts->stated_node_capacity) {
        uint32_t capacity = needed < UINT32_MAX / 2 ? needed * 2 : needed;
        int32_t *nodes = ARENA_NEW(arena, int32_t, capacity);

        if (!nodes)
            return false;
        for (uint32_t i = 0; i < capacity; i++)
            nodes[i] = i < facts->stated_node_capacity ? facts->stated_nodes[i] : -1;
        facts->stated_nodes = nodes;
        facts->stated_node_capacity = capacity;
    }
    facts->stated_nodes[index] = node;
    return true;
}
