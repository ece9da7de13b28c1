/* report.txt: the question that the default run answers, in one sentence: which variant
 * should a kernel use on this CPU for 4K faults, 2M and 1G pages? */
#include "kernel/report/bench_parts.h"

#include "kernel/report/fixed.h"
#include "kernel/report/text.h"

enum { PPM = 1000000, LINE_BYTES = 700 };

static const struct { uint64_t extent_bytes; const char *words; } questions[] = {
    { 4096, "4K faults" }, { 2ull << 20, "2M pages" }, { 1ull << 30, "1G pages" },
};
enum { QUESTIONS = sizeof questions / sizeof questions[0] };

/* What is known about one extent. */
struct answer {
    const struct bench_setting *setting; /* NULL: not measured */
    const struct bench_verdict *best;    /* DIFFERENT and faster than the pick, or NULL */
    uint32_t reference;                  /* cell: the pick, or what stands for it */
    uint32_t undecided;                  /* comparisons without an outcome */
};

static bool is_measured(const struct bench_results *bench, const struct bench_setting *setting)
{
    return setting->cell_count != 0 && bench->cells[setting->first_cell].block_count != 0;
}

/* Second choices are left out: no kernel has them. */
static struct answer answer_of(const struct bench_results *bench, uint64_t extent_bytes)
{
    struct answer answer = { .setting = NULL };
    for (uint32_t i = 0; i < bench->setting_count && answer.setting == NULL; i++)
        if (bench->settings[i].is_primary && bench->settings[i].extent_bytes == extent_bytes &&
            is_measured(bench, &bench->settings[i]))
            answer.setting = &bench->settings[i];
    for (uint32_t i = 0; answer.setting != NULL && i < bench->verdict_count; i++) {
        const struct bench_verdict *verdict = &bench->verdicts[i];
        const struct bench_cell *cell = &bench->cells[verdict->cell_b];
        if (&bench->settings[cell->setting] != answer.setting)
            continue;
        answer.reference = verdict->cell_a;
        if (verdict->kind == BENCH_SAME_AGAINST_SAME ||
            bench->variants[cell->variant].tier != VARIANT_MANDATORY)
            continue;
        if (verdict->outcome == BENCH_DIFFERENT && verdict->ratio_ppm < PPM &&
            (answer.best == NULL || verdict->ratio_ppm < answer.best->ratio_ppm))
            answer.best = verdict;
        answer.undecided += verdict->outcome == BENCH_INCONCLUSIVE ||
                            verdict->outcome == BENCH_NO_VERDICT;
    }
    return answer;
}

static const char *name_of(const struct bench_results *bench, uint32_t cell)
{
    return bench->variants[bench->cells[cell].variant].id;
}

static void put_answer(struct textbuf *out, const struct bench_results *bench,
                       const struct answer *answer)
{
    if (answer->setting == NULL) {
        textbuf_put(out, "not measured");
        return;
    }
    const char *pick = name_of(bench, answer->reference);
    if (answer->best != NULL) {
        textbuf_printf(out, "%s (", name_of(bench, answer->best->cell_b));
        fixed_put(out, (int64_t)(answer->best->ratio_ppm / 10000), 2);
        textbuf_printf(out, " of the time of %s)", pick);
    } else if (answer->undecided == 0) {
        textbuf_printf(out, "%s (none is faster)", pick);
    } else {
        textbuf_printf(out, "%s (none was shown to be faster, %u not decided)", pick,
                       answer->undecided);
    }
}

static bool is_void(const struct bench_results *bench)
{
    for (uint32_t i = 0; i < bench->note_count; i++)
        if (bench->notes[i].is_void)
            return true;
    return false;
}

void text_bench_answer(struct textbuf *out, const struct bench_results *bench)
{
    char line[LINE_BYTES];
    struct textbuf text;
    uint32_t asked = 0;
    textbuf_init(&text, line, sizeof line);
    if (is_void(bench)) {
        text_pair(out, "use on this CPU", "no answer, for the reasons that follow");
        return;
    }
    for (uint32_t i = 0; i < QUESTIONS; i++) {
        struct answer answer = answer_of(bench, questions[i].extent_bytes);
        asked += answer.setting != NULL;
        textbuf_printf(&text, "%sfor %s ", i == 0 ? "" : ", ", questions[i].words);
        put_answer(&text, bench, &answer);
    }
    if (asked != 0)
        text_pair(out, "use on this CPU", "%s.", line);
}
