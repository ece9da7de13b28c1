/* coretruth export: a recorded machine or a report in other formats. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/command.h"
#include "host/complain.h"
#include "host/export.h"
#include "host/input.h"
#include "host/output.h"

const char cmd_export_usage[] =
    "usage: coretruth export FILE --to FORMAT[,FORMAT] [-o DIR]\n"
    "\n"
    "FILE is a report.json, or anything `coretruth masks` reads (facts.txt, a corpus\n"
    "file, an oracle record, a case). FORMAT is one of\n"
    "  xml   topology.xml, for lstopo -i (newest profile)\n"
    "  svg   topology.svg, a drawing of the machine (newest profile);\n"
    "        latency-svg: latency.svg, a heat map; bench-svg: bench.svg, bar charts\n"
    "  html  report.html, one page that needs nothing else\n"
    "  md    report.md, tables to paste into a mail or an issue\n"
    "  csv   cpus.csv, one line a CPU and profile; bench-csv: bench.csv, one a result\n"
    "  txt, tap, facts, json: as in the image, made anew from a recorded machine\n"
    "One format goes to standard output unless -o is given; several need -o.\n"
    "DIR is made when missing.\n";

struct arguments {
    const char *path, *formats, *directory;
};

static bool read_arguments(int argc, char **argv, struct arguments *arguments)
{
    *arguments = (struct arguments){0};
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--to") && i + 1 < argc)
            arguments->formats = argv[++i];
        else if (!strcmp(argv[i], "-o") && i + 1 < argc)
            arguments->directory = argv[++i];
        else if ((argv[i][0] == '-' && argv[i][1]) || arguments->path) {
            complain_argument(argv[i]);
            return false;
        } else {
            arguments->path = argv[i];
        }
    }
    if (!arguments->path || !arguments->formats)
        complain_usage(arguments->path ? "--to says no FORMAT" : "no FILE is named");
    return arguments->path && arguments->formats;
}

static FILE *open_output(const struct arguments *arguments, const struct export_format *format)
{
    char path[4096];
    FILE *out;

    if (!arguments->directory)
        return stdout;
    mkdir(arguments->directory, 0777); /* where that fails, fopen() says why */
    snprintf(path, sizeof(path), "%s/%s", arguments->directory, format->file_name);
    out = fopen(path, "w");
    if (!out)
        complain("%s: %s", path, strerror(errno));
    return out;
}

static int write_format(const struct arguments *arguments, const struct export_format *format,
                        const struct export_source *source)
{
    FILE *out = open_output(arguments, format);
    bool is_good;

    if (!out)
        return HOST_USAGE;
    is_good = format->write(source, out);
    if (out != stdout && !output_close(out)) { /* main() looks at standard output */
        complain("%s: %s", format->file_name, strerror(errno));
        return HOST_USAGE;
    }
    if (!is_good) {
        complain("%s: nothing that %s can show", arguments->path,
                format->file_name);
        return HOST_NO;
    }
    return HOST_GOOD;
}

int cmd_export(int argc, char **argv)
{
    const struct export_format *wanted[16];
    struct arguments arguments;
    struct export_source source;
    int count, status = HOST_GOOD;

    if (!read_arguments(argc, argv, &arguments))
        return HOST_USAGE;
    count = export_find_formats(arguments.formats, wanted, 16);
    if (count == 0)
        return HOST_USAGE;
    if (count > 1 && !arguments.directory)
        return complain_usage("several formats need -o DIR");
    if (export_open(arguments.path, &source)) {
        for (int i = 0; i < count; i++) {
            int one = write_format(&arguments, wanted[i], &source);

            status = one > status ? one : status;
        }
    } else {
        status = HOST_USAGE;
    }
    export_close(&source);
    return status;
}
