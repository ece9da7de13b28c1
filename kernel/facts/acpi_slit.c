/* The SLIT. Its 64-bit number of domains is squared: it is bounded first. */
#include "kernel/facts/acpi_slit.h"

enum { SLIT_FIXED_BYTES = 44, MOST_DOMAINS = 4096 }; /* 16 MiB of matrix */

bool acpi_slit_open(struct acpi_slit *slit, const void *bytes, size_t length_bytes,
                    struct input_error *error)
{
    struct reader reader;
    uint64_t count;

    if (!acpi_sdt_open(&slit->sdt, bytes, length_bytes, "SLIT", SLIT_FIXED_BYTES, error))
        return false;
    reader = reader_of(bytes, SLIT_FIXED_BYTES);
    if (!reader_skip(&reader, ACPI_HEADER_BYTES) || !reader_u64(&reader, &count))
        return false;
    if (count > MOST_DOMAINS || count * count > reader_left_bytes(&slit->sdt.rest)) {
        input_error_set(error, PLACE_OFFSET, ACPI_HEADER_BYTES,
                        "SLIT states %llu domains, but %zu bytes of distances are there",
                        (unsigned long long)count, reader_left_bytes(&slit->sdt.rest));
        return false;
    }
    slit->count = (uint32_t)count;
    slit->matrix = slit->sdt.bytes + SLIT_FIXED_BYTES;
    return true;
}

uint8_t acpi_slit_distance(const struct acpi_slit *slit, uint32_t from, uint32_t to)
{
    if (from >= slit->count || to >= slit->count)
        return 0;
    return slit->matrix[(size_t)from * slit->count + to];
}
