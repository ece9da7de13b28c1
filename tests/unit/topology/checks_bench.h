/* A healthy machine of four CPUs that a test breaks in one way, and the findings
 * that come of it. Leaves of Intel, two cores of two threads, one package. */
#ifndef TESTS_UNIT_TOPOLOGY_CHECKS_BENCH_H
#define TESTS_UNIT_TOPOLOGY_CHECKS_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/topology/checks.h"
#include "kernel/topology/rules.h"
#include "tests/unit/topology/synthetic.h"

enum {
    BENCH_CPUS = 4, BENCH_ARENA_BYTES = 32 << 20, BENCH_TABLE_BYTES = 160 << 10, BENCH_MSRS = 64,
    ALL_PROFILES = (1 << RULE_PROFILE_COUNT) - 1,
    RULES_4X = 0x07, RULES_5_10 = 0x08, RULES_6_1 = 0x10, RULES_REWORKED = ALL_PROFILES & ~0x1F,
    RULES_7_2 = 1 << (RULE_PROFILE_COUNT - 1),
};

struct bench {
    struct synthetic s;
    struct acpi_table tables[4];
    uint8_t bytes[4][BENCH_TABLE_BYTES];
    struct topology topologies[RULE_PROFILE_COUNT];
    struct findings findings;
    struct arena arena;
};

static inline void bench_ids(struct bench *b, uint32_t cpu, uint32_t id)
{
    synthetic_id(&b->s, cpu, id);
    synthetic_row(&b->s, cpu, 1, 0, 0x50654, id << 24 | 4 << 16, 1 << 21, 1 << 9 | 1 << 28);
    synthetic_row(&b->s, cpu, 0xB, 0, 1, 2, 0x100, id);
    synthetic_row(&b->s, cpu, 0xB, 1, 2, 4, 0x201, id);
}

static inline void bench_init_size(struct bench *b, uint32_t cpu_count)
{
    memset(b, 0, sizeof(*b));
    synthetic_init(&b->s, cpu_count);
    b->s.facts.tables = b->tables;
    for (uint32_t cpu = 0; cpu < cpu_count; cpu++) {
        synthetic_vendor(&b->s, cpu, "GenuineIntel", 0xB);
        bench_ids(b, cpu, cpu);
        synthetic_row(&b->s, cpu, 4, 0, 0x04004121, 0x01C0003F, 0x3F, 0);
        synthetic_row(&b->s, cpu, 4, 1, 0x04004143, 0x03C0003F, 0x3FF, 0);
        synthetic_row(&b->s, cpu, 4, 2, 0x0400C163, 0x03C0003F, 0x1FFF, 0);
        synthetic_row(&b->s, cpu, 0x80000000, 0, 0x80000008, 0, 0, 0);
        b->s.facts.cpus[cpu].msrs = calloc(BENCH_MSRS, sizeof(struct msr_row));
    }
}

static inline void bench_init(struct bench *b)
{
    bench_init_size(b, BENCH_CPUS);
}

/* Zen 1: leaf 0xB is empty, ids come from 0x80000008 and 0x8000001E. */
static inline void bench_init_amd(struct bench *b, uint32_t family_eax)
{
    bench_init(b);
    for (uint32_t cpu = 0; cpu < BENCH_CPUS; cpu++) {
        b->s.facts.cpus[cpu].row_count = 0;
        synthetic_vendor(&b->s, cpu, "AuthenticAMD", 0xD);
        synthetic_row(&b->s, cpu, 1, 0, family_eax, cpu << 24 | 4 << 16, 0, 1 << 9 | 1 << 28);
        synthetic_row(&b->s, cpu, 0x80000000, 0, 0x8000001F, 0, 0, 0);
        synthetic_row(&b->s, cpu, 0x80000001, 0, 0, 0, 1 << 22 | 1 << 1, 0);
        synthetic_row(&b->s, cpu, 0x80000006, 0, 0, 0, 0, 0x0040C140);
        synthetic_row(&b->s, cpu, 0x80000007, 0, 0, 0, 0, 1 << 8);
        synthetic_row(&b->s, cpu, 0x80000008, 0, 0, 0, 0x2003, 0);
        synthetic_row(&b->s, cpu, 0x8000001D, 0, 0x4121, 0x01C0003F, 0x3F, 0);
        synthetic_row(&b->s, cpu, 0x8000001D, 1, 0x4143, 0x01C0003F, 0x3FF, 0);
        synthetic_row(&b->s, cpu, 0x8000001D, 2, 0xC163, 0x03C0003F, 0x1FFF, 0);
        synthetic_row(&b->s, cpu, 0x8000001E, 0, cpu, 0x100 | cpu / 2, 0, 0);
    }
}

static inline void bench_msr(struct bench *b, uint32_t cpu, uint32_t address, uint64_t value)
{
    struct cpu_facts *one = &b->s.facts.cpus[cpu];

    assert_true(one->msr_count < BENCH_MSRS);
    one->msrs[one->msr_count++] = (struct msr_row){.address = address, .value = value};
}

static inline void bench_msr_all(struct bench *b, uint32_t address, uint64_t value)
{
    for (uint32_t cpu = 0; cpu < b->s.facts.cpu_count; cpu++)
        bench_msr(b, cpu, address, value);
}

static inline void bench_put(struct acpi_table *table, uint64_t value, unsigned bytes)
{
    uint8_t *at = (uint8_t *)table->bytes + table->length_bytes;

    assert_true(table->length_bytes + bytes <= BENCH_TABLE_BYTES);
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
    table->length_bytes += bytes;
    *(uint32_t *)(void *)(table->bytes + 4) = table->length_bytes;
}

/* A table of this signature and revision with an empty body of `header` bytes. */
static inline struct acpi_table *bench_table(struct bench *b, const char *signature,
                                             uint8_t revision, uint32_t header)
{
    struct machine_facts *facts = &b->s.facts;
    struct acpi_table *table = &b->tables[facts->table_count];

    strcpy(table->signature, signature);
    table->bytes = b->bytes[facts->table_count++];
    memcpy((uint8_t *)table->bytes, signature, 4);
    ((uint8_t *)table->bytes)[8] = revision;
    table->length_bytes = header;
    *(uint32_t *)(void *)(table->bytes + 4) = header;
    facts->has_linux_numbers = false;
    facts->is_x2apic_at_handover = true;
    return table;
}

static inline void bench_lapic(struct acpi_table *madt, uint32_t id, uint32_t flags)
{
    bench_put(madt, 8 << 8, 2);
    bench_put(madt, id << 8 | (id & 0xFF), 2);
    bench_put(madt, flags, 4);
}

static inline void bench_x2apic(struct acpi_table *madt, uint32_t id, uint32_t flags)
{
    bench_put(madt, 16 << 8 | 9, 4);
    bench_put(madt, id, 4);
    bench_put(madt, flags, 4);
    bench_put(madt, id, 4);
}

/* A MADT with the healthy machine's CPUs. */
static inline struct acpi_table *bench_madt(struct bench *b)
{
    struct acpi_table *madt = bench_table(b, "APIC", 5, 44);

    for (uint32_t cpu = 0; cpu < b->s.facts.cpu_count; cpu++)
        bench_lapic(madt, b->s.facts.cpus[cpu].madt_apic_id, 1);
    return madt;
}

static inline void bench_srat_cpu(struct acpi_table *srat, uint32_t id, uint32_t domain)
{
    bench_put(srat, 16 << 8, 2);
    bench_put(srat, id << 8 | domain, 2);
    bench_put(srat, 1, 4);
    bench_put(srat, 0, 8);
}

static inline void bench_srat_memory(struct acpi_table *srat, uint32_t domain, uint64_t start,
                                     uint64_t bytes)
{
    bench_put(srat, 40 << 8 | 1, 2);
    bench_put(srat, domain, 4);
    bench_put(srat, 0, 2);
    bench_put(srat, start, 8);
    bench_put(srat, bytes, 8);
    bench_put(srat, 0, 4);
    bench_put(srat, 1, 4);
    bench_put(srat, 0, 8);
}

/* CPU i on domain domains[i], 1 GiB a domain. */
static inline struct acpi_table *bench_srat(struct bench *b, const uint32_t *domains,
                                            uint32_t domain_count)
{
    struct acpi_table *srat = bench_table(b, "SRAT", 3, 48);

    for (uint32_t cpu = 0; cpu < b->s.facts.cpu_count; cpu++)
        bench_srat_cpu(srat, b->s.facts.cpus[cpu].madt_apic_id, domains[cpu]);
    for (uint32_t domain = 0; domain < domain_count; domain++)
        bench_srat_memory(srat, domain, (uint64_t)domain << 30, 1 << 30);
    return srat;
}

static inline struct acpi_table *bench_slit(struct bench *b, uint32_t count,
                                            const uint8_t *distances)
{
    struct acpi_table *slit = bench_table(b, "SLIT", 1, 36);

    bench_put(slit, count, 8);
    for (uint32_t i = 0; i < count * count; i++)
        bench_put(slit, distances[i], 1);
    return slit;
}

static inline void bench_run(struct bench *b)
{
    arena_init(&b->arena, malloc(BENCH_ARENA_BYTES), BENCH_ARENA_BYTES);
    assert_true(topology_build_all(&b->s.facts, ALL_PROFILES, &b->arena, b->topologies));
    assert_true(findings_init(&b->findings, 64, 64, &b->arena));
    assert_true(checks_run(&b->s.facts, b->topologies, ALL_PROFILES, &b->arena, &b->findings));
}

static inline void bench_free(struct bench *b)
{
    free(b->arena.base);
    synthetic_free(&b->s);
}

static inline const struct finding *bench_find(const struct bench *b, const char *id)
{
    for (uint32_t i = 0; i < b->findings.count; i++)
        if (strcmp(b->findings.list[i].id, id) == 0)
            return &b->findings.list[i];
    return NULL;
}

/* Runs, and wants the finding with these CPUs and profiles; frees the machine. */
static inline void bench_expect(struct bench *b, const char *id, const char *cpus, uint32_t rules)
{
    char storage[256];
    struct textbuf list;

    bench_run(b);
    const struct finding *finding = bench_find(b, id);
    if (!finding) {
        for (uint32_t i = 0; i < b->findings.count; i++)
            printf("found %s: %s\n", b->findings.list[i].id, b->findings.list[i].text);
        fail_msg("no finding %s", id);
    }
    textbuf_init(&list, storage, sizeof(storage));
    cpumask_put_list(&list, &finding->cpus);
    assert_string_equal(storage, cpus);
    assert_int_equal(finding->rules, rules);
    assert_true(strlen(finding->source) > 0);
    assert_true(strlen(finding->text) > 0);
    bench_free(b);
}

/* Runs, and wants no finding of this id. */
static inline void bench_expect_none(struct bench *b, const char *id)
{
    bench_run(b);
    assert_null(bench_find(b, id));
    bench_free(b);
}

/* Runs, and wants nothing above information. */
static inline void bench_expect_silence(struct bench *b)
{
    bench_run(b);
    for (uint32_t i = 0; i < b->findings.count; i++)
        if (b->findings.list[i].severity > FINDING_INFO)
            fail_msg("%s: %s", b->findings.list[i].id, b->findings.list[i].text);
    bench_free(b);
}

#endif
