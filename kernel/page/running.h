/* The top of the screen while the run goes on; the log stands below it. */
#ifndef KERNEL_PAGE_RUNNING_H
#define KERNEL_PAGE_RUNNING_H

#include "kernel/page/page.h"

struct running_view {
    const char *phase;
    uint32_t step;           /* phases so far, this one included */
    uint32_t percent;        /* of the phase */
    uint64_t elapsed_ms;
    uint64_t left_ms;        /* UINT64_MAX: not known */
    const char *version;
    const char *place;       /* where the report will go */
};

/* Lines of characters that it takes; in pixels: times char_height. */
enum { RUNNING_LINES = 6, RUNNING_TEXT_LINES = 5 };

void running_page(struct page *page, const struct running_view *view);

#endif
