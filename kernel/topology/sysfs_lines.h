/* A whole topology as lines in the words of sysfs: what `coretruth masks` prints, and
 * what a digest of the masks is made over. */
#ifndef KERNEL_TOPOLOGY_SYSFS_LINES_H
#define KERNEL_TOPOLOGY_SYSFS_LINES_H

#include "kernel/lib/textbuf.h"
#include "kernel/topology/topology.h"

/* "online LIST", "cpu N NAME VALUE", "cpu N cache I …", "node N cpulist LIST"; an empty
 * list is "-". */
void sysfs_put_lines(struct textbuf *out, const struct topology *topology);

/* CRC-32 of these lines. */
uint32_t sysfs_lines_crc32(const struct topology *topology);

#endif
