/* The bench's share of tests/cases: every msr-* and samples-* directory is run as it stands. What
 * must come out is worked out here from the file's own numbers, in the plainest way, and read
 * from "Right outcome" of the case's README where that states numbers. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/facts/load.h"

#include "kernel/facts/facts_read.h"
#include "kernel/stats/samples.h"
#include "kernel/stats/void_conditions.h"

enum { MOST = 4096, MOST_CPUS = 64, MOST_MSRS = 64 };

static void for_each_case(const char *pattern, void (*run)(const char *path))
{
    glob_t found;
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        run(found.gl_pathv[i]);
    globfree(&found);
}

/* load_file() with a zero behind the text, to be freed. */
static char *load_text(const char *path)
{
    struct loaded file = load_file(path);
    char *text = calloc(1, file.length + 1);
    assert_non_null(text);
    memcpy(text, file.bytes, file.length);
    free(file.bytes);
    return text;
}

/* The part of the README below "## Right outcome", to be freed. */
static char *outcome_of(const char *path)
{
    char readme[256];
    snprintf(readme, sizeof readme, "%.*s/README.md", (int)(strrchr(path, '/') - path), path);
    char *text = load_text(readme), *from = strstr(text, "## Right outcome");
    assert_non_null(from);
    char *to = strstr(from + 3, "\n## ");
    if (to != NULL)
        *to = 0;
    for (char *c = from; *c != 0; c++)
        *c = *c == '\n' ? ' ' : *c;
    char *copy = strdup(from);
    free(text);
    return copy;
}

/* "median 514 +/- 2": is `value` that? True when the README does not say. */
static bool agrees(const char *outcome, const char *word, uint64_t value)
{
    unsigned long long stated, slack = 0;
    char spaced[32];
    snprintf(spaced, sizeof spaced, "%s ", word);
    for (const char *at = outcome; (at = strstr(at, spaced)) != NULL; at++) {
        char *end;
        const char *number = at + strlen(spaced);
        if (*number < '0' || *number > '9')
            continue;
        stated = strtoull(number, &end, 10);
        if (strncmp(end, " +/- ", 5) == 0)
            slack = strtoull(end + 5, NULL, 10);
        if (value + slack >= stated && value <= stated + slack)
            return true;
        print_error("the README says \"%s%llu\", not %llu\n", spaced, stated,
                    (unsigned long long)value);
        return false;
    }
    return true;
}

/* --- samples-*: <iteration> <cycles> <SMI count after it> ------------------------------- */

struct pass {
    uint64_t cycles[MOST], smi_before[MOST], smi_after[MOST];
    uint32_t flags[MOST], count;
    int64_t scratch[MOST];
};

static void read_samples(const char *path, struct pass *pass)
{
    FILE *file = fopen(path, "r");
    unsigned long long iteration, cycles, smi;
    assert_non_null(file);
    while (pass->count < MOST && fscanf(file, "%llu %llu %llu", &iteration, &cycles, &smi) == 3) {
        assert_int_equal(iteration, pass->count);
        pass->cycles[pass->count] = cycles;
        pass->smi_before[pass->count] = pass->count == 0 ? 0 : pass->smi_after[pass->count - 1];
        pass->smi_after[pass->count++] = smi;
    }
    assert_true(feof(file) && pass->count != 0);
    fclose(file);
}

static int by_value(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static void run_samples(const char *path)
{
    struct pass *pass = calloc(1, sizeof *pass);
    uint64_t *used = calloc(MOST, sizeof *used);
    uint32_t used_count = 0, hit_count = 0;
    char *outcome = outcome_of(path);
    struct bench_block block;
    read_samples(path, pass);
    struct samples samples = { .cycles = pass->cycles, .count = pass->count, .calls = 1,
                               .smi_before = pass->smi_before, .smi_after = pass->smi_after };
    samples_mark(&samples, pass->flags, pass->scratch);
    samples_summarise(&samples, pass->flags, pass->scratch, &block);
    for (uint32_t i = 0; i < pass->count; i++) {
        bool is_hit = pass->smi_after[i] != pass->smi_before[i];
        assert_int_equal(pass->flags[i] >> BENCH_FLAG_SMI & 1, is_hit);
        hit_count += is_hit;
        if (!is_hit)
            used[used_count++] = pass->cycles[i];
    }
    qsort(used, used_count, sizeof *used, by_value);
    assert_int_equal(block.sample_count, pass->count);
    assert_int_equal(block.used_count, used_count);
    assert_int_equal(block.flag_counts[BENCH_FLAG_SMI], hit_count);
    uint64_t median = block.median_cycles_q8 / 256;
    assert_in_range(median, used[(used_count - 1) / 2], used[used_count / 2]);
    assert_int_equal(block.min_cycles_q8 / 256, used[0]);
    assert_int_equal(block.max_cycles_q8 / 256, used[used_count - 1]);
    assert_true(block.p95_cycles_q8 <= block.p99_cycles_q8);
    assert_true(block.p99_cycles_q8 <= block.max_cycles_q8);
    assert_true(agrees(outcome, "samples", block.sample_count));
    assert_true(agrees(outcome, "used", block.used_count));
    assert_true(agrees(outcome, "SMI", hit_count));
    assert_true(agrees(outcome, "median", median));
    assert_true(agrees(outcome, "maximum", block.max_cycles_q8 / 256));
    free(outcome);
    free(used);
    free(pass);
}

static void samples_are_attributed_by_the_counter(void **state)
{
    (void)state;
    for_each_case("tests/cases/samples-*/samples.txt", run_samples);
}

/* --- msr-*: "cpu N", then lines "msr value" --------------------------------------------- */

struct registers {
    struct { uint32_t address; uint64_t value; } list[MOST_MSRS];
    uint32_t count;
};

static uint32_t read_registers(const char *text, struct registers *cpus)
{
    uint32_t count = 0;
    for (const char *line = text; line != NULL && *line != 0;
         line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        unsigned address;
        unsigned long long value;
        if (strncmp(line, "cpu ", 4) == 0) {
            count++;
        } else if (sscanf(line, "%x %llx", &address, &value) == 2) {
            struct registers *cpu = &cpus[count - 1];
            cpu->list[cpu->count].address = address;
            cpu->list[cpu->count++].value = value;
        }
        assert_true(count <= MOST_CPUS && (count == 0 || cpus[count - 1].count < MOST_MSRS));
    }
    return count;
}

static bool counts(uint32_t address, uint64_t value)
{
    bool is_select = (address >= 0x186 && address <= 0x18d) ||
                     (address >= 0xc0010000 && address <= 0xc0010003) ||
                     (address >= 0xc0010200 && address <= 0xc001020a && address % 2 == 0);
    return (is_select && (value >> 22 & 1) != 0) || (address == 0x38d && value != 0);
}

/* The first CPU that makes the run void by one register, or -1. */
static int void_cpu(const char *id, const struct registers *cpus, uint32_t count)
{
    for (uint32_t cpu = 0; cpu < count; cpu++)
        for (uint32_t i = 0; i < cpus[cpu].count; i++) {
            uint32_t address = cpus[cpu].list[i].address;
            uint64_t value = cpus[cpu].list[i].value;
            bool is_type = (address == 0x2ff && !(value >> 11 & 1)) ||
                           (address == 0x277 && (value & 7) != 6);
            if (strcmp(id, "pmu-in-use") == 0 ? counts(address, value)
                : strcmp(id, "memory-type") == 0 && is_type)
                return (int)cpu;
        }
    return -1;
}

static bool is_microcode_mixed(const struct registers *cpus, uint32_t count)
{
    uint64_t first = 0;
    bool has_first = false, is_mixed = false;
    for (uint32_t cpu = 0; cpu < count; cpu++)
        for (uint32_t i = 0; i < cpus[cpu].count; i++)
            if (cpus[cpu].list[i].address == 0x8b) {
                is_mixed |= has_first && cpus[cpu].list[i].value != first;
                first = cpus[cpu].list[i].value;
                has_first = true;
            }
    return is_mixed;
}

static const struct bench_note *find(const struct bench_results *results, const char *id)
{
    for (uint32_t i = 0; i < results->note_count; i++)
        if (strcmp(results->notes[i].id, id) == 0)
            return &results->notes[i];
    return NULL;
}

static void run_msrs(const char *path)
{
    static const char *const by_cpu[] = { "pmu-in-use", "memory-type" };
    static uint8_t memory[1 << 20];
    struct registers *cpus = calloc(MOST_CPUS, sizeof *cpus);
    char *text = load_text(path);
    struct bench_results results = { 0 };
    struct machine_facts facts = { 0 };
    struct input_error error = { 0 };
    struct arena arena;
    uint32_t voids = 0, expected = 0;
    arena_init(&arena, memory, sizeof memory);
    assert_true(facts_read_msr_text(text, strlen(text), &arena, &facts, &error));
    assert_true(void_conditions_note(&facts, NULL, false, &arena, &results));
    uint32_t count = read_registers(text, cpus);
    assert_int_equal(count, facts.cpu_count);
    for (uint32_t i = 0; i < 2; i++) {
        int cpu = void_cpu(by_cpu[i], cpus, count);
        const struct bench_note *note = find(&results, by_cpu[i]);
        char words[32];
        snprintf(words, sizeof words, "CPU %d:", cpu);
        assert_int_equal(note != NULL, cpu >= 0);
        assert_true(note == NULL || (note->is_void && strstr(note->text, words) != NULL));
        expected += cpu >= 0;
    }
    assert_int_equal(find(&results, "microcode-mixed") != NULL, is_microcode_mixed(cpus, count));
    expected += is_microcode_mixed(cpus, count);
    for (uint32_t i = 0; i < results.note_count; i++)
        voids += results.notes[i].is_void;
    assert_int_equal(voids, expected);
    free(text);
    free(cpus);
}

static void registers_that_void_a_run_are_found(void **state)
{
    (void)state;
    for_each_case("tests/cases/msr-*/msr.txt", run_msrs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_attributed_by_the_counter),
        cmocka_unit_test(registers_that_void_a_run_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
