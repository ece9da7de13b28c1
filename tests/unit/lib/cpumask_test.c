/* Tests kernel/lib/cpumask.c. The texts are those of [rules 5] and of the
 * recorded kernels. */
#include "kernel/lib/cpumask.h"

#include "tests/unit/unit_test.h"

static uint8_t memory[1 << 16];
static struct arena arena;
static char storage[4096];
static struct textbuf out;

static int start(void **state)
{
    (void)state;
    arena_init(&arena, memory, sizeof(memory));
    return 0;
}

static struct cpumask mask_of(uint32_t capacity, const char *list)
{
    struct cpumask mask;

    assert_true(cpumask_init(&mask, capacity, &arena));
    assert_true(cpumask_parse_list(&mask, list));
    return mask;
}

static const char *list_of(const struct cpumask *mask)
{
    textbuf_init(&out, storage, sizeof(storage));
    cpumask_put_list(&out, mask);
    return storage;
}

static const char *hex_of(uint32_t nr_cpu_ids, const char *list)
{
    struct cpumask mask = mask_of(nr_cpu_ids, list);

    textbuf_init(&out, storage, sizeof(storage));
    cpumask_put_hex(&out, &mask, nr_cpu_ids);
    return storage;
}

static void a_list_joins_runs_of_two_or_more(void **state)
{
    static const char *const lists[] = {"",         "0",      "0-1",         "0-3,8",
                                        "0,2,4,6",  "63-64",  "0-127",       "0,64,127",
                                        "1-2,4-63", "0-8191", "8190,8192-8193"};
    (void)state;

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        struct cpumask mask = mask_of(8194, lists[i]);

        assert_string_equal(list_of(&mask), lists[i]);
    }
}

static void a_dash_is_the_empty_set(void **state)
{
    struct cpumask mask = mask_of(4, "-");
    (void)state;

    assert_int_equal(cpumask_count(&mask), 0);
    assert_int_equal(cpumask_first(&mask), CPUMASK_NONE);
}

static void hex_has_as_many_digits_as_possible_cpus_need(void **state)
{
    (void)state;
    assert_string_equal(hex_of(4, "0-1"), "3");
    assert_string_equal(hex_of(20, "12"), "01000");
    assert_string_equal(hex_of(72, "0,36"), "00,00000010,00000001");
    assert_string_equal(hex_of(256, "0,128"), "00000000,00000000,00000000,00000001,"
                                              "00000000,00000000,00000000,00000001");
    assert_string_equal(hex_of(32, "31"), "80000000");
    assert_string_equal(hex_of(33, "32"), "1,00000000");
    assert_string_equal(hex_of(1, "0"), "1");
}

static void hex_leaves_out_what_is_beyond_its_width(void **state)
{
    struct cpumask mask = mask_of(64, "0-9");
    (void)state;

    textbuf_init(&out, storage, sizeof(storage));
    cpumask_put_hex(&out, &mask, 6);
    assert_string_equal(storage, "3f");
    textbuf_init(&out, storage, sizeof(storage));
    cpumask_put_hex(&out, &mask, 0);
    assert_string_equal(storage, "");
}

static void a_broken_list_is_refused(void **state)
{
    static const char *const lists[] = {",",   "0,",  "a",   "1-",    "3-1",          "0,,1",
                                        "0 1", "0-x", "-1",  "0-1-2", "99999999999",  "4294967295",
                                        "128", "0-128", "1\n"};
    struct cpumask mask = mask_of(128, "");
    (void)state;

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        assert_false(cpumask_parse_list(&mask, lists[i]));
}

static void walking_meets_every_member_once(void **state)
{
    struct cpumask mask = mask_of(256, "0,63-64,130,255");
    static const uint32_t want[] = {0, 63, 64, 130, 255};
    uint32_t at = 0;
    (void)state;

    CPUMASK_FOR_EACH(cpu, &mask)
        assert_int_equal(cpu, want[at++]);
    assert_int_equal(at, 5);
    assert_int_equal(cpumask_count(&mask), 5);
    assert_int_equal(cpumask_next(&mask, 255), CPUMASK_NONE);
    assert_int_equal(cpumask_next(&mask, CPUMASK_NONE), CPUMASK_NONE);
}

static void members_beyond_the_capacity_do_not_exist(void **state)
{
    struct cpumask mask = mask_of(64, "");
    (void)state;

    cpumask_set(&mask, 64);
    cpumask_drop(&mask, 1000);
    assert_false(cpumask_has(&mask, 64));
    assert_int_equal(cpumask_count(&mask), 0);
}

static void sets_of_different_capacity_compare_as_if_padded(void **state)
{
    struct cpumask small = mask_of(64, "1-2"), large = mask_of(256, "1-2"),
                   more = mask_of(256, "1-2,200");
    (void)state;

    assert_true(cpumask_equal(&small, &large));
    assert_true(cpumask_equal(&large, &small));
    assert_false(cpumask_equal(&small, &more));
    assert_false(cpumask_equal(&more, &small));
    assert_true(cpumask_is_subset(&small, &more));
    assert_false(cpumask_is_subset(&more, &small));
    assert_true(cpumask_intersects(&small, &more));
}

static void or_and_and_copy_work_word_by_word(void **state)
{
    struct cpumask a = mask_of(128, "0-3,100"), b = mask_of(128, "2-5"), small = mask_of(64, "2");
    (void)state;

    cpumask_or(&a, &b);
    assert_string_equal(list_of(&a), "0-5,100");
    cpumask_and(&a, &b);
    assert_string_equal(list_of(&a), "2-5");
    cpumask_and(&a, &small);
    assert_string_equal(list_of(&a), "2");
    cpumask_copy(&a, &b);
    assert_string_equal(list_of(&a), "2-5");
    cpumask_drop(&a, 3);
    assert_string_equal(list_of(&a), "2,4-5");
}

static void a_full_arena_gives_no_mask(void **state)
{
    uint8_t little[8];
    struct arena small;
    struct cpumask mask;
    (void)state;

    arena_init(&small, little, sizeof(little));
    assert_false(cpumask_init(&mask, 1024, &small));
    assert_false(cpumask_has(&mask, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_list_joins_runs_of_two_or_more, start),
        cmocka_unit_test_setup(a_dash_is_the_empty_set, start),
        cmocka_unit_test_setup(hex_has_as_many_digits_as_possible_cpus_need, start),
        cmocka_unit_test_setup(hex_leaves_out_what_is_beyond_its_width, start),
        cmocka_unit_test_setup(a_broken_list_is_refused, start),
        cmocka_unit_test_setup(walking_meets_every_member_once, start),
        cmocka_unit_test_setup(members_beyond_the_capacity_do_not_exist, start),
        cmocka_unit_test_setup(sets_of_different_capacity_compare_as_if_padded, start),
        cmocka_unit_test_setup(or_and_and_copy_work_word_by_word, start),
        cmocka_unit_test_setup(a_full_arena_gives_no_mask, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
