/* Machines made up for tests: rows are set one by one, missing ones read as zeros. */
#ifndef TESTS_UNIT_TOPOLOGY_SYNTHETIC_H
#define TESTS_UNIT_TOPOLOGY_SYNTHETIC_H

#include <stdlib.h>
#include <string.h>

#include "kernel/facts/machine_facts.h"
#include "tests/unit/unit_test.h"

enum { SYNTHETIC_ROWS = 48 };

struct synthetic {
    struct machine_facts facts;
    int32_t *nodes;
};

static inline void synthetic_init(struct synthetic *s, uint32_t cpu_count)
{
    *s = (struct synthetic){0};
    s->facts.cpu_count = cpu_count;
    s->facts.cpus = calloc(cpu_count, sizeof *s->facts.cpus);
    s->facts.number = calloc(cpu_count, sizeof *s->facts.number);
    s->nodes = calloc(cpu_count, sizeof *s->nodes);
    s->facts.has_linux_numbers = true;
    s->facts.missing_rows_are_zero = true;
    for (uint32_t i = 0; i < cpu_count; i++) {
        s->facts.number[i] = i;
        s->facts.cpus[i].rows = calloc(SYNTHETIC_ROWS, sizeof(struct cpuid_row));
    }
}

static inline void synthetic_free(struct synthetic *s)
{
    for (uint32_t i = 0; i < s->facts.cpu_count; i++) {
        free(s->facts.cpus[i].rows);
        free(s->facts.cpus[i].msrs);
    }
    free(s->facts.cpus);
    free(s->facts.number);
    free(s->nodes);
}

/* Adds a row, or replaces the one with that leaf and sub-leaf. */
static inline void synthetic_row(struct synthetic *s, uint32_t cpu, uint32_t leaf, uint32_t subleaf,
                                 uint32_t eax, uint32_t ebx, uint32_t ecx, uint32_t edx)
{
    struct cpu_facts *one = &s->facts.cpus[cpu];
    uint32_t at = 0;

    while (at < one->row_count &&
           (one->rows[at].leaf != leaf || one->rows[at].subleaf != subleaf))
        at++;
    assert_true(at < SYNTHETIC_ROWS);
    one->rows[at] = (struct cpuid_row){leaf, subleaf, eax, ebx, ecx, edx};
    one->row_count += at == one->row_count;
}

static inline void synthetic_id(struct synthetic *s, uint32_t cpu, uint32_t apic_id)
{
    s->facts.cpus[cpu].has_apic_id = true;
    s->facts.cpus[cpu].apic_id = s->facts.cpus[cpu].madt_apic_id = apic_id;
}

static inline void synthetic_vendor(struct synthetic *s, uint32_t cpu, const char *vendor,
                                    uint32_t max_leaf)
{
    uint32_t words[3];

    memcpy(words, vendor, sizeof words);
    synthetic_row(s, cpu, 0, 0, max_leaf, words[0], words[2], words[1]);
}

#endif
