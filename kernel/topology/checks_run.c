/* The ways to look and to report that the checks share. */
#include "kernel/topology/checks_run.h"

#include <string.h>

#include "kernel/lib/bits.h"

const struct topology *checks_topology(const struct check_run *run, uint32_t profile)
{
    return run->profiles >> profile & 1 ? &run->topologies[profile] : NULL;
}

struct finding *checks_report(struct check_run *run, uint32_t rules, const char *source,
                              const char *format, ...)
{
    char storage[CHECKS_TEXT_BYTES];
    struct textbuf text;
    va_list args;

    textbuf_init(&text, storage, sizeof(storage));
    va_start(args, format);
    textbuf_vprintf(&text, format, args);
    va_end(args);
    return findings_add(run->findings, run->check->id, run->check->severity, rules, source, "%s",
                        text.text);
}

void checks_mark(const struct check_run *run, struct finding *finding, uint32_t fact)
{
    if (finding && fact < run->facts->cpu_count &&
        run->number[fact] < finding->cpus.word_count * 64)
        cpumask_set(&finding->cpus, run->number[fact]);
}

uint32_t checks_number(const struct check_run *run, const struct topology *topology, uint32_t cpu)
{
    if (cpu < topology->cpu_count && topology->cpus[cpu].fact != FACTS_NO_CPU)
        return run->number[topology->cpus[cpu].fact];
    return cpu;
}

void checks_mark_cpu(const struct check_run *run, struct finding *finding,
                     const struct topology *topology, uint32_t cpu)
{
    uint32_t number = checks_number(run, topology, cpu);

    if (finding && number < finding->cpus.word_count * 64)
        cpumask_set(&finding->cpus, number);
}

uint32_t checks_noted(const struct check_run *run, enum note_kind kind)
{
    uint32_t rules = 0;

    for (uint32_t profile = 0; profile < RULE_PROFILE_COUNT; profile++)
        if (checks_topology(run, profile) && run->topologies[profile].notes.kind_count[kind])
            rules |= 1u << profile;
    return rules;
}

const struct topology_note *checks_note(const struct check_run *run, enum note_kind kind,
                                        const struct topology **where)
{
    const struct topology_note *found = NULL;

    for (uint32_t profile = 0; profile < RULE_PROFILE_COUNT; profile++) {
        const struct topology *topology = checks_topology(run, profile);
        const struct topology_note *note = topology ? notes_first(&topology->notes, kind) : NULL;

        if (note) {
            *where = topology;
            found = note;
        }
    }
    return found;
}

void checks_mark_noted(const struct check_run *run, struct finding *finding, enum note_kind kind)
{
    for (uint32_t profile = 0; profile < RULE_PROFILE_COUNT; profile++) {
        const struct topology *topology = checks_topology(run, profile);

        for (uint32_t i = 0; topology && i < topology->notes.count; i++) {
            const struct topology_note *note = &topology->notes.list[i];

            if (note->kind == kind && note->cpu != NOTES_NO_CPU)
                checks_mark_cpu(run, finding, topology, note->cpu);
        }
    }
}

struct finding *checks_report_note(struct check_run *run, enum note_kind kind, const char *source,
                                   const char *format)
{
    const struct topology *where;
    const struct topology_note *note = checks_note(run, kind, &where);
    char place[64], storage[CHECKS_TEXT_BYTES];
    struct finding *finding;
    struct textbuf text;

    if (!note)
        return NULL;
    textbuf_init(&text, place, sizeof(place));
    textbuf_put(&text, source);
    if (note->offset)
        textbuf_printf(&text, "+0x%x", note->offset);
    textbuf_init(&text, storage, sizeof(storage));
    textbuf_printf(&text, format, note->a, note->b);
    if (note->offset && where->notes.kind_count[kind] > 1)
        textbuf_printf(&text, " There are %u such entries.", where->notes.kind_count[kind]);
    finding = checks_report(run, checks_noted(run, kind), place, "%s", text.text);
    checks_mark_noted(run, finding, kind);
    return finding;
}

bool checks_row(const struct check_run *run, uint32_t fact, uint32_t leaf, uint32_t subleaf,
                struct cpuid_regs *regs)
{
    const struct cpu_leaves *cpu = &run->leaves.cpus[fact];

    *regs = (struct cpuid_regs){0};
    if (leaf > (leaf >= 0x80000000 ? cpu->max_extended : cpu->max_basic))
        return false;
    return facts_cpuid(run->facts, &run->facts->cpus[fact], leaf, subleaf, regs) != CPUID_ABSENT;
}

void checks_put_cpus(struct textbuf *out, const struct cpumask *cpus)
{
    textbuf_put(out, cpumask_count(cpus) == 1 ? "CPU " : "CPUs ");
    cpumask_put_list(out, cpus);
}

uint32_t checks_kinds(const struct check_run *run, int *kinds, uint32_t capacity)
{
    uint32_t count = 0;

    for (uint32_t fact = 0; fact < run->facts->cpu_count; fact++) {
        struct cpuid_regs regs;
        uint32_t i = 0;

        checks_row(run, fact, 0x1A, 0, &regs);
        while (i < count && kinds[i] != (int)bits_get(regs.eax, 31, 24))
            i++;
        if (i == count && count < capacity)
            kinds[count++] = (int)bits_get(regs.eax, 31, 24);
    }
    return count;
}

static bool is_of_kind(const struct check_run *run, uint32_t fact, int kind)
{
    struct cpuid_regs regs;

    checks_row(run, fact, 0x1A, 0, &regs);
    return kind < 0 || (int)bits_get(regs.eax, 31, 24) == kind;
}

static bool add_to_group(struct check_run *run, struct check_values *groups, uint64_t value,
                         uint32_t number)
{
    uint32_t i = 0;

    while (i < groups->count && groups->value[i] != value)
        i++;
    if (i == CHECKS_GROUPS_MAX) {
        groups->other_count++;
        return true;
    }
    if (i == groups->count) {
        groups->value[i] = value;
        groups->count++;
        if (!cpumask_init(&groups->cpus[i], run->findings->cpu_capacity, run->arena))
            return false;
    }
    if (number < run->findings->cpu_capacity)
        cpumask_set(&groups->cpus[i], number);
    return true;
}

bool checks_group(struct check_run *run, check_value value, const void *context, int kind,
                  struct check_values *groups)
{
    *groups = (struct check_values){
        .value = ARENA_NEW(run->arena, uint64_t, CHECKS_GROUPS_MAX),
        .cpus = ARENA_NEW(run->arena, struct cpumask, CHECKS_GROUPS_MAX),
    };
    if (!groups->value || !groups->cpus)
        return false;
    for (uint32_t fact = 0; fact < run->facts->cpu_count; fact++) {
        uint64_t one;

        if (run->facts->cpus[fact].state != CPU_ONLINE || !is_of_kind(run, fact, kind))
            continue;
        if (!value(run, fact, context, &one))
            groups->none_count++;
        else if (!add_to_group(run, groups, one, run->number[fact]))
            return false;
    }
    return true;
}

void checks_put_groups(struct textbuf *out, const struct check_values *groups)
{
    enum { GROUPS_SHOWN = 6 };

    for (uint32_t i = 0; i < groups->count && i < GROUPS_SHOWN; i++) {
        textbuf_put(out, i ? "; " : "");
        if (groups->value[i] == (uint64_t)CHECKS_UNREADABLE)
            textbuf_put(out, "unreadable: ");
        else
            textbuf_printf(out, "0x%llx: ", (unsigned long long)groups->value[i]);
        checks_put_cpus(out, &groups->cpus[i]);
    }
    if (groups->count > GROUPS_SHOWN || groups->other_count)
        textbuf_printf(out, "; and %u more values%s", groups->count - GROUPS_SHOWN,
                       groups->other_count ? " at least" : "");
}

void checks_mark_groups(struct finding *finding, const struct check_values *groups)
{
    uint32_t common = 0;

    for (uint32_t i = 1; i < groups->count; i++)
        if (cpumask_count(&groups->cpus[i]) > cpumask_count(&groups->cpus[common]))
            common = i;
    for (uint32_t i = 0; finding && i < groups->count; i++)
        if (i != common)
            cpumask_or(&finding->cpus, &groups->cpus[i]);
}
