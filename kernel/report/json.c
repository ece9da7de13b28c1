/* The writer keeps two bits per open container. Items of the outer containers start
 * a line of their own, so that two reports can be compared with diff; deeper ones
 * stay on the line of their parent, which keeps a large machine's file small. */
#include "kernel/report/json.h"

#include <stdio.h>

#include "kernel/report/fixed.h"
#include "kernel/report/utf8.h"

enum { LINE_DEPTH = 3, FORMAT_BYTES = 512 };

static bool is_in_array(const struct json *json)
{
    return json->is_array >> json->depth & 1;
}

static void put_escaped(struct textbuf *out, const char *text)
{
    textbuf_putc(out, '"');
    while (*text) {
        size_t length = utf8_sequence_bytes(text);

        if (length == 0) {
            textbuf_put(out, UTF8_REPLACEMENT);
            text++;
            continue;
        }
        if (*text == '"' || *text == '\\') {
            textbuf_putc(out, '\\');
            textbuf_putc(out, *text);
        } else if (*text == '\n') {
            textbuf_put(out, "\\n");
        } else if (length == 1 && ((unsigned char)*text < 0x20 || *text == 0x7F)) {
            textbuf_put(out, "\\u00");
            textbuf_put_hex(out, (unsigned char)*text, 2);
        } else {
            textbuf_put_bytes(out, text, length);
        }
        text += length;
    }
    textbuf_putc(out, '"');
}

static void start_line(struct json *json, uint32_t depth)
{
    textbuf_putc(json->out, '\n');
    for (uint32_t i = 0; i < depth; i++)
        textbuf_putc(json->out, ' ');
}

/* What comes before a value: comma, new line, key. */
static void start_item(struct json *json, const char *key)
{
    uint32_t bit = 1u << json->depth;

    if (json->depth == 0) {
        json->is_misused |= key != NULL || (json->has_item & bit);
        json->has_item |= bit;
        return;
    }
    json->is_misused |= is_in_array(json) == (key != NULL);
    if (json->has_item & bit)
        textbuf_putc(json->out, ',');
    json->has_item |= bit;
    if (json->depth < LINE_DEPTH)
        start_line(json, json->depth);
    if (key) {
        put_escaped(json->out, key);
        textbuf_putc(json->out, ':');
    }
}

static void open_container(struct json *json, const char *key, bool is_array)
{
    start_item(json, key);
    if (json->depth + 1 >= JSON_MAX_DEPTH) {
        json->is_misused = true;
        return;
    }
    json->depth++;
    json->has_item &= ~(1u << json->depth);
    json->is_array &= ~(1u << json->depth);
    json->is_array |= (uint32_t)is_array << json->depth;
    textbuf_putc(json->out, is_array ? '[' : '{');
}

void json_init(struct json *json, struct textbuf *out)
{
    *json = (struct json){.out = out};
}

void json_open_object(struct json *json, const char *key)
{
    open_container(json, key, false);
}

void json_open_array(struct json *json, const char *key)
{
    open_container(json, key, true);
}

void json_end(struct json *json)
{
    if (json->depth == 0) {
        json->is_misused = true;
        return;
    }
    if (json->depth < LINE_DEPTH && json->has_item >> json->depth & 1)
        start_line(json, json->depth - 1);
    textbuf_putc(json->out, is_in_array(json) ? ']' : '}');
    json->depth--;
    if (json->depth == 0)
        textbuf_putc(json->out, '\n');
}

void json_u64(struct json *json, const char *key, uint64_t value)
{
    start_item(json, key);
    textbuf_put_decimal(json->out, value);
}

void json_i64(struct json *json, const char *key, int64_t value)
{
    json_fixed(json, key, value, 0);
}

void json_fixed(struct json *json, const char *key, int64_t value, unsigned decimals)
{
    start_item(json, key);
    fixed_put(json->out, value, decimals);
}

void json_bool(struct json *json, const char *key, bool value)
{
    start_item(json, key);
    textbuf_put(json->out, value ? "true" : "false");
}

void json_no_value(struct json *json, const char *key)
{
    start_item(json, key);
    textbuf_put(json->out, "null");
}

void json_text(struct json *json, const char *key, const char *text)
{
    if (!text) {
        json_no_value(json, key);
        return;
    }
    start_item(json, key);
    put_escaped(json->out, text);
}

void json_format(struct json *json, const char *key, const char *format, ...)
{
    char text[FORMAT_BYTES];
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    json->is_misused |= length < 0 || (size_t)length >= sizeof(text);
    json_text(json, key, text);
}

void json_hex(struct json *json, const char *key, uint64_t value)
{
    start_item(json, key);
    textbuf_put(json->out, "\"0x");
    textbuf_put_hex(json->out, value, 1);
    textbuf_putc(json->out, '"');
}

void json_list(struct json *json, const char *key, const struct cpumask *mask)
{
    start_item(json, key);
    textbuf_putc(json->out, '"');
    cpumask_put_list(json->out, mask);
    textbuf_putc(json->out, '"');
}

bool json_is_complete(const struct json *json)
{
    return json->depth == 0 && (json->has_item & 1) && !json->is_misused;
}
