/* Horizontal bars with a name, a value and a remark. */
#ifndef KERNEL_PAGE_BARS_H
#define KERNEL_PAGE_BARS_H

#include "kernel/page/page.h"

enum { BARS_MAX = 24, BARS_NAME_BYTES = 32 };

struct bar {
    char name[BARS_NAME_BYTES];
    char value_text[BARS_NAME_BYTES];
    char remark[BARS_NAME_BYTES];    /* empty: none */
    uint64_t value;
    uint64_t low, high;              /* an interval; 0 and 0: none */
    bool is_marked;                  /* stands out */
};

struct bars {
    struct bar list[BARS_MAX];
    uint32_t count;
};

/* A bar more, or NULL when there are BARS_MAX. */
struct bar *bars_add(struct bars *bars);

/* As many bars as have room in `rect`; returns the height used. */
uint32_t bars_draw(struct page *page, struct page_rect rect, const struct bars *bars);

#endif
