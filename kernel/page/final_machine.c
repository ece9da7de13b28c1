/* Machine, firmware, boot, and below them the findings, worst first. */
#include <string.h>

#include "kernel/lib/textbuf.h"
#include "kernel/page/final_parts.h"
#include "kernel/report/fixed.h"
#include "kernel/report/machine.h"

enum {
    LABEL_COLUMNS = 10,
    VALUE_BYTES = 200,
    ACPI_OEM_AT = 10, ACPI_OEM_BYTES = 6, ACPI_MODEL_BYTES = 8, /* [acpi 5.2.6] */
    GIB_SHIFT = 30,
    HZ_OF_MHZ = 1000000,
};

struct lines {
    struct page *page;
    struct page_rect rect;
    uint32_t used;
};

static uint32_t lines_left(const struct lines *lines)
{
    return lines->rect.height / lines->page->metrics.char_height - lines->used;
}

static void put_pair(struct lines *lines, const char *label, const char *value)
{
    const struct page_metrics *m = &lines->page->metrics;
    uint32_t y = lines->rect.y + lines->used * m->char_height;
    uint32_t columns = lines->rect.width / m->char_width;

    if (!value[0] || !lines_left(lines) || columns <= LABEL_COLUMNS)
        return;
    page_words(lines->page, lines->rect.x, y, 1, LABEL_COLUMNS, PAGE_FAINT, label);
    page_words(lines->page, lines->rect.x + LABEL_COLUMNS * m->char_width, y, 1,
               columns - LABEL_COLUMNS, PAGE_INK, value);
    lines->used++;
}

static void put_processor(struct lines *lines, const struct machine_facts *facts)
{
    char value[VALUE_BYTES];
    struct machine_cpu cpu;
    struct textbuf out;

    machine_describe_cpu(facts, &facts->cpus[0], &cpu);
    put_pair(lines, "processor", cpu.brand[0] ? cpu.brand : cpu.vendor);
    textbuf_init(&out, value, sizeof value);
    if (cpu.has_signature)
        textbuf_printf(&out, "family %u model %u stepping %u", (unsigned)cpu.family,
                       (unsigned)cpu.model, (unsigned)cpu.stepping);
    if (cpu.has_microcode)
        textbuf_printf(&out, ", microcode 0x%x", (unsigned)cpu.microcode);
    if (cpu.is_virtual)
        textbuf_printf(&out, ", virtual (%s)", cpu.hypervisor[0] ? cpu.hypervisor : "unnamed");
    put_pair(lines, "", value);
}

/* What is or was RAM: on UEFI most of it is taken by the loader, for the run. */
static uint64_t memory_bytes(const struct machine_facts *facts)
{
    static const char *const names[] = {"RAM", "loader", "boot services", "runtime services"};
    struct memory_kind kinds[MACHINE_MAX_MEMORY_KINDS];
    uint32_t count = machine_memory_kinds(facts, kinds);
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
            if (strcmp(kinds[i].name, names[k]) == 0)
                bytes += kinds[i].bytes;
    return bytes;
}

static void put_size(struct lines *lines, const struct report_model *model)
{
    const struct machine_facts *facts = model->facts;
    const struct topology *newest = report_newest(model);
    uint64_t bytes = memory_bytes(facts);
    char value[VALUE_BYTES];
    struct textbuf out;

    textbuf_init(&out, value, sizeof value);
    textbuf_printf(&out, "%u online of %u", (unsigned)machine_count_cpus(facts, CPU_ONLINE),
                   (unsigned)facts->cpu_count);
    if (newest && newest->node_count)
        textbuf_printf(&out, ", %u node%s", (unsigned)newest->node_count,
                       newest->node_count == 1 ? "" : "s");
    if (bytes) {
        textbuf_put(&out, ", ");
        fixed_put(&out, (int64_t)fixed_muldiv(bytes, 10, 1ull << GIB_SHIFT), 1);
        textbuf_put(&out, " GiB RAM");
    }
    if (facts->has_tsc_hz) {
        textbuf_put(&out, ", TSC ");
        fixed_put(&out, (int64_t)(facts->tsc_hz / HZ_OF_MHZ), 3);
        textbuf_put(&out, " GHz");
    }
    put_pair(lines, "CPUs", value);
}

/* What the firmware does not state is left out. */
static void put_system(struct lines *lines, const struct smbios *smbios)
{
    static const struct {
        enum smbios_text text;
        const char *between, *before;
    } shown[] = {
        {SMBIOS_SYSTEM_MAKER, "", ""}, {SMBIOS_SYSTEM_PRODUCT, " ", ""},
        {SMBIOS_FIRMWARE_VERSION, "; ", "firmware "}, {SMBIOS_FIRMWARE_DATE, ", ", ""},
    };
    char value[VALUE_BYTES];
    struct textbuf out;

    textbuf_init(&out, value, sizeof value);
    for (unsigned i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
        if (smbios->text[shown[i].text][0])
            textbuf_printf(&out, "%s%s%s", out.length ? shown[i].between : "", shown[i].before,
                           smbios->text[shown[i].text]);
    put_pair(lines, "system", value);
}

static void put_firmware(struct lines *lines, const struct machine_facts *facts)
{
    const struct acpi_table *table = facts_table(facts, "FACP");
    char value[VALUE_BYTES];
    struct textbuf out;

    textbuf_init(&out, value, sizeof value);
    if (facts->firmware_vendor[0])
        textbuf_printf(&out, "%s, revision 0x%x", facts->firmware_vendor,
                       (unsigned)facts->firmware_revision);
    if (table && table->length_bytes >= ACPI_OEM_AT + ACPI_OEM_BYTES + ACPI_MODEL_BYTES) {
        const char *oem = (const char *)table->bytes + ACPI_OEM_AT;

        textbuf_printf(&out, "%sACPI tables of %.*s %.*s", out.length ? "; " : "",
                       ACPI_OEM_BYTES, oem, ACPI_MODEL_BYTES, oem + ACPI_OEM_BYTES);
    }
    put_pair(lines, "firmware", value);
}

static void put_run(struct lines *lines, const struct report_model *model)
{
    char value[VALUE_BYTES];
    struct textbuf out;

    textbuf_init(&out, value, sizeof value);
    if (model->boot_path)
        textbuf_printf(&out, "%s by %s, quiet: %s", model->boot_path,
                       model->loader && model->loader[0] ? model->loader : "an unnamed loader",
                       model->quiet);
    put_pair(lines, "boot", value);
    put_pair(lines, "options", model->cmdline && model->cmdline[0] ? model->cmdline : "none given");
}

static void put_finding(struct lines *lines, const struct finding *finding)
{
    static const struct { const char *word; page_colour colour; } shown[] = {
        [FINDING_INFO] = {"info", PAGE_FAINT}, [FINDING_WARNING] = {"warning", PAGE_WARNING},
        [FINDING_ERROR] = {"error", 0xE8706A},
    };
    const struct page_metrics *m = &lines->page->metrics;
    uint32_t y = lines->rect.y + lines->used * m->char_height;
    uint32_t columns = lines->rect.width / m->char_width - LABEL_COLUMNS;
    char text[VALUE_BYTES * 2];
    struct textbuf out;

    textbuf_init(&out, text, sizeof text);
    textbuf_printf(&out, "%s: %s", finding->id, finding->text);
    page_words(lines->page, lines->rect.x, y, 1, LABEL_COLUMNS, shown[finding->severity].colour,
               shown[finding->severity].word);
    lines->used += page_wrap(lines->page, lines->rect.x + LABEL_COLUMNS * m->char_width, y, 1,
                             columns, lines_left(lines) > 4 ? 2 : 1, PAGE_INK, text);
}

/* The last line tells how many did not fit. */
static void put_findings(struct lines *lines, const struct findings *findings)
{
    const struct page_metrics *m = &lines->page->metrics;
    uint32_t told = 0;

    if (!findings->count)
        put_pair(lines, "findings", "none");
    for (int severity = FINDING_ERROR; severity >= FINDING_INFO; severity--)
        for (uint32_t i = 0; i < findings->count && lines_left(lines) > 1; i++)
            if (findings->list[i].severity == (enum finding_severity)severity) {
                put_finding(lines, &findings->list[i]);
                told++;
            }
    if (told < findings->count && lines_left(lines))
        page_printf(lines->page, lines->rect.x + LABEL_COLUMNS * m->char_width,
                    lines->rect.y + lines->used++ * m->char_height, 60, PAGE_FAINT,
                    "and %u more: see report.txt", (unsigned)(findings->count - told));
}

uint32_t final_machine_and_findings(struct page *page, struct page_rect rect,
                                    const struct report_model *model)
{
    struct lines lines = {.page = page, .rect = rect};

    if (model->facts && model->facts->cpu_count) {
        put_processor(&lines, model->facts);
        put_size(&lines, model);
        put_system(&lines, &model->facts->smbios);
        put_firmware(&lines, model->facts);
    }
    put_run(&lines, model);
    if (!page->metrics.is_text)
        lines.used++;
    if (model->findings && lines.used < rect.height / page->metrics.char_height)
        put_findings(&lines, model->findings);
    return lines.used * page->metrics.char_height;
}
