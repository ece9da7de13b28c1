/* Tests kernel/lib/arena.c. */
#include "kernel/lib/arena.h"

#include <string.h>

#include "tests/unit/unit_test.h"

static void memory_is_zeroed_and_aligned(void **state)
{
    static _Alignas(64) uint8_t storage[256];
    struct arena arena;
    (void)state;

    memset(storage, 0xA5, sizeof(storage));
    arena_init(&arena, storage, sizeof(storage));
    assert_non_null(arena_alloc(&arena, 3, 1, 1));
    uint64_t *words = arena_alloc(&arena, 4, 8, 64);
    assert_ptr_equal(words, storage + 64);
    for (int i = 0; i < 4; i++)
        assert_int_equal(words[i], 0);
    assert_int_equal(arena_left_bytes(&arena), 256 - 96);
}

static void alignment_counts_from_the_address_not_from_the_base(void **state)
{
    static _Alignas(64) uint8_t storage[256];
    struct arena arena;
    (void)state;

    arena_init(&arena, storage + 1, 255);
    assert_ptr_equal(arena_alloc(&arena, 1, 8, 8), storage + 8);
}

static void a_request_that_does_not_fit_marks_the_arena_for_good(void **state)
{
    uint8_t storage[32];
    struct arena arena;
    (void)state;

    arena_init(&arena, storage, sizeof(storage));
    assert_null(arena_alloc(&arena, 33, 1, 1));
    assert_true(arena.is_exhausted);
    assert_non_null(arena_alloc(&arena, 32, 1, 1));
    assert_true(arena.is_exhausted);
    assert_int_equal(arena_left_bytes(&arena), 0);
}

static void a_product_that_overflows_is_refused(void **state)
{
    uint8_t storage[32];
    struct arena arena;
    (void)state;

    arena_init(&arena, storage, sizeof(storage));
    assert_null(arena_alloc(&arena, SIZE_MAX / 2 + 2, 2, 1));
    assert_null(arena_alloc(&arena, SIZE_MAX, 1, 16));
    assert_true(arena.is_exhausted);
}

static void an_arena_without_memory_gives_nothing(void **state)
{
    struct arena arena;
    (void)state;

    arena_init(&arena, NULL, 100);
    assert_int_equal(arena_left_bytes(&arena), 0);
    assert_null(arena_alloc(&arena, 1, 1, 1));
}

static void a_list_grows_in_place_when_it_lies_last(void **state)
{
    static _Alignas(64) uint8_t storage[1024];
    struct arena arena;
    uint32_t *list = NULL, *other = NULL, capacity = 0, other_capacity = 0;
    (void)state;

    arena_init(&arena, storage, sizeof(storage));
    for (uint32_t i = 0; i < 20; i++) {
        list = ARENA_GROW(&arena, list, i, &capacity);
        assert_non_null(list);
        list[i] = i;
    }
    assert_ptr_equal(list, storage);
    assert_int_equal(arena.used_bytes, 32 * sizeof(uint32_t));
    other = ARENA_GROW(&arena, other, 0, &other_capacity);
    for (uint32_t i = 20; i < 33; i++) {
        list = ARENA_GROW(&arena, list, i, &capacity);
        assert_non_null(list);
        list[i] = i;
    }
    assert_ptr_not_equal(list, storage);
    for (uint32_t i = 0; i < 33; i++)
        assert_int_equal(list[i], i);
    assert_int_equal(other[0], 0);
}

static void a_list_that_cannot_grow_stays_as_it_was(void **state)
{
    static _Alignas(64) uint8_t storage[40];
    struct arena arena;
    uint32_t *list = NULL, capacity = 0;
    (void)state;

    arena_init(&arena, storage, sizeof(storage));
    list = ARENA_GROW(&arena, list, 0, &capacity);
    list[7] = 7;
    assert_null(ARENA_GROW(&arena, list, 8, &capacity));
    assert_int_equal(capacity, 8);
    assert_int_equal(list[7], 7);
    assert_true(arena.is_exhausted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_and_aligned),
        cmocka_unit_test(alignment_counts_from_the_address_not_from_the_base),
        cmocka_unit_test(a_request_that_does_not_fit_marks_the_arena_for_good),
        cmocka_unit_test(a_product_that_overflows_is_refused),
        cmocka_unit_test(an_arena_without_memory_gives_nothing),
        cmocka_unit_test(a_list_grows_in_place_when_it_lies_last),
        cmocka_unit_test(a_list_that_cannot_grow_stays_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
