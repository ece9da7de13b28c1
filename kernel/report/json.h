/* A streaming JSON writer. Containers are opened and closed in order; a key is given
 * inside objects and NULL inside arrays. Numbers are integers of 64 bits or fixed
 * point; text of any origin is made valid: invalid UTF-8 becomes U+FFFD. The names keep
 * clear of jansson's, which the desk tool links beside these.
 *
 *     json_open_object(json, "cpu");       "cpu": {
 *     json_u64(json, "apic_id", 3);          "apic_id": 3,
 *     json_open_array(json, "ids");          "ids": [
 *     json_u64(json, NULL, 1);                 1
 *     json_end(json);                        ]
 *     json_end(json);                      }
 */
#ifndef KERNEL_REPORT_JSON_H
#define KERNEL_REPORT_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/cpumask.h"
#include "kernel/lib/textbuf.h"

enum { JSON_MAX_DEPTH = 32 };

struct json {
    struct textbuf *out;
    uint32_t depth;
    uint32_t is_array; /* bit d: the container at depth d */
    uint32_t has_item; /* bit d: a comma is due before its next item */
    bool is_misused;   /* too deep, closed too often, a key missing or too many */
};

void json_init(struct json *json, struct textbuf *out);

void json_open_object(struct json *json, const char *key);
void json_open_array(struct json *json, const char *key);
/* Closes the innermost container. */
void json_end(struct json *json);

void json_u64(struct json *json, const char *key, uint64_t value);
void json_i64(struct json *json, const char *key, int64_t value);
/* 12345 with 3 decimals is the number 12.345. */
void json_fixed(struct json *json, const char *key, int64_t value, unsigned decimals);
void json_bool(struct json *json, const char *key, bool value);
void json_no_value(struct json *json, const char *key);
/* NULL is written as null. */
void json_text(struct json *json, const char *key, const char *text);
void json_format(struct json *json, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "0x8b": for registers and addresses, which people compare in hexadecimal. */
void json_hex(struct json *json, const char *key, uint64_t value);
/* "0-3,8", as sysfs prints a list; "" for an empty set. */
void json_list(struct json *json, const char *key, const struct cpumask *mask);

/* True when every container was closed and the writer was used rightly. */
bool json_is_complete(const struct json *json);

#endif
