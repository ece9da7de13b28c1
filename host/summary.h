/* The text of a report's QR code (kernel/report/summary_code.h), as a phone or zbarimg
 * reads it, taken apart. */
#ifndef HOST_SUMMARY_H
#define HOST_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

enum { SUMMARY_MAX_BYTES = 4300 }; /* what the largest QR code holds */

struct summary {
    char text[SUMMARY_MAX_BYTES + 1]; /* from CT1 to the CRC, line ends taken out */
    size_t length;
    bool is_whole;                    /* ends with a CRC */
    uint32_t crc, expected_crc;
};

/* False: there is no code in these bytes. */
bool summary_find(struct summary *summary, const char *bytes, size_t length);

/* "coretruth-summary/1" of docs/report.md; NULL: a record is not as it should be, which
 * `why` tells, or memory ran out. */
json_t *summary_json(const struct summary *summary, char *why, size_t why_bytes);

/* The same for a reader. */
void summary_write_text(const json_t *json, FILE *out);

#endif
