/* Drawings have their colours from one style sheet, as classes with plain colours: programs
 * that show SVG alone know no variables, and the dark colours follow the reader's. */
#include "host/markup.h"

#include <stdarg.h>

/* Twelve hues for last-level caches (l0 to l11) and eight steps of a heat map. Printing
 * is always light. */
static const char style[] =
    "<style>\n"
    ".ct text{font:11px system-ui,sans-serif;fill:#1b1b1b}\n"
    ".ct .mid{text-anchor:middle}.ct .end{text-anchor:end}.ct .b{font-weight:600}\n"
    ".ct .bg{fill:#fff}.ct .box{fill:#f1f1ee;stroke:#777}.ct .die{fill:#e4e7ec;stroke:#777}\n"
    ".ct .node{fill:#e9f1e2;stroke:#777}.ct .inner{fill:#fff;fill-opacity:.45;stroke:#777}\n"
    ".ct .cpu{fill:#fff;fill-opacity:.85;stroke:#555}\n"
    ".ct .eff{stroke-dasharray:4 2}.ct .axis{stroke:#999}.ct .grid{stroke:#ccc;stroke-width:.5}\n"
    ".ct .edge{stroke:#111;stroke-width:1.5}.ct .edge2{stroke:#111;stroke-width:.6}\n"
    ".ct .bar{fill:#7fa8d9}.ct .pick{fill:#e2a24a}.ct .whisker{stroke:#111;stroke-width:1.4}\n"
    ".ct .none{fill:#ededed}.ct .self{fill:#cfcfcf}\n"
    ".ct .l0{fill:#cfe2f7;stroke:#777}.ct .l1{fill:#fbdcc4;stroke:#777}\n"
    ".ct .l2{fill:#d2edcf;stroke:#777}.ct .l3{fill:#f6d3dc;stroke:#777}\n"
    ".ct .l4{fill:#e2d8f3;stroke:#777}.ct .l5{fill:#f7edc0;stroke:#777}\n"
    ".ct .l6{fill:#cdeeee;stroke:#777}.ct .l7{fill:#f3d6f1;stroke:#777}\n"
    ".ct .l8{fill:#e4edc4;stroke:#777}.ct .l9{fill:#d5d9f6;stroke:#777}\n"
    ".ct .l10{fill:#f0ddd2;stroke:#777}.ct .l11{fill:#d3e6dd;stroke:#777}\n"
    ".ct .h0{fill:#f4f8d8}.ct .h1{fill:#d9eeb4}.ct .h2{fill:#abdba5}.ct .h3{fill:#74c2ab}\n"
    ".ct .h4{fill:#46a3b3}.ct .h5{fill:#3180ac}.ct .h6{fill:#2f5a99}.ct .h7{fill:#2b347a}\n"
    ".ct text.on-dark{fill:#fff}.ct text.on-light{fill:#111}\n"
    "@media screen and (prefers-color-scheme:dark){\n"
    ".ct text{fill:#e4e4e4}.ct .bg{fill:#16181b}.ct .box{fill:#24272b;stroke:#8a8a8a}\n"
    ".ct .die{fill:#2b3038;stroke:#8a8a8a}.ct .node{fill:#263024;stroke:#8a8a8a}\n"
    ".ct .inner,.ct .cpu{fill:#000;fill-opacity:.3;stroke:#999}\n"
    ".ct .axis{stroke:#888}.ct .grid{stroke:#444}.ct .edge,.ct .edge2,.ct .whisker{stroke:#f4f4f4}\n"
    ".ct .bar{fill:#3f6ea5}.ct .pick{fill:#a9701c}.ct .none{fill:#2a2d31}.ct .self{fill:#44484e}\n"
    ".ct .l0{fill:#23405e}.ct .l1{fill:#5c3a1e}.ct .l2{fill:#274a26}.ct .l3{fill:#5a2a38}\n"
    ".ct .l4{fill:#3d3060}.ct .l5{fill:#504617}.ct .l6{fill:#1f4b4b}.ct .l7{fill:#512c4f}\n"
    ".ct .l8{fill:#414b1d}.ct .l9{fill:#2c3266}.ct .l10{fill:#4e382b}.ct .l11{fill:#28453a}\n"
    "}\n</style>\n";

void markup_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default:
            fputc((unsigned char)*text >= 0x20 || *text == '\n' || *text == '\t' ? *text : '?', out);
        }
    }
}

void svg_style(FILE *out)
{
    fputs(style, out);
}

void svg_open(FILE *out, double width, double height, const char *label, bool with_style)
{
    fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ct\" role=\"img\" "
            "width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" aria-label=\"",
            width, height, width, height);
    markup_text(out, label);
    fputs("\">\n", out);
    if (with_style)
        svg_style(out);
    fputs("<rect class=\"bg\" width=\"100%\" height=\"100%\"/>\n", out);
}

void svg_close(FILE *out)
{
    fputs("</svg>\n", out);
}

void svg_rect(FILE *out, double x, double y, double width, double height, const char *style_class)
{
    fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"/>\n", x, y,
            width, height, style_class);
}

void svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *style_class)
{
    fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x1, y1,
            x2, y2, style_class);
}

void svg_text(FILE *out, double x, double y, const char *style_class, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\"", x, y);
    if (style_class[0])
        fprintf(out, " class=\"%s\"", style_class);
    fputc('>', out);
    markup_text(out, text);
    fputs("</text>\n", out);
}
