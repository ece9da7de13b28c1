/* The pieces of the last page: each fills the place it is given. */
#ifndef KERNEL_PAGE_FINAL_PARTS_H
#define KERNEL_PAGE_FINAL_PARTS_H

#include "kernel/page/page.h"
#include "kernel/report/report.h"

/* Returns the height it took. */
uint32_t final_machine_and_findings(struct page *page, struct page_rect rect,
                                    const struct report_model *model);
void final_topology_and_bars(struct page *page, struct page_rect rect,
                             const struct report_model *model);

#endif
