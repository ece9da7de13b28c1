/* Which profiles an expectation is compared under, and what becomes of the result. */
#include "host/verify.h"

#include <stdio.h>
#include <string.h>

#include "host/colour.h"
#include "host/compare.h"
#include "host/compare_extras.h"
#include "host/complain.h"
#include "host/machine.h"

enum { TEXT_BYTES = 1 << 16, NAME_BYTES = 160 };

/* Kernels of recorded machines that nobody wrote down: a recent classic one. */
static const char *const profile_of_unknown_kernel = "linux-6.1";
/* Other tools' truths name no kernel: those that know all vendors must agree. */
static const char *const profiles_of_tools[] = {"linux-5.10", "linux-6.1", "linux-6.12",
                                                "linux-7.2"};

struct file_check {
    struct verify *verify;
    const char *path;
    char name[NAME_BYTES];            /* of the machine, for the list of differences */
    struct machine machine;
    struct compare_machine objects;
    bool is_counted[SOURCE_COUNT][RULE_PROFILE_COUNT];
};

static enum verify_source source_of(const struct file_check *check,
                                    const struct expectation *expected)
{
    switch (expected->kind) {
    case EXPECT_HWLOC_LINUX:
        return SOURCE_HWLOC_LINUX;
    case EXPECT_HWLOC_X86:
        return SOURCE_HWLOC_X86;
    case EXPECT_AIDA64:
        return SOURCE_AIDA64;
    case EXPECT_LIBCPUID:
        return SOURCE_LIBCPUID;
    case EXPECT_CASE:
    case EXPECT_CASE_FINDING:
        return SOURCE_CASE;
    default:
        return check->machine.input.expectations.truth_count &&
               check->machine.input.expectations.truths[0].kind == TRUTH_RECORD ? SOURCE_RECORD
                                                                               : SOURCE_SYSFS;
    }
}

static uint32_t bit_named(const char *name)
{
    return rules_bit(rules_find(name));
}

/* expected-6.1.txt speaks for the last classic kernels, -6.12 for the reworked ones,
 * and a file without a kernel for all of these. */
static uint32_t profiles_of_case(const char *kernel)
{
    uint32_t classic = bit_named("linux-5.10") | bit_named("linux-6.1");
    uint32_t reworked = bit_named("linux-6.12") | bit_named("linux-7.2");

    return !kernel || !*kernel ? classic | reworked
         : strcmp(kernel, "6.1") == 0 ? classic
         : strcmp(kernel, "6.12") == 0 ? reworked : 0;
}

/* A record's label is free; the release that the kernel itself printed is not. */
static const struct rule_profile *profile_of_release(const struct expectations *expectations)
{
    const char *release = expectations_header(expectations, "release");

    return release ? rules_for_kernel(release) : NULL;
}

static uint32_t profile_of_truths(const struct expectations *expectations)
{
    const struct rule_profile *of_release = profile_of_release(expectations);

    if (of_release)
        return rules_bit(of_release);
    for (uint32_t i = 0; i < expectations->truth_count; i++) {
        const char *kernel = expectations->truths[i].kernel;
        const struct rule_profile *rules = kernel ? rules_for_kernel(kernel) : NULL;

        if (rules)
            return rules_bit(rules);
    }
    return bit_named(profile_of_unknown_kernel);
}

static uint32_t profiles_for_tools(void)
{
    uint32_t profiles = 0;

    for (size_t i = 0; i < sizeof profiles_of_tools / sizeof profiles_of_tools[0]; i++)
        profiles |= bit_named(profiles_of_tools[i]);
    return profiles;
}

static uint32_t profiles_of(const struct file_check *check, const struct expectation *expected)
{
    enum verify_source source = source_of(check, expected);
    bool is_case = source == SOURCE_CASE;
    uint32_t own = is_case ? profiles_of_case(expected->kernel)
                 : source == SOURCE_SYSFS || source == SOURCE_RECORD
                     ? profile_of_truths(&check->machine.input.expectations)
                     : profiles_for_tools();

    if (!check->verify->forced)
        return own;
    /* A case says for which kernels it is right; a machine may be asked about any. */
    return is_case ? own & rules_bit(check->verify->forced) : rules_bit(check->verify->forced);
}

static void put_name(const struct expectation *expected, char *name)
{
    static const char *const prefixes[] = {
        [EXPECT_X86TOPO] = "x86topo/", [EXPECT_CPUINFO] = "cpuinfo/", [EXPECT_HWLOC_LINUX] = "hwloc-linux/",
        [EXPECT_HWLOC_X86] = "hwloc-x86/", [EXPECT_AIDA64] = "aida64/", [EXPECT_CASE] = "case/",
    };
    const char *prefix = expected->kind < sizeof prefixes / sizeof prefixes[0] &&
                         prefixes[expected->kind] ? prefixes[expected->kind] : "";

    if (expected->kind == EXPECT_CACHE)
        snprintf(name, NAME_BYTES, "cache%u/%s", expected->index, expected->name);
    else if (expected->kind == EXPECT_NODE && expected->index != EXPECTATION_NONE)
        snprintf(name, NAME_BYTES, "node%u/%s", expected->index, expected->name);
    else if (expected->kind == EXPECT_DOMAIN)
        snprintf(name, NAME_BYTES, "domain%u/%s", expected->index, expected->name);
    else if (expected->kind == EXPECT_LIBCPUID)
        snprintf(name, NAME_BYTES, "libcpuid/%s/%s", expected->more, expected->name);
    else
        snprintf(name, NAME_BYTES, "%s%s", prefix, expected->name);
}

/* The CPU that a difference is filed under: an object's first one, else CPU 0. */
static uint32_t cpu_of(const struct expectation *expected)
{
    unsigned first;

    if (expected->cpu != EXPECTATION_NONE)
        return expected->cpu;
    if ((expected->kind == EXPECT_HWLOC_LINUX || expected->kind == EXPECT_HWLOC_X86) &&
        sscanf(expected->value, "%u", &first) == 1)
        return first;
    return 0;
}

static void put_difference(struct file_check *check, const struct expectation *expected,
                           const struct rule_profile *rules, const char *got)
{
    char name[NAME_BYTES];

    put_name(expected, name);
    fputs(colour_text(stdout, COLOUR_BAD), stdout);
    if (expected->cpu == EXPECTATION_NONE)
        printf("%s:%u: %s: %s: expected %s, got %s", check->path, expected->line,
               rules_name(rules), name, expected->value, *got ? got : "-");
    else
        printf("%s:%u: %s: cpu %u %s: expected %s, got %s", check->path, expected->line,
               rules_name(rules), expected->cpu, name, expected->value, *got ? got : "-");
    printf("%s\n", colour_text(stdout, COLOUR_NONE));
}

static void count_difference(struct file_check *check, const struct expectation *expected,
                             const struct rule_profile *rules, struct verify_counts *counts,
                             const char *got)
{
    char name[NAME_BYTES];
    const char *reason = NULL;

    put_name(expected, name);
    if (check->verify->explained)
        reason = explained_take(check->verify->explained, check->name, rules_name(rules), name,
                                cpu_of(expected));
    if (reason) {
        counts->explained++;
        return;
    }
    counts->different++;
    if (!check->verify->is_quiet)
        put_difference(check, expected, rules, got);
}

static void count_reason(struct verify *verify, const char *text)
{
    for (unsigned i = 0; i < VERIFY_MAX_REASONS; i++) {
        struct verify_reason *reason = &verify->reasons[i];

        if (reason->text && strcmp(reason->text, text) != 0)
            continue;
        reason->text = text;
        reason->count++;
        return;
    }
}

static void check_one(struct file_check *check, const struct expectation *expected,
                      unsigned profile)
{
    static char got[TEXT_BYTES];
    struct compared result = {.got = got, .got_bytes = sizeof got};
    enum verify_source source = source_of(check, expected);
    struct verify_counts *counts = &check->verify->counts[source][profile];

    got[0] = '\0';
    check->objects.topology = &check->machine.topologies[profile];
    if (source == SOURCE_HWLOC_LINUX || source == SOURCE_HWLOC_X86 || source == SOURCE_AIDA64 ||
        source == SOURCE_LIBCPUID)
        compare_objects(&check->objects, expected, &result);
    else
        compare_sysfs(check->objects.topology, expected, &result);
    switch (result.outcome) {
    case COMPARE_EQUAL:
        counts->equal++;
        break;
    case COMPARE_DIFFERENT:
        count_difference(check, expected, &rule_profiles[profile], counts, got);
        break;
    case COMPARE_BY_RULE:
        counts->by_rule++;
        break;
    case COMPARE_SKIPPED:
        counts->skipped++;
        count_reason(check->verify, result.reason);
        return;
    }
    if (!check->is_counted[source][profile]++)
        counts->machines++;
}

/* "…/NAME.txt" and "…/KERNEL/NAME.txt" are NAME and KERNEL/NAME in the list. */
static void take_name(struct file_check *check, const char *label)
{
    const char *slash = strrchr(check->path, '/'), *base = slash ? slash + 1 : check->path;
    size_t length = strlen(base);

    if (length > 4 && strcmp(base + length - 4, ".txt") == 0)
        length -= 4;
    snprintf(check->name, sizeof check->name, "%s%s%.*s", label ? label : "", label ? "/" : "",
             (int)length, base);
}

static uint32_t all_profiles(const struct file_check *check)
{
    const struct expectations *expectations = &check->machine.input.expectations;
    uint32_t profiles = 0;

    for (uint32_t i = 0; i < expectations->count; i++)
        profiles |= profiles_of(check, &expectations->list[i]);
    return profiles;
}

struct extras {
    struct file_check *check;
    unsigned profile;
};

static void check_extra(void *context, uint32_t cpu, const char *what, uint32_t recorded,
                        uint32_t concluded)
{
    const struct extras *extras = context;
    struct verify *verify = extras->check->verify;
    struct verify_counts *counts = &verify->counts[SOURCE_RECORD][extras->profile];

    if (recorded == concluded) {
        counts->equal++;
        return;
    }
    counts->different++;
    if (!verify->is_quiet)
        printf("%s: %s: cpu %u has %u %s, got %u\n", extras->check->path,
               rules_name(&rule_profiles[extras->profile]), cpu, recorded, what, concluded);
}

/* A record that does not say by which kernel cannot be compared with one. */
static bool states_its_kernel(const struct file_check *check)
{
    const struct expectations *expectations = &check->machine.input.expectations;
    bool is_record = expectations->truth_count && expectations->truths[0].kind == TRUTH_RECORD;

    if (!is_record || check->verify->forced || profile_of_release(expectations) ||
        rules_for_kernel(expectations->truths[0].kernel))
        return true;
    complain("%s: neither 'kernel: %.40s' nor a 'release' line names a version "
                    "like 6.1: give the profile with --rules", check->path,
            expectations->truths[0].kernel);
    return false;
}

static bool check_all(struct file_check *check, uint32_t profiles)
{
    const struct expectations *expectations = &check->machine.input.expectations;
    bool is_record = expectations->truth_count && expectations->truths[0].kind == TRUTH_RECORD;

    for (unsigned profile = 0; profile < RULE_PROFILE_COUNT; profile++) {
        if (!(profiles >> profile & 1))
            continue;
        if (check->verify->explained)
            explained_open(check->verify->explained, check->name,
                           rules_name(&rule_profiles[profile]));
        for (uint32_t i = 0; i < expectations->count; i++)
            if (profiles_of(check, &expectations->list[i]) >> profile & 1)
                check_one(check, &expectations->list[i], profile);
        struct extras extras = {check, profile};
        if (is_record && !compare_extras(&check->machine.topologies[profile], expectations,
                                         check_extra, &extras))
            return false;
    }
    return true;
}

void verify_file(struct verify *verify, const char *path)
{
    struct file_check check = {.verify = verify, .path = path};
    struct input against = {0};
    bool is_good = machine_open(path, &check.machine);

    if (is_good && verify->against) {
        is_good = input_load(verify->against, &against);
        check.machine.input.expectations = against.expectations;
        check.path = verify->against;
    }

    if (is_good) {
        take_name(&check, expectations_header(&check.machine.input.expectations, "config")
                              ? expectations_header(&check.machine.input.expectations, "kernel")
                              : NULL);
        uint32_t profiles = all_profiles(&check);

        is_good = (!profiles || machine_build(&check.machine, profiles)) &&
                  compare_machine_init(&check.objects, &check.machine.input.facts,
                                       &check.machine.input.expectations) &&
                  states_its_kernel(&check) && check_all(&check, profiles);
        compare_machine_free(&check.objects);
    }
    verify->unreadable += !is_good;
    machine_free(&check.machine);
    input_free(&against);
}
