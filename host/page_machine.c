/* The page's summary: what the machine is, and what has to be known before a number. */
#include <string.h>

#include "host/export_page.h"
#include "host/json_read.h"

static const struct { const char *label, *part, *name; } lines[] = {
    {"status", NULL, "status"}, {"version", NULL, "version"}, {"source", "machine", "source"},
    {"CPU", "machine", "brand"}, {"vendor", "machine", "vendor"},
    {"family", "machine", "family"}, {"model", "machine", "model"},
    {"stepping", "machine", "stepping"}, {"microcode", "machine", "microcode"},
    {"hypervisor", "machine", "hypervisor"}, {"boot path", "boot", "path"},
    {"quiet mode", "boot", "quiet"}, {"loader", "boot", "loader"},
    {"firmware", "boot", "firmware_vendor"}, {"command line", "boot", "command_line"},
};

static void put_warnings(struct page *page)
{
    const json_t *report = page->source->report;
    const json_t *bench = json_object_get(report, "bench");
    const char *reason = json_read_text(report, "fail_reason");
    const char *inject = json_read_text(json_object_get(report, "options"), "inject");

    if (reason[0])
        page_paragraph(page, "The run stopped: %s", reason);
    if (json_read_bool(json_object_get(report, "machine"), "is_virtual") &&
        (bench || json_object_get(report, "measured")))
        page_paragraph(page, "Virtual machine: measured numbers are the hypervisor's, and no "
                       "verdict is given on hardware.");
    if (json_read_bool(bench, "is_hosted"))
        page_paragraph(page, "Hosted: page clearing was measured under an operating system, with "
                       "its interrupts and other processes.");
    if (inject[0] && strcmp(inject, "none") != 0)
        page_paragraph(page, "Fault on purpose: this run was made with inject=%s.", inject);
}

static void put_cpu_counts(struct page *page)
{
    const json_t *cpus = json_object_get(page->source->report, "cpus"), *cpu;
    static const char *const states[] = {"online", "silent", "faulted", "disabled"};
    size_t counts[4] = {0}, index;

    if (!json_array_size(cpus))
        return;
    json_array_foreach(cpus, index, cpu) {
        for (int i = 0; i < 4; i++)
            counts[i] += !strcmp(json_read_text(cpu, "state"), states[i]);
    }
    page_cell(page, "logical CPUs");
    page_cell(page, "%zu online, %zu silent, %zu faulted, %zu disabled by the firmware", counts[0],
              counts[1], counts[2], counts[3]);
    page_end_row(page);
}

void page_machine(struct page *page)
{
    static const char *const header[] = {"what", "value", NULL};
    const json_t *report = page->source->report;
    double hz;

    put_warnings(page);
    page_header(page, header);
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        const json_t *part = lines[i].part ? json_object_get(report, lines[i].part) : report;
        const json_t *value = json_object_get(part, lines[i].name);

        if (!value || json_is_null(value))
            continue;
        page_cell(page, "%s", lines[i].label);
        page_value(page, value);
        page_end_row(page);
    }
    if (json_read_number(json_object_get(report, "machine"), "tsc_hz", &hz)) {
        page_cell(page, "TSC");
        page_cell(page, "%.3f MHz", hz / 1e6);
        page_end_row(page);
    }
    put_cpu_counts(page);
    page_end_table(page);
}
