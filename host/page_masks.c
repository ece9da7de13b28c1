/* The page's conclusions: drawing, masks of all profiles, levels, one row a CPU. */
#include <string.h>

#include "host/export_page.h"
#include "host/json_read.h"
#include "kernel/report/groups_text.h"

static void put_masks_of_kind(struct page *page, enum topology_mask kind)
{
    const struct topology *const *topologies = page->source->model.topologies;
    uint32_t told = 0;

    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++) {
        uint32_t profiles = groups_text_profiles(topologies, i, kind);
        char names[PAGE_CELL_BYTES], groups[PAGE_CELL_BYTES - 8];
        struct textbuf text;

        if (!profiles || told >> i & 1)
            continue;
        textbuf_init(&text, names, sizeof(names));
        groups_text_put_profiles(&text, profiles);
        textbuf_init(&text, groups, sizeof(groups));
        groups_text_put(&text, topologies[i], kind);
        page_cell(page, "%s", groups_text_title(kind));
        page_cell(page, "%s", names);
        page_cell(page, "%s%s", groups, text.is_cut ? "..." : "");
        page_end_row(page);
        told |= profiles;
    }
}

static const char *span_word(const json_t *rules)
{
    const json_t *sane = json_object_get(rules, "span_sane");

    return json_is_true(sane) ? "sane" : json_is_false(sane) ? "NOT sane" : "not checked";
}

static void put_levels(struct page *page)
{
    static const char *const header[] = {"kernel", "scheduler levels", "span check", NULL};
    json_t *all = json_object_get(page->source->report, "rules"), *rules;
    const char *profile;

    page_header(page, header);
    json_object_foreach(all, profile, rules) {
        char names[256] = "";
        const json_t *level;
        size_t index, length = 0;

        json_array_foreach(json_object_get(rules, "domains"), index, level) {
            const char *name = json_read_text(level, "name");

            if (length + strlen(name) + 2 > sizeof(names))
                break;
            length += (size_t)snprintf(names + length, sizeof(names) - length, "%s%s",
                                       index ? " " : "", name);
        }
        page_cell(page, "%s", profile);
        page_cell(page, "%s", names);
        page_cell(page, "%s", span_word(rules));
        page_end_row(page);
    }
    page_end_table(page);
}

/* The entry of a logical CPU in a list of objects. */
static const json_t *cpu_of(const json_t *list, size_t place, double number)
{
    const json_t *cpu = json_array_get(list, place);
    size_t index;

    if (json_read_or(cpu, "cpu", -1) == number)
        return cpu;
    json_array_foreach(list, index, cpu) {
        if (json_read_or(cpu, "cpu", -1) == number)
            return cpu;
    }
    return NULL;
}

static void put_cpus(struct page *page)
{
    static const char *const header[] = {"CPU", "APIC id", "UID", "state", "kind", "node",
                                         "package", "die", "core", "siblings", "LLC", NULL};
    const struct topology *newest = report_newest(&page->source->model);
    const json_t *report = page->source->report, *cpu;
    const json_t *rules = json_object_get(json_object_get(report, "rules"),
                                          newest ? rules_name(newest->rules) : "");
    size_t index;

    if (!page->style->is_whole || !json_array_size(json_object_get(report, "cpus")))
        return;
    page_heading(page, "CPUs");
    page_header(page, header);
    json_array_foreach(json_object_get(report, "cpus"), index, cpu) {
        double number = json_read_or(cpu, "cpu", -1);
        const json_t *placed = number < 0 ? NULL
                             : cpu_of(json_object_get(rules, "cpus"), index, number);

        page_value(page, json_object_get(cpu, "cpu"));
        page_value(page, json_object_get(cpu, "apic_id"));
        page_value(page, json_object_get(cpu, "uid"));
        page_cell(page, "%s", json_read_text(cpu, "state"));
        page_cell(page, "%s", json_read_text(cpu, "core_type"));
        page_value(page, json_object_get(cpu, "node"));
        page_value(page, json_object_get(placed, "physical_package_id"));
        page_value(page, json_object_get(placed, "die_id"));
        page_value(page, json_object_get(placed, "core_id"));
        page_value(page, json_object_get(placed, "thread_siblings_list"));
        page_value(page, json_object_get(placed, "llc_cpus_list"));
        page_end_row(page);
    }
    page_end_table(page);
}

void page_masks(struct page *page)
{
    static const char *const header[] = {"mask", "kernels", "CPUs", NULL};

    if (report_newest(&page->source->model)) {
        if (page->style->figure) {
            page_heading(page, "The machine");
            page_figure(page, FIGURE_TOPOLOGY);
        }
        page_heading(page, "What the kernels would conclude");
        page_header(page, header);
        for (int kind = 0; kind < TOPOLOGY_MASK_KINDS; kind++)
            put_masks_of_kind(page, (enum topology_mask)kind);
        page_end_table(page);
        put_levels(page);
    }
    put_cpus(page);
}
