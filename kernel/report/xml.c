/* Escaping by XML 1.0 section 2.4; sets as hwloc_bitmap_sscanf() reads them. */
#include "kernel/report/xml.h"

#include "kernel/report/utf8.h"

static void put_escaped(struct textbuf *out, const char *text)
{
    while (*text) {
        size_t length = utf8_sequence_bytes(text);

        if (length == 0 || (unsigned char)*text < 0x20)
            textbuf_put(out, UTF8_REPLACEMENT);
        else if (*text == '&')
            textbuf_put(out, "&amp;");
        else if (*text == '<')
            textbuf_put(out, "&lt;");
        else if (*text == '>')
            textbuf_put(out, "&gt;");
        else if (*text == '"')
            textbuf_put(out, "&quot;");
        else
            textbuf_put_bytes(out, text, length);
        text += length ? length : 1;
    }
}

void xml_attribute(struct textbuf *out, const char *name, const char *text)
{
    textbuf_printf(out, " %s=\"", name);
    put_escaped(out, text);
    textbuf_putc(out, '"');
}

void xml_attribute_u64(struct textbuf *out, const char *name, uint64_t value)
{
    textbuf_printf(out, " %s=\"", name);
    textbuf_put_decimal(out, value);
    textbuf_putc(out, '"');
}

static void put_group(struct textbuf *out, uint32_t bits)
{
    textbuf_put(out, "0x");
    textbuf_put_hex(out, bits, 8);
}

void xml_bitmap(struct textbuf *out, const struct cpumask *mask)
{
    uint32_t group = 2 * mask->word_count;

    while (group > 1 && !(uint32_t)(mask->words[(group - 1) / 2] >> 32 * ((group - 1) % 2)))
        group--;
    if (group == 0)
        put_group(out, 0);
    while (group-- > 0) {
        put_group(out, (uint32_t)(mask->words[group / 2] >> 32 * (group % 2)));
        if (group)
            textbuf_putc(out, ',');
    }
}

void xml_bitmap_of_one(struct textbuf *out, uint32_t bit)
{
    put_group(out, 1u << bit % 32);
    for (uint32_t group = bit / 32; group > 0; group--) {
        textbuf_putc(out, ',');
        put_group(out, 0);
    }
}
