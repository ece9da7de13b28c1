/* Values out of a report.json document that may lack any of them. */
#ifndef HOST_JSON_READ_H
#define HOST_JSON_READ_H

#include <jansson.h>
#include <stdbool.h>

/* The document of a report.json. NULL: it cannot be read, is no JSON or another program's;
 * the reason was told with the file's name. */
json_t *json_read_report(const char *path);

/* "" when absent or no text. */
const char *json_read_text(const json_t *object, const char *name);
/* False when absent, null or no number. */
bool json_read_number(const json_t *object, const char *name, double *value);
/* `missing` when absent, null or no number. */
double json_read_or(const json_t *object, const char *name, double missing);
bool json_read_bool(const json_t *object, const char *name);

/* "4K", "2M", "1G"; "123" where it is no whole number of KiB. */
void json_read_size(const json_t *object, const char *name, char text[24]);

#endif
