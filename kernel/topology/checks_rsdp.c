/* The root pointer: whether the tables behind it are those the firmware meant. */
#include "kernel/topology/checks_run.h"

#include "kernel/facts/acpi_rsdp.h"

static bool read_rsdp(const struct check_run *run, struct acpi_rsdp *rsdp)
{
    const struct acpi_table *table = facts_table(run->facts, "RSD PTR ");

    if (!table)
        return false;
    acpi_rsdp_parse(rsdp, table->bytes, table->length_bytes);
    return true;
}

static void check_sums(struct check_run *run)
{
    struct acpi_rsdp rsdp;

    if (!read_rsdp(run, &rsdp))
        return;
    if (rsdp.state == ACPI_RSDP_BAD_EXTENDED)
        checks_report(run, 0, "RSDP+0x20", "The RSDP's extended checksum or length is wrong: the "
                      "RSDT at 0x%llx is used, not the XSDT.",
                      (unsigned long long)rsdp.root_address);
    if (rsdp.state == ACPI_RSDP_NONE)
        checks_report(run, 0, "RSDP+0x8", "What was handed over as RSDP has no signature or a "
                      "wrong checksum: it is not used.");
}

static void check_root(struct check_run *run)
{
    struct acpi_rsdp rsdp;

    if (!read_rsdp(run, &rsdp))
        return;
    if (rsdp.state == ACPI_RSDP_NO_XSDT)
        checks_report(run, 0, "RSDP+0x18", "The RSDP is of revision %u but gives no XSDT: the RSDT "
                      "at 0x%llx is used.", rsdp.revision, (unsigned long long)rsdp.root_address);
    if (rsdp.state == ACPI_RSDP_CUT)
        checks_report(run, 0, "RSDP", "The RSDP is of revision %u, but only its first 20 bytes "
                      "were handed over: the RSDT at 0x%llx is used.", rsdp.revision,
                      (unsigned long long)rsdp.root_address);
    if (rsdp.state == ACPI_RSDP_NO_ROOT)
        checks_report(run, 0, "RSDP", "The RSDP gives no address of a root table.");
}

static const struct check checks[] = {
    {"rsdp-checksum", FINDING_WARNING, "", "all", "a checksum of the RSDP is wrong", "",
     "the XSDT, or the whole structure, cannot be believed", check_sums, NULL},
    {"rsdp-no-xsdt", FINDING_WARNING, "", "all",
     "an RSDP of revision 2 gives no XSDT, or no root table at all", "",
     "tables above 4 GiB are out of reach", check_root, NULL},
};
CHECK_GROUP(checks_of_rsdp, checks);
