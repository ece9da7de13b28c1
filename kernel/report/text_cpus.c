/* report.txt: which CPU is which APIC ID, and where it sits. CPUs that follow one another
 * in steps share a line, so that the table of a large machine stays short. */
#include "kernel/report/sections.h"
#include "kernel/report/text.h"

enum { MOST_RUNS = 96, CELL_BYTES = 48 };

/* A run of CPUs of one LLC: APIC IDs in equal steps, cores in equal steps, and either one
 * thread of each core or all threads of a core after each other. */
struct cpu_run {
    uint32_t first, count;
    uint32_t apic_step, core_step;  /* 0: not known yet */
    uint32_t threads;               /* that take turns; 0: not known yet, 1: always the same */
};

static const struct topology_cpu *at(const struct topology *topology, uint32_t cpu)
{
    return &topology->cpus[cpu];
}

/* Place of the CPU among the threads of its core. */
static uint32_t thread_of(const struct topology *topology, uint32_t cpu)
{
    uint32_t thread = 0;

    CPUMASK_FOR_EACH(other, &topology->masks[at(topology, cpu)->mask[TOPOLOGY_SMT]])
        thread += other < cpu;
    return thread;
}

static bool is_same_core(const struct topology *topology, uint32_t a, uint32_t b)
{
    return cpumask_has(&topology->masks[at(topology, a)->mask[TOPOLOGY_SMT]], b);
}

static bool is_same_place(const struct topology_cpu *a, const struct topology_cpu *b)
{
    return a->is_online && b->is_online && a->package_id == b->package_id &&
           a->die_id == b->die_id && a->llc_id == b->llc_id;
}

/* True: `cpu` is of the run's next step, and the run's threads and steps are known. */
static bool takes_turn(const struct topology *topology, struct cpu_run *run, uint32_t cpu)
{
    uint32_t before = cpu - 1, thread = thread_of(topology, cpu);
    uint32_t step = at(topology, cpu)->core_id - at(topology, before)->core_id;

    if (is_same_core(topology, before, cpu))
        return (run->threads == 0 || thread < run->threads) &&
               thread == thread_of(topology, before) + 1 && (run->threads != 1 || run->count == 1);
    if (run->threads == 0) /* the first core is over */
        run->threads = run->count;
    if (run->core_step == 0)
        run->core_step = step;
    return step == run->core_step && run->count % run->threads == 0 &&
           thread == thread_of(topology, run->first);
}

static bool belongs(const struct topology *topology, struct cpu_run *run, uint32_t cpu)
{
    uint32_t step = at(topology, cpu)->apic_id - at(topology, cpu - 1)->apic_id;

    if (!is_same_place(at(topology, cpu - 1), at(topology, cpu)) ||
        (run->apic_step && step != run->apic_step) || !takes_turn(topology, run, cpu))
        return false;
    run->apic_step = step;
    return true;
}

static struct cpu_run run_from(const struct topology *topology, uint32_t first)
{
    struct cpu_run run = {.first = first, .count = 1};

    while (first + run.count < topology->cpu_count && belongs(topology, &run, first + run.count))
        run.count++;
    /* A core that the run has not all threads of starts a line of its own. */
    uint32_t end = first + run.count;
    if (run.threads > 1)
        run.count -= run.count % run.threads;
    else if (run.threads == 1 && run.count > 1 && end < topology->cpu_count &&
             at(topology, end)->is_online && is_same_core(topology, end - 1, end))
        run.count--;
    return run;
}

static void put_range(struct text_table *table, const char *format, uint32_t first, uint32_t last,
                      uint32_t step)
{
    char cell[CELL_BYTES];
    struct textbuf out;

    textbuf_init(&out, cell, sizeof(cell));
    textbuf_printf(&out, format, first);
    if (last != first) {
        textbuf_putc(&out, '-');
        textbuf_printf(&out, format, last);
    }
    if (last != first && step > 1)
        textbuf_printf(&out, " by %u", step);
    text_cell(table, "%s", cell);
}

static void put_run(struct text_table *table, const struct topology *topology,
                    const struct cpu_run *run)
{
    uint32_t end = run->first + run->count - 1;
    const struct topology_cpu *first = at(topology, run->first), *last = at(topology, end);
    uint32_t thread = thread_of(topology, run->first);
    uint32_t threads = run->threads ? run->threads : run->count;

    put_range(table, "%u", run->first, end, 1);
    put_range(table, "0x%x", first->apic_id, last->apic_id, run->apic_step);
    text_cell(table, "%u", (unsigned)first->package_id);
    text_cell(table, "%u", (unsigned)first->die_id);
    if (cpumask_first(&topology->masks[first->mask[TOPOLOGY_LLC]]) == CPUMASK_NONE)
        text_cell(table, "-");
    else
        text_cell(table, "%u", (unsigned)first->llc_id);
    put_range(table, "%u", first->core_id, last->core_id, run->core_step);
    put_range(table, "%u", thread, thread + threads - 1, 1);
}

void text_cpus(struct textbuf *out, const struct report_model *model)
{
    static const struct text_column columns[] = {
        {"CPU", 11, false}, {"APIC ID", 18, false}, {"package", 8, true}, {"die", 4, true},
        {"LLC", 6, true}, {"core", 14, true}, {"thread", 7, true},
    };
    const struct topology *topology = report_newest(model);
    struct text_table table;
    uint32_t runs = 0, cpu = 0;

    if (!topology || !topology->cpu_count)
        return;
    textbuf_printf(out, "\nCPUs as %s numbers them; \"by N\" is the step inside a range\n\n",
                   rules_name(topology->rules));
    text_table_begin(&table, out, columns, sizeof(columns) / sizeof(columns[0]));
    while (cpu < topology->cpu_count && runs < MOST_RUNS) {
        if (!at(topology, cpu)->is_online) {
            cpu++;
            continue;
        }
        struct cpu_run run = run_from(topology, cpu);

        put_run(&table, topology, &run);
        cpu += run.count;
        runs++;
    }
    if (cpu < topology->cpu_count)
        textbuf_printf(out, "and the CPUs from %u on: report.json has each\n", (unsigned)cpu);
}
