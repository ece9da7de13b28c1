/* Text into HTML and SVG, and the numbers of drawings. */
#ifndef HOST_MARKUP_H
#define HOST_MARKUP_H

#include <stdbool.h>
#include <stdio.h>

/* Foreign text as character data or in a quoted attribute: it cannot start markup, and
 * control characters, which XML forbids, become '?'. */
void markup_text(FILE *out, const char *text);

/* The style sheet that all drawings need: once in a page, or in each file. */
void svg_style(FILE *out);

/* The opening tag of a drawing. `label` is what a screen reader says instead of it. */
void svg_open(FILE *out, double width, double height, const char *label, bool with_style);
void svg_close(FILE *out);

void svg_rect(FILE *out, double x, double y, double width, double height, const char *style_class);
void svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *style_class);
/* `style_class` may be "" for none. */
void svg_text(FILE *out, double x, double y, const char *style_class, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
