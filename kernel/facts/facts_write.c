/* The text form of machine_facts. On machines with many CPUs nearly all rows
 * repeat: there the compact form is a tenth of the plain one, which decides how
 * long the report takes on a serial line. */
#include "kernel/facts/facts_write.h"

#include <string.h>

enum { MOST_BASES = 8, HEX_BYTES_PER_LINE = 32 };

/* CPUs that were written in full: what others may be like. */
struct bases {
    uint32_t index[MOST_BASES];
    uint32_t count;
};

static bool rows_differ(const struct cpuid_row *a, const struct cpuid_row *b)
{
    return a->eax != b->eax || a->ebx != b->ebx || a->ecx != b->ecx || a->edx != b->edx;
}

static bool msrs_differ(const struct msr_row *a, const struct msr_row *b)
{
    return a->has_faulted != b->has_faulted || a->value != b->value;
}

/* Both recorded the same leaves and MSRs in the same order: only then does a
 * section that lists the differing values stand for the whole. */
static bool have_same_keys(const struct cpu_facts *a, const struct cpu_facts *b)
{
    if (a->row_count != b->row_count || a->end_count != b->end_count ||
        a->msr_count != b->msr_count || !a->rows_are_sorted)
        return false;
    for (uint32_t i = 0; i < a->row_count; i++)
        if (a->rows[i].leaf != b->rows[i].leaf || a->rows[i].subleaf != b->rows[i].subleaf)
            return false;
    for (uint32_t i = 0; i < a->end_count; i++)
        if (a->ends[i].leaf != b->ends[i].leaf)
            return false;
    for (uint32_t i = 0; i < a->msr_count; i++)
        if (a->msrs[i].address != b->msrs[i].address)
            return false;
    return true;
}

static uint32_t count_differences(const struct cpu_facts *a, const struct cpu_facts *b)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < a->row_count; i++)
        count += rows_differ(&a->rows[i], &b->rows[i]);
    for (uint32_t i = 0; i < a->end_count; i++)
        count += a->ends[i].subleaf != b->ends[i].subleaf;
    for (uint32_t i = 0; i < a->msr_count; i++)
        count += msrs_differ(&a->msrs[i], &b->msrs[i]);
    return count;
}

/* The base with the fewest differences, when it saves at least half; else NULL. */
static const struct cpu_facts *find_base(const struct machine_facts *facts,
                                         const struct bases *bases, const struct cpu_facts *cpu,
                                         uint32_t *number)
{
    uint32_t fewest = (cpu->row_count + cpu->end_count + cpu->msr_count) / 2;
    const struct cpu_facts *best = NULL;

    for (uint32_t i = 0; i < bases->count; i++) {
        const struct cpu_facts *base = &facts->cpus[bases->index[i]];
        uint32_t differences;

        if (!have_same_keys(cpu, base))
            continue;
        differences = count_differences(cpu, base);
        if (differences < fewest) {
            fewest = differences;
            best = base;
            *number = facts->number[bases->index[i]];
        }
    }
    return best;
}

static void put_field(struct textbuf *out, uint64_t value, unsigned digits)
{
    textbuf_putc(out, ' ');
    textbuf_put_hex(out, value, digits);
}

static void put_line_hex(struct textbuf *out, const char *word, uint64_t value)
{
    textbuf_put(out, word);
    put_field(out, value, 1);
    textbuf_putc(out, '\n');
}

static void put_line_decimal(struct textbuf *out, const char *word, uint64_t value)
{
    textbuf_put(out, word);
    textbuf_putc(out, ' ');
    textbuf_put_decimal(out, value);
    textbuf_putc(out, '\n');
}

static void put_row(struct textbuf *out, const struct cpuid_row *row)
{
    textbuf_put_hex(out, row->leaf, 8);
    put_field(out, row->subleaf, 1);
    put_field(out, row->eax, 8);
    put_field(out, row->ebx, 8);
    put_field(out, row->ecx, 8);
    put_field(out, row->edx, 8);
    textbuf_putc(out, '\n');
}

static void put_msr(struct textbuf *out, const struct msr_row *msr)
{
    textbuf_put(out, "msr");
    put_field(out, msr->address, 8);
    if (msr->has_faulted)
        textbuf_put(out, " fault");
    else
        put_field(out, msr->value, 16);
    textbuf_putc(out, '\n');
}

/* `base`: only what differs from it; NULL: everything. */
static void put_recorded(struct textbuf *out, const struct cpu_facts *cpu,
                         const struct cpu_facts *base)
{
    for (uint32_t i = 0; i < cpu->row_count; i++)
        if (!base || rows_differ(&cpu->rows[i], &base->rows[i]))
            put_row(out, &cpu->rows[i]);
    for (uint32_t i = 0; i < cpu->end_count; i++) {
        if (base && cpu->ends[i].subleaf == base->ends[i].subleaf)
            continue;
        textbuf_put(out, "end");
        put_field(out, cpu->ends[i].leaf, 8);
        put_field(out, cpu->ends[i].subleaf, 1);
        textbuf_putc(out, '\n');
    }
    for (uint32_t i = 0; i < cpu->msr_count; i++)
        if (!base || msrs_differ(&cpu->msrs[i], &base->msrs[i]))
            put_msr(out, &cpu->msrs[i]);
}

static void put_interrupts(struct textbuf *out, const struct cpu_interrupts *counts)
{
    if (counts->nmi || counts->spurious || counts->other)
        textbuf_printf(out, "interrupts %u %u %u %02x\n", (unsigned)counts->nmi,
                       (unsigned)counts->spurious, (unsigned)counts->other,
                       (unsigned)counts->last_vector);
}

static void put_identity(struct textbuf *out, const struct machine_facts *facts, uint32_t index)
{
    const struct cpu_facts *cpu = &facts->cpus[index];

    if (cpu->has_apic_id)
        put_line_hex(out, "apic", cpu->apic_id);
    if (cpu->madt_apic_id != cpu->apic_id || cpu->state != CPU_ONLINE)
        put_line_hex(out, "madt", cpu->madt_apic_id);
    if (cpu->has_uid)
        put_line_decimal(out, "uid", cpu->uid);
    if (cpu->state != CPU_ONLINE) {
        textbuf_put(out, "state ");
        textbuf_put(out, facts_state_names[cpu->state]);
        textbuf_putc(out, '\n');
    }
    if (cpu->has_cr0)
        put_line_hex(out, "cr0", cpu->cr0);
    put_interrupts(out, &cpu->interrupts);
    if (cpu->is_untried)
        textbuf_put(out, "untried\n");
    if (cpu->unsent_count)
        put_line_decimal(out, "unsent", cpu->unsent_count);
    if (cpu->bringup_cycles)
        put_line_decimal(out, "bringup", cpu->bringup_cycles);
    if (facts->stated_nodes && facts->stated_nodes[index] >= 0)
        put_line_decimal(out, "node", (uint64_t)facts->stated_nodes[index]);
}

static void put_cpu(struct textbuf *out, const struct machine_facts *facts, uint32_t index,
                    struct bases *bases, bool is_compact)
{
    const struct cpu_facts *cpu = &facts->cpus[index], *base = NULL;
    uint32_t number = 0;

    textbuf_putc(out, '\n');
    put_line_decimal(out, "cpu", facts->number[index]);
    if (is_compact)
        base = find_base(facts, bases, cpu, &number);
    if (base)
        put_line_decimal(out, "like", number);
    else if (bases->count < MOST_BASES && cpu->row_count)
        bases->index[bases->count++] = index;
    put_identity(out, facts, index);
    put_recorded(out, cpu, base);
}

/* Vendor strings come from firmware: what is not printable would break lines. */
static void put_printable(struct textbuf *out, const char *text)
{
    for (; *text; text++)
        textbuf_putc(out, *text >= ' ' && *text <= '~' ? *text : '?');
}

static void put_memory(struct textbuf *out, const struct memory_range *range)
{
    textbuf_put(out, "memory");
    put_field(out, range->start, 16);
    put_field(out, range->end, 16);
    textbuf_putc(out, ' ');
    textbuf_put_decimal(out, range->type);
    if (range->has_efi_type) {
        textbuf_putc(out, ' ');
        textbuf_put_decimal(out, range->efi_type);
        put_field(out, range->efi_attribute, 16);
    }
    textbuf_putc(out, '\n');
}

static void put_repairs(struct textbuf *out, const struct memory_repairs *repairs)
{
    textbuf_printf(out, "memory-repairs %u %u %u %u %u\n", (unsigned)repairs->unsorted,
                   (unsigned)repairs->overlapping, (unsigned)repairs->unaligned,
                   (unsigned)repairs->empty, (unsigned)repairs->endless);
}

static void put_variable(struct textbuf *out, const char *name, struct efi_variable variable)
{
    if (!variable.is_read)
        return;
    textbuf_put(out, "efi-variable ");
    textbuf_put(out, name);
    put_field(out, variable.value, 2);
    textbuf_putc(out, '\n');
}

static void put_smbios(struct textbuf *out, const struct smbios *smbios)
{
    if (!smbios->is_read)
        return;
    textbuf_printf(out, "smbios %u.%u\n", smbios->major, smbios->minor);
    for (uint32_t i = 0; i < SMBIOS_TEXTS; i++)
        if (smbios->text[i][0])
            textbuf_printf(out, "smbios-text %s %s\n", smbios_texts[i].key, smbios->text[i]);
    if (smbios->has_memory)
        textbuf_printf(out, "smbios-memory %u %u %llu\n", (unsigned)smbios->memory_slots,
                       (unsigned)smbios->memory_filled, (unsigned long long)smbios->memory_bytes);
    if (smbios->channels_named != 0)
        textbuf_printf(out, "smbios-channels %u %u\n", (unsigned)smbios->channels_named,
                       (unsigned)smbios->channels_filled);
    if (smbios->has_ipmi)
        textbuf_printf(out, "smbios-ipmi %u %llx\n", (unsigned)smbios->ipmi_interface,
                       (unsigned long long)smbios->ipmi_address);
}

static void put_register(struct textbuf *out, const struct facts_register *one)
{
    textbuf_put(out, "register ");
    textbuf_put(out, facts_space_names[one->space]);
    put_field(out, one->address, 8);
    textbuf_putc(out, ' ');
    textbuf_put_decimal(out, one->bytes);
    put_field(out, one->value, one->bytes * 2);
    textbuf_putc(out, '\n');
}

static void put_machine(struct textbuf *out, const struct machine_facts *facts)
{
    if (facts->has_handover_apic_base)
        put_line_hex(out, "handover-apic-base", facts->handover_apic_base);
    else if (facts->is_x2apic_at_handover)
        textbuf_put(out, "handover-mode x2apic\n");
    if (facts->has_tsc_hz)
        put_line_decimal(out, "tsc", facts->tsc_hz);
    for (int i = 0; i < TSC_CLOCK_COUNT; i++)
        if (facts->tsc_rates[i].hz)
            textbuf_printf(out, "tsc-by %s %llu %u\n", tsc_clock_words[i],
                           (unsigned long long)facts->tsc_rates[i].hz,
                           facts->tsc_rates[i].doubt_ppm);
    if (facts->firmware_vendor[0] || facts->firmware_revision) {
        textbuf_put(out, "efi");
        put_field(out, facts->firmware_revision, 8);
        textbuf_putc(out, ' ');
        put_printable(out, facts->firmware_vendor);
        textbuf_putc(out, '\n');
    }
    put_variable(out, "SecureBoot", facts->secure_boot);
    put_variable(out, "SetupMode", facts->setup_mode);
    put_smbios(out, &facts->smbios);
    for (uint32_t i = 0; i < facts->memory_count; i++)
        put_memory(out, &facts->memory[i]);
    if (facts->has_memory_repairs)
        put_repairs(out, &facts->memory_repairs);
    for (uint32_t i = 0; i < facts->register_count; i++)
        put_register(out, &facts->registers[i]);
}

static bool is_plain_signature(const char *signature)
{
    for (const char *c = signature; *c; c++)
        if (!((*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '_'))
            return false;
    return strlen(signature) == 4 && strcmp(signature, "RSDP") != 0;
}

static void put_signature(struct textbuf *out, const char *signature)
{
    if (strcmp(signature, "RSD PTR ") == 0) {
        textbuf_put(out, "RSDP");
    } else if (is_plain_signature(signature)) {
        textbuf_put(out, signature);
    } else {
        textbuf_putc(out, 'x');
        for (unsigned i = 0; i < 4; i++)
            textbuf_put_hex(out, (uint8_t)signature[i], 2);
    }
}

static void put_table(struct textbuf *out, const struct acpi_table *table)
{
    textbuf_put(out, "\nacpi ");
    put_signature(out, table->signature);
    put_field(out, table->address, 16);
    textbuf_putc(out, ' ');
    textbuf_put_decimal(out, table->length_bytes);
    for (uint32_t i = 0; i < table->length_bytes; i++) {
        if (i % HEX_BYTES_PER_LINE == 0) {
            textbuf_put(out, "\nhex");
            put_field(out, i, 4);
            textbuf_putc(out, ' ');
        }
        textbuf_put_hex(out, table->bytes[i], 2);
    }
    textbuf_putc(out, '\n');
}

void facts_write(struct textbuf *out, const struct machine_facts *facts, bool is_compact)
{
    struct bases bases = {.count = 0};

    textbuf_put(out, is_compact ? "# coretruth-cpuid 2\n# name: " : "# coretruth-cpuid 1\n# name: ");
    put_printable(out, facts->source);
    textbuf_put(out, "\n# cpus: ");
    textbuf_put_decimal(out, facts->cpu_count);
    textbuf_put(out, "\n");
    put_machine(out, facts);
    for (uint32_t i = 0; i < facts->cpu_count; i++)
        put_cpu(out, facts, i, &bases, is_compact);
    for (uint32_t i = 0; i < facts->table_count; i++)
        put_table(out, &facts->tables[i]);
}
