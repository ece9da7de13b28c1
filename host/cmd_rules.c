/* coretruth rules: what each kernel concludes, and where they part. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/colour.h"
#include "host/command.h"
#include "host/complain.h"
#include "host/machine.h"
#include "kernel/topology/parting.h"

const char cmd_rules_usage[] =
    "usage: coretruth rules FILE... [--rules PROFILE[,PROFILE]]\n\n"
    "Prints what each kernel generation concludes from a recorded machine: packages, dies,\n"
    "cores, threads, last-level caches, nodes. Kernels that agree share a line; below it\n"
    "stands where one differs from the next, with an example.\n";

enum { ALL_PROFILES = (1 << RULE_PROFILE_COUNT) - 1, OUTPUT_BYTES = 1 << 16 };

static const size_t smallest_arena_bytes = (size_t)1 << 20;
static const size_t largest_arena_bytes = (size_t)1 << 30;

/* Where one kernel's lines part from another's is what a reader looks for. */
static enum colour line_colour(const char *line, size_t length)
{
    if (memmem(line, length, " -> ", 4) && line[0] == ' ')
        return COLOUR_BAD;
    if (memmem(line, length, " -> ", 4))
        return COLOUR_WARNING;
    return strncmp(line, "The kernels agree.", length) == 0 ? COLOUR_GOOD : COLOUR_NONE;
}

static void put_coloured(const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        enum colour colour = length ? line_colour(text, length) : COLOUR_NONE;

        if (colour == COLOUR_NONE)
            printf("%.*s\n", (int)length, text);
        else
            printf("%s%.*s%s\n", colour_text(stdout, colour), (int)length, text,
                   colour_text(stdout, COLOUR_NONE));
        text += length + (text[length] == '\n');
    }
}

static bool print_parting(const struct machine *machine, uint32_t profiles)
{
    static char storage[OUTPUT_BYTES];
    const struct topology *topologies[RULE_PROFILE_COUNT] = {NULL};
    bool is_good = false;

    for (unsigned i = 0; i < RULE_PROFILE_COUNT; i++)
        if (profiles >> i & 1)
            topologies[i] = &machine->topologies[i];

    for (size_t bytes = smallest_arena_bytes; !is_good && bytes <= largest_arena_bytes;
         bytes *= 4) {
        void *memory = malloc(bytes);
        struct textbuf out;
        struct arena arena;

        textbuf_init(&out, storage, sizeof(storage));
        arena_init(&arena, memory, memory ? bytes : 0);
        is_good = parting_put(&out, topologies, &arena);
        free(memory);
    }
    if (is_good)
        put_coloured(storage);
    else
        complain("%s: not enough memory", machine->input.facts.source);
    return is_good;
}

static int show(const char *path, uint32_t profiles, bool has_many)
{
    struct machine machine;
    int status = HOST_USAGE;

    if (machine_open(path, &machine) && machine_build(&machine, profiles)) {
        if (has_many)
            printf("%s:\n", path);
        status = print_parting(&machine, profiles) ? HOST_GOOD : HOST_USAGE;
        if (has_many)
            putchar('\n');
    }
    machine_free(&machine);
    return status;
}

int cmd_rules(int argc, char **argv)
{
    uint32_t profiles = ALL_PROFILES;
    int status = HOST_GOOD, file_count = 0;

    for (int i = 1; i < argc; i++) {
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
        int one = show(argv[i], profiles, file_count > 1);

        status = one > status ? one : status;
    }
    return status;
}
