/* A report.json may come from anywhere: what is taken can be drawn. */
#include "host/report_load.h"

#include "kernel/report/writers.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void drop(struct textbuf *buf, void *context)
{
    (void)buf;
    (void)context;
}

static void draw(const struct report_load *load)
{
    struct report_model model = {0};
    char chunk[4096];
    struct textbuf out;

    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++)
        model.topologies[i] = load->profiles >> i & 1 ? &load->topologies[i] : NULL;
    textbuf_init(&out, chunk, sizeof(chunk));
    out.flush = drop;
    xml_report(&model, &out);
    text_report(&model, &out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    json_t *report = json_loadb((const char *)bytes, length, 0, NULL);
    struct report_load load;

    if (report) {
        if (report_load_topologies(report, &load))
            draw(&load);
        report_load_free(&load);
        json_decref(report);
    }
    return 0;
}
