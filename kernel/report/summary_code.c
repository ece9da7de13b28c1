/* Records in the order of their worth, separated by "*", fields by "/". Every record is
 * made aside and added when there is room for it and for the end. */
#include "kernel/report/summary_code.h"

#include <string.h>

#include "kernel/lib/crc32.h"
#include "kernel/report/machine.h"
#include "kernel/stats/bench_results.h"
#include "kernel/stats/measured_results.h"
#include "kernel/topology/sysfs_lines.h"

enum {
    RECORD_BYTES = 160,
    END_BYTES = sizeof("*O:9999*Z:00000000") - 1,
    MIB_SHIFT = 20,
};

struct code {
    struct textbuf *out;
    const struct report_model *model;
    uint32_t most;
    uint32_t left_out;
};

static bool is_letter_or_digit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
}

/* Upper case; "(R)" and "(TM)" vanish, what the alphabet lacks becomes a point. */
static void put_words(struct textbuf *out, const char *text)
{
    for (; *text; text++) {
        char c = *text >= 'a' && *text <= 'z' ? (char)(*text - 'a' + 'A') : *text;

        if (!strncmp(text, "(R)", 3) || !strncmp(text, "(r)", 3)) {
            text += 2;
        } else if (!strncmp(text, "(TM)", 4) || !strncmp(text, "(tm)", 4)) {
            text += 3;
        } else if (is_letter_or_digit(c) || c == ' ' || c == '-' || c == '+' || c == '.') {
            textbuf_putc(out, c);
        } else {
            textbuf_putc(out, '.');
        }
    }
}

static void add(struct code *code, const struct textbuf *record)
{
    if (record->is_cut || code->out->length + record->length + END_BYTES > code->most) {
        code->left_out++;
        return;
    }
    textbuf_put(code->out, record->text);
}

static struct textbuf begin(char *storage, const char *start)
{
    struct textbuf record;

    textbuf_init(&record, storage, RECORD_BYTES);
    textbuf_put(&record, start);
    return record;
}

static void add_run(struct code *code)
{
    const struct report_model *model = code->model;
    char storage[RECORD_BYTES], version[48];
    struct textbuf record = begin(storage, "*S:");
    size_t length = model->version ? strcspn(model->version, " ") : 0;

    put_words(&record, report_status_name(report_status(model)));
    add(code, &record);
    if (length && length < sizeof version) {
        memcpy(version, model->version, length);
        version[length] = '\0';
        record = begin(storage, "*V:");
        put_words(&record, version);
        add(code, &record);
    }
    if (!model->boot_path)
        return;
    record = begin(storage, "*Q:");
    put_words(&record, model->boot_path);
    textbuf_putc(&record, '/');
    put_words(&record, model->quiet ? model->quiet : "-");
    add(code, &record);
}

static void add_machine(struct code *code, const struct machine_facts *facts)
{
    char storage[RECORD_BYTES];
    struct textbuf record = begin(storage, "*I:");
    struct machine_cpu cpu;

    machine_describe_cpu(facts, &facts->cpus[0], &cpu);
    put_words(&record, cpu.vendor);
    textbuf_printf(&record, "/%u/%u/%u/", (unsigned)cpu.family, (unsigned)cpu.model,
                   (unsigned)cpu.stepping);
    if (cpu.has_microcode)
        textbuf_printf(&record, "%X", (unsigned)cpu.microcode);
    textbuf_printf(&record, "/%u", (unsigned)cpu.is_virtual);
    add(code, &record);
    record = begin(storage, "*B:");
    put_words(&record, cpu.brand);
    if (cpu.brand[0])
        add(code, &record);
    record = begin(storage, "*N:");
    textbuf_printf(&record, "%u", (unsigned)facts->cpu_count);
    for (int state = 0; state < FACTS_CPU_STATES; state++)
        textbuf_printf(&record, "/%u",
                       (unsigned)machine_count_cpus(facts, (enum cpu_state)state));
    add(code, &record);
    if (facts->has_tsc_hz) {
        record = begin(storage, "*T:");
        textbuf_put_decimal(&record, facts->tsc_hz);
        add(code, &record);
    }
}

/* One record for each id, with how often it was found. */
static void add_findings(struct code *code, const struct findings *findings)
{
    static const char severities[] = {
        [FINDING_INFO] = 'I', [FINDING_WARNING] = 'W', [FINDING_ERROR] = 'E',
    };
    char storage[RECORD_BYTES];

    for (int severity = FINDING_ERROR; severity >= FINDING_INFO; severity--)
        for (uint32_t i = 0; i < findings->count; i++) {
            const struct finding *finding = &findings->list[i];
            uint32_t count = 0, first = findings->count;
            struct textbuf record = begin(storage, "*F:");

            for (uint32_t k = findings->count; k > 0; k--) {
                const struct finding *other = &findings->list[k - 1];

                if (other->severity == finding->severity && !strcmp(other->id, finding->id)) {
                    count++;
                    first = k - 1;
                }
            }
            if (finding->severity != (enum finding_severity)severity || first != i)
                continue;
            textbuf_printf(&record, "%c/", severities[severity]);
            put_words(&record, finding->id);
            textbuf_printf(&record, "/%u", (unsigned)count);
            add(code, &record);
        }
}

/* Newest profile first. */
static void add_digests(struct code *code)
{
    static const char start[] = "linux-";
    char storage[RECORD_BYTES];

    for (uint32_t i = RULE_PROFILE_COUNT; i > 0; i--) {
        const struct topology *topology = code->model->topologies[i - 1];
        const char *name = rules_name(&rule_profiles[i - 1]);
        struct textbuf record = begin(storage, "*D:");

        if (!topology)
            continue;
        put_words(&record, name + (strncmp(name, start, 6) ? 0 : 6));
        textbuf_printf(&record, "/%08X", (unsigned)sysfs_lines_crc32(topology));
        add(code, &record);
    }
}

static char verdict_letter(const struct bench_results *bench, uint32_t cell)
{
    static const char letters[] = {
        [BENCH_DIFFERENT] = 'D', [BENCH_EQUIVALENT] = 'E', [BENCH_INCONCLUSIVE] = 'I',
        [BENCH_NO_VERDICT] = 'N',
    };

    for (uint32_t i = 0; i < bench->verdict_count; i++)
        if (bench->verdicts[i].cell_b == cell)
            return letters[bench->verdicts[i].outcome];
    return 'R'; /* the reference of its setting */
}

static void add_cells(struct code *code, const struct bench_results *bench,
                      const struct bench_setting *setting)
{
    char storage[RECORD_BYTES];
    struct textbuf record = begin(storage, "*X:");

    textbuf_printf(&record, "%llu/%llu/%llu/%u/", (unsigned long long)setting->extent_bytes,
                   (unsigned long long)setting->region_bytes,
                   (unsigned long long)setting->page_bytes, (unsigned)setting->cpu_count);
    put_words(&record, bench_state_name(setting->state));
    add(code, &record);
    for (uint32_t i = 0; i < setting->cell_count; i++) {
        uint32_t index = setting->first_cell + i;
        const struct bench_cell *cell = &bench->cells[index];

        if (!cell->block_count || cell->is_repeat)
            continue;
        record = begin(storage, "*Y:");
        for (const char *c = bench->variants[cell->variant].id; *c; c++)
            textbuf_putc(&record, *c == '_' ? '+' : *c >= 'a' && *c <= 'z' ?
                         (char)(*c - 'a' + 'A') : *c);
        textbuf_printf(&record, "/%llu/%c%s",
                       (unsigned long long)(cell->bytes_per_s >> MIB_SHIFT),
                       verdict_letter(bench, index), cell->is_pick ? "K" : "");
        add(code, &record);
    }
}

static void add_bench(struct code *code, const struct bench_results *bench)
{
    for (int is_primary = 1; is_primary >= 0; is_primary--)
        for (uint32_t i = 0; i < bench->setting_count; i++)
            if (bench->settings[i].is_primary == is_primary &&
                code->out->length + RECORD_BYTES < code->most)
                add_cells(code, bench, &bench->settings[i]);
}

static void add_latency(struct code *code, const struct measured_latency *latency)
{
    static const char *const names[DISTANCE_CLASSES] = {
        "SMT", "CLUSTER", "LLC", "DIE", "PACKAGE", "MACHINE",
    };
    char storage[RECORD_BYTES];

    for (uint32_t i = 0; i < DISTANCE_CLASSES; i++) {
        struct textbuf record = begin(storage, "*L:");

        if (!latency->by_class[i].count || latency->by_class[i].median_ps == MEASURED_NONE)
            continue;
        textbuf_printf(&record, "%s/%u", names[i], (unsigned)latency->by_class[i].median_ps);
        add(code, &record);
    }
}

void summary_code_put(struct textbuf *out, const struct report_model *model, uint32_t most)
{
    struct code code = {.out = out, .model = model, .most = most};

    textbuf_put(out, "CT1");
    add_run(&code);
    if (model->facts && model->facts->cpu_count)
        add_machine(&code, model->facts);
    if (model->findings)
        add_findings(&code, model->findings);
    add_digests(&code);
    if (model->measured && model->measured->latency)
        add_latency(&code, model->measured->latency);
    if (model->bench)
        add_bench(&code, model->bench);
    if (code.left_out)
        textbuf_printf(out, "*O:%u", (unsigned)(code.left_out > 9999 ? 9999 : code.left_out));
    textbuf_printf(out, "*Z:%08X", (unsigned)crc32_update(0, out->text, out->length));
}
