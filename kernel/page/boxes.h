/* The topology as nested boxes: package, die, caches that cores share, core, thread.
 * Everything below one last-level cache has one colour; the kinds of a hybrid machine
 * differ in brightness and letter. */
#ifndef KERNEL_PAGE_BOXES_H
#define KERNEL_PAGE_BOXES_H

#include "kernel/facts/machine_facts.h"
#include "kernel/page/page.h"
#include "kernel/topology/topology.h"

/* "performance", "efficiency", or NULL where there is one kind of core. */
const char *boxes_core_type(const struct machine_facts *facts, const struct topology_cpu *cpu);

/* The colour of the n-th last-level cache. */
page_colour boxes_colour(const struct page *page, uint32_t llc);

/* Fills `rect`. Boxes too small to be seen are left out from the inside. */
void boxes_draw(struct page *page, struct page_rect rect, const struct topology *topology,
                const struct machine_facts *facts);

#endif
