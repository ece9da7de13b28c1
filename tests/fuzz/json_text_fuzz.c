/* Firmware strings go into report.json and topology.xml: whatever the bytes, the text is
 * valid UTF-8 that a JSON parser takes, and ASCII comes back unchanged. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/report/json.h"
#include "kernel/report/text.h"
#include "kernel/report/xml.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check_json(const char *text, const char *input, bool is_ascii)
{
    json_error_t error;
    json_t *list = json_loads(text, 0, &error);
    const char *value = json_string_value(json_array_get(list, 0));

    if (!value || (is_ascii && strcmp(value, input) != 0))
        abort();
    json_decref(list);
}

static void check_control_bytes(const char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text < 0x20)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    size_t size = length * 6 + 64;
    char *input = malloc(length + 1), *text = malloc(size);
    struct textbuf out;
    struct json json;
    bool is_ascii = true;

    memcpy(input, bytes, length);
    input[length] = '\0';
    for (const char *c = input; *c; c++)
        is_ascii &= (unsigned char)*c < 0x80;
    textbuf_init(&out, text, size);
    json_init(&json, &out);
    json_open_array(&json, NULL);
    json_text(&json, NULL, input);
    json_end(&json);
    if (out.is_cut || !json_is_complete(&json))
        abort();
    check_json(text, input, is_ascii);

    textbuf_init(&out, text, size);
    xml_attribute(&out, "v", input);
    if (out.is_cut || strchr(text, '<'))
        abort();
    check_control_bytes(text);
    textbuf_init(&out, text, size);
    text_put_clean(&out, input);
    check_control_bytes(text);
    free(text);
    free(input);
    return 0;
}
