/* ACPI tables put together entry by entry. */
#ifndef TESTS_UNIT_TOPOLOGY_TABLES_H
#define TESTS_UNIT_TOPOLOGY_TABLES_H

#include <stdlib.h>
#include <string.h>

#include "kernel/facts/machine_facts.h"
#include "tests/unit/unit_test.h"

enum { TABLES_MAX = 4, TABLE_BYTES = 4096 };

struct tables {
    struct acpi_table list[TABLES_MAX];
    uint8_t bytes[TABLES_MAX][TABLE_BYTES];
    uint32_t count;
};

static inline struct acpi_table *tables_new(struct tables *tables, const char *signature,
                                            uint32_t header_bytes, uint8_t revision)
{
    struct acpi_table *table = &tables->list[tables->count];
    uint8_t *bytes = tables->bytes[tables->count++];

    memset(bytes, 0, TABLE_BYTES);
    memcpy(bytes, signature, 4);
    bytes[8] = revision;
    memcpy(table->signature, signature, 5);
    table->bytes = bytes;
    table->length_bytes = header_bytes;
    return table;
}

static inline void tables_put(struct acpi_table *table, const void *entry, uint32_t length)
{
    assert_true(table->length_bytes + length <= TABLE_BYTES);
    memcpy((uint8_t *)(uintptr_t)table->bytes + table->length_bytes, entry, length);
    table->length_bytes += length;
}

static inline struct acpi_table *tables_madt(struct tables *tables)
{
    return tables_new(tables, "APIC", 44, 4);
}

static inline void tables_lapic(struct acpi_table *madt, uint8_t id, uint32_t flags)
{
    uint8_t entry[8] = {0, 8, id, id, (uint8_t)flags};

    tables_put(madt, entry, sizeof entry);
}

static inline void tables_x2apic(struct acpi_table *madt, uint32_t id, uint32_t flags)
{
    uint8_t entry[16] = {9, 16};

    memcpy(entry + 4, &id, 4);
    memcpy(entry + 8, &flags, 4);
    tables_put(madt, entry, sizeof entry);
}

static inline struct acpi_table *tables_srat(struct tables *tables)
{
    return tables_new(tables, "SRAT", 48, 3);
}

static inline void tables_srat_cpu(struct acpi_table *srat, uint8_t id, uint8_t domain,
                                   uint8_t flags)
{
    uint8_t entry[16] = {0, 16, domain, id, flags};

    tables_put(srat, entry, sizeof entry);
}

static inline void tables_srat_memory(struct acpi_table *srat, uint32_t domain, uint64_t start,
                                      uint64_t bytes)
{
    uint8_t entry[40] = {1, 40};

    memcpy(entry + 2, &domain, 4);
    memcpy(entry + 8, &start, 8);
    memcpy(entry + 16, &bytes, 8);
    entry[28] = 1;
    tables_put(srat, entry, sizeof entry);
}

static inline void tables_slit(struct tables *tables, uint8_t localities, const uint8_t *matrix)
{
    struct acpi_table *slit = tables_new(tables, "SLIT", 36, 1);
    uint8_t count[8] = {localities};

    tables_put(slit, count, sizeof count);
    tables_put(slit, matrix, (uint32_t)localities * localities);
}

#endif
