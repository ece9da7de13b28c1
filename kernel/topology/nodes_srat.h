/* One walk over the SRAT: processor entries, then memory entries. [rules 7.6] */
#ifndef KERNEL_TOPOLOGY_NODES_SRAT_H
#define KERNEL_TOPOLOGY_NODES_SRAT_H

#include "kernel/topology/nodes.h"

/* Fills the table of nodes. *is_accepted false: the whole table is dropped, and
 * a note says why. Returns false only when the arena is full. */
bool nodes_srat_read(const struct acpi_table *srat, const struct leaves *leaves,
                     const struct node_rules *rules, struct arena *arena,
                     struct topology_notes *notes, struct nodes *out, bool *is_accepted);

#endif
