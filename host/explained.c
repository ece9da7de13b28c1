/* Reading the list of known differences and ticking off what occurs. */
#include "host/explained.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/complain.h"
#include "host/input.h"
#include "kernel/lib/cpumask.h"

enum { CPU_WORDS = 128 };

static char *cut_word(char **rest)
{
    char *word = *rest;

    *rest += strcspn(*rest, " ");
    while (**rest == ' ')
        *(*rest)++ = '\0';
    return word;
}

static bool parse_line(struct explained_line *one, char *text, unsigned number, const char *path)
{
    one->line = number;
    one->machine = cut_word(&text);
    one->profile = cut_word(&text);
    one->name = cut_word(&text);
    const char *list = cut_word(&text);
    one->reason = text;
    one->cpus = calloc(CPU_WORDS, sizeof *one->cpus);
    one->seen = calloc(CPU_WORDS, sizeof *one->seen);
    one->cpu_words = CPU_WORDS;
    struct cpumask mask = {one->cpus, CPU_WORDS};
    if (one->cpus && one->seen && *one->reason && cpumask_parse_list(&mask, list))
        return true;
    complain("%s:%u: a line is MACHINE PROFILE NAME CPULIST REASON", path,
            number);
    return false;
}

bool explained_read(const char *path, struct explained *explained)
{
    size_t length;
    unsigned number = 0;

    *explained = (struct explained){.text = input_read_file(path, &length)};
    if (!explained->text)
        return false;
    for (char *line = explained->text, *next; line; line = next) {
        char *end = strchr(line, '\n');

        next = end ? end + 1 : NULL;
        if (end)
            *end = '\0';
        number++;
        if (!*line || *line == '#')
            continue;
        struct explained_line *lines = realloc(explained->lines,
                                               (explained->count + 1) * sizeof *lines);
        if (!lines)
            return false;
        explained->lines = lines;
        lines[explained->count] = (struct explained_line){0};
        if (!parse_line(&lines[explained->count++], line, number, path))
            return false;
    }
    return true;
}

void explained_free(struct explained *explained)
{
    for (size_t i = 0; i < explained->count; i++) {
        free(explained->lines[i].cpus);
        free(explained->lines[i].seen);
    }
    free(explained->lines);
    free(explained->text);
}

static bool is_about(const struct explained_line *one, const char *machine, const char *profile)
{
    return strcmp(one->machine, machine) == 0 &&
           (strcmp(one->profile, "*") == 0 || strcmp(one->profile, profile) == 0);
}

void explained_open(struct explained *explained, const char *machine, const char *profile)
{
    for (size_t i = 0; i < explained->count; i++)
        if (is_about(&explained->lines[i], machine, profile))
            explained->lines[i].was_looked_at = true;
}

const char *explained_take(struct explained *explained, const char *machine, const char *profile,
                           const char *name, uint32_t cpu)
{
    for (size_t i = 0; i < explained->count; i++) {
        struct explained_line *one = &explained->lines[i];
        struct cpumask mask = {one->cpus, one->cpu_words}, seen = {one->seen, one->cpu_words};

        if (is_about(one, machine, profile) && strcmp(one->name, name) == 0 &&
            cpumask_has(&mask, cpu)) {
            cpumask_set(&seen, cpu);
            return one->reason;
        }
    }
    return NULL;
}

unsigned explained_left(const struct explained *explained, const char *path)
{
    unsigned left = 0;

    for (size_t i = 0; i < explained->count; i++) {
        const struct explained_line *one = &explained->lines[i];
        struct cpumask mask = {one->cpus, one->cpu_words}, seen = {one->seen, one->cpu_words};

        if (!one->was_looked_at || cpumask_is_subset(&mask, &seen))
            continue;
        printf("%s:%u: %s %s %s: not all CPUs listed as different are\n", path, one->line,
               one->machine, one->profile, one->name);
        left++;
    }
    return left;
}
