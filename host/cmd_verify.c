/* verify FILE…: what a profile concludes against what the files expect. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/colour.h"
#include "host/command.h"
#include "host/complain.h"
#include "host/machine.h"
#include "host/verify.h"

const char cmd_verify_usage[] =
    "usage: coretruth verify FILE... [--rules PROFILE] [--explained LIST] [--table]\n"
    "       coretruth verify FILE --against RECORD [--rules PROFILE]\n"
    "\n"
    "Compares what a profile concludes from each FILE (corpus file, oracle record,\n"
    "case directory) with what the file expects. Without --rules the profile is the\n"
    "one that resembles the kernel named in the file most, linux-6.1 where that is\n"
    "not known; what other tools said is compared with linux-5.10 and later.\n"
    "Every difference is one line. The last line is\n"
    "  N passed, M failed, K skipped\n"
    "\n"
    "--against RECORD  FILE is what the image captured, RECORD what a kernel said on the\n"
    "                  same machine: FILE's conclusions, RECORD's expectations\n"
    "--explained LIST  differences that are known, file by file, with the reason; one\n"
    "                  that is listed and does not occur fails. Default:\n"
    "                  tests/replay/explained.txt where it exists; - for none\n"
    "--table           sums by source and profile before the last line, and why values\n"
    "                  were skipped\n"
    "\n"
    "A difference that follows from a documented difference of rules (hwloc and AIDA64\n"
    "do not pair the cores of family 15h) or is in LIST counts as skipped.\n";

static const char *const default_list = "tests/replay/explained.txt";

static const char *const source_names[SOURCE_COUNT] = {
    [SOURCE_SYSFS] = "corpus sysfs", [SOURCE_HWLOC_LINUX] = "corpus hwloc-linux",
    [SOURCE_HWLOC_X86] = "corpus hwloc-x86", [SOURCE_AIDA64] = "corpus aida64",
    [SOURCE_LIBCPUID] = "corpus libcpuid", [SOURCE_RECORD] = "recorded kernel",
    [SOURCE_CASE] = "cases",
};

struct arguments {
    const char *list;
    bool has_table;
    int file_count;
};

static bool parse_arguments(int argc, char **argv, struct verify *verify,
                            struct arguments *arguments)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--rules") == 0 && i + 1 < argc) {
            verify->forced = rules_find(argv[++i]);
            if (!verify->forced) {
                complain_choice(argv[i], "profile", machine_profile_name);
                return false;
            }
        } else if (strcmp(argv[i], "--explained") == 0 && i + 1 < argc) {
            arguments->list = argv[++i];
        } else if (strcmp(argv[i], "--against") == 0 && i + 1 < argc) {
            verify->against = argv[++i];
        } else if (strcmp(argv[i], "--table") == 0) {
            arguments->has_table = true;
        } else if (argv[i][0] == '-') {
            complain_argument(argv[i]);
            return false;
        } else {
            argv[arguments->file_count++] = argv[i];
        }
    }
    if (arguments->file_count == 0)
        complain_usage("no FILE is named");
    return arguments->file_count > 0;
}

static void put_table(const struct verify *verify)
{
    printf("%-19s %-15s %9s %9s %9s %8s %9s %9s %9s\n", "source", "profile", "machines",
           "compared", "equal", "by rule", "explained", "different", "skipped");
    for (unsigned source = 0; source < SOURCE_COUNT; source++)
        for (unsigned p = 0; p < RULE_PROFILE_COUNT; p++) {
            const struct verify_counts *c = &verify->counts[source][p];
            uint64_t compared = c->equal + c->by_rule + c->explained + c->different;

            if (compared + c->skipped)
                printf("%-19s %-15s %9lu %9lu %9lu %8lu %9lu %9lu %9lu\n", source_names[source],
                       rules_name(&rule_profiles[p]), c->machines, compared, c->equal,
                       c->by_rule, c->explained, c->different, c->skipped);
        }
}

/* Why values were not compared. */
static void put_reasons(const struct verify *verify)
{
    for (unsigned i = 0; i < VERIFY_MAX_REASONS && verify->reasons[i].text; i++)
        printf("skipped %lu: %s\n", verify->reasons[i].count, verify->reasons[i].text);
}

static int put_sum(const struct verify *verify, unsigned stale)
{
    uint64_t passed = 0, failed = stale, skipped = 0, compared = stale;

    for (unsigned source = 0; source < SOURCE_COUNT; source++)
        for (unsigned p = 0; p < RULE_PROFILE_COUNT; p++) {
            const struct verify_counts *c = &verify->counts[source][p];

            passed += c->equal;
            failed += c->different;
            skipped += c->by_rule + c->explained + c->skipped;
            compared += c->equal + c->different + c->by_rule + c->explained;
        }
    if (!compared && !verify->unreadable)
        complain("nothing was compared: no file states a value that a profile concludes "
              "(expect-… lines, a record's sections, expected*.txt)");
    printf("%s%lu passed, %lu failed, %lu skipped%s\n",
           colour_text(stdout, failed || verify->unreadable || !compared ? COLOUR_BAD : COLOUR_GOOD),
           passed, failed, skipped, colour_text(stdout, COLOUR_NONE));
    return verify->unreadable || !compared ? HOST_USAGE : failed ? HOST_NO : HOST_GOOD;
}

int cmd_verify(int argc, char **argv)
{
    struct verify verify = {0};
    struct explained explained = {0};
    struct arguments arguments = {0};
    unsigned stale = 0;

    if (!parse_arguments(argc, argv, &verify, &arguments))
        return HOST_USAGE;
    if (!arguments.list && !verify.against && access(default_list, R_OK) == 0)
        arguments.list = default_list;
    if (arguments.list && strcmp(arguments.list, "-") != 0) {
        if (!explained_read(arguments.list, &explained)) {
            explained_free(&explained);
            return HOST_USAGE;
        }
        verify.explained = &explained;
    }
    for (int i = 0; i < arguments.file_count; i++)
        verify_file(&verify, argv[i]);
    if (verify.explained)
        stale = explained_left(&explained, arguments.list);
    explained_free(&explained);
    if (arguments.has_table) {
        put_table(&verify);
        put_reasons(&verify);
    }
    return put_sum(&verify, stale);
}
