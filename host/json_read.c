/* Missing is not zero: whoever reads a number says what absence means. */
#include "host/json_read.h"

#include <inttypes.h>
#include <stdio.h>

const char *json_read_text(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text ? text : "";
}

bool json_read_number(const json_t *object, const char *name, double *value)
{
    const json_t *number = json_object_get(object, name);

    if (!json_is_number(number))
        return false;
    *value = json_number_value(number);
    return true;
}

double json_read_or(const json_t *object, const char *name, double missing)
{
    double value;

    return json_read_number(object, name, &value) ? value : missing;
}

bool json_read_bool(const json_t *object, const char *name)
{
    return json_is_true(json_object_get(object, name));
}

void json_read_size(const json_t *object, const char *name, char text[24])
{
    static const char letters[] = "\0KMGT";
    uint64_t bytes = (uint64_t)json_integer_value(json_object_get(object, name));
    int letter = 0;

    while (bytes && bytes % 1024 == 0 && letter < 4) {
        bytes /= 1024;
        letter++;
    }
    snprintf(text, 24, "%" PRIu64 "%.1s", bytes, letters + letter);
}
