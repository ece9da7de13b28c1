/* Opens what is exported. Whatever the source, the writers get a report.json document
 * and topologies: a recorded machine is told to itself first. */
#include "host/export.h"

#include <stdlib.h>
#include <string.h>

#include "host/complain.h"
#include "host/figures.h"
#include "host/json_read.h"
#include "kernel/options/values.h"
#include "kernel/report/writers.h"

enum { ALL_PROFILES = (1 << RULE_PROFILE_COUNT) - 1, CHUNK_BYTES = 1 << 16 };

static void flush_to_stream(struct textbuf *buf, void *context)
{
    fwrite(buf->text, 1, buf->length, context);
}

bool export_text(void (*write)(const struct report_model *, struct textbuf *),
                 const struct report_model *model, FILE *out)
{
    char *chunk = malloc(CHUNK_BYTES);
    struct textbuf text;
    bool is_good = chunk != NULL;

    if (chunk) {
        textbuf_init(&text, chunk, CHUNK_BYTES);
        text.flush = flush_to_stream;
        text.flush_context = out;
        write(model, &text);
        flush_to_stream(&text, out);
        is_good = !text.is_cut;
    }
    free(chunk);
    return is_good;
}

/* The image's own formats tell a whole machine; the tree only needs the topologies that a
 * report.json has too. */
static bool write_text(void (*write)(const struct report_model *, struct textbuf *),
                       const struct export_source *source, FILE *out)
{
    bool can_write = write == xml_report ? report_newest(&source->model) != NULL
                                         : source->has_machine;

    return can_write && export_text(write, &source->model, out);
}

#define AS_FUNCTION(word, file_name, write) \
    static bool export_##write(const struct export_source *source, FILE *out) \
    { \
        return write_text(write, source, out); \
    }
REPORT_FORMATS(AS_FUNCTION)

static bool write_svg(const struct export_source *source, FILE *out)
{
    return figure_topology(source, true, out);
}

static bool write_latency_svg(const struct export_source *source, FILE *out)
{
    return figure_latency(source, true, out);
}

static const struct export_format formats[] = {
#define AS_FORMAT(word, file_name, write) {word, file_name, export_##write},
    REPORT_FORMATS(AS_FORMAT)
    {"svg", "topology.svg", write_svg},
    {"latency-svg", "latency.svg", write_latency_svg},
    {"bench-svg", "bench.svg", figure_bench_all},
    {"html", "report.html", export_html},
    {"md", "report.md", export_markdown},
    {"csv", "cpus.csv", export_cpus_csv},
    {"bench-csv", "bench.csv", export_bench_csv},
};

static const char *format_word(unsigned i)
{
    return i < sizeof(formats) / sizeof(formats[0]) ? formats[i].word : NULL;
}

int export_find_formats(const char *words, const struct export_format **found, int capacity)
{
    char word[32];
    int count = 0;

    while (value_next_piece(&words, ',', word, sizeof(word))) {
        const struct export_format *format = NULL;

        for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
            if (!strcmp(formats[i].word, word))
                format = &formats[i];
        }
        if (!format || count == capacity) {
            complain_choice(word, "format", format_word);
            return 0;
        }
        found[count++] = format;
    }
    return count;
}

/* The report of a machine that was not booted: facts, conclusions and findings. */
static bool tell_machine(const char *path, struct export_source *source)
{
    struct report_model *model = &source->model;
    char *text = NULL;
    size_t length = 0;
    json_error_t error;
    FILE *stream;
    bool is_good;

    model->facts = &source->machine.input.facts;
    model->findings = &source->machine.findings;
    model->version = "recorded machine, concluded from on the desk";
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++)
        model->topologies[i] = &source->machine.topologies[i];
    stream = open_memstream(&text, &length);
    if (!stream)
        return false;
    is_good = export_text(json_report, model, stream);
    is_good &= fclose(stream) == 0;
    if (is_good)
        source->report = json_loadb(text, length, 0, &error);
    if (is_good && !source->report) /* a number that no reader of JSON has to know, RFC 8259 6 */
        complain("%s: what it says cannot be told as report.json: %s", path, error.text);
    free(text);
    return source->report != NULL;
}

static bool load_report(const char *path, struct export_source *source)
{
    if (!report_load_topologies(source->report, &source->loaded)) {
        complain("%s: %s", path, source->loaded.error);
        return false;
    }
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++) {
        if (source->loaded.profiles >> i & 1)
            source->model.topologies[i] = &source->loaded.topologies[i];
    }
    return true;
}

bool export_open(const char *path, struct export_source *source)
{
    size_t length = strlen(path);

    memset(source, 0, sizeof(*source));
    if (length > 5 && !strcmp(path + length - 5, ".json")) {
        source->report = json_read_report(path);
        return source->report && load_report(path, source);
    }
    source->has_machine = true;
    return machine_load(path, ALL_PROFILES, &source->machine) && tell_machine(path, source);
}

void export_close(struct export_source *source)
{
    json_decref(source->report);
    report_load_free(&source->loaded);
    if (source->has_machine)
        machine_free(&source->machine);
}
