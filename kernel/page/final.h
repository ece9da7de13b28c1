/* The page at the end of a run that people photograph, and the pages behind it. */
#ifndef KERNEL_PAGE_FINAL_H
#define KERNEL_PAGE_FINAL_H

#include "kernel/page/page.h"
#include "kernel/report/report.h"

struct final_view {
    const struct report_model *model;
    const char *text;            /* report.txt */
    uint64_t text_bytes;
    const char *outcome;         /* what became of the files; empty: nothing to say */
    bool is_outcome_bad;
    const char *keys;            /* which keys do what; empty: none do anything */
};

/* Machine, findings, topology, bars, verdict and code; in text mode the code has a page
 * of its own. Then report.txt. */
uint32_t final_page_count(const struct page *page, const struct final_view *view);
void final_page(struct page *page, const struct final_view *view, uint32_t number);

#endif
