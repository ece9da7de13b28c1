/* coretruth check: the findings of a recorded machine. */
#include <stdio.h>
#include <string.h>

#include "host/colour.h"
#include "host/command.h"
#include "host/complain.h"
#include "host/machine.h"
#include "kernel/topology/checks.h"

const char cmd_check_usage[] =
    "usage: coretruth check FILE... [--rules PROFILE[,PROFILE]]\n"
    "       coretruth check --list\n\n"
    "Prints what is wrong with a recorded machine, or worth knowing, one finding a line:\n"
    "  SEVERITY ID: SENTENCE [SOURCE] CPUs LIST (PROFILES)\n"
    "With --rules only what concerns one of these profiles, or none in particular.\n"
    "--list prints every check as in docs/findings.md.\n"
    "Exit status 1 if there is a warning or an error.\n";

enum { ALL_PROFILES = (1 << RULE_PROFILE_COUNT) - 1 };

static void print_cpus(const struct cpumask *cpus)
{
    char storage[4096];
    struct textbuf text;

    if (cpumask_count(cpus) == 0)
        return;
    textbuf_init(&text, storage, sizeof(storage));
    cpumask_put_list(&text, cpus);
    printf(" %s %s", cpumask_count(cpus) == 1 ? "CPU" : "CPUs", storage);
}

static void print_profiles(uint32_t rules)
{
    const char *between = " (";

    if (rules == 0 || rules == ALL_PROFILES)
        return;
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++)
        if (rules >> i & 1) {
            printf("%s%s", between, rules_name(&rule_profiles[i]));
            between = " ";
        }
    putchar(')');
}

static void print_finding(const struct finding *finding)
{
    static const enum colour colours[] = {
        [FINDING_INFO] = COLOUR_DIM, [FINDING_WARNING] = COLOUR_WARNING, [FINDING_ERROR] = COLOUR_BAD,
    };

    printf("%s%s%s %s: %s [%s]", colour_text(stdout, colours[finding->severity]),
           checks_severity_word(finding->severity), colour_text(stdout, COLOUR_NONE), finding->id,
           finding->text, finding->source);
    print_cpus(&finding->cpus);
    print_profiles(finding->rules);
    putchar('\n');
}

/* Most serious first; within a severity in the order of the table. */
static int print_findings(const struct findings *findings, uint32_t profiles)
{
    int status = HOST_GOOD;

    for (int severity = FINDING_ERROR; severity >= FINDING_INFO; severity--)
        for (uint32_t i = 0; i < findings->count; i++) {
            const struct finding *finding = &findings->list[i];

            if ((int)finding->severity != severity ||
                (finding->rules && !(finding->rules & profiles)))
                continue;
            print_finding(finding);
            if (severity >= FINDING_WARNING)
                status = HOST_NO;
        }
    if (findings->dropped)
        printf("info findings-dropped: %u findings did not fit.\n", findings->dropped);
    return status;
}

static int list_checks(void)
{
    char storage[2048];
    struct textbuf row;

    for (uint32_t i = 0; i < checks_count(); i++) {
        textbuf_init(&row, storage, sizeof(storage));
        checks_put_row(&row, checks_at(i));
        fputs(storage, stdout);
    }
    return HOST_GOOD;
}

static int check_file(const char *path, uint32_t profiles, bool has_many)
{
    struct machine machine;
    int status = HOST_USAGE;

    if (machine_load(path, ALL_PROFILES, &machine)) {
        if (has_many)
            printf("%s:\n", path);
        status = print_findings(&machine.findings, profiles);
    }
    machine_free(&machine);
    return status;
}

int cmd_check(int argc, char **argv)
{
    uint32_t profiles = ALL_PROFILES;
    int status = HOST_GOOD, file_count = 0;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--list") == 0)
            return list_checks();
        if (strcmp(argv[i], "--rules") == 0 && i + 1 < argc) {
            profiles = machine_profiles(argv[++i]);
            if (!profiles)
                return HOST_USAGE;
        } else if (argv[i][0] == '-') {
            return complain_argument(argv[i]);
        } else {
            argv[++file_count] = argv[i];
        }
    }
    if (file_count == 0)
        return complain_usage("no FILE is named");
    for (int i = 1; i <= file_count; i++) {
        int one = check_file(argv[i], profiles, file_count > 1);

        status = one > status ? one : status;
    }
    return status;
}
