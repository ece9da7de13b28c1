/* The table of formats.
 *
 * A format is one file of this folder with one `void NAME(model, out)` and its line
 * in REPORT_FORMATS (writers.h); options, framing, the stick and the desk follow it.
 *
 * A section (one part of the report) is
 *   json_PART.c: `void json_PART(struct json *, const struct report_model *)`, which
 *                writes its members ("bench": {…}) with json_open_object() and friends of
 *                json.h, and its line in json_sections[] of json_report.c;
 *   text_PART.c: `void text_PART(struct textbuf *, const struct report_model *)`, which
 *                writes text_heading() and lines or tables of text.h, and its line in
 *                text_sections[] of text_report.c;
 *   both declared in sections.h, both silent when their part of the model is NULL;
 *   its names documented in docs/report.md and docs/report.schema.json.
 * A section may be called twice (once to count, once to write): it only reads the model. */
#include "kernel/report/formats.h"

#include "kernel/report/writers.h"

#define AS_FORMAT(word, file_name, write) {word, file_name, write},
#define AS_WORD(word, file_name, write) word,

const struct report_format report_formats[] = {REPORT_FORMATS(AS_FORMAT)};

const uint32_t report_format_count = sizeof(report_formats) / sizeof(report_formats[0]);

struct options_word_list report_words(void)
{
    static const char *const words[] = {REPORT_FORMATS(AS_WORD)};

    return (struct options_word_list){words, sizeof(words) / sizeof(words[0])};
}
