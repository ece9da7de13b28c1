/* Logs of serial lines: whole, cut anywhere, damaged, repeated, with rubbish around. */
#include "host/extract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/lib/crc32.h"
#include "tests/unit/unit_test.h"

#define FIRST "status pass\nline two\n"
#define SECOND "{\"a\": 1}\n"
/* zlib.crc32() of the two texts, by Python. */
#define FIRST_CRC "99ca10d0"
#define SECOND_CRC "5c47a1fa"

#define FRAMES \
    "\n#coretruth begin report.txt bytes=21\n" FIRST "#coretruth end report.txt crc32=" FIRST_CRC "\n" \
    "\n#coretruth begin report.json bytes=9\n" SECOND "#coretruth end report.json crc32=" SECOND_CRC "\n" \
    "#coretruth done status=findings\n"
#define LEAD "\033[2J\033[01;01HBdsDxe: loading\r\n[ 50%] measuring\r\n"

static const char whole_log[] = LEAD FRAMES;

static struct extract_log parsed;

static void parse(const char *log, size_t length)
{
    /* An exact copy on the heap, so that a read beyond the end is seen. */
    char *copy = malloc(length ? length : 1);

    memcpy(copy, log, length);
    assert_true(extract_parse(copy, length, &parsed));
    free(copy);
}

static const struct extract_file *file_of(uint32_t report, const char *name)
{
    for (uint32_t i = 0; i < parsed.reports[report].file_count; i++) {
        if (!strcmp(parsed.reports[report].files[i].name, name))
            return &parsed.reports[report].files[i];
    }
    return NULL;
}

static void assert_content(const struct extract_file *file, const char *text)
{
    assert_non_null(file);
    assert_int_equal(file->state, EXTRACT_WHOLE);
    assert_int_equal(file->length_bytes, strlen(text));
    assert_memory_equal(file->bytes, text, strlen(text));
}

static void a_whole_log_gives_its_files(void **state)
{
    (void)state;
    parse(whole_log, strlen(whole_log));
    assert_int_equal(parsed.report_count, 1);
    assert_true(extract_is_whole(&parsed, 0));
    assert_string_equal(parsed.reports[0].status, "findings");
    assert_content(file_of(0, "report.txt"), FIRST);
    assert_content(file_of(0, "report.json"), SECOND);
    assert_int_equal(file_of(0, "report.txt")->begin.line, 4);
    assert_int_equal(file_of(0, "report.txt")->begin.offset, strlen(LEAD) + 1);
    extract_free(&parsed);
}

/* Only the line feed behind "done" may be missing. */
static void a_log_cut_at_any_byte_is_told_from_a_whole_one(void **state)
{
    size_t length = strlen(whole_log);
    size_t first_end = (size_t)(strstr(whole_log, FIRST_CRC) + 8 - whole_log);

    (void)state;
    for (size_t cut = 0; cut < length - 1; cut++) {
        parse(whole_log, cut);
        if (parsed.report_count) {
            assert_int_equal(parsed.report_count, 1);
            assert_false(extract_is_whole(&parsed, 0));
            assert_in_range(parsed.reports[0].end.offset, 0, cut);
            if (cut >= first_end)
                assert_content(file_of(0, "report.txt"), FIRST);
            else if (file_of(0, "report.txt"))
                assert_int_equal(file_of(0, "report.txt")->state, EXTRACT_CUT);
        }
        extract_free(&parsed);
    }
    parse(whole_log, length - 1);
    assert_true(extract_is_whole(&parsed, 0));
    extract_free(&parsed);
}

static void a_lost_changed_or_added_byte_anywhere_is_noticed(void **state)
{
    size_t start = strlen(LEAD) + 1, length = strlen(whole_log);

    (void)state;
    for (size_t at = start; at < length - 1; at++) {
        for (int how = 0; how < 3; how++) {
            char log[sizeof(whole_log) + 1];
            size_t used = 0;

            memcpy(log, whole_log, at);
            used = at;
            if (how == 1)
                log[used++] = whole_log[at] ^ 0x10;
            if (how == 2) {
                log[used++] = 'x';
                log[used++] = whole_log[at];
            }
            memcpy(log + used, whole_log + at + 1, length - at - 1);
            used += length - at - 1;
            /* The empty line before a frame and the end of one are nobody's bytes, and
             * something before "#" is rubbish that is allowed. */
            bool is_allowed = whole_log[at] == '\n' || whole_log[at] == '#';

            parse(log, used);
            for (uint32_t r = 0; r < parsed.report_count; r++) {
                for (uint32_t i = 0; i < parsed.reports[r].file_count; i++) {
                    const struct extract_file *file = &parsed.reports[r].files[i];

                    if (file->state == EXTRACT_WHOLE && !strcmp(file->name, "report.txt"))
                        assert_memory_equal(file->bytes, FIRST, strlen(FIRST));
                }
            }
            if (!is_allowed && parsed.report_count &&
                extract_is_whole(&parsed, parsed.report_count - 1))
                fail_msg("change %d at byte %zu went unnoticed", how, at);
            extract_free(&parsed);
        }
    }
}

static void a_lost_byte_costs_one_file(void **state)
{
    static const char log[] =
        "\n#coretruth begin report.txt bytes=21\nstatus pas\nline two\n"
        "#coretruth end report.txt crc32=" FIRST_CRC "\n"
        "\n#coretruth begin report.json bytes=9\n" SECOND "#coretruth end report.json crc32="
        SECOND_CRC "\n#coretruth done status=findings\n";

    (void)state;
    parse(log, strlen(log));
    assert_false(extract_is_whole(&parsed, 0));
    assert_int_equal(file_of(0, "report.txt")->state, EXTRACT_DAMAGED);
    assert_int_equal(file_of(0, "report.txt")->length_bytes, 20);
    assert_content(file_of(0, "report.json"), SECOND);
    extract_free(&parsed);
}

static void carriage_returns_of_a_terminal_are_dropped(void **state)
{
    char log[2 * sizeof(whole_log)];
    size_t used = 0;

    (void)state;
    for (size_t i = 0; whole_log[i]; i++) {
        if (whole_log[i] == '\n')
            log[used++] = '\r';
        log[used++] = whole_log[i];
    }
    parse(log, used);
    assert_true(extract_is_whole(&parsed, 0));
    assert_content(file_of(0, "report.txt"), FIRST);
    extract_free(&parsed);
}

static void several_boots_are_kept_apart(void **state)
{
    static const char log[] = LEAD FRAMES "Booting...\r\n" LEAD
        "\n#coretruth begin report.txt bytes=21\nstatus p" /* power cycle */ "\033[2JUEFI\r\n"
        LEAD FRAMES;

    (void)state;
    parse(log, strlen(log));
    assert_int_equal(parsed.report_count, 3);
    assert_true(extract_is_whole(&parsed, 0));
    assert_false(extract_is_whole(&parsed, 1));
    assert_int_equal(file_of(1, "report.txt")->state, EXTRACT_CUT);
    assert_true(extract_is_whole(&parsed, 2));
    extract_free(&parsed);
}

static void a_damaged_file_is_taken_from_a_copy_in_the_log(void **state)
{
    static const char log[] = FRAMES
        "\n#coretruth begin report.txt bytes=21\nstatus p\003ss\nline two\n"
        "#coretruth end report.txt crc32=" FIRST_CRC "\n#coretruth done status=pass\n";

    (void)state;
    parse(log, strlen(log));
    assert_int_equal(parsed.report_count, 2);
    assert_content(file_of(1, "report.txt"), FIRST);
    assert_true(file_of(1, "report.txt")->is_from_copy);
    assert_true(extract_is_whole(&parsed, 1));
    extract_free(&parsed);
}

static void names_that_would_leave_the_directory_are_refused(void **state)
{
    static const char *const names[] = {"../x", "/etc/x", "..", ".hidden", "a/b", "-o", "a\\b"};

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char log[200];

        snprintf(log, sizeof(log), "#coretruth begin %s bytes=0\n#coretruth end %s "
                 "crc32=00000000\n#coretruth done status=pass\n", names[i], names[i]);
        parse(log, strlen(log));
        assert_int_equal(parsed.report_count, 1);
        assert_int_equal(parsed.reports[0].file_count, 0);
        assert_false(extract_is_whole(&parsed, 0));
        extract_free(&parsed);
    }
}

/* The log with `put` called before each line; `ending` in place of line feeds. */
static char *dressed(size_t (*put)(char *at, unsigned line), const char *ending)
{
    static char log[sizeof(whole_log) * 8];
    size_t used = put(log, 0);
    unsigned line = 0;

    for (const char *c = whole_log; *c; c++) {
        if (*c == '\n') {
            used += (size_t)sprintf(log + used, "%s", ending);
            used += c[1] ? put(log + used, ++line) : 0;
        } else if (*c != '\r') {
            log[used++] = *c;
        }
    }
    log[used] = '\0';
    return log;
}

static size_t put_nothing(char *at, unsigned line) { (void)at; return line * 0; }
static size_t put_minicom(char *at, unsigned line)
{
    return (size_t)sprintf(at, "[2026-11-30 12:00:%02u] ", line);
}
static size_t put_ts(char *at, unsigned line)
{
    return (size_t)sprintf(at, "Nov %2u 12:00:00 ", 5 + line);
}
static size_t put_uptime(char *at, unsigned line)
{
    return (size_t)sprintf(at, "[%u.%06u] ", line * 37, line);
}
static size_t put_padded(char *at, unsigned line)
{
    return (size_t)sprintf(at, "[%5u.%06u] ", line * 37, line);
}
static size_t put_host(char *at, unsigned line)
{
    return (size_t)sprintf(at, "2026-11-30T12:00:%02u.123+01:00 rack7-bmc sol: ", line);
}
static size_t put_conserver(char *at, unsigned line)
{
    return (size_t)sprintf(at, "[%s Nov 30 12:%02u:00 2026]", line % 2 ? "Mon" : "Tue", line);
}

static void assert_all_files(const char *said)
{
    assert_int_equal(parsed.report_count, 1);
    assert_content(file_of(0, "report.txt"), FIRST);
    assert_content(file_of(0, "report.json"), SECOND);
    assert_true(extract_is_whole(&parsed, 0));
    if (!strstr(parsed.cleaned, said))
        fail_msg("\"%s\" does not say \"%s\"", parsed.cleaned, said);
    extract_free(&parsed);
}

static void times_before_each_line_are_left_out_and_said(void **state)
{
    size_t (*const styles[])(char *, unsigned) = {put_minicom, put_ts, put_uptime, put_padded,
                                                  put_host, put_conserver};
    const char *const endings[] = {"\n", "\r\n", "\r\r\n", "\n\r"};

    (void)state;
    for (size_t i = 0; i < sizeof(styles) / sizeof(styles[0]); i++) {
        for (size_t k = 0; k < sizeof(endings) / sizeof(endings[0]); k++) {
            const char *log = dressed(styles[i], endings[k]);

            parse(log, strlen(log));
            assert_int_equal(file_of(0, "report.txt")->begin.line, 4);
            assert_int_equal(file_of(0, "report.txt")->begin.offset,
                             strstr(log, "#coretruth begin") - log);
            assert_all_files("lines start with a prefix like \"");
        }
    }
}

/* Where it was cut is told in the log's own bytes. */
static void a_log_with_times_cut_at_any_byte_is_no_whole_one(void **state)
{
    const char *log = dressed(put_minicom, "\r\n");
    size_t first_end = (size_t)(strstr(log, FIRST_CRC) + 8 - log);

    (void)state;
    for (size_t cut = 0; cut < strlen(log) - 2; cut++) {
        parse(log, cut);
        assert_true(!parsed.report_count || !extract_is_whole(&parsed, 0));
        if (parsed.report_count)
            assert_in_range(parsed.reports[0].end.offset, 0, cut);
        if (cut >= first_end)
            assert_content(file_of(0, "report.txt"), FIRST);
        extract_free(&parsed);
    }
}

static void a_lost_byte_is_noticed_behind_times_too(void **state)
{
    char log[sizeof(whole_log) * 8];
    const char *whole = dressed(put_minicom, "\n");
    size_t length = strlen(whole), at = (size_t)(strstr(whole, "line two") + 3 - whole);

    (void)state;
    memcpy(log, whole, at);
    memcpy(log + at, whole + at + 1, length - at);
    parse(log, length - 1);
    assert_int_equal(file_of(0, "report.txt")->state, EXTRACT_DAMAGED);
    assert_in_range(at, file_of(0, "report.txt")->begin.offset, file_of(0, "report.txt")->end.offset);
    assert_content(file_of(0, "report.json"), SECOND);
    extract_free(&parsed);
}

static void lines_that_end_with_cr_alone_are_read(void **state)
{
    const char *log = dressed(put_nothing, "\r");

    (void)state;
    parse(log, strlen(log));
    assert_int_equal(file_of(0, "report.txt")->begin.line, 4);
    assert_all_files("lines end with CR alone");
}

static void lines_that_came_twice_are_taken_once(void **state)
{
    char log[sizeof(whole_log) * 2];
    size_t used = 0;

    (void)state;
    for (const char *line = whole_log; *line; line = strchr(line, '\n') + 1) {
        size_t bytes = (size_t)(strchr(line, '\n') + 1 - line);

        for (int twice = 0; twice < 2; twice++, used += bytes)
            memcpy(log + used, line, bytes);
    }
    parse(log, used);
    assert_all_files("lines are there twice");
}

/* Inside a line, before and behind it. */
static void nuls_and_escape_sequences_in_a_file_are_left_out(void **state)
{
    static const char log[] =
        "\n#coretruth begin rep\033[1;31mort.txt bytes=21\n\0\0status \033[0mpass\nline\0 two\n"
        "\033[K#coretruth end report.txt crc32=" FIRST_CRC "\n"
        "\0#coretruth begin report.json bytes=9\n" SECOND "#coretruth end report.json crc32="
        SECOND_CRC "\n#coretruth done status=findings\n";

    (void)state;
    parse(log, sizeof(log) - 1);
    assert_all_files("3 escape sequences are left out; 4 NULs are left out");
}

static void a_log_without_a_report_has_none(void **state)
{
    static const char mention[] = "$ grep '#coretruth done' log\r\n# coretruth-cpuid 1\n";

    (void)state;
    parse("", 0);
    assert_int_equal(parsed.report_count, 0);
    extract_free(&parsed);
    parse(mention, strlen(mention));
    assert_int_equal(parsed.report_count, 0);
    extract_free(&parsed);
}

static void an_announced_length_beyond_the_log_is_a_cut_file(void **state)
{
    static const char log[] = "#coretruth begin report.txt bytes=999999999999999999\nabc";

    (void)state;
    parse(log, strlen(log));
    assert_int_equal(file_of(0, "report.txt")->state, EXTRACT_CUT);
    assert_int_equal(file_of(0, "report.txt")->length_bytes, 3);
    extract_free(&parsed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_log_gives_its_files),
        cmocka_unit_test(a_log_cut_at_any_byte_is_told_from_a_whole_one),
        cmocka_unit_test(a_lost_changed_or_added_byte_anywhere_is_noticed),
        cmocka_unit_test(a_lost_byte_costs_one_file),
        cmocka_unit_test(carriage_returns_of_a_terminal_are_dropped),
        cmocka_unit_test(several_boots_are_kept_apart),
        cmocka_unit_test(a_damaged_file_is_taken_from_a_copy_in_the_log),
        cmocka_unit_test(names_that_would_leave_the_directory_are_refused),
        cmocka_unit_test(times_before_each_line_are_left_out_and_said),
        cmocka_unit_test(a_log_with_times_cut_at_any_byte_is_no_whole_one),
        cmocka_unit_test(a_lost_byte_is_noticed_behind_times_too),
        cmocka_unit_test(lines_that_end_with_cr_alone_are_read),
        cmocka_unit_test(lines_that_came_twice_are_taken_once),
        cmocka_unit_test(nuls_and_escape_sequences_in_a_file_are_left_out),
        cmocka_unit_test(a_log_without_a_report_has_none),
        cmocka_unit_test(an_announced_length_beyond_the_log_is_a_cut_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
