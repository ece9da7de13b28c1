/* Any bytes as a MADT: the walk ends, stays inside, and its CPUs fit. */
#include <stdlib.h>

#include "kernel/facts/acpi_madt.h"
#include "kernel/facts/facts_read.h"
#include "kernel/facts/madt_cpus.h"

static uint8_t memory[32 << 20];

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check_walk(const uint8_t *bytes, size_t length)
{
    struct acpi_madt madt;
    struct acpi_madt_entry entry;
    struct input_error error = {0};
    enum acpi_step step;
    size_t steps = 0;

    if (!acpi_madt_open(&madt, bytes, length, &error)) {
        if (!error.text[0])
            abort();
        return;
    }
    while ((step = acpi_madt_next(&madt, &entry, &error)) == ACPI_ENTRY) {
        if (entry.offset + entry.length_bytes > length || ++steps > length / 2)
            abort();
        acpi_madt_is_empty_slot(&entry);
    }
    if (step == ACPI_BROKEN && error.place >= length)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct machine_facts facts = {0};
    struct arena arena;

    check_walk(bytes, length);
    arena_init(&arena, memory, sizeof(memory));
    if (length <= UINT32_MAX && facts_add_table(&facts, bytes, (uint32_t)length, 0, &arena))
        madt_cpus_add(&facts, NULL, &arena);
    return 0;
}
