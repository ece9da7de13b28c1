/* The alternatives of clear_page: the unrolled loop, replaced by rep stosq with
 * REP_GOOD, replaced by rep stosb with ERMS; the last one that matches wins.
 * [clear 1.4] [linux arch/x86/kernel/cpu/intel.c, amd.c] */
#include "kernel/stats/kernel_choice.h"

#include <stdio.h>
#include <string.h>

#include "kernel/lib/bits.h"
#include "kernel/stats/cpu_model.h"

enum { MSR_MISC_ENABLE = 0x1a0 };

/* What the kernels look at. */
struct bits_seen {
    struct cpu_model model;
    bool has_erms;
    bool has_fast_string_bit;    /* MISC_ENABLE was read on an Intel CPU */
    bool is_fast_string;
};

/* From 7.0 on clear_pages() takes whole extents. */
static const char extents_since[] = "linux-7.";
static const uint64_t largest_page = 1ull << 30;

static bool is_extent_profile(const char *profile)
{
    return strncmp(profile, extents_since, sizeof extents_since - 1) == 0;
}

static struct bits_seen look(const struct machine_facts *facts, const struct cpu_facts *cpu)
{
    struct cpuid_regs leaf7 = { 0 };
    if (facts_max_basic_leaf(facts, cpu) >= 7)
        facts_cpuid(facts, cpu, 7, 0, &leaf7);
    struct bits_seen seen = { .model = cpu_model_of(facts, cpu), .is_fast_string = true };
    seen.has_erms = bits_test(leaf7.ebx, 9);
    const struct msr_row *misc = facts_msr(cpu, MSR_MISC_ENABLE);
    if (seen.model.vendor == CPU_INTEL && misc != NULL && !misc->has_faulted) {
        seen.has_fast_string_bit = true;
        seen.is_fast_string = misc->value & 1;
    }
    return seen;
}

/* From Pentium M Dothan on the kernels read FAST_STRING. */
static bool obeys_fast_string(const struct cpu_model *model)
{
    return model->vendor == CPU_INTEL &&
           (model->family > 6 || (model->family == 6 && model->model >= 0xd));
}

/* K8 revision C and later. */
static bool is_late_k8(const struct cpu_model *model)
{
    return model->family == 0xf &&
           ((model->signature >= 0xf48 && model->signature <= 0xf4f) || model->signature >= 0xf58);
}

static bool is_rep_good(const struct bits_seen *seen, bool is_new)
{
    const struct cpu_model *model = &seen->model;
    switch (model->vendor) {
    case CPU_INTEL:
        if (obeys_fast_string(model) && !seen->is_fast_string)
            return false;
        return is_new ? obeys_fast_string(model) : model->family == 6;
    case CPU_AMD:
        return model->family >= 0x10 || is_late_k8(model);
    case CPU_HYGON:
        return true;
    case CPU_CENTAUR:
        return (model->family == 6 && model->model >= 0xf) || model->family >= 7;
    case CPU_ZHAOXIN:
        return model->family >= 6;
    case CPU_OTHER:
        break;
    }
    return false;
}

static bool is_erms(const struct bits_seen *seen)
{
    return seen->has_erms && !(obeys_fast_string(&seen->model) && !seen->is_fast_string);
}

static const char *describe_fast_string(const struct bits_seen *seen)
{
    if (!obeys_fast_string(&seen->model))
        return "";
    if (!seen->has_fast_string_bit)
        return "; MSR 0x1A0 was not read, FAST_STRING taken as 1";
    return seen->is_fast_string ? "; MSR 0x1A0[0] (FAST_STRING) is 1"
                                : "; MSR 0x1A0[0] (FAST_STRING) is 0";
}

static void choose(const struct bits_seen *seen, const char *profile, struct arena *arena,
                   struct bench_choice *choice)
{
    bool is_extent = is_extent_profile(profile);
    bool erms = is_erms(seen), rep_good = is_rep_good(seen, is_extent);
    *choice = (struct bench_choice){
        .profile = profile,
        .variant = erms ? "stosb" : rep_good ? "stosq" : "orig",
        .primitive = is_extent ? "clear_pages(), whole extents in one call"
                               : "clear_page(), one 4 KiB page a call",
        .max_extent_bytes = is_extent ? largest_page : 4096,
    };
    char text[160];
    snprintf(text, sizeof text, "ERMS: CPUID 0x7 EBX[9] is %d; REP_GOOD: %s by family 0x%x%s",
             seen->has_erms, rep_good ? "yes" : "no", seen->model.family,
             describe_fast_string(seen));
    char *copy = ARENA_NEW(arena, char, strlen(text) + 1);
    choice->why = copy == NULL ? "" : strcpy(copy, text);
}

struct bench_choice *kernel_choice_make(const struct machine_facts *facts,
                                        const struct cpu_facts *cpu,
                                        const char *const *profiles, uint32_t profile_count,
                                        struct arena *arena)
{
    struct bench_choice *choices = ARENA_NEW(arena, struct bench_choice, profile_count);
    struct bits_seen seen = look(facts, cpu);
    for (uint32_t i = 0; choices != NULL && i < profile_count; i++)
        choose(&seen, profiles[i], arena, &choices[i]);
    return choices;
}
