/* The steps before and after the engine. */
#include "kernel/stats/bench_setup.h"

#include "kernel/stats/comparisons.h"
#include "kernel/stats/kernel_choice.h"
#include "kernel/stats/plausible.h"

/* A variant has to run on every CPU that is online: on a hybrid the bits differ. */
static const char *lacks_somewhere(const struct bench_setup *setup,
                                   const struct clear_variant *variant, struct arena *arena)
{
    for (uint32_t i = 0; i < setup->facts->cpu_count; i++) {
        const struct cpu_facts *cpu = &setup->facts->cpus[i];
        if (cpu->state != CPU_ONLINE)
            continue;
        const char *lack = variant_lacks(variant, setup->facts, cpu, setup->xcr0, arena);
        if (lack != NULL)
            return lack;
    }
    return NULL;
}

static bool sort_out_variants(struct bench_setup *setup, struct arena *arena,
                              struct bench_results *results)
{
    struct plan_request *request = &setup->request;
    setup->is_runnable = ARENA_NEW(arena, bool, request->variant_count);
    results->skips = ARENA_NEW(arena, struct bench_skip, request->variant_count);
    if (setup->is_runnable == NULL || results->skips == NULL)
        return false;
    for (uint32_t i = 0; i < request->variant_count; i++) {
        const char *lack = lacks_somewhere(setup, &request->variants[i], arena);
        setup->is_runnable[i] = lack == NULL;
        if (lack != NULL)
            results->skips[results->skip_count++] = (struct bench_skip){ i, lack };
    }
    request->is_runnable = setup->is_runnable;
    return true;
}

static bool choose(struct bench_setup *setup, struct arena *arena, struct bench_results *results)
{
    results->choices = kernel_choice_make(setup->facts, &setup->facts->cpus[0], setup->profiles,
                                          setup->profile_count, arena);
    if (results->choices == NULL)
        return false;
    results->choice_count = setup->profile_count;
    setup->request.pick = variant_find(setup->request.variants, setup->request.variant_count,
                                       results->choices[setup->profile_count - 1].variant);
    return true;
}

bool bench_setup_plan(struct bench_setup *setup, struct arena *arena,
                      struct bench_results *results, const char **why)
{
    *results = (struct bench_results){ .is_hosted = setup->is_hosted, .tsc_hz = setup->tsc_hz,
                                       .delta_ppm = BENCH_SETUP_DELTA_PPM };
    *why = "no memory for the bench";
    setup->scratch = ARENA_NEW(arena, struct verdict_scratch, 1);
    if (setup->scratch == NULL || !sort_out_variants(setup, arena, results) ||
        !choose(setup, arena, results) ||
        !void_conditions_note(setup->facts, setup->registers, setup->is_hosted, arena, results))
        return false;
    return plan_build(&setup->request, arena, results, why);
}

void bench_setup_judge(const struct bench_setup *setup, struct arena *arena,
                       struct bench_results *results)
{
    for (uint32_t i = 0; i < results->cell_count; i++) {
        struct bench_cell *cell = &results->cells[i];
        /* What is published is about local memory. */
        if (results->settings[cell->setting].node != setup->request.node)
            continue;
        cell->implausible =
            plausible_remark(setup->facts, &setup->facts->cpus[0],
                             &results->variants[cell->variant], &results->settings[cell->setting],
                             cell->bytes_per_s, arena);
    }
    comparisons_decide(results, setup->scratch);
}
