/* The command line: values, defaults, errors that name the word, and docs/options.md. */
#include <stdio.h>
#include <string.h>

#include "kernel/options/options.h"
#include "tests/unit/unit_test.h"

static const char *const rules[] = {"linux-6.1", "linux-6.12"};
static const char *const variants[] = {"orig", "stosq", "stosb", "movnti8"};
static const char *const reports[] = {"txt", "json"};
static const struct options_words words = {{rules, 2}, {variants, 4}, {reports, 2}};

static struct options options;
static struct input_error error;

static bool parse(const char *cmdline)
{
    memset(&error, 0, sizeof(error));
    return options_parse(&options, cmdline, &words, &error);
}

static void assert_error(const char *cmdline, uint64_t offset, const char *part)
{
    assert_false(parse(cmdline));
    assert_int_equal(error.place_kind, PLACE_OFFSET);
    assert_int_equal(error.place, offset);
    if (!strstr(error.text, part))
        fail_msg("\"%s\" does not contain \"%s\"", error.text, part);
}

static void an_empty_line_gives_the_defaults(void **state)
{
    (void)state;
    assert_true(parse(""));
    assert_int_equal(options.run, RUN_TOPOLOGY | RUN_LATENCY | RUN_BENCH | RUN_CYCLE);
    assert_int_equal(options.rules, 3);
    assert_int_equal(options.sizes.count, 0);
    assert_int_equal(options.variants, 0);
    assert_int_equal(options.cpus.range_count, 0);
    assert_int_equal(options.budget_ms, 300000);
    assert_int_equal(options.seed, 1);
    assert_int_equal(options.cycles, 5);
    assert_int_equal(options.report, 3);
    assert_int_equal(options.console.kind, CONSOLE_AUTO);
    assert_int_equal(options.after, AFTER_RETURN);
    assert_int_equal(options.quiet, QUIET_FIRMWARE);
    assert_int_equal(options.inject_count, 0);
    assert_false(options.is_help);
    assert_string_equal(options_text(&options, OPTION_BUDGET), "5m");
    assert_string_equal(options_text(&options, OPTION_INJECT), "none");
}

static void every_kind_of_value_is_read(void **state)
{
    (void)state;
    assert_true(parse("run=topology,bench rules=linux-6.12 sizes=16M,1g,4096 extents=4K,2M "
                      "variants=stosq,movnti8 map=2m cpus=0-3,8 nodes=1 blocks=12 budget=90s "
                      "seed=0xfeedfacecafebeef console=mmio32:0xfe032000,115200 report=json "
                      "after=poweroff quiet=exit cycles=1000 help"));
    assert_int_equal(options.run, RUN_TOPOLOGY | RUN_BENCH);
    assert_int_equal(options.rules, 2);
    assert_int_equal(options.sizes.count, 3);
    assert_int_equal(options.sizes.bytes[0], 16 << 20);
    assert_int_equal(options.sizes.bytes[1], 1 << 30);
    assert_int_equal(options.sizes.bytes[2], 4096);
    assert_int_equal(options.extents.bytes[1], 2 << 20);
    assert_int_equal(options.variants, 2 | 8);
    assert_int_equal(options.map, MAP_2M);
    assert_int_equal(options.cpus.range_count, 2);
    assert_int_equal(options.cpus.ranges[0].last, 3);
    assert_int_equal(options.cpus.ranges[1].first, 8);
    assert_int_equal(options.nodes.ranges[0].first, 1);
    assert_int_equal(options.blocks, 12);
    assert_int_equal(options.budget_ms, 90000);
    assert_true(options.seed == 0xfeedfacecafebeefull);
    assert_int_equal(options.console.kind, CONSOLE_MMIO32);
    assert_int_equal(options.console.address, 0xfe032000);
    assert_int_equal(options.console.baud, 115200);
    assert_int_equal(options.report, 2);
    assert_int_equal(options.after, AFTER_POWEROFF);
    assert_int_equal(options.quiet, QUIET_EXIT);
    assert_int_equal(options.cycles, 1000);
    assert_true(options.is_help);
    assert_string_equal(options_text(&options, OPTION_SIZES), "16M,1g,4096");
}

static void words_come_apart_at_any_blank_and_comments_are_left_out(void **state)
{
    (void)state;
    assert_true(parse("\t# a file\r\nbudget=1h # an hour\r\n\n  seed=7"));
    assert_int_equal(options.budget_ms, 3600000);
    assert_int_equal(options.seed, 7);
}

static void an_image_name_is_passed_over_in_first_place_only(void **state)
{
    (void)state;
    assert_true(parse("/boot/kernel.elf seed=2"));
    assert_true(parse("\\EFI\\coretruth.efi seed=2"));
    assert_true(parse("coretruth.EFI seed=2"));
    assert_int_equal(options.seed, 2);
    assert_error("seed=2 /boot/kernel.elf", 7, "word 2 \"/boot/kernel.elf\" is no option");
    assert_error("kernel seed=2", 0, "is no option");
}

static void an_error_names_the_word_its_place_and_what_is_right(void **state)
{
    (void)state;
    assert_error("run=topology sizse=16M", 13, "word 2 \"sizse=16M\" is no option; the options "
                 "are run rules sizes");
    assert_error("sizes=16Q", 0, "word 1 \"sizes=16Q\" has something that is not a size");
    assert_error("x.efi sizes=16Q", 6, "4K to 64T");
    assert_error("run=topolgy", 0, "right would be topology latency bench cycle");
    assert_error("rules=linux-5.0", 0, "right would be linux-6.1 linux-6.12");
    assert_error("after=sleep", 0, "right would be return poweroff reboot halt");
    assert_error("blocks", 0, "has no value");
    assert_error("help=1", 0, "takes no value");
    assert_error("seed=1 seed=2", 7, "is given a second time");
}

static void words_around_a_wrong_one_still_say_where_the_report_goes(void **state)
{
    (void)state;
    assert_error("after=poweroff sizse=1M console=com2 run=x", 15, "\"sizse=1M\" is no option");
    assert_int_equal(options.after, AFTER_POWEROFF);
    assert_int_equal(options.console.address, 0x2F8);
}

static void values_out_of_range_are_refused(void **state)
{
    static const char *const wrong[] = {
        "sizes=0", "sizes=4095", "sizes=6K,5000", "sizes=65T", "sizes=16777216T", "sizes=16M,",
        "sizes=", "sizes=-4K", "sizes= 4K", "sizes=16MB", "extents=2T", "extents=2K", "run=",
        "run=topology,", "run=none", "map=3m", "variants=none", "report=txt,none", "cpus=3-1",
        "cpus=65536", "cpus=0-", "cpus=a", "cpus=1,,2", "nodes=1024", "blocks=1", "blocks=257",
        "blocks=+5", "blocks=5 5", "budget=5", "budget=0s", "budget=99ms", "budget=25h",
        "budget=1d", "budget=18446744073709551615h", "seed=-1", "seed=0x", "seed=1e5",
        "seed=18446744073709551616", "cycles=0", "cycles=1000001", "console=com5",
        "console=io:0", "console=io:0xfff9", "console=io:0x3f8,", "console=com1,49",
        "console=com1,115200n8", "console=mmio32:0xfe000001", "console=", "quiet=yes",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        if (parse(wrong[i]))
            fail_msg("\"%s\" was taken", wrong[i]);
        assert_true(strlen(error.text) > 20);
    }
}

static void the_words_for_everything_and_for_the_plan_are_taken(void **state)
{
    (void)state;
    assert_true(parse("run=all rules=all variants=all map=all report=none sizes=auto cpus=all "
                      "blocks=auto console=none"));
    assert_int_equal(options.variants, 15);
    assert_int_equal(options.map, MAP_4K | MAP_2M | MAP_1G);
    assert_int_equal(options.report, 0);
    assert_int_equal(options.blocks, 0);
    assert_int_equal(options.console.kind, CONSOLE_NONE);
}

static void a_line_that_is_too_long_is_refused(void **state)
{
    char line[OPTIONS_CMDLINE_BYTES + 1];

    (void)state;
    memset(line, ' ', sizeof(line));
    line[OPTIONS_CMDLINE_BYTES] = '\0';
    assert_false(parse(line));
    line[OPTIONS_CMDLINE_BYTES - 1] = '\0';
    assert_true(parse(line));
}

static void a_copy_keeps_its_texts(void **state)
{
    struct options copy;

    (void)state;
    assert_true(parse("budget=7s"));
    copy = options;
    assert_true(parse("budget=8s"));
    assert_string_equal(options_text(&copy, OPTION_BUDGET), "7s");
}

static void a_list_becomes_a_mask_of_this_machine(void **state)
{
    static _Alignas(16) uint8_t memory[1024];
    struct arena arena;
    struct cpumask mask;

    (void)state;
    arena_init(&arena, memory, sizeof(memory));
    assert_true(cpumask_init(&mask, 8, &arena));
    assert_true(parse(""));
    assert_true(options_list_mask(&options, OPTION_CPUS, 8, &mask, &error));
    assert_int_equal(mask.words[0], 0xFF);
    assert_true(parse("seed=3 cpus=0-1,5"));
    assert_true(options_list_mask(&options, OPTION_CPUS, 8, &mask, &error));
    assert_int_equal(mask.words[0], 0x23);
    assert_false(options_list_mask(&options, OPTION_CPUS, 5, &mask, &error));
    assert_non_null(strstr(error.text, "\"cpus=0-1,5\" names 5, and this machine has 0 to 4"));
}

static void injections_may_repeat_and_keep_their_text(void **state)
{
    (void)state;
    assert_true(parse("inject=silent:apic=3 inject=slow:cpus=0,2/1,3,ns=60"));
    assert_int_equal(options.inject_count, 2);
    assert_string_equal(options_text(&options, OPTION_INJECT),
                        "silent:apic=3 slow:cpus=0,2/1,3,ns=60");
    assert_error("seed=1 inject=quiet:apic=3", 7, "no such kind");
}

static void the_help_fits_80_columns_and_names_every_option(void **state)
{
    static char text[16384];
    struct textbuf out;

    (void)state;
    textbuf_init(&out, text, sizeof(text));
    options_put_help(&out, &words);
    assert_false(out.is_cut);
    for (int id = 0; id < OPTION_COUNT; id++) {
        char line[32];

        snprintf(line, sizeof(line), "\n%s", options_name((enum option_id)id));
        assert_non_null(strstr(text, line));
    }
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        assert_in_range(strcspn(line, "\n"), 0, 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_line_gives_the_defaults),
        cmocka_unit_test(every_kind_of_value_is_read),
        cmocka_unit_test(words_come_apart_at_any_blank_and_comments_are_left_out),
        cmocka_unit_test(an_image_name_is_passed_over_in_first_place_only),
        cmocka_unit_test(an_error_names_the_word_its_place_and_what_is_right),
        cmocka_unit_test(words_around_a_wrong_one_still_say_where_the_report_goes),
        cmocka_unit_test(values_out_of_range_are_refused),
        cmocka_unit_test(the_words_for_everything_and_for_the_plan_are_taken),
        cmocka_unit_test(a_line_that_is_too_long_is_refused),
        cmocka_unit_test(a_copy_keeps_its_texts),
        cmocka_unit_test(a_list_becomes_a_mask_of_this_machine),
        cmocka_unit_test(injections_may_repeat_and_keep_their_text),
        cmocka_unit_test(the_help_fits_80_columns_and_names_every_option),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
