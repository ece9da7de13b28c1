/* report.txt: the sections in order. */
#include "kernel/report/sections.h"
#include "kernel/report/writers.h"

static const text_section text_sections[] = {
    text_summary, text_findings, text_machine, text_topology, text_cpus,
    text_measured, text_bench, text_options,
};

/* A run that was only asked for help has nothing else to tell. */
static bool tells_help(const struct report_model *model)
{
    return model->options && model->options->is_help && model->words && !model->fail_reason;
}

void text_report(const struct report_model *model, struct textbuf *out)
{
    if (tells_help(model)) {
        textbuf_put(out, "coretruth report\n================\n\n");
        options_put_help(out, model->words);
        return;
    }
    for (uint32_t i = 0; i < sizeof(text_sections) / sizeof(text_sections[0]); i++)
        text_sections[i](out, model);
}
