/* The firmware's memory map: what had to be mended before it could be used. */
#include "kernel/topology/checks_run.h"

/* No standard wants the entries sorted, so this is only told. */
static void check_order(struct check_run *run)
{
    uint32_t unsorted = run->facts->memory_repairs.unsorted;

    if (unsorted)
        checks_report(run, 0, "memory map", "The firmware's memory map is not sorted: %u entries "
                      "start below the one before.", unsorted);
}

static void check_overlaps(struct check_run *run)
{
    uint32_t overlapping = run->facts->memory_repairs.overlapping;

    if (overlapping)
        checks_report(run, 0, "memory map", "The firmware's memory map contradicts itself: %u "
                      "entries share bytes with another one. What is not RAM by either is left "
                      "alone.", overlapping);
}

static void check_sizes(struct check_run *run)
{
    const struct memory_repairs *repairs = &run->facts->memory_repairs;

    if (repairs->empty || repairs->endless)
        checks_report(run, 0, "memory map", "The firmware's memory map has %u entries without a "
                      "byte, or with an end before the start, and %u that reach the end of the "
                      "address space: they are not used.", repairs->empty, repairs->endless);
}

static const struct check checks[] = {
    {"memory-map-unsorted", FINDING_INFO, "", "all",
     "an entry of the firmware's memory map starts below the one before", "",
     "programs that expect order may lose memory", check_order, NULL},
    {"memory-map-overlaps", FINDING_WARNING, "", "all",
     "two entries of the firmware's memory map share bytes", "",
     "whoever believes the wrong one writes what is not RAM", check_overlaps, NULL},
    {"memory-map-sizes", FINDING_WARNING, "", "all",
     "an entry of the firmware's memory map has no bytes or reaches the end of the address space",
     "", "the map was not made with care", check_sizes, NULL},
};
CHECK_GROUP(checks_of_memory, checks);
