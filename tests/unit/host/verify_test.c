/* A comparison that cannot fail proves nothing: changed expectations, and lists of
 * differences that say too much or too little. */
#include "host/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/input.h"
#include "tests/unit/unit_test.h"

static const char machine[] = "tests/corpus/machines/intel-raptorlake-core-i7-1370p-20t.txt";
static const char record[] = "tests/oracle/recorded/6.1/intel-2c2t.txt";
static const char old_sysfs[] =
    "tests/corpus/machines/amd-bulldozer-opteron-6272-4s-64t-b.txt";

/* A file of this text; the path stays valid until the next call. */
static const char *temporary(const char *text)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/coretruth-verify-XXXXXX");
    int handle = mkstemp(path);

    assert_true(handle >= 0);
    assert_int_equal(write(handle, text, strlen(text)), strlen(text));
    close(handle);
    return path;
}

static uint64_t sum_different(const struct verify *verify)
{
    uint64_t sum = 0;

    for (unsigned source = 0; source < SOURCE_COUNT; source++)
        for (unsigned profile = 0; profile < RULE_PROFILE_COUNT; profile++)
            sum += verify->counts[source][profile].different;
    return sum;
}

static void a_changed_list_is_one_difference_a_cpu(void **state)
{
    struct verify good = {.is_quiet = true}, bad = {.is_quiet = true};
    size_t length;
    char *text = input_read_file(machine, &length), *list;

    (void)state;
    verify_file(&good, machine);
    assert_int_equal(sum_different(&good), 0);
    assert_int_equal(good.unreadable, 0);
    list = strstr(text, "expect-sysfs cpu 0 core_siblings_list 0-19");
    assert_non_null(list);
    memcpy(list, "expect-sysfs cpu 0 core_siblings_list 0-18", 42);
    const char *path = temporary(text);
    verify_file(&bad, path);
    unlink(path);
    free(text);
    assert_int_equal(sum_different(&bad), 1);
}

static void a_profile_of_another_age_differs(void **state)
{
    struct verify verify = {.is_quiet = true, .forced = rules_find("linux-4.9")};

    (void)state;
    verify_file(&verify, "tests/corpus/machines/amd-bulldozer-opteron-6272-4s-64t-a.txt");
    /* All 64 CPUs lose their sibling. */
    assert_true(sum_different(&verify) >= 64);
}

static void a_file_that_cannot_be_read_is_counted(void **state)
{
    struct verify verify = {.is_quiet = true};

    (void)state;
    verify_file(&verify, "tests/corpus/machines/no-such-machine.txt");
    assert_int_equal(verify.unreadable, 1);
}

static void verify_with_list(const char *list, struct verify *verify, unsigned *left)
{
    struct explained explained;
    const char *path = temporary(list);

    assert_true(explained_read(path, &explained));
    *verify = (struct verify){.is_quiet = true, .explained = &explained};
    verify_file(verify, old_sysfs);
    *left = explained_left(&explained, path);
    explained_free(&explained);
    unlink(path);
}

static void listed_differences_are_accepted_and_no_others(void **state)
{
    static const char name[] = "amd-bulldozer-opteron-6272-4s-64t-b linux-6.1 ";
    struct verify verify;
    char list[512];
    unsigned left;

    (void)state;
    snprintf(list, sizeof list, "# why\n\n%scache1/shared_cpu_list 0-63 old\n"
             "%scache2/shared_cpu_list 0-62 old\n", name, name);
    verify_with_list(list, &verify, &left);
    assert_int_equal(sum_different(&verify), 1);
    assert_int_equal(left, 0);
}

static void a_listed_difference_that_does_not_occur_is_left_over(void **state)
{
    struct verify verify;
    unsigned left;

    (void)state;
    verify_with_list("amd-bulldozer-opteron-6272-4s-64t-b linux-6.1 core_id 3 none\n", &verify,
                     &left);
    assert_int_equal(left, 1);
    verify_with_list("another-machine linux-6.1 core_id 3 none\n", &verify, &left);
    assert_int_equal(left, 0);
}

/* How many differences a record has once `from` in it has become `to`. */
static uint64_t differences_with(const char *from, const char *to, struct verify *verify)
{
    size_t length, from_length = strlen(from), to_length = strlen(to);
    char *text = input_read_file(record, &length), *at = strstr(text, from);

    assert_non_null(at);
    assert_true(to_length <= from_length);
    memcpy(at, to, to_length);
    memmove(at + to_length, at + from_length, strlen(at + from_length) + 1);
    *verify = (struct verify){.is_quiet = true};
    const char *path = temporary(text);
    verify_file(verify, path);
    unlink(path);
    free(text);
    return sum_different(verify);
}

/* What a profile does not conclude is no reason to skip what the kernel said. */
static void a_directory_more_or_less_is_a_difference(void **state)
{
    struct verify verify;

    (void)state;
    assert_int_equal(differences_with("config:", "config:", &verify), 0);
    assert_int_equal(differences_with("cpu3 core_id 1\n", "cpu9 core_id 1\n", &verify), 2);
    assert_int_equal(differences_with("cpu3 core_id 1\n", "", &verify), 1);
    assert_int_equal(differences_with("cpu3 index3 level 3\n", "cpu3 index9 level 3\n", &verify), 2);
    assert_int_equal(differences_with("cpu3 domain1 f\n", "", &verify), 1);
    assert_int_equal(differences_with("node0 cpulist 0-3\n", "node5 cpulist 0-3\n", &verify), 1);
    assert_int_equal(differences_with("cpu3 siblings: 4\n", "cpu3 siblings: 2\n", &verify), 1);
}

/* The label of a record is free, and its kernel is not. */
static void the_release_names_the_profile_of_a_record(void **state)
{
    struct verify verify;
    unsigned profile = (unsigned)(rules_find("linux-6.1") - rule_profiles);

    (void)state;
    assert_int_equal(differences_with("kernel: 6.1\n", "kernel: a\n", &verify), 0);
    assert_true(verify.counts[SOURCE_RECORD][profile].equal > 0);
}

static void a_table_that_is_cut_makes_a_record_unreadable(void **state)
{
    struct verify verify;

    (void)state;
    assert_int_equal(differences_with("== acpi APIC\n41504943", "== acpi APIC\n", &verify), 0);
    assert_int_equal(verify.unreadable, 1);
    assert_int_equal(differences_with("\n== end\n", "\n", &verify), 0);
    assert_int_equal(verify.unreadable, 1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_changed_list_is_one_difference_a_cpu),
        cmocka_unit_test(a_profile_of_another_age_differs),
        cmocka_unit_test(a_file_that_cannot_be_read_is_counted),
        cmocka_unit_test(listed_differences_are_accepted_and_no_others),
        cmocka_unit_test(a_listed_difference_that_does_not_occur_is_left_over),
        cmocka_unit_test(a_directory_more_or_less_is_a_difference),
        cmocka_unit_test(the_release_names_the_profile_of_a_record),
        cmocka_unit_test(a_table_that_is_cut_makes_a_record_unreadable),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
