/* When a bench is worth nothing. The MSR values are those of tests/cases msr-*. */
#include <string.h>
#include "tests/unit/unit_test.h"

#include "kernel/stats/void_conditions.h"
#include "tests/unit/stats/fake_cpu.h"

static uint8_t memory[1 << 16];
static struct arena arena;
static struct fake_machine machine;

static void healthy(uint32_t cpu_count, const char *vendor, uint32_t leaf1_ecx)
{
    arena_init(&arena, memory, sizeof memory);
    fake_machine_init(&machine, cpu_count, vendor);
    fake_leaf(&machine, 1, 0, 0x606a6, 8 << 8, leaf1_ecx, 0);
    fake_leaf(&machine, 0x80000007, 0, 0, 0, 0, 1 << 8);
    for (uint32_t cpu = 0; cpu < cpu_count; cpu++)
        fake_msr(&machine, cpu, 0x277, 0x0007040600070406);
}

static struct bench_results notes(const struct void_registers *registers, bool is_hosted)
{
    struct bench_results results = { 0 };
    assert_true(void_conditions_note(&machine.facts, registers, is_hosted, &arena, &results));
    return results;
}

static const struct bench_note *find(const struct bench_results *results, const char *id)
{
    for (uint32_t i = 0; i < results->note_count; i++)
        if (strcmp(results->notes[i].id, id) == 0)
            return &results->notes[i];
    return NULL;
}

static void a_healthy_machine_has_no_notes(void **state)
{
    (void)state;
    healthy(4, "GenuineIntel", 0);
    for (uint32_t cpu = 0; cpu < 4; cpu++) {
        fake_msr(&machine, cpu, 0x2ff, 0xc00);
        fake_msr(&machine, cpu, 0x1a0, 0x850089);
        fake_msr(&machine, cpu, 0x8b, 0x2b00059000000000);
        fake_msr(&machine, cpu, 0x38d, 0);
    }
    assert_int_equal(notes(NULL, false).note_count, 0);
}

static void a_hypervisor_voids_the_image_but_not_the_hosted_run(void **state)
{
    (void)state;
    healthy(1, "GenuineIntel", 1u << 31);
    struct bench_results image = notes(NULL, false), hosted = notes(NULL, true);
    assert_true(find(&image, "hypervisor")->is_void);
    assert_false(find(&hosted, "hypervisor")->is_void);
}

static void memory_type_is_looked_at_on_every_cpu(void **state)
{
    (void)state;
    healthy(4, "GenuineIntel", 0);
    for (uint32_t cpu = 0; cpu < 4; cpu++)
        fake_msr(&machine, cpu, 0x2ff, cpu == 3 ? 0x006 : 0xc06);
    struct bench_results results = notes(NULL, false);
    assert_true(find(&results, "memory-type")->is_void);
    assert_non_null(strstr(find(&results, "memory-type")->text, "CPU 3"));
    healthy(2, "GenuineIntel", 0);
    machine.msrs[1][0].value = 0x0007040600070401;
    results = notes(NULL, false);
    assert_true(find(&results, "memory-type")->is_void);
    assert_non_null(strstr(find(&results, "memory-type")->text, "CPU 1: PAT"));
    healthy(2, "GenuineIntel", 0);
    machine.msrs[1][0].has_faulted = true; /* refused: nothing is proven */
    results = notes(NULL, false);
    assert_true(find(&results, "memory-type")->is_void);
    assert_non_null(strstr(find(&results, "memory-type")->text, "CPU 1: MSR 0x277 cannot be read"));
}

static void fast_strings_off_voids_only_intel(void **state)
{
    (void)state;
    healthy(2, "GenuineIntel", 0);
    fake_msr(&machine, 1, 0x1a0, 0x850088);
    struct bench_results results = notes(NULL, false);
    assert_true(find(&results, "fast-strings-off")->is_void);
    healthy(2, "AuthenticAMD", 0);
    fake_msr(&machine, 1, 0x1a0, 0);
    results = notes(NULL, false);
    assert_null(find(&results, "fast-strings-off"));
}

static void mixed_microcode_is_told_with_both_revisions(void **state)
{
    (void)state;
    healthy(8, "GenuineIntel", 0);
    for (uint32_t cpu = 0; cpu < 8; cpu++)
        fake_msr(&machine, cpu, 0x8b, cpu == 0   ? 0xab00011000000000
                                      : cpu == 5 ? 0
                                                 : 0x2b00059000000000);
    struct bench_results results = notes(NULL, false);
    const struct bench_note *note = find(&results, "microcode-mixed");
    assert_true(note->is_void);
    assert_non_null(strstr(note->text, "0xab00011000000000 on CPU 0"));
}

static void counters_in_use_are_found_in_either_register(void **state)
{
    (void)state;
    healthy(2, "GenuineIntel", 0);
    fake_msr(&machine, 0, 0x38d, 0x330);
    struct bench_results results = notes(NULL, false);
    assert_true(find(&results, "pmu-in-use")->is_void);
    assert_non_null(strstr(find(&results, "pmu-in-use")->text, "0x38D is 0x330"));
    healthy(2, "GenuineIntel", 0);
    fake_msr(&machine, 1, 0x186, 0x43003c);
    results = notes(NULL, false);
    assert_non_null(strstr(find(&results, "pmu-in-use")->text, "CPU 1"));
    static const uint32_t amd[] = { 0xc0010000, 0xc0010003, 0xc0010200, 0xc001020a };
    for (int i = 0; i < 4; i++) {
        healthy(2, "AuthenticAMD", 0);
        fake_msr(&machine, 1, amd[i], 0x430076);
        results = notes(NULL, false);
        assert_true(find(&results, "pmu-in-use")->is_void);
        assert_non_null(strstr(find(&results, "pmu-in-use")->text, "is 0x430076"));
    }
    healthy(2, "AuthenticAMD", 0);
    fake_msr(&machine, 1, 0xc0010201, 0x430076); /* a count looks like a select */
    results = notes(NULL, false);
    assert_null(find(&results, "pmu-in-use"));
    healthy(2, "GenuineIntel", 0);
    fake_msr(&machine, 1, 0x186, 0x03003c); /* selected, but not enabled */
    results = notes(NULL, false);
    assert_null(find(&results, "pmu-in-use"));
}

static void a_cpu_with_its_caches_off_voids_the_run(void **state)
{
    (void)state;
    static const uint64_t cr0[] = { 0xc0010033, 0xe0010033, 0xa0010033 }; /* CD, both, NW */
    for (int i = 0; i < 3; i++) {
        const struct void_registers registers[2] = { { true, 0x80010033 }, { true, cr0[i] } };
        healthy(2, "GenuineIntel", 0);
        struct bench_results results = notes(registers, false);
        assert_true(find(&results, "caches-off")->is_void);
        assert_non_null(strstr(find(&results, "caches-off")->text, "CPU 1"));
    }
}

static void one_filled_memory_device_of_several_voids_the_run(void **state)
{
    (void)state;
    healthy(1, "GenuineIntel", 0);
    machine.facts.smbios = (struct smbios){ .is_read = true, .has_memory = true,
                                            .memory_slots = 16, .memory_filled = 1 };
    struct bench_results results = notes(NULL, false);
    assert_true(find(&results, "one-memory-device")->is_void);
    assert_non_null(strstr(find(&results, "one-memory-device")->text, "1 of 16"));
    machine.facts.smbios.memory_filled = 2;
    results = notes(NULL, false);
    assert_null(find(&results, "one-memory-device"));
    machine.facts.smbios.memory_slots = machine.facts.smbios.memory_filled = 1;
    results = notes(NULL, false);
    assert_null(find(&results, "one-memory-device"));
}

static void locators_that_name_one_channel_are_a_hint(void **state)
{
    (void)state;
    healthy(1, "GenuineIntel", 0);
    machine.facts.smbios = (struct smbios){ .is_read = true, .has_memory = true,
                                            .memory_slots = 16, .memory_filled = 2,
                                            .channels_named = 8, .channels_filled = 1 };
    struct bench_results results = notes(NULL, false);
    const struct bench_note *hint = find(&results, "one-channel-named");
    assert_non_null(hint);
    assert_false(hint->is_void);
    assert_non_null(strstr(hint->text, "all 2 filled memory devices name one channel of 8"));
    machine.facts.smbios.channels_filled = 2;
    results = notes(NULL, false);
    assert_int_equal(results.note_count, 0);
    machine.facts.smbios.channels_named = machine.facts.smbios.channels_filled = 1;
    results = notes(NULL, false);
    assert_int_equal(results.note_count, 0);
}

static void void_notes_come_first(void **state)
{
    (void)state;
    arena_init(&arena, memory, sizeof memory);
    fake_machine_init(&machine, 2, "GenuineIntel");
    fake_leaf(&machine, 1, 0, 0x606a6, 8 << 8, 0, 0);
    fake_msr(&machine, 1, 0x38d, 0x330); /* and no invariant TSC */
    struct bench_results results = notes(NULL, false);
    assert_int_equal(results.note_count, 2);
    assert_true(results.notes[0].is_void);
    assert_false(results.notes[1].is_void);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_healthy_machine_has_no_notes),
        cmocka_unit_test(a_hypervisor_voids_the_image_but_not_the_hosted_run),
        cmocka_unit_test(memory_type_is_looked_at_on_every_cpu),
        cmocka_unit_test(fast_strings_off_voids_only_intel),
        cmocka_unit_test(mixed_microcode_is_told_with_both_revisions),
        cmocka_unit_test(counters_in_use_are_found_in_either_register),
        cmocka_unit_test(a_cpu_with_its_caches_off_voids_the_run),
        cmocka_unit_test(one_filled_memory_device_of_several_voids_the_run),
        cmocka_unit_test(locators_that_name_one_channel_are_a_hint),
        cmocka_unit_test(void_notes_come_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
