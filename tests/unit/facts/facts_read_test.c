/* Tests kernel/facts/facts_read.c and the readers behind it, on real files and
 * on broken lines. */
#include "kernel/facts/facts_read.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/facts/load.h"

enum { ARENA_BYTES = 16 << 20 };

static struct arena arena;
static struct machine_facts facts;
static struct expectations expectations;
static struct input_error error;

static int start(void **state)
{
    (void)state;
    arena_init(&arena, malloc(ARENA_BYTES), ARENA_BYTES);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    free(arena.base);
    return 0;
}

static bool read_text(const char *text)
{
    bool is_good = facts_read(text, strlen(text), "text", &arena, &facts, &expectations, &error);

    if (!is_good)
        print_message("%s\n", error.text);
    return is_good;
}

static void read_file(const char *path)
{
    struct loaded file = load_file(path);
    bool is_good = facts_read(file.bytes, file.length, path, &arena, &facts, &expectations, &error);

    free(file.bytes);
    if (!is_good)
        fail_msg("%s:%llu: %s", path, (unsigned long long)error.place, error.text);
}

static const char *value_of(enum expectation_kind kind, uint32_t cpu, uint32_t index,
                            const char *name)
{
    const struct expectation *one = expectations_find(&expectations, kind, cpu, index, name);

    return one ? one->value : "(none)";
}

/* Read off tests/corpus/machines/amd-bulldozer-opteron-6272-4s-64t-b.txt by eye. */
static void a_corpus_machine_brings_rows_truths_and_values(void **state)
{
    struct cpuid_regs regs;
    (void)state;

    read_file("tests/corpus/machines/amd-bulldozer-opteron-6272-4s-64t-b.txt");
    assert_int_equal(facts.cpu_count, 64);
    assert_true(facts.has_linux_numbers);
    assert_int_equal(facts_cpuid(&facts, &facts.cpus[9], 0x8000001E, 0, &regs), CPUID_RECORDED);
    assert_int_equal(regs.ebx, 0x104);
    assert_int_equal(facts_cpuid(&facts, &facts.cpus[9], 0x7FFFFFFF, 0, &regs), CPUID_ABSENT);
    assert_int_equal(expectations.truth_count, 2);
    assert_int_equal(expectations.truths[0].kind, TRUTH_SYSFS_PAIRED);
    assert_string_equal(expectations.truths[0].kernel, "unknown");
    assert_string_equal(expectations_header(&expectations, "vendor"), "AuthenticAMD");
    assert_null(expectations_header(&expectations, "weather"));
    assert_string_equal(value_of(EXPECT_CPU, 9, EXPECTATION_NONE, "core_siblings_list"), "0-15");
    assert_string_equal(value_of(EXPECT_CACHE, 9, 3, "shared_cpu_list"), "8-15");
    assert_string_equal(value_of(EXPECT_CACHE, 9, 3, "type"), "Unified");
}

/* The five CPU ids of x2apic-wide are in its x86topo section. */
static void a_record_brings_tables_ids_and_the_kernels_words(void **state)
{
    static const uint32_t ids[] = {0x0, 0x1, 0xFE, 0x10A, 0x10B, 0x1FF};
    const struct acpi_table *madt;
    (void)state;

    read_file("tests/oracle/recorded/6.12/x2apic-wide.txt");
    assert_int_equal(facts.cpu_count, 6);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(facts.cpus[i].apic_id, ids[i]);
    assert_true(facts.is_x2apic_at_handover);
    assert_false(facts.has_linux_numbers);
    madt = facts_table(&facts, "APIC");
    assert_non_null(madt);
    assert_int_equal(madt->length_bytes, 0x187E);
    assert_memory_equal(madt->bytes, "APIC\x7e\x18\0\0\x03", 9);
    assert_int_equal(expectations.truths[0].kind, TRUTH_RECORD);
    assert_string_equal(expectations.truths[0].kernel, "6.12");
    assert_string_equal(value_of(EXPECT_CPU, 3, EXPECTATION_NONE, "thread_siblings_list"), "3-4");
    assert_string_equal(value_of(EXPECT_NODE, EXPECTATION_NONE, 0, "cpulist"), "0-5");
    assert_string_equal(value_of(EXPECT_DOMAIN, 3, 0, "span"), "18");
    assert_string_equal(value_of(EXPECT_DOMAIN, 3, 0, "name"), "SMT");
    assert_string_equal(value_of(EXPECT_X86TOPO, 5, EXPECTATION_NONE, "apicid"), "1ff");
    assert_string_equal(value_of(EXPECT_CPUS, EXPECTATION_NONE, EXPECTATION_NONE, "online"), "0-5");
}

/* The kernel's log of that boot names the same ids as the MADT. */
static void bochs_ids_come_from_leaf_1(void **state)
{
    (void)state;
    read_file("tests/oracle/recorded-bochs/6.12/zambezi-1x2x2.txt");
    assert_int_equal(facts.cpu_count, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(facts.cpus[i].apic_id, i);
    assert_false(facts.is_x2apic_at_handover);
}

static void a_case_reads_missing_leaves_as_zero(void **state)
{
    struct cpuid_regs regs;
    (void)state;

    read_file("tests/cases/cpuid-package-id-257/cpuid.txt");
    assert_int_equal(facts.cpu_count, 8);
    assert_int_equal(facts.cpus[7].apic_id, 0x10103);
    assert_true(facts.is_x2apic_at_handover);
    assert_int_equal(facts_cpuid(&facts, &facts.cpus[0], 0x1A, 0, &regs), CPUID_RECORDED);
}

static void the_parts_of_a_case_are_added(void **state)
{
    struct loaded file;
    uint32_t id;
    (void)state;

    read_file("tests/cases/cpuid-snc2/cpuid.txt");
    file = load_file("tests/cases/cpuid-snc2/nodes.txt");
    assert_true(facts_read_nodes_text(file.bytes, file.length, &arena, &facts, &error));
    free(file.bytes);
    assert_int_equal(facts.stated_nodes[3], 0);
    assert_int_equal(facts.stated_nodes[4], 1);
    file = load_file("tests/cases/cpuid-snc2/expected-6.12.txt");
    assert_true(facts_read_expected_text(file.bytes, file.length, "6.12", &arena, &expectations,
                                         &error));
    free(file.bytes);
    assert_string_equal(value_of(EXPECT_CASE, 4, EXPECTATION_NONE, "llc"), "4-7");
    file = load_file("tests/cases/srat-several-ranges/srat.bin");
    assert_true(facts_add_table(&facts, file.bytes, (uint32_t)file.length, 0x1000, &arena));
    free(file.bytes);
    assert_int_equal(facts_table(&facts, "SRAT")->address, 0x1000);
    assert_true(facts_read_lapic_text("3 10\n", 5, &arena, &facts, &error));
    assert_int_equal(facts.cpus[3].apic_id, 0x10);
    assert_true(facts.cpus[3].has_apic_id);
    assert_false(facts_read_lapic_text("99 10\n", 6, &arena, &facts, &error));
    assert_true(facts_read_boot_text("bsp_apic_id 20\n", 15, &arena, &id, &error));
    assert_int_equal(id, 0x20);
    assert_true(facts_read_msr_text("cpu 2\n0000008b 0000000700000000\n", 32, &arena, &facts,
                                    &error));
    assert_true(facts_msr(&facts.cpus[2], 0x8B)->value == 0x700000000ull);
    assert_null(facts_msr(&facts.cpus[1], 0x8B));
}

static void msrs_alone_are_a_machine_too(void **state)
{
    struct loaded file = load_file("tests/cases/msr-microcode-differs/msr.txt");
    (void)state;

    facts = (struct machine_facts){0};
    assert_true(facts_read_msr_text(file.bytes, file.length, &arena, &facts, &error));
    free(file.bytes);
    assert_int_equal(facts.cpu_count, 8);
    assert_true(facts_msr(&facts.cpus[0], 0x8B)->value == 0xAB00011000000000ull);
    assert_true(facts_msr(&facts.cpus[5], 0x8B)->value == 0);
}

static void a_facts_file_brings_what_the_image_captured(void **state)
{
    (void)state;
    assert_true(read_text("# coretruth-cpuid 2\r\n"
                          "unheard-of line\r\n"
                          "handover-apic-base fee00d00\r\n"
                          "tsc 2304000000\n"
                          "efi 00020046 EDK II by someone\n"
                          "efi-variable SecureBoot 01\nefi-variable AuditMode 01\n"
                          "smbios 3.6\nsmbios-text board-product X12 rev. 2\n"
                          "smbios-text of-a-later-version text\n"
                          "smbios-memory 16 8 549755813888\n"
                          "memory 0000000000100000 0000000080000000 1 7 f\n"
                          "memory 0 9fc00 1\n"
                          "memory-repairs 1 2 3 4 5\n"
                          "cpu 0\n"
                          "apic 10\nuid 3\nnode 1\n"
                          "00000000 0 00000001 756e6547 6c65746e 49656e69\n"
                          "00000001 0 00050654 10020800 80000201 178bfbff\n"
                          "end 00000004 0\n"
                          "msr 0000008b fault\n"
                          "cpu 7\n"
                          "like 0\n"
                          "apic 11\nmadt 12\nstate faulted\nbringup 1234567\nunsent 3\nuntried\n"
                          "00000001 0 00050654 11020800 80000201 178bfbff\n"
                          "msr 8b 5\n"
                          "acpi SSDT 000000007ffe0000 5\n"
                          "hex 0 5353 4454\n"
                          "hex 4 09\n"));
    assert_int_equal(facts.cpu_count, 2);
    assert_int_equal(facts.number[1], 7);
    assert_true(facts.is_x2apic_at_handover);
    assert_true(facts.tsc_hz == 2304000000);
    assert_string_equal(facts.firmware_vendor, "EDK II by someone");
    assert_true(facts.smbios.is_read && facts.smbios.has_memory);
    assert_int_equal(facts.smbios.minor, 6);
    assert_string_equal(facts.smbios.text[SMBIOS_BOARD_PRODUCT], "X12 rev. 2");
    assert_string_equal(facts.smbios.text[SMBIOS_BOARD_MAKER], "");
    assert_int_equal(facts.smbios.memory_filled, 8);
    assert_int_equal(facts.firmware_revision, 0x20046);
    assert_true(facts.secure_boot.is_read);
    assert_int_equal(facts.secure_boot.value, 1);
    assert_false(facts.setup_mode.is_read);
    assert_int_equal(facts.memory_count, 2);
    assert_true(facts.has_memory_repairs);
    assert_int_equal(facts.memory_repairs.overlapping, 2);
    assert_int_equal(facts.memory_repairs.endless, 5);
    assert_int_equal(facts.cpus[1].unsent_count, 3);
    assert_true(facts.cpus[1].is_untried && !facts.cpus[0].is_untried);
    assert_int_equal(facts.memory[0].efi_type, 7);
    assert_false(facts.memory[1].has_efi_type);
    assert_int_equal(facts.stated_nodes[0], 1);
    assert_int_equal(facts.stated_nodes[1], -1);
    assert_int_equal(facts.cpus[0].madt_apic_id, 0x10);
    assert_int_equal(facts.cpus[0].uid, 3);
    assert_true(facts_msr(&facts.cpus[0], 0x8B)->has_faulted);
    assert_int_equal(facts.cpus[1].state, CPU_FAULTED);
    assert_int_equal(facts.cpus[1].madt_apic_id, 0x12);
    assert_int_equal(facts.cpus[1].row_count, 2);
    assert_int_equal(facts.cpus[1].rows[0].ebx, 0x756E6547);
    assert_int_equal(facts.cpus[1].rows[1].ebx, 0x11020800);
    assert_int_equal(facts.cpus[1].end_count, 1);
    assert_int_equal(facts_msr(&facts.cpus[1], 0x8B)->value, 5);
    assert_memory_equal(facts_table(&facts, "SSDT")->bytes, "SSDT\t", 5);
}

#define HEAD "# coretruth-cpuid 1\n"
#define ROW "00000000 0 00000001 756e6547 6c65746e 49656e69\n"

static void a_broken_line_is_named_by_its_number(void **state)
{
    static const struct { const char *text; unsigned line; } broken[] = {
        {"hello\n", 1},
        {"", 1},
        {"# coretruth-cpuid 3\ncpu 0\n", 1},
        {HEAD ROW, 2},
        {HEAD "cpu x\n", 2},
        {HEAD "cpu 1\ncpu 1\n", 3},
        {HEAD "cpu 2147483648\n", 2},
        {HEAD "cpu 0\n" ROW ROW, 4},
        {HEAD "cpu 0\n00000000 0 1 2 3\n", 3},
        {HEAD "cpu 0\n00000000 0 1 2 3 4 5\n", 3},
        {HEAD "cpu 0\n0000000 0 1 2 3 4\n", 3},
        {HEAD "cpu 0\n0000000g 0 1 2 3 4\n", 3},
        {HEAD "cpu 0\nabcdef01 0 1 2 3 4444444444\n", 3},
        {HEAD "cpu 0\nend 4\n", 3},
        {HEAD "cpu 0\nend 4 1\nend 4 2\n", 4},
        {HEAD "end 4 1\n", 2},
        {HEAD "cpu 0\nmsr 1b\n", 3},
        {HEAD "cpu 0\nmsr 1b 1\nmsr 1b 2\n", 4},
        {HEAD "cpu 0\n " ROW, 3},
        {HEAD "cpu 0\nlike 0\n", 3},
        {HEAD "cpu 0\n" ROW "cpu 1\n" ROW "like 0\n", 6},
        {HEAD "cpu 0\n" ROW "cpu 1\nlike 5\n", 5},
        {HEAD "apic 5\n", 2},
        {HEAD "cpu 0\nstate asleep\n", 3},
        {HEAD "cpu 0\nuid 4294967296\n", 3},
        {HEAD "efi-variable SecureBoot\n", 2},
        {HEAD "efi-variable SecureBoot on\n", 2},
        {HEAD "efi-variable SetupMode 0 1\n", 2},
        {HEAD "efi-variable SetupMode 100\n", 2},
        {HEAD "smbios 3\n", 2},
        {HEAD "smbios 3.256\n", 2},
        {HEAD "smbios-text board-product\n", 2},
        {HEAD "smbios-memory 4 5 1024\n", 2},
        {HEAD "smbios-channels 4 5\n", 2},
        {HEAD "memory-repairs 0 0 0 0\n", 2},
        {HEAD "cpu 0\nunsent -1\n", 3},
        {HEAD "tsc 0\ncpu 0\n", 2},
        {HEAD "cpu 0\nuntried 1\n", 3},
        {HEAD "smbios-ipmi 256 ca2\n", 2},
        {HEAD "smbios-ipmi 1\n", 2},
        {HEAD "register bus 0 4 0\n", 2},
        {HEAD "register pci 0 3 0\n", 2},
        {HEAD "register port 668 2 10000\n", 2},
        {HEAD "register memory fed00000 16 0\n", 2},
        {HEAD "cpu 0\ncr0 x\n", 3},
        {HEAD "cr0 80010033\n", 2},
        {HEAD "cpu 0\ninterrupts 1 0 0\n", 3},
        {HEAD "cpu 0\ninterrupts 1 0 0 100\n", 3},
        {HEAD "interrupts 1 0 0 ff\n", 2},
        {HEAD "memory 0 1000\n", 2},
        {HEAD "memory 0 1000 1 7\n", 2},
        {HEAD "acpi APICS 0 44\n", 2},
        {HEAD "acpi APIC 0 2\nhex 1 00\n", 3},
        {HEAD "acpi APIC 0 2\nhex 0 0001 02\n", 3},
        {HEAD "acpi APIC 0 2\nhex 0 000\n", 3},
        {HEAD "acpi APIC 0 2\nhex 0 00\n", 2},
        {HEAD "hex 0 00\n", 2},
        {HEAD "truth sysfs same\n", 2},
        {HEAD "expect-sysfs cpu 0 core_id\n", 2},
        {HEAD "expect-sysfs cpu 0 cache 1 level\n", 2},
        {HEAD "expect-hwloc windows core cpus 0\n", 2},
        {HEAD "expect-aida64 cpu 0\n", 2},
        {"cpu 0\nend 4 1\n", 2},
        {"cpu 0\nfinding\n", 2},
        {"# coretruth oracle record 1\nkernel: 6.1\n== cpuid\ncpu 0\n" ROW, 5},
        {"# coretruth oracle record 1\n== cpuid\ncpu 0\n== end\n", 4},
        {"# coretruth oracle record 1\nkernel: 6.1\n== topology\ncpux core_id 0\n", 4},
        {"# coretruth oracle record 1\nkernel: 6.1\n== cache\ncpu0 level 1\n", 4},
        {"# coretruth oracle record 1\nkernel: 6.1\n== acpi APIC\n4150494\n", 4},
        {"# coretruth oracle record 1\nkernel: 6.1\n== acpi ABCDE\n41\n", 3},
    };
    (void)state;

    for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
        if (read_text(broken[i].text))
            fail_msg("taken as good: %s", broken[i].text);
        if (error.place_kind != PLACE_LINE || error.place != broken[i].line)
            fail_msg("line %llu instead of %u: %s (%s)", (unsigned long long)error.place,
                     broken[i].line, broken[i].text, error.text);
        assert_true(strlen(error.text) > 20);
        assert_false(arena.is_exhausted);
    }
}

static void no_cpu_at_all_is_no_machine(void **state)
{
    (void)state;
    assert_false(read_text(HEAD "# name: nothing\n"));
    assert_int_equal(error.place_kind, PLACE_NONE);
}

static void a_zero_byte_is_no_text(void **state)
{
    (void)state;
    assert_false(facts_read("cpu 0\n\0", 7, "text", &arena, &facts, &expectations, &error));
    assert_int_equal(error.place_kind, PLACE_OFFSET);
    assert_int_equal(error.place, 6);
}

static void a_small_arena_is_told_apart_from_a_bad_input(void **state)
{
    static uint8_t little[4096];
    struct loaded file = load_file("tests/corpus/machines/amd-zen1-3020e-2t.txt");
    struct arena small;
    (void)state;

    for (size_t bytes = 0; bytes < sizeof(little); bytes += 64) {
        arena_init(&small, little, bytes);
        assert_false(facts_read(file.bytes, file.length, "x", &small, &facts, &expectations,
                                &error));
        assert_true(small.is_exhausted);
    }
    free(file.bytes);
}

/* "like" may not be used to multiply rows beyond what was counted. */
static void like_sections_chain(void **state)
{
    (void)state;
    assert_true(read_text("# coretruth-cpuid 2\n"
                          "cpu 0\n" ROW "msr 10 1\n"
                          "cpu 1\nlike 0\n00000001 0 1 1 1 1\n"
                          "cpu 2\nlike 1\nmsr 10 3\n"));
    assert_int_equal(facts.cpus[2].row_count, 2);
    assert_int_equal(facts_msr(&facts.cpus[2], 0x10)->value, 3);
    assert_int_equal(facts_msr(&facts.cpus[1], 0x10)->value, 1);
}

static void a_file_that_is_cut_says_so(void **state)
{
    static const char machine[] = "# coretruth-cpuid 1\n# cpus: 2\ntruth sysfs same kernel 6.1\n"
                                  "cpu 0\n" ROW;
    char text[512];
    (void)state;

    snprintf(text, sizeof(text), "%scpu 1\nexpect-sysfs online 0-1\n", machine);
    assert_true(read_text(text));
    snprintf(text, sizeof(text), "%scpu 1\nexpect-sysfs online 0-1", machine);
    assert_false(read_text(text));
    assert_int_equal(error.place, 7);
    snprintf(text, sizeof(text), "%scpu 1\n", machine);
    assert_false(read_text(text));
    snprintf(text, sizeof(text), "%sexpect-sysfs online 0-1\n", machine);
    assert_false(read_text(text));
    assert_false(read_text("# coretruth-cpuid 1\ncpu 65536\n"));
    assert_int_equal(error.place, 2);
    assert_true(read_text("# coretruth-cpuid 1\ncpu 65535\n"));
    /* No more memory is asked for than the file has bytes. */
    assert_false(read_text("# coretruth-cpuid 1\ncpu 0\nacpi APIC 0 4294967295\nhex 0 41\n"));
    assert_int_equal(error.place, 3);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, finish)
    const struct CMUnitTest tests[] = {
        TEST(a_corpus_machine_brings_rows_truths_and_values),
        TEST(a_record_brings_tables_ids_and_the_kernels_words),
        TEST(bochs_ids_come_from_leaf_1),
        TEST(a_case_reads_missing_leaves_as_zero),
        TEST(the_parts_of_a_case_are_added),
        TEST(msrs_alone_are_a_machine_too),
        TEST(a_facts_file_brings_what_the_image_captured),
        TEST(a_broken_line_is_named_by_its_number),
        TEST(no_cpu_at_all_is_no_machine),
        TEST(a_zero_byte_is_no_text),
        TEST(a_small_arena_is_told_apart_from_a_bad_input),
        TEST(like_sections_chain),
        TEST(a_file_that_is_cut_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
