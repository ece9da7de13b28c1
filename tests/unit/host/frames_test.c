/* What kernel/report sends, host/extract.c reads: whole, cut at every byte, with a
 * terminal's CRs, and with a file that had no memory. */
#include "host/extract.h"

#include "kernel/report/frame.h"
#include "kernel/report/progress.h"
#include "tests/unit/report/fixture.h"

static struct fixture fixture;

struct wire {
    char *bytes;
    size_t length, capacity;
};

static bool write_wire(struct report_sink *sink, const void *bytes, size_t length)
{
    struct wire *wire = sink->context;

    if (wire->length + length > wire->capacity) {
        wire->capacity = (wire->length + length) * 2;
        wire->bytes = realloc(wire->bytes, wire->capacity);
    }
    memcpy(wire->bytes + wire->length, bytes, length);
    wire->length += length;
    return true;
}

static int start(void **state)
{
    (void)state;
    fixture_start(&fixture);
    return 0;
}

static int end(void **state)
{
    (void)state;
    fixture_end(&fixture);
    return 0;
}

/* A run's whole line: progress, then the report; `arena` may be too small. */
static struct wire send_run(uint32_t formats, struct arena *arena, struct report_files *files)
{
    struct wire wire = {0};
    struct report_sink sink = {
        .name = "wire", .wants = SINK_PROGRESS | SINK_FILES, .write = write_wire,
        .context = &wire,
    };
    struct report_sink *sinks[] = {&sink};
    struct progress progress;

    fixture.options.report = formats;
    progress_init(&progress, sinks, 1);
    progress_say(&progress, "coretruth %s", "v1");
    progress_phase(&progress, "starting 7 CPUs", 500000);
    progress_update(&progress, 1, 2, 562900, 61000);
    frame_make_files(&fixture.model, arena, files);
    frame_send(&fixture.model, files, sinks, 1);
    assert_int_equal(sink.written_bytes, wire.length);
    return wire;
}

static void every_file_comes_back_byte_for_byte(void **state)
{
    struct report_files files;
    struct wire wire = send_run(UINT32_MAX, &fixture.arena, &files);
    struct extract_log log;

    (void)state;
    assert_int_equal(files.count, report_format_count);
    assert_int_equal(files.not_kept, 0);
    assert_true(extract_parse(wire.bytes, wire.length, &log));
    assert_int_equal(log.report_count, 1);
    assert_true(extract_is_whole(&log, 0));
    assert_int_equal(log.reports[0].file_count, files.count);
    for (uint32_t i = 0; i < files.count; i++) {
        const struct extract_file *file = &log.reports[0].files[i];

        assert_string_equal(file->name, files.list[i].format->file_name);
        assert_int_equal(file->length_bytes, files.list[i].length_bytes);
        assert_memory_equal(file->bytes, files.list[i].bytes, file->length_bytes);
    }
    extract_free(&log);
    free(wire.bytes);
}

static void a_full_arena_changes_nothing_on_the_line(void **state)
{
    static uint8_t memory[6000];
    struct arena small;
    struct report_files files, kept;
    struct wire streamed, whole;

    (void)state;
    arena_init(&small, memory, sizeof(memory));
    whole = send_run(UINT32_MAX, &fixture.arena, &kept);
    streamed = send_run(UINT32_MAX, &small, &files);
    assert_in_range(files.not_kept, 1, files.count - 1);
    assert_int_equal(streamed.length, whole.length);
    assert_memory_equal(streamed.bytes, whole.bytes, whole.length);
    free(streamed.bytes);
    free(whole.bytes);
}

static void a_real_log_cut_at_any_byte_is_told_from_a_whole_one(void **state)
{
    struct report_files files;
    struct wire wire = send_run(3, &fixture.arena, &files); /* report.txt, results.tap */
    struct extract_log log;

    (void)state;
    assert_int_equal(files.count, 2);
    for (size_t cut = 0; cut < wire.length; cut++) {
        char *part = malloc(cut ? cut : 1);

        memcpy(part, wire.bytes, cut);
        assert_true(extract_parse(part, cut, &log));
        if (log.report_count && cut < wire.length - 1)
            assert_false(extract_is_whole(&log, 0));
        for (uint32_t i = 0; log.report_count && i < log.reports[0].file_count; i++) {
            const struct extract_file *file = &log.reports[0].files[i];

            if (file->state == EXTRACT_WHOLE)
                assert_memory_equal(file->bytes, files.list[i].bytes, file->length_bytes);
            else
                assert_in_range(file->end.offset, file->begin.offset, cut);
        }
        extract_free(&log);
        free(part);
    }
    free(wire.bytes);
}

static void the_last_line_is_the_status(void **state)
{
    struct report_files files;
    struct wire wire;
    static const char last[] = "\n#coretruth done status=fail\n";

    (void)state;
    fixture.model.fail_reason = "stopped";
    wire = send_run(1, &fixture.arena, &files);
    assert_memory_equal(wire.bytes + wire.length - strlen(last), last, strlen(last));
    free(wire.bytes);
}

static void progress_is_told_in_steps_with_the_time_gone_and_left(void **state)
{
    struct report_files files;
    struct wire wire = send_run(1, &fixture.arena, &files);
    static const char expected[] = "coretruth v1\r\n[  0%] starting 7 CPUs, 0 s gone\r\n"
                                   "[ 50%] starting 7 CPUs, 1 min 2 s gone, 1 min 1 s left\r\n"
                                   "\n#coretruth begin report.txt bytes=";

    (void)state;
    assert_memory_equal(wire.bytes, expected, strlen(expected));
    free(wire.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_file_comes_back_byte_for_byte, start, end),
        cmocka_unit_test_setup_teardown(a_full_arena_changes_nothing_on_the_line, start, end),
        cmocka_unit_test_setup_teardown(a_real_log_cut_at_any_byte_is_told_from_a_whole_one,
                                        start, end),
        cmocka_unit_test_setup_teardown(the_last_line_is_the_status, start, end),
        cmocka_unit_test_setup_teardown(progress_is_told_in_steps_with_the_time_gone_and_left, start, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
