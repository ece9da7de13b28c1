/* Findings first, then what the bench says about the kernel's choice. */
#include "kernel/report/sentence.h"

#include <string.h>

#include "kernel/report/fixed.h"
#include "kernel/report/machine.h"

enum { PPM = 1000000, CHECKS_NAMED = 3 };

static uint32_t count_of(const struct findings *findings, enum finding_severity severity)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < findings->count; i++)
        count += findings->list[i].severity == severity;
    return count;
}

static void put_count(struct textbuf *out, uint32_t count, const char *what)
{
    textbuf_printf(out, "%u %s%s", (unsigned)count, what, count == 1 ? "" : "s");
}

static uint32_t count_not_ok(const struct report_model *model)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < model->check_count; i++)
        count += model->checks[i].outcome == CHECK_NOT_OK;
    return count;
}

/* Checks are about the run: one that is not ok leaves something unread, or in doubt. */
static void put_not_ok(struct textbuf *out, const struct report_model *model)
{
    uint32_t count = count_not_ok(model), named = 0;

    if (!count)
        return;
    textbuf_printf(out, " %u check%s not ok: ", (unsigned)count, count == 1 ? " is" : "s are");
    for (uint32_t i = 0; i < model->check_count && named < CHECKS_NAMED; i++)
        if (model->checks[i].outcome == CHECK_NOT_OK)
            textbuf_printf(out, "%s%s", named++ ? ", " : "", model->checks[i].name);
    if (count > named)
        textbuf_printf(out, " and %u more", (unsigned)(count - named));
    textbuf_putc(out, '.');
}

/* "No contradiction" is a verdict on the machine only where all of it could be checked. */
static void put_findings(struct textbuf *out, const struct report_model *model)
{
    uint32_t errors = count_of(model->findings, FINDING_ERROR);
    uint32_t warnings = count_of(model->findings, FINDING_WARNING);

    if (!errors && !warnings) {
        textbuf_printf(out, "No contradiction was found in what %s.",
                       count_not_ok(model) ? "could be checked" : "this machine declares");
        return;
    }
    textbuf_put(out, "What this machine declares has ");
    if (errors)
        put_count(out, errors, "error");
    if (errors && warnings)
        textbuf_put(out, " and ");
    if (warnings)
        put_count(out, warnings, "warning");
    textbuf_put(out, ".");
}

static bool is_measured(const struct bench_results *bench, const struct bench_setting *setting)
{
    for (uint32_t i = 0; i < setting->cell_count; i++)
        if (bench->cells[setting->first_cell + i].block_count)
            return true;
    return false;
}

const struct bench_setting *sentence_setting(const struct bench_results *bench)
{
    for (int is_any = 0; bench && is_any < 2; is_any++)
        for (uint32_t i = 0; i < bench->setting_count; i++)
            if ((is_any || bench->settings[i].is_primary) &&
                is_measured(bench, &bench->settings[i]))
                return &bench->settings[i];
    return NULL;
}

void sentence_put_setting(struct textbuf *out, const struct bench_setting *setting)
{
    fixed_put_size(out, setting->extent_bytes);
    textbuf_put(out, " extents in ");
    fixed_put_size(out, setting->region_bytes);
    textbuf_put(out, ", ");
    fixed_put_size(out, setting->page_bytes);
    if (setting->placement == BENCH_PLACE_ONE)
        textbuf_put(out, " pages, one CPU");
    else
        textbuf_printf(out, " pages, %u CPUs", (unsigned)setting->cpu_count);
}

const char *sentence_pick(const struct bench_results *bench, const struct bench_cell *cell)
{
    if (!cell->is_pick || cell->is_repeat)
        return NULL;
    for (uint32_t i = bench->choice_count; i > 0; i--)
        if (!strcmp(bench->choices[i - 1].variant, bench->variants[cell->variant].id))
            return bench->choices[i - 1].profile;
    return NULL;
}

const struct bench_verdict *sentence_verdict(const struct bench_results *bench, uint32_t cell)
{
    for (uint32_t i = 0; i < bench->verdict_count; i++)
        if (bench->verdicts[i].cell_b == cell)
            return &bench->verdicts[i];
    return NULL;
}

/* The verdict of the fastest variant that is faster than the pick beyond doubt. */
static const struct bench_verdict *best_over(const struct bench_results *bench, uint32_t pick)
{
    const struct bench_verdict *best = NULL;

    for (uint32_t i = 0; i < bench->verdict_count; i++) {
        const struct bench_verdict *verdict = &bench->verdicts[i];

        if (verdict->cell_a == pick && verdict->kind != BENCH_SAME_AGAINST_SAME &&
            verdict->outcome == BENCH_DIFFERENT && verdict->ratio_ppm < PPM &&
            (!best || verdict->ratio_ppm < best->ratio_ppm))
            best = verdict;
    }
    return best;
}

static const char *void_reason(const struct bench_results *bench)
{
    for (uint32_t i = 0; i < bench->note_count; i++)
        if (bench->notes[i].is_void)
            return bench->notes[i].text;
    return NULL;
}

static void put_choice(struct textbuf *out, const struct bench_results *bench, uint32_t cell)
{
    const char *name = bench->variants[bench->cells[cell].variant].id;
    const char *profile = sentence_pick(bench, &bench->cells[cell]);
    const struct bench_verdict *best = best_over(bench, cell);

    if (!best) {
        textbuf_printf(out, "no variant was shown to be faster than %s", name);
    } else {
        uint64_t faster_ppm = fixed_muldiv(PPM, PPM, best->ratio_ppm ? best->ratio_ppm : 1) - PPM;

        textbuf_printf(out, "%s is ",
                       bench->variants[bench->cells[best->cell_b].variant].id);
        fixed_put(out, (int64_t)(faster_ppm / 1000), 1);
        textbuf_printf(out, " %% faster than %s", name);
    }
    textbuf_printf(out, ", the choice of %s.", profile ? profile : "the newest kernel");
}

static void put_bench(struct textbuf *out, const struct bench_results *bench)
{
    const struct bench_setting *setting = sentence_setting(bench);
    const char *reason;

    if (!setting)
        return;
    textbuf_put(out, " Clearing pages (");
    sentence_put_setting(out, setting);
    textbuf_put(out, "): ");
    reason = void_reason(bench);
    if (reason) {
        textbuf_printf(out, "no verdict, because %s", reason);
        return;
    }
    for (uint32_t i = 0; i < setting->cell_count; i++) {
        const struct bench_cell *cell = &bench->cells[setting->first_cell + i];

        if (cell->is_pick && !cell->is_repeat && cell->block_count) {
            put_choice(out, bench, setting->first_cell + i);
            return;
        }
    }
    textbuf_put(out, "the kernel's choice was not measured.");
}

void sentence_put(struct textbuf *out, const struct report_model *model)
{
    if (model->fail_reason) {
        textbuf_printf(out, "The run stopped: %s.", model->fail_reason);
        return;
    }
    if (model->options && model->options->inject_count)
        textbuf_put(out, "Faults were injected on purpose. ");
    if (model->findings)
        put_findings(out, model);
    put_not_ok(out, model);
    if (model->facts && machine_is_virtual(model->facts) && (model->bench || model->measured))
        textbuf_put(out, " A virtual machine: nothing measured is a verdict on hardware.");
    else if (model->bench)
        put_bench(out, model->bench);
}
