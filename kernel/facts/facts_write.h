/* Writes a machine's facts in the grammar of facts.txt (docs/facts.md): reading
 * the text back gives the same facts. */
#ifndef KERNEL_FACTS_FACTS_WRITE_H
#define KERNEL_FACTS_FACTS_WRITE_H

#include <stdbool.h>

#include "kernel/facts/machine_facts.h"
#include "kernel/lib/textbuf.h"

/* Compact: version 2 of the grammar, where a CPU names an earlier one that it is
 * like and lists only what differs. Otherwise version 1, every row of every CPU,
 * as any reader of the corpus takes it. */
void facts_write(struct textbuf *out, const struct machine_facts *facts, bool is_compact);

#endif
