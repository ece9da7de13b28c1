/* NUMA nodes from SRAT and SLIT, and what happens when those are wrong or absent. */
#include "kernel/topology/nodes.h"

#include "tests/unit/topology/conclusions.h"
#include "tests/unit/topology/synthetic.h"
#include "tests/unit/topology/tables.h"

enum { GIB = 1 << 30 };

static struct tables tables;
static struct acpi_table *srat;
static struct synthetic machine;

static void make(const char *vendor)
{
    memset(&tables, 0, sizeof tables);
    srat = tables_srat(&tables);
    synthetic_init(&machine, 4);
    for (uint32_t cpu = 0; cpu < 4; cpu++) {
        synthetic_id(&machine, cpu, cpu);
        synthetic_vendor(&machine, cpu, vendor, 4);
        synthetic_row(&machine, cpu, 1, 0, 0x00050654, cpu << 24 | 4 << 16, 0, 1 << 28);
        synthetic_row(&machine, cpu, 4, 0, 0x0C000121, 0x01C0003F, 0x3F, 0);
    }
    machine.facts.tables = tables.list;
}

static int start_intel(void **state)
{
    (void)state;
    make("GenuineIntel");
    return 0;
}

static int start_amd(void **state)
{
    (void)state;
    make("AuthenticAMD");
    for (uint32_t cpu = 0; cpu < 4; cpu++) {
        synthetic_row(&machine, cpu, 1, 0, 0x00100F42, cpu << 24, 0, 0);
        synthetic_row(&machine, cpu, 0x80000000, 0, 0x80000008, 0, 0, 0);
        synthetic_row(&machine, cpu, 0x80000008, 0, 0, 0, 1 << 12 | 1, 0);
    }
    return 0;
}

static int stop(void **state)
{
    (void)state;
    synthetic_free(&machine);
    return 0;
}

static void conclude(struct conclusions *c)
{
    machine.facts.table_count = tables.count;
    conclusions_of(c, &machine.facts);
}

static void check_nodes(const struct topology *topology, const int32_t *nodes)
{
    for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++)
        assert_int_equal(topology->cpus[cpu].node, nodes[cpu]);
}

static const struct topology_note *note_of(const struct conclusions *c, enum note_kind kind)
{
    return notes_first(&conclusions_at(c, "6.1")->notes, kind);
}

static void nodes_are_numbered_as_domains_appear(void **state)
{
    static const int32_t nodes[] = {0, 1, 0, 1};
    struct conclusions c;

    (void)state;
    tables_srat_cpu(srat, 0, 7, 1);
    tables_srat_cpu(srat, 9, 5, 0); /* disabled: its domain gets no number */
    tables_srat_cpu(srat, 1, 3, 1);
    tables_srat_cpu(srat, 2, 7, 1);
    tables_srat_cpu(srat, 3, 7, 1);
    tables_srat_cpu(srat, 3, 3, 1); /* the later entry counts */
    tables_srat_memory(srat, 3, GIB, GIB);
    tables_srat_memory(srat, 7, 0, GIB);
    conclude(&c);
    check_nodes(conclusions_at(&c, "6.1"), nodes);
    assert_int_equal(conclusions_at(&c, "6.1")->node_count, 2);
    assert_int_equal(conclusions_at(&c, "6.1")->nodes[1].memory_bytes, GIB);
    conclusions_free(&c);
}

static void slit_is_read_by_domain(void **state)
{
    uint8_t matrix[16] = {10, 11, 12, 13, 14, 10, 15, 16, 17, 18, 10, 19, 20, 21, 22, 10};
    struct conclusions c;

    (void)state;
    tables_srat_cpu(srat, 0, 3, 1);
    tables_srat_cpu(srat, 1, 1, 1);
    tables_srat_memory(srat, 3, 0, GIB);
    tables_srat_memory(srat, 1, GIB, GIB);
    tables_slit(&tables, 4, matrix);
    conclude(&c);
    assert_int_equal(conclusions_at(&c, "6.1")->distances[1], 21); /* domain 3 to 1 */
    assert_int_equal(conclusions_at(&c, "6.1")->distances[2], 16);
    conclusions_free(&c);
}

static void a_slit_with_a_remote_distance_of_ten_is_ignored(void **state)
{
    static const uint8_t matrix[4] = {10, 10, 20, 10};
    struct conclusions c;

    (void)state;
    tables_srat_cpu(srat, 0, 0, 1);
    tables_srat_cpu(srat, 1, 1, 1);
    tables_srat_memory(srat, 0, 0, GIB);
    tables_srat_memory(srat, 1, GIB, GIB);
    tables_slit(&tables, 2, matrix);
    conclude(&c);
    assert_int_equal(conclusions_at(&c, "6.1")->distances[1], 20);
    assert_int_equal(note_of(&c, NOTE_SLIT_INVALID)->offset, 45);
    conclusions_free(&c);
}

static void a_srat_without_memory_is_dropped(void **state)
{
    static const int32_t nodes[] = {0, 0, 0, 0};
    struct conclusions c;

    (void)state;
    tables_srat_cpu(srat, 0, 0, 1);
    tables_srat_cpu(srat, 1, 1, 1);
    conclude(&c);
    check_nodes(conclusions_at(&c, "6.1"), nodes);
    assert_int_equal(conclusions_at(&c, "6.1")->node_count, 1);
    assert_non_null(note_of(&c, NOTE_SRAT_NO_MEMORY));
    assert_non_null(note_of(&c, NOTE_NO_NUMA));
    conclusions_free(&c);
}

static void a_srat_entry_of_wrong_length_drops_the_table(void **state)
{
    uint8_t entry[18] = {0, 18, 0, 0, 1};
    struct conclusions c;

    (void)state;
    tables_srat_memory(srat, 0, 0, GIB);
    tables_put(srat, entry, sizeof entry);
    conclude(&c);
    assert_int_equal(note_of(&c, NOTE_SRAT_LENGTH)->offset, 88);
    assert_non_null(note_of(&c, NOTE_NO_NUMA));
    conclusions_free(&c);
}

static void memory_of_two_nodes_at_once_drops_the_table(void **state)
{
    struct conclusions c;

    (void)state;
    tables_srat_cpu(srat, 1, 1, 1);
    tables_srat_memory(srat, 0, 0, GIB);
    tables_srat_memory(srat, 1, GIB - 4096, GIB);
    conclude(&c);
    assert_non_null(note_of(&c, NOTE_SRAT_MEMORY_CONFLICT));
    assert_int_equal(conclusions_at(&c, "6.1")->node_count, 1);
    conclusions_free(&c);
}

static void a_mebibyte_of_ram_without_a_node_drops_the_table(void **state)
{
    struct memory_range ram = {.start = 0, .end = (1ull << 30) + (1 << 20) - 4096, .type = 1};
    struct conclusions c;

    (void)state;
    tables_srat_cpu(srat, 1, 1, 1);
    tables_srat_memory(srat, 0, 0, GIB);
    machine.facts.memory = &ram;
    machine.facts.memory_count = 1;
    conclude(&c);
    assert_null(note_of(&c, NOTE_SRAT_UNCOVERED));
    conclusions_free(&c);
    ram.end += 4096;
    conclude(&c);
    assert_int_equal(note_of(&c, NOTE_SRAT_UNCOVERED)->a, 1);
    conclusions_free(&c);
}

/* Entries for no CPU: numbers go round the nodes with memory. */
static void cpus_without_an_entry_go_round_the_nodes(void **state)
{
    static const int32_t nodes[] = {0, 1, 0, 1};
    struct conclusions c;

    (void)state;
    tables_srat_memory(srat, 0, 0, GIB);
    tables_srat_memory(srat, 1, GIB, GIB);
    conclude(&c);
    check_nodes(conclusions_at(&c, "6.1"), nodes);
    conclusions_free(&c);
}

static void a_node_below_4_mib_is_none_in_4_x(void **state)
{
    static const int32_t old[] = {0, 0, 0, 0}, new[] = {0, 1, 0, 1};
    struct conclusions c;

    (void)state;
    tables_srat_memory(srat, 0, 0, GIB);
    tables_srat_memory(srat, 1, GIB, 2 << 20);
    conclude(&c);
    check_nodes(conclusions_at(&c, "4.10"), old);
    check_nodes(conclusions_at(&c, "5.10"), new);
    conclusions_free(&c);
}

static void a_node_without_memory_comes_online_with_its_cpu(void **state)
{
    static const int32_t nodes[] = {0, 0, 1, 1};
    struct conclusions c;

    (void)state;
    for (uint8_t cpu = 0; cpu < 4; cpu++)
        tables_srat_cpu(srat, cpu, cpu / 2, 1);
    tables_srat_memory(srat, 0, 0, GIB);
    conclude(&c);
    check_nodes(conclusions_at(&c, "6.1"), nodes);
    assert_int_equal(conclusions_at(&c, "6.1")->node_count, 2);
    assert_int_equal(conclusions_at(&c, "6.1")->nodes[1].memory_bytes, 0);
    conclusions_free(&c);
}

/* APIC ids 0-1 and 2-3 are the packages and so the LLC ids 0 and 1. */
static void amd_without_entries_takes_the_llc_id_as_node(void **state)
{
    static const int32_t nodes[] = {0, 0, 1, 1};
    struct conclusions c;

    (void)state;
    tables_srat_memory(srat, 0, 0, GIB);
    tables_srat_memory(srat, 1, GIB, GIB);
    conclude(&c);
    check_nodes(conclusions_at(&c, "6.1"), nodes);
    check_nodes(conclusions_at(&c, "4.10"), nodes);
    conclusions_free(&c);
}

/* Node 1 is not online (no memory, no listed CPU): the nearest id's node it is. */
static void amd_looks_for_the_nearest_node(void **state)
{
    static const int32_t nodes[] = {0, 0, 0, 0};
    struct conclusions c;

    (void)state;
    tables_srat_cpu(srat, 0, 0, 1);
    tables_srat_memory(srat, 0, 0, GIB);
    conclude(&c);
    check_nodes(conclusions_at(&c, "6.12"), nodes);
    conclusions_free(&c);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define INTEL(test) cmocka_unit_test_setup_teardown(test, start_intel, stop)
#define AMD(test) cmocka_unit_test_setup_teardown(test, start_amd, stop)
        INTEL(nodes_are_numbered_as_domains_appear),
        INTEL(slit_is_read_by_domain),
        INTEL(a_slit_with_a_remote_distance_of_ten_is_ignored),
        INTEL(a_srat_without_memory_is_dropped),
        INTEL(a_srat_entry_of_wrong_length_drops_the_table),
        INTEL(memory_of_two_nodes_at_once_drops_the_table),
        INTEL(a_mebibyte_of_ram_without_a_node_drops_the_table),
        INTEL(cpus_without_an_entry_go_round_the_nodes),
        INTEL(a_node_below_4_mib_is_none_in_4_x),
        INTEL(a_node_without_memory_comes_online_with_its_cpu),
        AMD(amd_without_entries_takes_the_llc_id_as_node),
        AMD(amd_looks_for_the_nearest_node),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
