/* The SPCR. The stride of the registers is their bit width: boards with 32-bit
 * registers have them four bytes apart, whatever the address looks like. */
#include "kernel/facts/acpi_spcr.h"

enum { SPCR_FIXED_BYTES = 59 }; /* up to and with the baud rate */

/* Serial port subtypes of the DBG2 and SPCR specifications. */
enum { TYPE_16550 = 0x00, TYPE_16550_SUBSET = 0x01, TYPE_16550_NVIDIA = 0x05,
       TYPE_16550_WITH_GAS = 0x12 };

static bool is_16550(uint8_t type)
{
    return type == TYPE_16550 || type == TYPE_16550_SUBSET || type == TYPE_16550_NVIDIA ||
           type == TYPE_16550_WITH_GAS;
}

static uint32_t baud_of_code(uint8_t code)
{
    switch (code) {
    case 1: return 1200;
    case 2: return 2400;
    case 3: return 9600;
    case 4: return 19200;
    case 5: return 38400;
    case 6: return 57600;
    case 7: return 115200;
    default: return 0;
    }
}

/* Access sizes 1, 2 and 3 are byte, word and dword; without one the register's
 * own width is used. No 16550 needs more than 32 bits. */
static uint32_t access_bytes(const struct acpi_address *address, uint32_t stride_bytes)
{
    uint32_t bytes = address->access_size ? 1u << ((address->access_size - 1) & 3) : stride_bytes;

    return bytes > 4 ? 4 : bytes == 3 ? 1 : bytes;
}

static void set_port(struct acpi_spcr *spcr, const struct acpi_address *address)
{
    spcr->is_io = address->space == ACPI_SPACE_IO;
    spcr->address = address->address;
    spcr->has_port = address->address != 0 &&
                     (spcr->is_io ? address->address <= 0xFFF8
                                  : address->space == ACPI_SPACE_MEMORY);
    spcr->stride_bytes = address->bit_width >= 16 ? address->bit_width / 8 : 1;
    spcr->access_bytes = access_bytes(address, spcr->stride_bytes);
}

bool acpi_spcr_parse(struct acpi_spcr *spcr, const void *bytes, size_t length_bytes,
                     struct input_error *error)
{
    struct acpi_address address;
    struct reader fixed;

    *spcr = (struct acpi_spcr){0};
    if (!acpi_sdt_open(&spcr->sdt, bytes, length_bytes, "SPCR", SPCR_FIXED_BYTES, error))
        return false;
    fixed = reader_of(bytes, SPCR_FIXED_BYTES);
    if (!reader_skip(&fixed, ACPI_HEADER_BYTES) || !reader_u8(&fixed, &spcr->interface_type) ||
        !reader_skip(&fixed, 3) || !acpi_address_read(&fixed, &address) ||
        !reader_skip(&fixed, 2) || !reader_u32(&fixed, &spcr->gsi) ||
        !reader_u8(&fixed, &spcr->baud_code))
        return false;
    spcr->is_16550 = is_16550(spcr->interface_type);
    spcr->baud = baud_of_code(spcr->baud_code);
    set_port(spcr, &address);
    return true;
}
