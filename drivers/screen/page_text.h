/* A page of character cells as lines of text, for a serial line. */
#ifndef DRIVERS_SCREEN_PAGE_TEXT_H
#define DRIVERS_SCREEN_PAGE_TEXT_H

#include "kernel/page/page.h"
#include "kernel/report/sink.h"

enum { PAGE_TEXT_MOST_COLUMNS = 132 };

/* Rows end with CR LF and have no blanks at their end. With `has_colour` the page's colours
 * are ANSI sequences; without, no byte but printable ASCII goes out. The page's metrics are
 * those of text; more columns than the most are not shown. */
void page_text_write(const struct page *page, bool has_colour, struct report_sink *sink);

#endif
