/* The topology of the newest profile, and beside it how fast each variant clears. */
#include <string.h>

#include "kernel/lib/textbuf.h"
#include "kernel/page/bars.h"
#include "kernel/page/boxes.h"
#include "kernel/page/final_parts.h"
#include "kernel/report/sentence.h"
#include "kernel/report/fixed.h"
#include "kernel/stats/measured_results.h"

enum { TITLE_BYTES = 120, PS_OF_NS = 1000 };

static void put_text(char *target, const char *text)
{
    strncpy(target, text, BARS_NAME_BYTES - 1);
}

static void put_fixed(char *target, uint64_t value, unsigned decimals, const char *unit)
{
    struct textbuf out;

    textbuf_init(&out, target, BARS_NAME_BYTES);
    fixed_put(&out, (int64_t)value, decimals);
    textbuf_put(&out, unit);
}

static void add_cell(struct bars *bars, const struct bench_results *bench, uint32_t index)
{
    const struct bench_cell *cell = &bench->cells[index];
    const struct bench_verdict *verdict = sentence_verdict(bench, index);
    const char *pick = sentence_pick(bench, cell);
    struct bar *bar = cell->block_count && !cell->is_repeat ? bars_add(bars) : NULL;

    if (!bar)
        return;
    put_text(bar->name, bench->variants[cell->variant].id);
    put_fixed(bar->value_text, fixed_muldiv(cell->bytes_per_s, 100, 1ull << 30), 2, " GiB/s");
    bar->value = cell->bytes_per_s;
    bar->low = cell->low_bytes_per_s;
    bar->high = cell->high_bytes_per_s;
    if (pick) {
        struct textbuf out;

        textbuf_init(&out, bar->remark, sizeof bar->remark);
        textbuf_printf(&out, "<- %s", pick);
        bar->is_marked = true;
    } else if (verdict && verdict->outcome != BENCH_NO_VERDICT) {
        put_text(bar->remark, bench_outcome_name(verdict->outcome));
    }
}

static void collect_bench(struct bars *bars, const struct bench_results *bench,
                          const struct bench_setting *setting, bool is_narrow,
                          struct textbuf *title)
{
    for (uint32_t i = 0; i < setting->cell_count; i++)
        add_cell(bars, bench, setting->first_cell + i);
    textbuf_put(title, is_narrow ? "" : "clearing ");
    sentence_put_setting(title, setting);
}

/* Without a bench: half a round trip of a cache line by distance. */
static void collect_latency(struct bars *bars, const struct measured_latency *latency,
                            struct textbuf *title)
{
    static const char *const names[DISTANCE_CLASSES] = {
        "same core", "same cluster", "same LLC", "same die", "same package", "other package",
    };

    textbuf_put(title, "cache line from CPU to CPU, half a round trip");
    for (uint32_t i = 0; i < DISTANCE_CLASSES; i++) {
        const struct measured_spread *spread = &latency->by_class[i];
        struct bar *bar = spread->count && spread->median_ps != MEASURED_NONE ? bars_add(bars)
                                                                              : NULL;

        if (!bar)
            continue;
        put_text(bar->name, names[i]);
        put_fixed(bar->value_text, spread->median_ps * 10ull / PS_OF_NS, 1, " ns");
        bar->value = spread->median_ps;
    }
}

/* The colours of several last-level caches and the letters of several kinds. */
static void put_legend(struct page *page, struct page_rect rect, const struct report_model *model,
                       const struct topology *newest)
{
    bool is_hybrid = false, is_narrow = page->metrics.is_text; /* a half has 38 columns */
    uint32_t count = 0;

    for (uint32_t cpu = 0; cpu < newest->cpu_count; cpu++) {
        const struct topology_cpu *one = &newest->cpus[cpu];

        if (!one->is_online)
            continue;
        is_hybrid |= boxes_core_type(model->facts, one) != NULL;
        count += cpumask_first(&newest->masks[one->mask[TOPOLOGY_LLC]]) == cpu;
    }
    page_printf(page, rect.x, rect.y, rect.width / page->metrics.char_width, PAGE_FAINT,
                "%s%s: %u last-level cache%s%s%s", is_narrow ? "" : "topology by ",
                rules_name(newest->rules), (unsigned)count, count == 1 ? "" : "s",
                count > 1 && !is_narrow ? ", coloured by cache" : "",
                is_hybrid ? "; P performance, E efficiency" : "");
}

static void draw_topology(struct page *page, struct page_rect rect,
                          const struct report_model *model)
{
    const struct topology *newest = report_newest(model);
    uint32_t line = page->metrics.char_height;

    if (!newest || cpumask_first(&newest->online) == CPUMASK_NONE || rect.height <= 2 * line)
        return;
    put_legend(page, rect, model, newest);
    rect.y += line;
    rect.height -= line;
    boxes_draw(page, rect, newest, model->facts);
}

void final_topology_and_bars(struct page *page, struct page_rect rect,
                             const struct report_model *model)
{
    const struct bench_setting *setting = sentence_setting(model->bench);
    uint32_t line = page->metrics.char_height, gap = page->metrics.char_width * 2;
    struct page_rect left = rect, right = rect;
    struct bars bars = {.count = 0};
    char text[TITLE_BYTES];
    struct textbuf title;

    textbuf_init(&title, text, sizeof text);
    if (setting)
        collect_bench(&bars, model->bench, setting, page->metrics.is_text, &title);
    else if (model->measured && model->measured->latency)
        collect_latency(&bars, model->measured->latency, &title);
    if (bars.count && rect.height > line) {
        left.width = (rect.width - gap) / 2;
        right.x += left.width + gap;
        right.width -= left.width + gap;
        page_words(page, right.x, right.y, 1, right.width / page->metrics.char_width, PAGE_FAINT,
                   text);
        right.y += line;
        right.height -= line;
        bars_draw(page, right, &bars);
    }
    draw_topology(page, left, model);
}
