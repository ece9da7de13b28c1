/* A topology in the words of sysfs: the text of each file, bit for bit. [rules 5, 6] */
#ifndef KERNEL_TOPOLOGY_SYSFS_NAMES_H
#define KERNEL_TOPOLOGY_SYSFS_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/textbuf.h"
#include "kernel/topology/topology.h"

/* File names in the order they are printed; NULL ends each list. */
extern const char *const sysfs_cpu_files[];
extern const char *const sysfs_cache_files[];

/* Each writes the file's text without its newline. False: the file does not exist
 * in this profile, or the CPU is not online, or there is no such index or node. */
bool sysfs_cpu_text(const struct topology *topology, uint32_t cpu, const char *file,
                    struct textbuf *out);
bool sysfs_cache_text(const struct topology *topology, uint32_t cpu, uint32_t index,
                      const char *file, struct textbuf *out);
bool sysfs_node_text(const struct topology *topology, uint32_t node, const char *file,
                     struct textbuf *out);

/* Whether cpuN/topology of the profile has this file, and how many it has. */
bool sysfs_has_cpu_file(const struct rule_profile *rules, const char *name);
uint32_t sysfs_cpu_file_count(const struct rule_profile *rules);

#endif
