/* Packed files: a stream made by hand, what pack.c makes, cut and damaged ones. */
#include "host/unpack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/extract.h"
#include "kernel/lib/crc32.h"
#include "kernel/report/pack.h"
#include "tests/unit/unit_test.h"

/* 3 literals "abc", then a match of 9 bytes from 3 bytes back, as docs/report.md describes
 * the stream; both CRCs by Python's zlib. */
#define HAND_TEXT "abcabcabcabc"
#define HAND_PACKED "coretruth-packed 1 a.txt bytes=12 crc32=5a6e2a34\nA2FiYwkD\n"
#define HAND_FRAME_CRC "111a2d0f"
#define HAND_FRAME_BYTES "58"

static struct unpacked made;

static bool unpack_copy(const char *text, size_t length)
{
    /* On the heap without a byte to spare, so that a read beyond the end is seen. */
    char *copy = malloc(length ? length : 1);
    bool is_packed;

    memcpy(copy, text, length);
    is_packed = unpack_text(copy, length, &made);
    free(copy);
    return is_packed;
}

static void a_stream_made_by_hand_is_read(void **state)
{
    (void)state;
    assert_true(unpack_copy(HAND_PACKED, strlen(HAND_PACKED)));
    assert_string_equal(made.name, "a.txt");
    assert_int_equal(made.length_bytes, strlen(HAND_TEXT));
    assert_memory_equal(made.bytes, HAND_TEXT, strlen(HAND_TEXT));
    assert_int_equal(made.crc, made.expected_crc);
    free(made.bytes);
}

static void extract_gives_the_file_that_was_packed(void **state)
{
    static const char log[] = "\n#coretruth begin a.txt.packed bytes=" HAND_FRAME_BYTES "\n" HAND_PACKED
                              "#coretruth end a.txt.packed crc32=" HAND_FRAME_CRC "\n"
                              "#coretruth done status=pass\n";
    struct extract_log parsed;

    (void)state;
    assert_true(extract_parse(log, strlen(log), &parsed));
    assert_true(extract_is_whole(&parsed, 0));
    assert_string_equal(parsed.reports[0].files[0].name, "a.txt");
    assert_int_equal(parsed.reports[0].files[0].length_bytes, strlen(HAND_TEXT));
    assert_memory_equal(parsed.reports[0].files[0].bytes, HAND_TEXT, strlen(HAND_TEXT));
    extract_free(&parsed);
}

static void what_does_not_fit_ends_the_file(void **state)
{
    static const char *const streams[] = {
        "A2FiYwoD", /* a match beyond the announced length */
        "A2FiYwkE", /* from before the start of the file */
        "A2FiYwkA", /* from nowhere */
        "DWFiYwkD", /* more literals than bytes */
        "A2Fi#wkD", /* no base64 */
        "A2FiYw",   /* cut */
    };
    char text[128];

    (void)state;
    for (size_t i = 0; i < sizeof(streams) / sizeof(streams[0]); i++) {
        snprintf(text, sizeof(text), "coretruth-packed 1 a.txt bytes=12 crc32=5a6e2a34\n%s\n", streams[i]);
        assert_true(unpack_copy(text, strlen(text)));
        assert_in_range(made.length_bytes, 0, 3);
        assert_int_not_equal(made.crc, made.expected_crc);
        free(made.bytes);
    }
    assert_false(unpack_copy("coretruth-packed 2 a.txt bytes=12 crc32=5a6e2a34\n", 47));
    assert_false(unpack_copy("", 0));
}

/* A text like a report's: neighbours that differ in numbers, the whole of it twice. */
static size_t make_text(char *text, size_t capacity, unsigned cpu_count)
{
    size_t length = 0;

    for (unsigned turn = 0; turn < 2; turn++)
        for (unsigned cpu = 0; cpu < cpu_count; cpu++)
            length += (size_t)snprintf(text + length, capacity - length,
                                       "{\"cpu\":%u,\"siblings\":\"%u-%u\",\"turn\":%u}\n", cpu,
                                       cpu & ~1u, cpu | 1, turn);
    return length;
}

static void every_length_comes_back(void **state)
{
    size_t capacity = 1 << 20, size = 1 << 20;
    char *text = malloc(capacity), *packed = malloc(capacity);
    struct arena arena;
    struct pack_tables *tables;

    (void)state;
    arena_init(&arena, malloc(size), size);
    tables = pack_new_tables(&arena);
    assert_non_null(tables);
    size_t whole = make_text(text, capacity, 2000);
    for (size_t length = 0; length <= whole; length = length < 300 ? length + 1 : length * 3 / 2) {
        struct textbuf out;

        textbuf_init(&out, packed, capacity);
        pack_write(tables, "report.json", text, length, crc32_update(0, text, length), &out);
        assert_false(out.is_cut);
        assert_true(unpack_copy(packed, out.length));
        assert_int_equal(made.length_bytes, length);
        assert_memory_equal(made.bytes, text, length);
        assert_int_equal(made.crc, made.expected_crc);
        if (length > 100000)
            assert_true(out.length < length / 3);
        free(made.bytes);
    }
    free(arena.base);
    free(packed);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_made_by_hand_is_read),
        cmocka_unit_test(extract_gives_the_file_that_was_packed),
        cmocka_unit_test(what_does_not_fit_ends_the_file),
        cmocka_unit_test(every_length_comes_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
