/* report.json: the sections in order. */
#include "kernel/report/sections.h"
#include "kernel/report/writers.h"

static const json_section json_sections[] = {
    json_summary, json_findings, json_machine, json_cpus, json_topology,
    json_measured, json_bench,
};

void json_report(const struct report_model *model, struct textbuf *out)
{
    struct json json;

    json_init(&json, out);
    json_open_object(&json, NULL);
    for (uint32_t i = 0; i < sizeof(json_sections) / sizeof(json_sections[0]); i++)
        json_sections[i](&json, model);
    json_end(&json);
    if (!json_is_complete(&json))
        out->is_cut = true;
}
