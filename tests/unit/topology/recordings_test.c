/* Every recorded kernel against the rules: which domains /proc/schedstat lists,
 * how they are called, and what the kernel warned about. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/facts/facts_read.h"
#include "kernel/topology/checks.h"
#include "kernel/topology/domains.h"
#include "kernel/topology/rules.h"

enum { ARENA_BYTES = 64 << 20, PATH_BYTES = 512, FINDINGS_MAX = 256 };

static const char *const folders[] = {"tests/oracle/recorded", "tests/oracle/recorded-bochs"};
static const char *const kernels[] = {"5.10", "6.1", "6.12", "7.2"};

struct recording {
    const char *path;
    struct machine_facts facts;
    struct expectations expectations;
    struct topology topologies[RULE_PROFILE_COUNT];
    const struct topology *topology;
    struct findings findings;
    uint32_t rules;     /* bit of the kernel's profile */
};

typedef uint32_t (*recording_check)(const struct recording *recording, uint32_t *compared);

static uint8_t *memory;
static uint32_t spoken_count;   /* messages that a kernel printed and a check found */

static char *read_text(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text;

    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    text = malloc(*length + 1);
    assert_int_equal(fread(text, 1, *length, file), *length);
    text[*length] = 0;
    fclose(file);
    return text;
}

static void load(struct recording *recording, const char *path, const char *kernel)
{
    struct input_error error = {0};
    struct arena arena;
    char name[32];
    size_t length;
    char *text = read_text(path, &length);

    *recording = (struct recording){.path = path};
    snprintf(name, sizeof(name), "linux-%s", kernel);
    recording->rules = rules_bit(rules_find(name));
    arena_init(&arena, memory, ARENA_BYTES);
    assert_true(facts_read(text, length, path, &arena, &recording->facts,
                           &recording->expectations, &error));
    free(text);
    assert_true(topology_build_all(&recording->facts, recording->rules, &arena,
                                   recording->topologies));
    recording->topology = &recording->topologies[rules_find(name) - rule_profiles];
    assert_true(findings_init(&recording->findings, FINDINGS_MAX, recording->topology->cpu_count,
                              &arena));
    assert_true(checks_run(&recording->facts, recording->topologies, recording->rules, &arena,
                           &recording->findings));
}

/* Runs a check over all recordings. */
static void for_all(recording_check check)
{
    uint32_t compared = 0, different = 0, count = 0;

    memory = malloc(ARENA_BYTES);
    for (size_t f = 0; f < sizeof(folders) / sizeof(folders[0]); f++)
        for (size_t k = 0; k < sizeof(kernels) / sizeof(kernels[0]); k++) {
            char path[PATH_BYTES];
            struct dirent *entry;
            DIR *folder;

            snprintf(path, sizeof(path), "%s/%s", folders[f], kernels[k]);
            folder = opendir(path);
            while (folder && (entry = readdir(folder))) {
                struct recording recording;

                if (entry->d_name[0] == '.')
                    continue;
                snprintf(path, sizeof(path), "%s/%s/%s", folders[f], kernels[k], entry->d_name);
                load(&recording, path, kernels[k]);
                different += check(&recording, &compared);
                count++;
            }
            if (folder)
                closedir(folder);
        }
    free(memory);
    printf("%u recordings, %u values compared, %u different\n", count, compared, different);
    assert_true(count >= 240);
    assert_true(compared > count);
    assert_int_equal(different, 0);
}

static const struct expectation *find_domain(const struct recording *recording, uint32_t cpu,
                                             uint32_t domain, const char *name)
{
    return expectations_find(&recording->expectations, EXPECT_DOMAIN, cpu, domain, name);
}

/* The n-th domain that is kept, or UINT32_MAX. */
static uint32_t kept_level(const struct topology *topology, uint32_t cpu, uint32_t n)
{
    for (uint32_t level = 0; level < topology->level_count; level++)
        if (domains_is_kept(topology, level, cpu) && n-- == 0)
            return level;
    return UINT32_MAX;
}

/* The hex map of schedstat, digit by digit from the right. */
static bool is_same_map(const char *map, const struct cpumask *mask)
{
    uint32_t cpu = 0, members = 0;

    for (size_t i = strlen(map); i-- > 0;) {
        char digit[2] = {map[i], 0};
        unsigned long value;

        if (map[i] == ',')
            continue;
        value = strtoul(digit, NULL, 16);
        for (uint32_t bit = 0; bit < 4; bit++, cpu++) {
            if ((value >> bit & 1) != cpumask_has(mask, cpu))
                return false;
            members += value >> bit & 1;
        }
    }
    return members == cpumask_count(mask);
}

static uint32_t compare_domains(const struct recording *recording, uint32_t *compared)
{
    const struct topology *topology = recording->topology;
    uint32_t different = 0;

    CPUMASK_FOR_EACH(cpu, &topology->online)
        for (uint32_t n = 0;; n++) {
            uint32_t level = kept_level(topology, cpu, n);
            const struct expectation *span = find_domain(recording, cpu, n, "span");
            const struct expectation *name = find_domain(recording, cpu, n, "name");

            if (level == UINT32_MAX && !span && !name)
                break;
            *compared += 2;
            if (level == UINT32_MAX || !span ||
                !is_same_map(span->value, &topology->masks[topology->levels[level].span[cpu]]) ||
                (name && strcmp(name->value, topology->levels[level].name) != 0)) {
                printf("%s: cpu%u domain%u: kernel %s %s, rules %s\n", recording->path, cpu, n,
                       span ? span->value : "-", name ? name->value : "-",
                       level == UINT32_MAX ? "-" : topology->levels[level].name);
                different++;
                if (level == UINT32_MAX || !span)
                    break;
            }
        }
    return different;
}

/* What a kernel prints, by a part of it, and the check that must speak then and
 * only then. */
struct kernel_message {
    const char *part, *id;
    uint32_t msr;   /* without which a recording cannot tell */
};

static const struct kernel_message messages[] = {
    {"-sibling CPU #", "sibling-other-node", 0},
    {"domain not a subset of", "level-not-nested", 0},
    {"build_sched_domains", "span-check-fails", 0},
    {"APIC ID mismatch. CPUID:", "apic-id-cpuid-differs", 0},
    {"mismatch. Firmware:", "apic-id-madt-differs", 0},
    {"TSC doesn't count with P0", "tsc-not-p0", 0xC0010015},
    {"Topology domain", "cpuid-shift-differs", 0},
    {"has shift level 0", "cpuid-smt-shift-zero", 0},
    {"Unknown domain type", "cpuid-level-unknown", 0},
    {"APIC ID mismatch 0x", "cpuid-edx-differs", 0},
    {"parse_legacy", "cpuid-leaf1-leaf4-disagree", 0},
    {"enumeration order not", "madt-boot-cpu-not-first", 0},
    {"not marked in APICBASE", "madt-boot-cpu-unmarked", 0},
    {"not listed by", "madt-boot-cpu-missing", 0},
    {"x2apic entry ignored", "madt-x2apic-above-limit", 0},
    {"exceeds kernel limit of", "apic-id-too-large", 0},
    {"apicid that is too big", "apic-id-too-large", 0},
    {"Converting physical", "package-renumbered", 0},
    {"Re-enabling disabled Topology", "topoext-off", 0},
    {"SRAT not used", "srat-dropped", 0},
    {"nodes only cover", "srat-uncovered-memory", 0},
    {"SLIT table looks invalid", "slit-invalid", 0},
    {"No NUMA configuration found", "numa-none", 0},
    {"doesn't have the expected form for SNC", "slit-snc-form", 0},
};

static bool has_printed(const struct recording *recording, const char *part)
{
    for (uint32_t i = 0; i < recording->expectations.count; i++)
        if (recording->expectations.list[i].kind == EXPECT_DMESG &&
            strstr(recording->expectations.list[i].value, part))
            return true;
    return false;
}

static bool has_found(const struct recording *recording, const char *id)
{
    for (uint32_t i = 0; i < recording->findings.count; i++)
        if (strcmp(recording->findings.list[i].id, id) == 0 &&
            recording->findings.list[i].rules & recording->rules)
            return true;
    return false;
}

/* Several messages may belong to one check: it must speak when one was printed. */
static bool has_printed_for(const struct recording *recording, const char *id)
{
    for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++)
        if (strcmp(messages[i].id, id) == 0 && has_printed(recording, messages[i].part))
            return true;
    return false;
}

static uint32_t compare_messages(const struct recording *recording, uint32_t *compared)
{
    uint32_t different = 0;

    for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
        bool printed = has_printed_for(recording, messages[i].id);

        if (messages[i].msr && !facts_msr(&recording->facts.cpus[0], messages[i].msr))
            continue;
        ++*compared;
        spoken_count += printed;
        if (printed == has_found(recording, messages[i].id))
            continue;
        printf("%s: %s: the kernel %s\n", recording->path, messages[i].id,
               printed ? "warned, no finding" : "was silent, a finding");
        different++;
    }
    return different;
}

/* Checks that no kernel message stands for, and what they may say of a virtual
 * machine that QEMU or Bochs describes: looked at by hand, one by one. */
struct own_finding {
    const char *id, *part_of_name;
};

static const struct own_finding own_findings[] = {
    {"threads-made-cores", "amd-epyc-4c2t"},
    /* The rule for Hygon is APIC id >> 3; QEMU gives the part dies of four threads. */
    {"llc-wider-than-sharing", "hygon-tx-2s2d2c2t"},
    /* Leaf 1 counts 3 processors, leaf 4 has room for 4 cores: 3 div 4 is 0. */
    {"cpuid-undefined-arithmetic", "intel-level4-2s3c"},
};

static uint32_t judge_own_warnings(const struct recording *recording, uint32_t *compared)
{
    uint32_t different = 0;

    for (uint32_t i = 0; i < recording->findings.count; i++) {
        const struct finding *finding = &recording->findings.list[i];
        bool is_known = finding->severity == FINDING_INFO;

        for (size_t k = 0; k < sizeof(messages) / sizeof(messages[0]); k++)
            is_known |= strcmp(messages[k].id, finding->id) == 0;
        for (size_t k = 0; k < sizeof(own_findings) / sizeof(own_findings[0]); k++)
            is_known |= strcmp(own_findings[k].id, finding->id) == 0 &&
                        strstr(recording->path, own_findings[k].part_of_name);
        if (!is_known) {
            printf("%s: %s: %s\n", recording->path, finding->id, finding->text);
            different++;
        }
    }
    *compared += 2;
    return different;
}

static void schedstat_lists_the_domains_of_the_rules(void **state)
{
    (void)state;
    for_all(compare_domains);
}

static void checks_speak_when_the_kernel_does(void **state)
{
    (void)state;
    spoken_count = 0;
    for_all(compare_messages);
    assert_true(spoken_count > 200);
}

static void other_warnings_are_those_known_of_emulators(void **state)
{
    (void)state;
    for_all(judge_own_warnings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schedstat_lists_the_domains_of_the_rules),
        cmocka_unit_test(checks_speak_when_the_kernel_does),
        cmocka_unit_test(other_warnings_are_those_known_of_emulators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
