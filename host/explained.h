/* The list of differences that are known and why: file by file, and nothing more
 * is accepted than what it names. */
#ifndef HOST_EXPLAINED_H
#define HOST_EXPLAINED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct explained_line {
    const char *machine, *profile, *name, *reason; /* profile "*": every profile */
    uint64_t *cpus, *seen;   /* those that differ; those that did */
    uint32_t cpu_words;
    unsigned line;           /* of the list */
    bool was_looked_at;      /* the machine was verified under that profile */
};

struct explained {
    char *text;
    struct explained_line *lines;
    size_t count;
};

/* Lines "MACHINE PROFILE NAME CPULIST REASON…"; # begins a comment. False: printed. */
bool explained_read(const char *path, struct explained *explained);
void explained_free(struct explained *explained);

/* Every machine starts here: entries about it are now awaited. */
void explained_open(struct explained *explained, const char *machine, const char *profile);

/* The reason for a difference, which is then marked as seen; NULL: not in the list. */
const char *explained_take(struct explained *explained, const char *machine, const char *profile,
                           const char *name, uint32_t cpu);

/* Prints entries whose machine was verified and did not differ there; how many. */
unsigned explained_left(const struct explained *explained, const char *path);

#endif
