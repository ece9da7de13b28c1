/* The RSDP. Revision 0 has no XSDT field: the bytes behind its 20 are somebody
 * else's and are never looked at. */
#include "kernel/facts/acpi_rsdp.h"

#include <string.h>

#include "kernel/facts/acpi_sdt.h"

const char *acpi_rsdp_state_text(enum acpi_rsdp_state state)
{
    static const char *const texts[] = {
        [ACPI_RSDP_GOOD] = "both sums are right",
        [ACPI_RSDP_NO_XSDT] = "revision 2 without an XSDT address: the RSDT is used",
        [ACPI_RSDP_BAD_EXTENDED] = "the extended checksum or length is wrong: the RSDT is used",
        [ACPI_RSDP_CUT] = "revision 2 handed over with 20 bytes only: the RSDT is used",
        [ACPI_RSDP_NO_ROOT] = "it states no address of a root table",
        [ACPI_RSDP_NONE] = "no signature, or the first checksum is wrong: not an RSDP",
    };
    return texts[state];
}

/* The second half, once the first 20 bytes are known to be good. */
static enum acpi_rsdp_state parse_extended(const void *bytes, size_t given_bytes, uint64_t *xsdt)
{
    struct reader reader = reader_of(bytes, given_bytes);
    uint32_t length;

    if (given_bytes < ACPI_RSDP_V2_BYTES)
        return ACPI_RSDP_CUT;
    if (!reader_skip(&reader, ACPI_RSDP_V1_BYTES) || !reader_u32(&reader, &length) ||
        length < ACPI_RSDP_V2_BYTES || length > given_bytes || !reader_u64(&reader, xsdt) ||
        !acpi_sdt_sum_is_zero(bytes, length))
        return ACPI_RSDP_BAD_EXTENDED;
    return *xsdt ? ACPI_RSDP_GOOD : ACPI_RSDP_NO_XSDT;
}

bool acpi_rsdp_parse(struct acpi_rsdp *rsdp, const void *bytes, size_t length_bytes)
{
    struct reader reader = reader_of(bytes, length_bytes);
    uint64_t xsdt = 0;
    uint32_t rsdt;
    char signature[8];

    *rsdp = (struct acpi_rsdp){.state = ACPI_RSDP_NONE};
    if (!reader_copy(&reader, signature, 8) || !reader_skip(&reader, 1) ||
        !reader_copy(&reader, rsdp->oem_id, 6) || !reader_u8(&reader, &rsdp->revision) ||
        !reader_u32(&reader, &rsdt) || memcmp(signature, "RSD PTR ", 8) != 0 ||
        !acpi_sdt_sum_is_zero(bytes, ACPI_RSDP_V1_BYTES))
        return false;
    rsdp->state = rsdp->revision >= 2 ? parse_extended(bytes, length_bytes, &xsdt)
                                      : ACPI_RSDP_GOOD;
    rsdp->is_xsdt = rsdp->revision >= 2 && rsdp->state == ACPI_RSDP_GOOD;
    rsdp->root_address = rsdp->is_xsdt ? xsdt : rsdt;
    if (!rsdp->root_address)
        rsdp->state = ACPI_RSDP_NO_ROOT;
    return rsdp->root_address != 0;
}
