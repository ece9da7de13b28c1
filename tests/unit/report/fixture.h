/* A small machine and its model for the tests of the report: two packages of two
 * cores with two threads, told by CPUID leaves as an Intel server would. */
#ifndef TESTS_UNIT_REPORT_FIXTURE_H
#define TESTS_UNIT_REPORT_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/facts/facts_read.h"
#include "kernel/options/options.h"
#include "kernel/report/formats.h"
#include "kernel/report/report.h"
#include "tests/unit/unit_test.h"

struct fixture {
    struct arena arena;
    struct machine_facts facts;
    struct expectations expectations;
    struct topology topologies[RULE_PROFILE_COUNT];
    struct findings findings;
    struct options options;
    struct report_check checks[3];
    struct report_phase phases[1];
    struct report_model model;
};

/* "GenuineIntel", Family 6 model 85, brand "Test CPU @ 2.00GHz"; leaf 4: 32K L1d and
 * 1M L2 for a core, 16M L3 for a package; leaf B: shift 1 and 2. */
static inline void fixture_put_cpu(FILE *out, unsigned apic_id)
{
    fprintf(out, "cpu %u\n", apic_id);
    fprintf(out, "00000000 0 0000000b 756e6547 6c65746e 49656e69\n");
    fprintf(out, "00000001 0 00050654 %02x040800 00200000 178bfbff\n", apic_id);
    fprintf(out, "00000004 0 04004121 01c0003f 0000003f 00000000\n");
    fprintf(out, "00000004 1 04004143 03c0003f 000003ff 00000000\n");
    fprintf(out, "00000004 2 0400c163 03c0003f 00003fff 00000000\n");
    fprintf(out, "end 00000004 3\n");
    fprintf(out, "0000000b 0 00000001 00000002 00000100 %08x\n", apic_id);
    fprintf(out, "0000000b 1 00000002 00000004 00000201 %08x\n", apic_id);
    fprintf(out, "end 0000000b 2\n");
    fprintf(out, "80000000 0 80000004 00000000 00000000 00000000\n");
    fprintf(out, "80000002 0 74736554 55504320 32204020 4730302e\n");
    fprintf(out, "80000003 0 00007a48 00000000 00000000 00000000\n");
    fprintf(out, "80000004 0 00000000 00000000 00000000 00000000\n");
    fprintf(out, "msr 0000008b 0200006400000000\n");
}

static inline void fixture_start(struct fixture *fixture)
{
    static const char *const profiles[] = {"a", "b", "c", "d", "e", "f", "g"};
    static const char *const variants[] = {"orig"};
    struct options_words words = {{profiles, 7}, {variants, 1}, report_words()};
    size_t size = 64 << 20, length;
    struct input_error error = {0};
    char *text;
    FILE *out = open_memstream(&text, &length);

    memset(fixture, 0, sizeof(*fixture));
    arena_init(&fixture->arena, malloc(size), size);
    fprintf(out, "# coretruth-cpuid 1\n");
    for (unsigned apic_id = 0; apic_id < 8; apic_id++)
        fixture_put_cpu(out, apic_id);
    fclose(out);
    if (!facts_read(text, length, "fixture", &fixture->arena, &fixture->facts,
                    &fixture->expectations, &error))
        fail_msg("%s", error.text);
    free(text);
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++) {
        assert_true(topology_build(&fixture->facts, &rule_profiles[i], &fixture->arena,
                                   &fixture->topologies[i]));
        fixture->model.topologies[i] = &fixture->topologies[i];
    }
    assert_true(findings_init(&fixture->findings, 8, 8, &fixture->arena));
    assert_true(options_parse(&fixture->options, "seed=7", &words, &error));
    fixture->checks[0] = (struct report_check){"every-cpu-answered", CHECK_OK, NULL, false};
    fixture->checks[1] = (struct report_check){"no-pmu", CHECK_SKIPPED, "no counters", false};
    fixture->phases[0] = (struct report_phase){"reading", 1000, 3000, 0};
    fixture->model.version = "v1-test";
    fixture->model.boot_path = "bios-grub";
    fixture->model.quiet = "none";
    fixture->model.loader = "GRUB 2.06";
    fixture->model.options = &fixture->options;
    fixture->model.facts = &fixture->facts;
    fixture->model.findings = &fixture->findings;
    fixture->model.checks = fixture->checks;
    fixture->model.check_count = 2;
    fixture->model.phases = fixture->phases;
    fixture->model.phase_count = 1;
}

static inline void fixture_end(struct fixture *fixture)
{
    free(fixture->arena.base);
}

/* The whole text of a format, NUL-terminated; the caller frees it. */
static inline char *fixture_text(const struct fixture *fixture,
                                 void (*write)(const struct report_model *, struct textbuf *))
{
    size_t size = 8 << 20;
    char *text = malloc(size);
    struct textbuf out;

    textbuf_init(&out, text, size);
    write(&fixture->model, &out);
    assert_false(out.is_cut);
    return text;
}

#endif
