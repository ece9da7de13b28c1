/* Missing is not zero: whoever reads a number says what absence means. */
#include "host/json_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/complain.h"
#include "host/input.h"

static bool is_report(const json_t *root)
{
    return !strcmp(json_read_text(root, "schema"), "coretruth-report/1");
}

json_t *json_read_report(const char *path)
{
    json_error_t error;
    size_t length;
    char *text = input_read_file(path, &length);
    json_t *root;

    if (!text)
        return NULL;
    root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    free(text);
    if (!length)
        complain("%s: the file is empty; right is a report.json", path);
    else if (!root)
        complain("%s:%d: no whole JSON: %s; right is a report.json", path, error.line, error.text);
    else if (!is_report(root))
        complain("%s: no report of coretruth: \"schema\" is not \"coretruth-report/1\"; right is a "
                 "report.json", path);
    if (root && !is_report(root)) {
        json_decref(root);
        return NULL;
    }
    return root;
}

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
