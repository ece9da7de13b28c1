/* coretruth on the desk: finds the command in the table and runs it. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "host/command.h"
#include "host/complain.h"
#include "host/output.h"

struct command {
    const char *name, *help, *usage;
    int (*run)(int argc, char **argv);
};

static const struct command commands[] = {
#define COMMAND(name, help) {#name, help, cmd_##name##_usage, cmd_##name},
#include "host/commands.def"
#undef COMMAND
    {NULL, NULL, NULL, NULL},
};

static void put_overview(FILE *out)
{
    fputs("usage: coretruth COMMAND [ARGUMENTS]\n"
          "       coretruth COMMAND --help\n\n", out);
    for (const struct command *c = commands; c->name; c++)
        fprintf(out, "  %-8s %s\n", c->name, c->help);
    fputs("\nexit status: 0 good, 1 the answer is no, 2 usage, or a file not read or written\n", out);
}

static const struct command *find_command(const char *name)
{
    for (const struct command *c = commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

static bool asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

static int run_command(int argc, char **argv)
{
    if (argc < 2) {
        put_overview(stderr);
        return HOST_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        put_overview(stdout);
        return HOST_GOOD;
    }
    const struct command *command = find_command(argv[1]);
    if (!command) {
        return complain_usage("\"%s\" is no command", argv[1]);
    }
    complain_as(command->name);
    if (asks_for_help(argc - 1, argv + 1)) {
        fputs(command->usage, stdout);
        return HOST_GOOD;
    }
    return command->run(argc - 1, argv + 1);
}

/* What is piped or kept is whole, or the exit status says that it is not. */
int main(int argc, char **argv)
{
    int status = run_command(argc, argv);

    if (output_close(stdout))
        return status;
    complain("standard output: %s", strerror(errno));
    return HOST_USAGE;
}
