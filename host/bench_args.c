/* `--sizes 1G` becomes the word `sizes=1G` of the image's command line, so that
 * both understand and refuse the same. */
#include "host/bench_args.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/complain.h"
#include "kernel/bench/clear_page.h"
#include "kernel/topology/rules.h"

enum { MAX_VARIANTS = 64 };

static const char *const shared_names[] = { "sizes",  "extents", "variants", "map",
                                            "blocks", "budget",  "seed",     "table" };

static bool is_shared(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof shared_names / sizeof shared_names[0]; i++)
        if (strlen(shared_names[i]) == length && strncmp(shared_names[i], name, length) == 0)
            return true;
    return false;
}

/* The names that take() knows. */
static bool takes_value(const char *name)
{
    return is_shared(name, strlen(name)) || !strcmp(name, "state") || !strcmp(name, "cpu") ||
           !strcmp(name, "json") || !strcmp(name, "twin");
}

static bool fail(const char *format, const char *word)
{
    fputs("coretruth bench: ", stderr);
    fprintf(stderr, format, word);
    fputs("; coretruth bench --help lists the options\n", stderr);
    return false;
}

static bool parse_state(const char *value, struct bench_args *args)
{
    static const enum bench_state states[] = { BENCH_STATE_DIRTY, BENCH_STATE_COLD,
                                               BENCH_STATE_ZERO };
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
        if (strcmp(value, bench_state_name(states[i])) == 0) {
            args->state = states[i];
            return true;
        }
    return fail("--state is dirty, cold or zero, not \"%s\"", value);
}

static bool parse_cpu(const char *value, struct bench_args *args)
{
    char *end;
    long cpu = strtol(value, &end, 10);
    if (*value == 0 || *end != 0 || cpu < 0 || cpu > 65535)
        return fail("--cpu is a number from 0 to 65535, not \"%s\"", value);
    args->cpu = (int)cpu;
    return true;
}

static bool take_path(const char *name, const char *value, const char **path)
{
    if (*path != NULL)
        return fail("--%s is given twice", name);
    *path = value;
    return true;
}

/* One option with its value; shared ones are appended to `words`. */
static bool take(const char *name, size_t length, const char *value, struct textbuf *words,
                 struct bench_args *args)
{
    if (is_shared(name, length)) {
        textbuf_put_bytes(words, name, length);
        textbuf_printf(words, "=%s ", value);
        return !words->is_cut || fail("%s: the options are too long", name);
    }
    if (length == 5 && strncmp(name, "state", 5) == 0)
        return parse_state(value, args);
    if (length == 3 && strncmp(name, "cpu", 3) == 0)
        return parse_cpu(value, args);
    if (length == 4 && strncmp(name, "json", 4) == 0)
        return take_path("json", value, &args->json_path);
    if (length == 4 && strncmp(name, "twin", 4) == 0)
        return take_path("twin", value, &args->twin_path);
    return fail("--%s is not an option", name);
}

static bool parse_words(const char *words, struct bench_args *args)
{
    static const char *variants[MAX_VARIANTS];
    static const char *profiles[RULE_PROFILE_COUNT];
    struct options_words known = { .variants = { variants, clear_page_variant_count() },
                                   .rules = { profiles, RULE_PROFILE_COUNT } };
    struct input_error error;
    for (uint32_t i = 0; i < known.variants.count && i < MAX_VARIANTS; i++)
        variants[i] = clear_page_variants[i].id;
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++)
        profiles[i] = rules_name(&rule_profiles[i]);
    if (options_parse(&args->options, words, &known, &error))
        return true;
    fprintf(stderr, "coretruth bench: %s\n", error.text);
    return false;
}

bool bench_args_parse(int argc, char **argv, struct bench_args *args)
{
    char storage[OPTIONS_CMDLINE_BYTES];
    struct textbuf words;
    *args = (struct bench_args){ .cpu = -1 };
    textbuf_init(&words, storage, sizeof storage);
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i], *equals = strchr(name, '=');
        if (strncmp(name, "--", 2) != 0)
            return fail("\"%s\" is not an option", name);
        name += 2;
        if (strcmp(name, "against-perf") == 0) {
            args->is_against_perf = true;
        } else if (strcmp(name, "quiet") == 0) {
            args->is_quiet = true;
        } else if (equals != NULL) {
            if (!take(name, (size_t)(equals - name), equals + 1, &words, args))
                return false;
        } else if (!takes_value(name)) {
            return fail("%s is not an option", argv[i]);
        } else if (i + 1 == argc || strncmp(argv[i + 1], "--", 2) == 0) {
            return fail("%s needs a value", argv[i]);
        } else if (!take(name, strlen(name), argv[++i], &words, args)) {
            return false;
        }
    }
    return parse_words(storage, args);
}

/* A file that is there keeps its bytes; one that is not is gone again after close_tried(). */
struct tried {
    const char *path;
    int file;
    bool is_new;
};

static bool try_file(struct tried *tried, const char *path)
{
    *tried = (struct tried){ .path = path, .file = -1 };
    if (path == NULL)
        return true;
    tried->file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    tried->is_new = tried->file >= 0;
    if (!tried->is_new && errno == EEXIST)
        tried->file = open(path, O_WRONLY);
    if (tried->file < 0)
        complain("cannot write %s: %s", path, strerror(errno));
    return tried->file >= 0;
}

static void close_tried(const struct tried *tried)
{
    if (tried->file >= 0)
        close(tried->file);
    if (tried->is_new)
        unlink(tried->path);
}

static bool is_same_file(const struct tried *a, const struct tried *b)
{
    struct stat of_a, of_b;
    return a->file >= 0 && b->file >= 0 && fstat(a->file, &of_a) == 0 &&
           fstat(b->file, &of_b) == 0 && S_ISREG(of_a.st_mode) &&
           of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

bool bench_args_can_write(const struct bench_args *args)
{
    struct tried json, twin = { .file = -1 };
    bool can = try_file(&json, args->json_path) && try_file(&twin, args->twin_path);
    if (can && is_same_file(&json, &twin))
        can = fail("--json and --twin name one file, %s: each run needs its own",
                   args->twin_path);
    close_tried(&twin);
    close_tried(&json);
    return can;
}
