/* The lines of facts.txt that are about the machine, not about one of its CPUs. */
#include <stdio.h>
#include <string.h>

#include "kernel/facts/corpus_reader.h"
#include "kernel/lib/bits.h"

enum { APIC_BASE_X2APIC_BIT = 10 }; /* IA32_APIC_BASE.EXTD [intel/vol3 11.12.1] */

static bool read_apic_base(struct corpus_reader *reader, char *rest)
{
    struct machine_facts *facts = reader->builder->facts;

    facts->has_handover_apic_base = true;
    if (!text_hex(text_word(&rest), 16, &facts->handover_apic_base))
        return corpus_fail(reader, "handover-apic-base HEX");
    facts->is_x2apic_at_handover =
        bits_test((uint32_t)facts->handover_apic_base, APIC_BASE_X2APIC_BIT);
    return true;
}

static bool read_handover_mode(struct corpus_reader *reader, char *rest)
{
    const char *mode = text_word(&rest);

    if (strcmp(mode, "x2apic") != 0 && strcmp(mode, "xapic") != 0)
        return corpus_fail(reader, "handover-mode xapic|x2apic");
    reader->builder->facts->is_x2apic_at_handover = strcmp(mode, "x2apic") == 0;
    return true;
}

static bool read_tsc(struct corpus_reader *reader, char *rest)
{
    struct machine_facts *facts = reader->builder->facts;

    facts->has_tsc_hz = true;
    return (text_decimal(text_word(&rest), UINT64_MAX, &facts->tsc_hz) && facts->tsc_hz) ||
           corpus_fail(reader, "tsc HZ, not 0");
}

/* Of a clock that is not known only the form is looked at. */
static bool read_tsc_by(struct corpus_reader *reader, char *rest)
{
    const char *word = text_word(&rest);
    struct tsc_rate rate;

    if (!*word || !text_decimal(text_word(&rest), UINT64_MAX, &rate.hz) ||
        !text_number(text_word(&rest), &rate.doubt_ppm) || *text_rest(rest))
        return corpus_fail(reader, "tsc-by CLOCK HZ DOUBT-PPM");
    for (int i = 0; i < TSC_CLOCK_COUNT; i++)
        if (strcmp(word, tsc_clock_words[i]) == 0)
            reader->builder->facts->tsc_rates[i] = rate;
    return true;
}

static bool read_efi(struct corpus_reader *reader, char *rest)
{
    struct machine_facts *facts = reader->builder->facts;

    if (!text_hex32(text_word(&rest), &facts->firmware_revision))
        return corpus_fail(reader, "efi REVISION VENDOR");
    snprintf(facts->firmware_vendor, sizeof(facts->firmware_vendor), "%s", text_rest(rest));
    return true;
}

/* Of a name that is not known only the form is looked at. */
static bool read_efi_variable(struct corpus_reader *reader, char *rest)
{
    struct machine_facts *facts = reader->builder->facts;
    const char *name = text_word(&rest);
    uint64_t value;

    if (!*name || !text_hex(text_word(&rest), 2, &value) || *text_rest(rest))
        return corpus_fail(reader, "efi-variable NAME BYTE");
    if (strcmp(name, "SecureBoot") == 0)
        facts->secure_boot = (struct efi_variable){true, (uint8_t)value};
    if (strcmp(name, "SetupMode") == 0)
        facts->setup_mode = (struct efi_variable){true, (uint8_t)value};
    return true;
}

static bool read_smbios(struct corpus_reader *reader, char *rest)
{
    struct smbios *smbios = &reader->builder->facts->smbios;
    char *minor = strchr(rest, '.');
    uint64_t numbers[2];

    if (minor)
        *minor++ = '\0';
    if (!minor || !text_decimal(rest, UINT8_MAX, &numbers[0]) ||
        !text_decimal(text_word(&minor), UINT8_MAX, &numbers[1]))
        return corpus_fail(reader, "smbios MAJOR.MINOR");
    smbios->is_read = true;
    smbios->major = (uint8_t)numbers[0];
    smbios->minor = (uint8_t)numbers[1];
    return true;
}

/* A key that is not known is one of a later version. */
static bool read_smbios_text(struct corpus_reader *reader, char *rest)
{
    struct smbios *smbios = &reader->builder->facts->smbios;
    const char *key = text_word(&rest), *text = text_rest(rest);

    if (!*key || !*text)
        return corpus_fail(reader, "smbios-text KEY TEXT");
    for (uint32_t i = 0; i < SMBIOS_TEXTS; i++)
        if (strcmp(key, smbios_texts[i].key) == 0)
            snprintf(smbios->text[i], SMBIOS_TEXT_BYTES, "%s", text);
    return true;
}

static bool read_smbios_memory(struct corpus_reader *reader, char *rest)
{
    struct smbios *smbios = &reader->builder->facts->smbios;
    uint64_t slots, filled;

    if (!text_decimal(text_word(&rest), UINT32_MAX, &slots) ||
        !text_decimal(text_word(&rest), slots, &filled) ||
        !text_decimal(text_word(&rest), UINT64_MAX, &smbios->memory_bytes))
        return corpus_fail(reader, "smbios-memory SLOTS FILLED BYTES");
    smbios->has_memory = true;
    smbios->memory_slots = (uint32_t)slots;
    smbios->memory_filled = (uint32_t)filled;
    return true;
}

static bool read_smbios_channels(struct corpus_reader *reader, char *rest)
{
    struct smbios *smbios = &reader->builder->facts->smbios;
    uint64_t named, filled;

    if (!text_decimal(text_word(&rest), SMBIOS_MAX_CHANNELS, &named) ||
        !text_decimal(text_word(&rest), named, &filled))
        return corpus_fail(reader, "smbios-channels NAMED FILLED");
    smbios->channels_named = (uint32_t)named;
    smbios->channels_filled = (uint32_t)filled;
    return true;
}

static bool read_smbios_ipmi(struct corpus_reader *reader, char *rest)
{
    struct smbios *smbios = &reader->builder->facts->smbios;
    uint64_t interface;

    if (!text_decimal(text_word(&rest), UINT8_MAX, &interface) ||
        !text_hex(text_word(&rest), 16, &smbios->ipmi_address))
        return corpus_fail(reader, "smbios-ipmi INTERFACE ADDRESS");
    smbios->has_ipmi = true;
    smbios->ipmi_interface = (uint8_t)interface;
    return true;
}

static bool read_register(struct corpus_reader *reader, char *rest)
{
    struct facts_register *one = facts_builder_register(reader->builder);
    const char *space = text_word(&rest);
    uint64_t bytes;
    int i = FACTS_SPACES - 1;

    if (!one)
        return false;
    while (i >= 0 && strcmp(space, facts_space_names[i]) != 0)
        i--;
    if (i < 0 || !text_hex(text_word(&rest), 16, &one->address) ||
        !text_decimal(text_word(&rest), 8, &bytes) || bytes == 0 || (bytes & (bytes - 1)) ||
        !text_hex(text_word(&rest), (unsigned)bytes * 2, &one->value))
        return corpus_fail(reader, "register pci|port|memory ADDRESS 1|2|4|8 VALUE");
    one->space = (enum facts_space)i;
    one->bytes = (uint32_t)bytes;
    return true;
}

static bool read_memory(struct corpus_reader *reader, char *rest)
{
    struct memory_range *range = facts_builder_memory(reader->builder);
    uint64_t type, efi_type;
    char *word;

    if (!range)
        return false;
    if (!text_hex(text_word(&rest), 16, &range->start) ||
        !text_hex(text_word(&rest), 16, &range->end) ||
        !text_decimal(text_word(&rest), UINT32_MAX, &type))
        return corpus_fail(reader, "memory START END TYPE [EFITYPE ATTRIBUTE]");
    range->type = (uint32_t)type;
    word = text_word(&rest);
    if (!*word)
        return true;
    range->has_efi_type = true;
    if (!text_decimal(word, UINT32_MAX, &efi_type) ||
        !text_hex(text_word(&rest), 16, &range->efi_attribute))
        return corpus_fail(reader, "memory START END TYPE [EFITYPE ATTRIBUTE]");
    range->efi_type = (uint32_t)efi_type;
    return true;
}

static bool read_memory_repairs(struct corpus_reader *reader, char *rest)
{
    struct machine_facts *facts = reader->builder->facts;
    struct memory_repairs *repairs = &facts->memory_repairs;
    uint32_t *const counts[] = {&repairs->unsorted, &repairs->overlapping, &repairs->unaligned,
                                &repairs->empty, &repairs->endless};

    for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        if (!text_number(text_word(&rest), counts[i]))
            return corpus_fail(reader, "memory-repairs UNSORTED OVERLAPPING UNALIGNED EMPTY ENDLESS");
    facts->has_memory_repairs = true;
    return true;
}

const struct corpus_line corpus_machine_lines[] = {
    {"handover-apic-base", read_apic_base},
    {"handover-mode", read_handover_mode},
    {"tsc", read_tsc},
    {"tsc-by", read_tsc_by},
    {"efi", read_efi},
    {"efi-variable", read_efi_variable},
    {"smbios", read_smbios},
    {"smbios-text", read_smbios_text},
    {"smbios-memory", read_smbios_memory},
    {"smbios-ipmi", read_smbios_ipmi},
    {"register", read_register},
    {"smbios-channels", read_smbios_channels},
    {"memory", read_memory},
    {"memory-repairs", read_memory_repairs},
    {NULL, NULL},
};
