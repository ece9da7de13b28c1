/* The lines of a CPU section: what may stand once, what a "like" line brings and
 * what then replaces it. */
#include <string.h>

#include "kernel/facts/facts_builder.h"

static struct cpuid_row *row_with_key(struct cpu_facts *cpu, uint32_t leaf, uint32_t subleaf)
{
    for (uint32_t i = 0; i < cpu->row_count; i++)
        if (cpu->rows[i].leaf == leaf && cpu->rows[i].subleaf == subleaf)
            return &cpu->rows[i];
    return NULL;
}

static bool needs_a_section(struct facts_builder *builder, const char *what)
{
    if (builder->cpu)
        return true;
    return facts_builder_fail(builder, "a line of %s before the first 'cpu N' line", what);
}

static bool is_full(struct facts_builder *builder)
{
    facts_builder_fail(builder, "a line of a section begins in its first column");
    return false;
}

/* Rows rise in every file a tool has written; only when they do not is the
 * section searched for a row that stands twice. */
static bool store_row(struct facts_builder *builder, const struct cpuid_row *row)
{
    struct cpu_facts *cpu = builder->cpu;
    uint64_t key = (uint64_t)row->leaf << 32 | row->subleaf;
    bool is_rising = !builder->has_rows || key > builder->last_key;
    struct cpuid_row *known = NULL;

    if (!is_rising && builder->has_base)
        return facts_builder_fail(builder, "the rows of a section with 'like' rise by leaf");
    if (!is_rising || builder->has_base)
        known = row_with_key(cpu, row->leaf, row->subleaf);
    if (known && !builder->has_base)
        return facts_builder_fail(builder, "leaf %08x sub-leaf %x stands twice in this section",
                                  row->leaf, row->subleaf);
    if (!known && cpu->row_count >= builder->row_capacity)
        return is_full(builder);
    builder->has_rows = true;
    builder->last_key = is_rising ? key : builder->last_key;
    *(known ? known : &cpu->rows[cpu->row_count++]) = *row;
    return true;
}

bool facts_builder_row(struct facts_builder *builder, char *first, char *rest)
{
    struct cpuid_row row;
    const char *subleaf = text_word(&rest);
    uint32_t *const registers[] = {&row.eax, &row.ebx, &row.ecx, &row.edx};
    bool is_good = text_hex32(first, &row.leaf) && strlen(first) == 8 &&
                   text_hex32(subleaf, &row.subleaf);

    if (!needs_a_section(builder, "CPUID"))
        return false;
    for (unsigned i = 0; i < 4; i++)
        is_good = text_hex32(text_word(&rest), registers[i]) && is_good;
    if (!is_good || *text_rest(rest))
        return facts_builder_fail(builder, "'%.40s …': a CPUID row is LLLLLLLL S AAAAAAAA BBBBBBBB "
                                           "CCCCCCCC DDDDDDDD, all hexadecimal", first);
    return store_row(builder, &row);
}

bool facts_builder_end(struct facts_builder *builder, char *rest)
{
    struct cpu_facts *cpu = builder->cpu;
    struct cpuid_end end;
    const char *leaf = text_word(&rest), *subleaf = text_word(&rest);

    if (!needs_a_section(builder, "'end'"))
        return false;
    if (!text_hex32(leaf, &end.leaf) || !text_hex32(subleaf, &end.subleaf) || *text_rest(rest))
        return facts_builder_fail(builder, "'end %.40s %.40s': right is 'end LLLLLLLL S', "
                                           "hexadecimal", leaf, subleaf);
    for (uint32_t i = 0; i < cpu->end_count; i++) {
        if (cpu->ends[i].leaf == end.leaf) {
            if (!builder->has_base)
                return facts_builder_fail(builder, "leaf %08x ends twice in this section",
                                          end.leaf);
            cpu->ends[i] = end;
            return true;
        }
    }
    if (cpu->end_count >= builder->end_capacity)
        return is_full(builder);
    cpu->ends[cpu->end_count++] = end;
    return true;
}

bool facts_builder_msr(struct facts_builder *builder, const char *address, char *rest)
{
    struct cpu_facts *cpu = builder->cpu;
    struct msr_row msr = {0};
    const char *value = text_word(&rest);

    if (!needs_a_section(builder, "an MSR"))
        return false;
    msr.has_faulted = strcmp(value, "fault") == 0;
    if (!text_hex32(address, &msr.address) || *text_rest(rest) ||
        (!msr.has_faulted && !text_hex(value, 16, &msr.value)))
        return facts_builder_fail(builder, "MSR '%.40s %.40s': right is the address and the value, "
                                           "hexadecimal, or 'fault' for the value",
                                  address, value);
    for (uint32_t i = 0; i < cpu->msr_count; i++) {
        if (cpu->msrs[i].address == msr.address) {
            if (!builder->has_base)
                return facts_builder_fail(builder, "MSR %x stands twice in this section",
                                          msr.address);
            cpu->msrs[i] = msr;
            return true;
        }
    }
    if (cpu->msr_count >= builder->msr_capacity)
        return is_full(builder);
    cpu->msrs[cpu->msr_count++] = msr;
    return true;
}

bool facts_builder_like(struct facts_builder *builder, const char *word)
{
    struct cpu_facts *cpu = builder->cpu;
    const struct cpu_facts *base;
    uint32_t number, index = FACTS_NO_CPU;

    if (!needs_a_section(builder, "'like'"))
        return false;
    if (builder->has_base || builder->has_rows || cpu->end_count || cpu->msr_count)
        return facts_builder_fail(builder, "'like' stands before the rows of its section");
    if (text_number(word, &number))
        index = facts_cpu_index(builder->facts, number);
    if (index == FACTS_NO_CPU || index == builder->facts->cpu_count - 1)
        return facts_builder_fail(builder, "'like %.40s': right is the number of an earlier "
                                           "section", word);
    base = &builder->facts->cpus[index];
    if (base->row_count > builder->row_capacity || base->end_count > builder->end_capacity ||
        base->msr_count > builder->msr_capacity)
        return is_full(builder);
    memcpy(cpu->rows, base->rows, base->row_count * sizeof(*cpu->rows));
    memcpy(cpu->ends, base->ends, base->end_count * sizeof(*cpu->ends));
    memcpy(cpu->msrs, base->msrs, base->msr_count * sizeof(*cpu->msrs));
    cpu->row_count = base->row_count;
    cpu->end_count = base->end_count;
    cpu->msr_count = base->msr_count;
    builder->has_base = true;
    return true;
}
