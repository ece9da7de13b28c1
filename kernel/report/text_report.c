/* report.txt: the sections in order. */
#include "kernel/report/sections.h"
#include "kernel/report/writers.h"

static const text_section text_sections[] = {
    text_summary, text_findings, text_machine, text_topology, text_bench, text_options,
};

void text_report(const struct report_model *model, struct textbuf *out)
{
    for (uint32_t i = 0; i < sizeof(text_sections) / sizeof(text_sections[0]); i++)
        text_sections[i](out, model);
}
