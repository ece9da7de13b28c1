/* coretruth replay: everything a boot would have reported, made anew from its facts. */
#include <stdbool.h>
#include <string.h>

#include "host/command.h"
#include "host/complain.h"

const char cmd_replay_usage[] =
    "usage: coretruth replay FILE [-o DIR]\n"
    "\n"
    "Concludes anew from a recorded machine: facts.txt of a boot, or anything else that\n"
    "`coretruth masks` reads. Prints report.txt; with -o writes report.txt, report.json,\n"
    "facts.txt, topology.xml, results.tap, topology.svg, report.html, report.md and cpus.csv\n"
    "to DIR (made when missing). What was measured on the machine is not in its facts.\n";

/* `export` reads those too, but there is nothing in them to conclude from. */
static bool is_conclusions(const char *path)
{
    size_t length = strlen(path);

    return length > 5 && !strcmp(path + length - 5, ".json");
}

int cmd_replay(int argc, char **argv)
{
    static char all[] = "txt,json,facts,xml,tap,svg,html,md,csv", text[] = "txt", to[] = "--to",
                into[] = "-o";
    char *arguments[6] = {argv[0]};
    int count = 1;
    const char *directory = NULL;

    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-o") && i + 1 < argc && !directory) {
            directory = argv[++i];
            arguments[4] = into;
            arguments[5] = argv[i];
        } else if (argv[i][0] != '-' && count == 1) {
            arguments[count++] = argv[i];
        } else {
            return complain_argument(argv[i]);
        }
    }
    if (count != 2)
        return complain_usage("no FILE is named");
    if (is_conclusions(arguments[1])) {
        complain("%s: conclusions, not facts; right is facts.txt or another recorded machine",
                 arguments[1]);
        return HOST_USAGE;
    }
    arguments[2] = to;
    arguments[3] = directory ? all : text;
    return cmd_export(directory ? 6 : 4, arguments);
}
