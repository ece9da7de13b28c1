/* Puts ACPI tables together for tests. */
#ifndef TESTS_UNIT_FACTS_ACPI_BUILD_H
#define TESTS_UNIT_FACTS_ACPI_BUILD_H

#include <stdint.h>
#include <string.h>

static inline void put32(uint8_t *at, uint32_t value)
{
    memcpy(at, &value, sizeof(value));
}

static inline void put64(uint8_t *at, uint64_t value)
{
    memcpy(at, &value, sizeof(value));
}

/* A header with a right checksum over `length` bytes. */
static inline void seal(uint8_t *table, const char *signature, uint32_t length, uint8_t revision)
{
    uint8_t sum = 0;

    memcpy(table, signature, 4);
    put32(table + 4, length);
    table[8] = revision;
    table[9] = 0;
    for (uint32_t i = 0; i < length; i++)
        sum = (uint8_t)(sum + table[i]);
    table[9] = (uint8_t)-sum;
}

#endif
