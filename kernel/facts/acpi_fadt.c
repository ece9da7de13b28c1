/* The FADT, field by field at its offset. [acpi 5.2.9] */
#include "kernel/facts/acpi_fadt.h"

enum {
    FADT_FIXED_BYTES = 116,      /* ACPI 1.0: up to and with the flags */
    SMI_CMD = 48,
    PM1A_CNT_BLK = 64,
    PM_TMR_BLK = 76,
    PM_TMR_LEN = 91,
    IAPC_BOOT_ARCH = 109,
    FLAGS = 112,
    RESET_REG = 116,
    RESET_VALUE = 128,
    MINOR_VERSION = 131,
    X_PM_TMR_BLK = 208,
    TMR_VAL_EXT = 1 << 8,
    RESET_REG_SUP = 1 << 10,
    HW_REDUCED_ACPI = 1 << 20,
};

static bool reader_at(const struct acpi_fadt *fadt, size_t offset, struct reader *reader)
{
    *reader = reader_of(fadt->sdt.bytes, fadt->sdt.length_bytes);
    return reader_skip(reader, offset);
}

static uint32_t field32(const struct acpi_fadt *fadt, size_t offset)
{
    struct reader reader;
    uint32_t value = 0;

    return reader_at(fadt, offset, &reader) && reader_u32(&reader, &value) ? value : 0;
}

static bool field8(const struct acpi_fadt *fadt, size_t offset, uint8_t *value)
{
    struct reader reader;

    return reader_at(fadt, offset, &reader) && reader_u8(&reader, value);
}

static bool field_address(const struct acpi_fadt *fadt, size_t offset,
                          struct acpi_address *address)
{
    struct reader reader;

    return reader_at(fadt, offset, &reader) && acpi_address_read(&reader, address) &&
           address->address != 0;
}

/* The extended block wins when it is there; PM_TMR_LEN is 4 where a timer is. */
static void parse_pm_timer(struct acpi_fadt *fadt)
{
    uint8_t length = 0;
    uint32_t port = field32(fadt, PM_TMR_BLK);

    field8(fadt, PM_TMR_LEN, &length);
    fadt->is_pm_timer_32_bit = fadt->flags & TMR_VAL_EXT;
    if (field_address(fadt, X_PM_TMR_BLK, &fadt->pm_timer)) {
        fadt->has_pm_timer = true;
        return;
    }
    fadt->has_pm_timer = length == 4 && port != 0 && port <= 0xFFFC;
    fadt->pm_timer = (struct acpi_address){.space = ACPI_SPACE_IO, .bit_width = 32,
                                           .access_size = 3, .address = port};
}

static void parse_reset(struct acpi_fadt *fadt)
{
    fadt->has_reset = (fadt->flags & RESET_REG_SUP) &&
                      field_address(fadt, RESET_REG, &fadt->reset) &&
                      field8(fadt, RESET_VALUE, &fadt->reset_value);
}

bool acpi_fadt_parse(struct acpi_fadt *fadt, const void *bytes, size_t length_bytes,
                     struct input_error *error)
{
    struct reader reader;

    *fadt = (struct acpi_fadt){0};
    if (!acpi_sdt_open(&fadt->sdt, bytes, length_bytes, "FACP", FADT_FIXED_BYTES, error))
        return false;
    fadt->revision = fadt->sdt.revision;
    fadt->flags = field32(fadt, FLAGS);
    fadt->is_hardware_reduced = fadt->flags & HW_REDUCED_ACPI;
    fadt->smi_command_port = field32(fadt, SMI_CMD);
    fadt->pm1a_control_port = field32(fadt, PM1A_CNT_BLK);
    fadt->has_minor_revision = field8(fadt, MINOR_VERSION, &fadt->minor_revision);
    if (fadt->revision >= 2 && reader_at(fadt, IAPC_BOOT_ARCH, &reader))
        reader_u16(&reader, &fadt->boot_architecture);
    parse_pm_timer(fadt);
    parse_reset(fadt);
    return true;
}

bool acpi_fadt_is_at_least(const struct acpi_fadt *fadt, uint8_t major, uint8_t minor)
{
    if (fadt->revision != major)
        return fadt->revision > major;
    return minor == 0 || (fadt->has_minor_revision && fadt->minor_revision >= minor);
}
