/* Tests kernel/facts/facts_write.c: what is written reads back as it was. */
#include "kernel/facts/facts_write.h"

#include <dirent.h>
#include <string.h>

#include "kernel/facts/facts_read.h"
#include "tests/unit/facts/load.h"

enum { ARENA_BYTES = 64 << 20, TEXT_BYTES = 16 << 20 };

static struct arena arena;
static char *text;

static int start(void **state)
{
    (void)state;
    arena_init(&arena, malloc(ARENA_BYTES), ARENA_BYTES);
    text = malloc(TEXT_BYTES);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    free(arena.base);
    free(text);
    return 0;
}

static void assert_same_cpu(const struct cpu_facts *a, const struct cpu_facts *b)
{
    assert_int_equal(a->state, b->state);
    assert_int_equal(a->has_apic_id, b->has_apic_id);
    assert_int_equal(a->apic_id, b->apic_id);
    assert_int_equal(a->madt_apic_id, b->madt_apic_id);
    assert_int_equal(a->has_uid, b->has_uid);
    assert_int_equal(a->uid, b->uid);
    assert_memory_equal(&a->interrupts, &b->interrupts, sizeof(a->interrupts));
    assert_int_equal(a->has_cr0, b->has_cr0);
    assert_true(a->cr0 == b->cr0);
    assert_true(a->bringup_cycles == b->bringup_cycles);
    assert_int_equal(a->unsent_count, b->unsent_count);
    assert_int_equal(a->is_untried, b->is_untried);
    assert_int_equal(a->row_count, b->row_count);
    assert_int_equal(a->end_count, b->end_count);
    assert_int_equal(a->msr_count, b->msr_count);
    if (a->row_count)
        assert_memory_equal(a->rows, b->rows, a->row_count * sizeof(*a->rows));
    if (a->end_count)
        assert_memory_equal(a->ends, b->ends, a->end_count * sizeof(*a->ends));
    for (uint32_t i = 0; i < a->msr_count; i++) {
        assert_int_equal(a->msrs[i].address, b->msrs[i].address);
        assert_int_equal(a->msrs[i].has_faulted, b->msrs[i].has_faulted);
        assert_true(a->msrs[i].value == b->msrs[i].value);
    }
}

static void assert_same(const struct machine_facts *a, const struct machine_facts *b)
{
    assert_int_equal(a->cpu_count, b->cpu_count);
    assert_memory_equal(a->number, b->number, a->cpu_count * sizeof(*a->number));
    for (uint32_t i = 0; i < a->cpu_count; i++)
        assert_same_cpu(&a->cpus[i], &b->cpus[i]);
    assert_int_equal(a->is_x2apic_at_handover, b->is_x2apic_at_handover);
    assert_int_equal(a->has_memory_repairs, b->has_memory_repairs);
    assert_memory_equal(&a->memory_repairs, &b->memory_repairs, sizeof(a->memory_repairs));
    assert_int_equal(a->has_handover_apic_base, b->has_handover_apic_base);
    assert_true(a->handover_apic_base == b->handover_apic_base);
    assert_int_equal(a->has_tsc_hz, b->has_tsc_hz);
    assert_true(a->tsc_hz == b->tsc_hz);
    for (int i = 0; i < TSC_CLOCK_COUNT; i++) {
        assert_true(a->tsc_rates[i].hz == b->tsc_rates[i].hz);
        assert_int_equal(a->tsc_rates[i].doubt_ppm, b->tsc_rates[i].doubt_ppm);
    }
    assert_string_equal(a->firmware_vendor, b->firmware_vendor);
    assert_int_equal(a->firmware_revision, b->firmware_revision);
    assert_int_equal(a->secure_boot.is_read, b->secure_boot.is_read);
    assert_int_equal(a->secure_boot.value, b->secure_boot.value);
    assert_memory_equal(&a->smbios, &b->smbios, sizeof(a->smbios));
    assert_int_equal(a->setup_mode.is_read, b->setup_mode.is_read);
    assert_int_equal(a->setup_mode.value, b->setup_mode.value);
    assert_int_equal(a->has_linux_numbers, b->has_linux_numbers);
    assert_int_equal(a->table_count, b->table_count);
    for (uint32_t i = 0; i < a->table_count; i++) {
        assert_string_equal(a->tables[i].signature, b->tables[i].signature);
        assert_true(a->tables[i].address == b->tables[i].address);
        assert_int_equal(a->tables[i].length_bytes, b->tables[i].length_bytes);
        assert_memory_equal(a->tables[i].bytes, b->tables[i].bytes, a->tables[i].length_bytes);
    }
    assert_int_equal(a->register_count, b->register_count);
    for (uint32_t i = 0; i < a->register_count; i++) {
        assert_int_equal(a->registers[i].space, b->registers[i].space);
        assert_int_equal(a->registers[i].bytes, b->registers[i].bytes);
        assert_true(a->registers[i].address == b->registers[i].address);
        assert_true(a->registers[i].value == b->registers[i].value);
    }
    assert_int_equal(a->memory_count, b->memory_count);
    for (uint32_t i = 0; i < a->memory_count; i++) {
        assert_true(a->memory[i].start == b->memory[i].start);
        assert_true(a->memory[i].end == b->memory[i].end);
        assert_int_equal(a->memory[i].type, b->memory[i].type);
        assert_int_equal(a->memory[i].has_efi_type, b->memory[i].has_efi_type);
        assert_int_equal(a->memory[i].efi_type, b->memory[i].efi_type);
        assert_true(a->memory[i].efi_attribute == b->memory[i].efi_attribute);
    }
    for (uint32_t i = 0; i < a->cpu_count; i++)
        assert_int_equal(a->stated_nodes ? a->stated_nodes[i] : -1,
                         b->stated_nodes ? b->stated_nodes[i] : -1);
}

static void assert_lines_are_short(const struct textbuf *out)
{
    const char *line = out->text;

    for (const char *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
        assert_true(end - line <= 512);
    assert_int_equal(*line, '\0');
}

/* Writes, reads back, compares; returns the length of the text. */
static size_t round_trip(const struct machine_facts *facts, bool is_compact)
{
    struct machine_facts again;
    struct expectations none;
    struct input_error error;
    struct textbuf out;

    textbuf_init(&out, text, TEXT_BYTES);
    facts_write(&out, facts, is_compact);
    assert_false(out.is_cut);
    assert_lines_are_short(&out);
    if (!facts_read(out.text, out.length, "again", &arena, &again, &none, &error))
        fail_msg("%s: line %llu: %s", facts->source, (unsigned long long)error.place, error.text);
    assert_same(facts, &again);
    return out.length;
}

static void read_machine(const char *path, struct machine_facts *facts)
{
    struct loaded file = load_file(path);
    struct expectations expectations;
    struct input_error error;

    arena_init(&arena, arena.base, ARENA_BYTES);
    assert_true(facts_read(file.bytes, file.length, path, &arena, facts, &expectations, &error));
    free(file.bytes);
}

static unsigned round_trip_folder(const char *folder)
{
    DIR *directory = opendir(folder);
    struct dirent *entry;
    unsigned count = 0;

    assert_non_null(directory);
    while ((entry = readdir(directory)) != NULL) {
        struct machine_facts facts;
        char path[512];

        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        read_machine(path, &facts);
        round_trip(&facts, false);
        round_trip(&facts, true);
        count++;
    }
    closedir(directory);
    return count;
}

static void every_corpus_machine_survives_a_round_trip(void **state)
{
    (void)state;
    assert_true(round_trip_folder("tests/corpus/machines") > 100);
    assert_true(round_trip_folder("tests/corpus/single") > 30);
}

static void every_recorded_machine_survives_a_round_trip(void **state)
{
    (void)state;
    assert_true(round_trip_folder("tests/oracle/recorded/6.12") > 50);
    assert_true(round_trip_folder("tests/oracle/recorded-bochs/6.1") == 1);
}

static void what_only_the_image_knows_survives_too(void **state)
{
    static uint8_t bytes[] = {'R', 'S', 'D', ' ', 'P', 'T', 'R', ' ', 0xFF, 0, 1};
    struct acpi_table tables[] = {{"RSD PTR ", 0xF0000, bytes, 11}, {"APIC", 0, bytes, 0},
                                  {"A\x01 b", 7, bytes, 3}, {"RSDP", 7, bytes, 1}};
    struct memory_range memory[] = {{0, 0x9FC00, 1, false, 0, 0},
                                    {0x100000, UINT64_MAX, 2, true, 0x80000001, UINT64_MAX}};
    struct cpuid_row rows[] = {{0, 0, 1, 2, 3, 4}, {1, 0, 5, 6, 7, 8}};
    struct msr_row msrs[] = {{0x1B, false, UINT64_MAX}, {0xC001100C, true, 0}};
    struct cpu_facts cpus[] = {
        {.has_apic_id = true, .apic_id = 3, .madt_apic_id = 4, .has_uid = true, .uid = UINT32_MAX,
         .interrupts = {1, UINT32_MAX, 3, 0xFF}, .has_cr0 = true, .cr0 = 0xC0010033,
         .bringup_cycles = UINT64_MAX, .rows = rows,
         .row_count = 2, .msrs = msrs, .msr_count = 2},
        {.state = CPU_SILENT, .madt_apic_id = 9, .unsent_count = UINT32_MAX, .is_untried = true},
        {.state = CPU_DISABLED, .madt_apic_id = 0, .has_uid = true},
        {.state = CPU_FAULTED, .has_apic_id = true, .apic_id = 11, .madt_apic_id = 11,
         .rows = rows, .row_count = 1},
    };
    struct facts_register registers[] = {{FACTS_PCI, 4, 0xF8000, 0x29188086},
                                         {FACTS_PORT, 2, 0x668, 0},
                                         {FACTS_MEMORY, 1, 0xFEDCBA9876, 0xEA},
                                         {FACTS_MEMORY, 8, 0xFED00000, UINT64_MAX}};
    uint32_t number[] = {0, 1, 2, 300};
    int32_t nodes[] = {-1, 0, 5, -1};
    struct machine_facts facts = {
        .source = "this\nboot", .cpus = cpus, .cpu_count = 4, .number = number,
        .has_handover_apic_base = true, .handover_apic_base = 0xFEE00D00,
        .is_x2apic_at_handover = true, .tables = tables, .table_count = 4, .memory = memory,
        .memory_count = 2, .stated_nodes = nodes, .has_tsc_hz = true, .tsc_hz = 2304000000,
        .tsc_rates = {[TSC_CLOCK_PIT] = {2304000123, 17}},
        .firmware_vendor = "American Megatrends", .firmware_revision = 0x5001A,
        .smbios = {.is_read = true, .major = 3, .minor = 6,
                   .text = {[SMBIOS_BOARD_PRODUCT] = "X12 rev. 2"}, .has_memory = true,
                   .memory_slots = 4, .memory_filled = 2, .memory_bytes = 1ull << 35,
                   .channels_named = 2, .channels_filled = 1,
                   .has_ipmi = true, .ipmi_interface = 3, .ipmi_address = 0xE5},
        .has_memory_repairs = true, .memory_repairs = {1, 2, 3, 4, 5},
        .registers = registers, .register_count = 4,
        .setup_mode = {.is_read = true, .value = 0xA5},
    };
    (void)state;

    arena_init(&arena, arena.base, ARENA_BYTES);
    round_trip(&facts, false);
    round_trip(&facts, true);
}

/* The bar of a 115200-baud line: 11,520 bytes a second, well below 60 s. */
static void a_machine_of_255_cpus_is_short_in_the_compact_form(void **state)
{
    struct machine_facts facts;
    size_t plain, compact;
    (void)state;

    read_machine("tests/oracle/recorded/6.12/intel-255.txt", &facts);
    plain = round_trip(&facts, false);
    compact = round_trip(&facts, true);
    assert_true(compact < plain / 3);
    assert_true(compact < 20 * 11520);
}

static void the_plain_form_is_version_1(void **state)
{
    struct machine_facts facts;
    (void)state;

    read_machine("tests/corpus/machines/amd-zen1-3020e-2t.txt", &facts);
    round_trip(&facts, false);
    assert_memory_equal(text, "# coretruth-cpuid 1\n", 20);
    assert_null(strstr(text, "\nlike "));
    round_trip(&facts, true);
    assert_memory_equal(text, "# coretruth-cpuid 2\n", 20);
    assert_non_null(strstr(text, "\nlike 0\n"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, finish)
    const struct CMUnitTest tests[] = {
        TEST(every_corpus_machine_survives_a_round_trip),
        TEST(every_recorded_machine_survives_a_round_trip),
        TEST(what_only_the_image_knows_survives_too),
        TEST(a_machine_of_255_cpus_is_short_in_the_compact_form),
        TEST(the_plain_form_is_version_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
