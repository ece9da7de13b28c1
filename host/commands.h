/* The commands of the desk tool, one line each: NAME, what `--help` says about it.
 * NAME lives in host/cmd_NAME.c, which defines `int cmd_NAME(int argc, char **argv)`
 * (argv[0] is the command's name; the result is an enum host_exit) and
 * `const char cmd_NAME_usage[]`, the text of `coretruth NAME --help`.
 * No include guard: whoever includes this defines COMMAND first. */
COMMAND(bench, "measures the clear_page variants on this machine, under Linux")
COMMAND(check, "the findings of a recorded machine")
COMMAND(compare, "the page-clearing benches of two report.json files")
COMMAND(export, "a recorded machine or a report as hwloc XML, drawing, page, tables")
COMMAND(extract, "cuts the report files out of a serial log and checks them")
COMMAND(masks, "what sysfs of a kernel would say about a recorded machine")
COMMAND(options, "explains the image's command line, or checks one")
COMMAND(rules, "what each kernel concludes, and where they part")
COMMAND(spans, "the span check in three forms on synthetic machines, timed")
COMMAND(verify, "what a profile concludes against what the files expect")
