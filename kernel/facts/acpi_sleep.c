/* A bounded scan of the DSDT's bytes for Name(_S5, Package(){a, b, ...}).
 * [acpi 5.2.9, 7.4.2, 20.2] */
#include "kernel/facts/acpi_sleep.h"

#include <string.h>

#include "kernel/lib/reader.h"

enum {
    FADT_DSDT = 40,
    FADT_SMI_CMD = 48,
    FADT_ACPI_ENABLE = 52,
    FADT_PM1A_CNT_BLK = 64,
    FADT_PM1B_CNT_BLK = 68,
    FADT_FLAGS = 112,
    FADT_X_DSDT = 140,
    HW_REDUCED_ACPI = 1 << 20,
    TABLE_HEADER_BYTES = 36,
    AML_ZERO = 0x00,
    AML_ONE = 0x01,
    AML_NAME = 0x08,
    AML_BYTE = 0x0a,
    AML_WORD = 0x0b,
    AML_DWORD = 0x0c,
    AML_PACKAGE = 0x12,
    AML_ROOT = 0x5c,
    SLEEP_TYPES = 8, /* a field of three bits */
};

static bool field(const void *table, size_t length_bytes, size_t offset, uint32_t *value)
{
    struct reader reader = reader_of(table, length_bytes);
    return reader_skip(&reader, offset) && reader_u32(&reader, value);
}

bool acpi_sleep_registers(struct acpi_sleep_registers *registers, const void *fadt,
                          size_t length_bytes)
{
    uint32_t dsdt, x_dsdt_low, x_dsdt_high, smi, enable, pm1a, pm1b, flags;
    if (!field(fadt, length_bytes, FADT_DSDT, &dsdt) ||
        !field(fadt, length_bytes, FADT_SMI_CMD, &smi) ||
        !field(fadt, length_bytes, FADT_ACPI_ENABLE, &enable) ||
        !field(fadt, length_bytes, FADT_PM1A_CNT_BLK, &pm1a) ||
        !field(fadt, length_bytes, FADT_PM1B_CNT_BLK, &pm1b) ||
        !field(fadt, length_bytes, FADT_FLAGS, &flags) || (flags & HW_REDUCED_ACPI) || pm1a == 0 ||
        pm1a > UINT16_MAX || pm1b > UINT16_MAX || smi > UINT16_MAX)
        return false;
    *registers = (struct acpi_sleep_registers){
        .pm1a_control = (uint16_t)pm1a, .pm1b_control = (uint16_t)pm1b,
        .smi_command = (uint16_t)smi, .acpi_enable = (uint8_t)enable, .dsdt = dsdt};
    if (field(fadt, length_bytes, FADT_X_DSDT, &x_dsdt_low) &&
        field(fadt, length_bytes, FADT_X_DSDT + 4, &x_dsdt_high) && (x_dsdt_low || x_dsdt_high))
        registers->dsdt = (uint64_t)x_dsdt_high << 32 | x_dsdt_low;
    return registers->dsdt != 0;
}

/* The length's first byte tells how many follow; the length itself is not needed. */
static bool skip_package_length(struct reader *aml)
{
    uint8_t lead;
    return reader_u8(aml, &lead) && reader_skip(aml, lead >> 6);
}

static bool read_integer(struct reader *aml, uint32_t *value)
{
    uint8_t opcode, byte;
    uint16_t word;
    if (!reader_u8(aml, &opcode))
        return false;
    switch (opcode) {
    case AML_ZERO:
    case AML_ONE:
        *value = opcode;
        return true;
    case AML_BYTE:
        return reader_u8(aml, &byte) && (*value = byte, true);
    case AML_WORD:
        return reader_u16(aml, &word) && (*value = word, true);
    case AML_DWORD:
        return reader_u32(aml, value);
    default:
        return false;
    }
}

/* `aml` stands behind the name. */
static bool read_package(struct reader aml, uint8_t *type_a, uint8_t *type_b)
{
    uint8_t opcode, count;
    uint32_t a, b;
    if (!reader_u8(&aml, &opcode) || opcode != AML_PACKAGE || !skip_package_length(&aml) ||
        !reader_u8(&aml, &count) || count < 1 || !read_integer(&aml, &a))
        return false;
    b = a;
    if (count >= 2 && !read_integer(&aml, &b))
        return false;
    if (a >= SLEEP_TYPES || b >= SLEEP_TYPES)
        return false;
    *type_a = (uint8_t)a;
    *type_b = (uint8_t)b;
    return true;
}

bool acpi_sleep_s5(const void *dsdt, size_t length_bytes, uint8_t *type_a, uint8_t *type_b)
{
    static const char name[4] = "_S5_";
    const uint8_t *bytes = dsdt;
    for (size_t at = TABLE_HEADER_BYTES; at + sizeof name < length_bytes; at++) {
        if (memcmp(bytes + at, name, sizeof name) != 0)
            continue;
        bool is_named = bytes[at - 1] == AML_NAME ||
                        (bytes[at - 1] == AML_ROOT && bytes[at - 2] == AML_NAME);
        struct reader rest = reader_of(bytes, length_bytes);
        if (is_named && reader_skip(&rest, at + sizeof name) &&
            read_package(rest, type_a, type_b))
            return true;
    }
    return false;
}
