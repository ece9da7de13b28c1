/* What all ACPI tables share: the header, the checksum, the walk over entries,
 * and the two root tables that list the others. */
#ifndef KERNEL_FACTS_ACPI_SDT_H
#define KERNEL_FACTS_ACPI_SDT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/lib/input_error.h"
#include "kernel/lib/reader.h"

enum {
    ACPI_HEADER_BYTES = 36,          /* [acpi 5.2.6] */
    ACPI_MAX_TABLE_BYTES = 16 << 20, /* longer ones are not believed */
    ACPI_MAX_ROOT_ENTRIES = 1024,
};

/* Every walk ends in one of the last two; none of them goes on afterwards. */
enum acpi_step { ACPI_ENTRY, ACPI_END, ACPI_BROKEN };

struct acpi_sdt {
    char signature[5];
    uint32_t length_bytes;           /* as the header states it; not more than was given */
    uint8_t revision;
    bool has_good_checksum;
    char oem_id[7], oem_table_id[9];
    const uint8_t *bytes;
    struct reader rest;              /* behind the fixed part, up to length_bytes */
};

/* The sum of all bytes is zero. */
bool acpi_sdt_sum_is_zero(const void *bytes, size_t length_bytes);

/* False with the error set when fewer bytes are there than the header states, or
 * not even a header. */
bool acpi_sdt_is_whole(const void *bytes, size_t length_bytes, const char *signature,
                       struct input_error *error);

/* Opens a table whose header and further fixed fields take `fixed_bytes`. False
 * with *error: another signature, or a length that does not fit. A wrong checksum
 * is only noted. */
bool acpi_sdt_open(struct acpi_sdt *sdt, const void *bytes, size_t length_bytes,
                   const char *signature, uint32_t fixed_bytes, struct input_error *error);

/* How many bytes to map for the table whose header lies at `header` (at least 8
 * bytes); 0 when the stated length is below a header or above the maximum. */
uint32_t acpi_sdt_stated_length(const void *header);

/* One entry of a table that consists of type, length and more. */
struct acpi_entry {
    uint8_t type;
    uint32_t length_bytes;
    uint32_t offset;                 /* from the start of the table */
    struct reader body;              /* the whole entry, type and length included */
};

/* The next entry of sdt->rest. ACPI_BROKEN with *error: its length is below two
 * or runs past the table. */
enum acpi_step acpi_sdt_next(struct acpi_sdt *sdt, struct acpi_entry *entry,
                             struct input_error *error);

/* The list of tables in an XSDT or RSDT. */
struct acpi_root {
    struct acpi_sdt sdt;
    uint64_t own_address;
    uint32_t entry_bytes;            /* 8 in an XSDT, 4 in an RSDT */
    uint32_t skipped_count;          /* zero, repeated, or the root table itself */
};

/* `own_address` is where the root table lies, so that a list that names it does
 * not lead back. */
bool acpi_root_open(struct acpi_root *root, const void *bytes, size_t length_bytes,
                    uint64_t own_address, struct input_error *error);
/* The physical address of the next table; each address is given once. */
enum acpi_step acpi_root_next(struct acpi_root *root, uint64_t *address,
                              struct input_error *error);

/* A Generic Address Structure. [acpi 5.2.3.2] */
enum acpi_space { ACPI_SPACE_MEMORY = 0, ACPI_SPACE_IO = 1 };

struct acpi_address {
    uint8_t space, bit_width, bit_offset, access_size;
    uint64_t address;
};

bool acpi_address_read(struct reader *reader, struct acpi_address *address);

#endif
