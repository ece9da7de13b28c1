/* Reads a machine from the files of an input, with as much memory as it takes.
 * What the bytes mean is decided in kernel/facts. */
#include "host/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/complain.h"
#include "host/input_files.h"
#include "kernel/facts/acpi_sdt.h"
#include "kernel/facts/facts_read.h"
#include "kernel/facts/madt_cpus.h"

enum { SMALLEST_ARENA_BYTES = 1 << 20, ARENA_BYTES_PER_INPUT_BYTE = 8 };

/* IA32_APIC_BASE: default address, enabled, x2APIC mode, BSP. [intel/vol3 11.4.4] */
#define APIC_BASE_BSP_IN_X2APIC_MODE 0xFEE00D00ull

/* A "like" line stands for a whole section: the input says little about the
 * memory it needs, so the arena doubles up to this. */
static const size_t largest_arena_bytes = (size_t)4 << 30;

static void print_error(const char *path, const struct input_error *error)
{
    if (error->place_kind == PLACE_LINE)
        complain("%s:%llu: %s", path, (unsigned long long)error->place,
                error->text);
    else if (error->place_kind == PLACE_OFFSET)
        complain("%s: byte %llu: %s", path, (unsigned long long)error->place,
                error->text);
    else
        complain("%s: %s", path, error->text);
}

/* Who names another file of a report means the machine that it is of. */
static void hint_at_facts(const char *path)
{
    const char *slash = strrchr(path, '/');
    char beside[INPUT_PATH_BYTES];

    snprintf(beside, sizeof(beside), "%.*sfacts.txt", slash ? (int)(slash + 1 - path) : 0, path);
    if (strcmp(beside, path) != 0 && access(beside, R_OK) == 0)
        complain("the facts of that report are beside it: %s", beside);
}

/* One attempt at reading the files; where it failed is kept, because a retry
 * with more memory must not print. */
struct attempt {
    const struct input_files *set;
    struct input *input;
    struct arena arena;
    struct input_error error;
    const char *failed_path;
};

static bool fail(struct attempt *attempt, const char *path)
{
    attempt->failed_path = path;
    return false;
}

static bool fail_out_of_memory(struct attempt *attempt, const char *path)
{
    input_error_set(&attempt->error, PLACE_NONE, 0, "out of memory");
    return fail(attempt, path);
}

/* "6.1" of expected-6.1.txt, "" of expected-cpus.txt and of names that state a
 * table (expected-cpus-rev5.txt). */
static const char *expected_kernel(const char *name)
{
    static const char *const kernels[] = {"4.9-rfc1", "4.9", "4.10", "5.10", "6.12", "6.1", "7.2"};
    const char *dash = strrchr(name, '-');

    for (size_t i = 0; dash && i < sizeof(kernels) / sizeof(kernels[0]); i++)
        if (strncmp(dash + 1, kernels[i], strlen(kernels[i])) == 0 &&
            strcmp(dash + 1 + strlen(kernels[i]), ".txt") == 0)
            return kernels[i];
    return "";
}

/* madt-rev5.bin and expected-cpus-rev5.txt belong together. */
static bool expectation_fits(const struct input_files *set, const char *name)
{
    const char *dash = strrchr(name, '-');
    char table[64];

    if (!dash || strncmp(dash, "-rev", 4) != 0)
        return true;
    snprintf(table, sizeof(table), "madt%.*s.bin", (int)strcspn(dash, "."), dash);
    return input_files_find(set, table) != NULL;
}

/* A root pointer, or a table as long as its header states. */
static bool is_whole_table(struct attempt *attempt, const struct input_file *file)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    char signature[5] = "";

    if (file->length >= 8 && memcmp(file->text, "RSD PTR ", 8) == 0)
        return true;
    memcpy(signature, file->text, file->length < 4 ? file->length : 4);
    if (strspn(signature, letters) != 4)
        input_error_set(&attempt->error, PLACE_OFFSET, 0,
                        "no ACPI table: right are four capitals, digits or _, or \"RSD PTR \"");
    else if (acpi_sdt_is_whole(file->text, file->length, signature, &attempt->error))
        return true;
    return fail(attempt, file->path);
}

static bool add_tables(struct attempt *attempt)
{
    for (unsigned i = 0; i < attempt->set->count; i++) {
        const struct input_file *file = &attempt->set->files[i];
        char signature[5] = "";

        if (!input_files_is_table(file->name))
            continue;
        if (!is_whole_table(attempt, file))
            return false;
        memcpy(signature, file->text, 4);
        if (facts_table(&attempt->input->facts, signature)) {
            input_error_set(&attempt->error, PLACE_NONE, 0,
                            "a second table %s: this directory holds several machines, give the "
                            "path of one .bin file", signature);
            return fail(attempt, file->path);
        }
        if (!facts_add_table(&attempt->input->facts, file->text, (uint32_t)file->length, 0,
                             &attempt->arena))
            return fail_out_of_memory(attempt, file->path);
    }
    /* With a MADT the profile numbers the CPUs itself. */
    if (facts_table(&attempt->input->facts, "APIC"))
        attempt->input->facts.has_linux_numbers = false;
    return true;
}

/* A MADT without cpuid.txt still lists a machine: one CPU an id, boot CPU first. */
static bool add_cpus_of_madt(struct attempt *attempt)
{
    const struct input_file *boot = input_files_find(attempt->set, "boot.txt");
    uint32_t boot_id = 0;

    if (boot && !facts_read_boot_text(boot->text, boot->length, &attempt->arena, &boot_id,
                                      &attempt->error))
        return fail(attempt, boot->path);
    /* The id in boot.txt is that of the CPU with the BSP bit. */
    attempt->input->facts.has_handover_apic_base = boot != NULL;
    attempt->input->facts.handover_apic_base = boot ? APIC_BASE_BSP_IN_X2APIC_MODE : 0;
    return madt_cpus_add(&attempt->input->facts, boot ? &boot_id : NULL, &attempt->arena) ||
           fail_out_of_memory(attempt, "MADT");
}

static bool add_parts(struct attempt *attempt)
{
    static const struct {
        const char *name;
        bool (*read)(const char *text, size_t length, struct arena *arena,
                     struct machine_facts *facts, struct input_error *error);
    } parts[] = {
        {"msr.txt", facts_read_msr_text},
        {"lapic.txt", facts_read_lapic_text},
        {"nodes.txt", facts_read_nodes_text},
        {"e820.txt", facts_read_e820_text},
    };

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        const struct input_file *file = input_files_find(attempt->set, parts[i].name);

        if (file && !parts[i].read(file->text, file->length, &attempt->arena,
                                   &attempt->input->facts, &attempt->error))
            return fail(attempt, file->path);
    }
    return true;
}

static bool add_expected(struct attempt *attempt)
{
    for (unsigned i = 0; i < attempt->set->count; i++) {
        const struct input_file *file = &attempt->set->files[i];

        if (strncmp(file->name, "expected", 8) == 0 && expectation_fits(attempt->set, file->name) &&
            !facts_read_expected_text(file->text, file->length, expected_kernel(file->name),
                                      &attempt->arena, &attempt->input->expectations,
                                      &attempt->error))
            return fail(attempt, file->path);
    }
    return true;
}

/* The file that has the CPUs; NULL for a case of tables or MSRs only. */
static const struct input_file *find_main_file(const struct input_files *set)
{
    const struct input_file *file = input_files_find(set, "cpuid.txt");

    if (!file)
        file = input_files_find(set, "facts.txt");
    if (!file && set->count == 1 && !input_files_is_table(set->files[0].name) &&
        !input_files_is_part_of_a_case(set->files[0].name))
        file = &set->files[0];
    return file;
}

/* What is assumed of a case: cases/README.md. */
static void start_case(struct input *input, const char *path)
{
    input->facts = (struct machine_facts){.missing_rows_are_zero = true,
                                          .is_x2apic_at_handover = true};
    input->expectations = (struct expectations){0};
    snprintf(input->facts.source, sizeof(input->facts.source), "%s", path);
}

static bool read_files(struct attempt *attempt, const char *path)
{
    const struct input_file *file = find_main_file(attempt->set);
    struct machine_facts *facts = &attempt->input->facts;

    start_case(attempt->input, path);
    if (file && !facts_read(file->text, file->length, path, &attempt->arena, facts,
                            &attempt->input->expectations, &attempt->error))
        return fail(attempt, file->path);
    if (!add_tables(attempt))
        return false;
    if (!facts->cpu_count && facts_table(facts, "APIC") && !add_cpus_of_madt(attempt))
        return false;
    if (!add_parts(attempt) || !add_expected(attempt))
        return false;
    if (facts->cpu_count || facts->table_count || facts->memory_count)
        return true;
    input_error_set(&attempt->error, PLACE_NONE, 0,
                    "no facts.txt, cpuid.txt, msr.txt, e820.txt or *.bin in this directory");
    return fail(attempt, path);
}

/* Again with twice the memory as long as that was all that was wrong. */
static bool read_with_enough_memory(const struct input_files *set, const char *path,
                                    struct input *input)
{
    size_t bytes = SMALLEST_ARENA_BYTES + set->total_bytes * ARENA_BYTES_PER_INPUT_BYTE;

    for (;; bytes *= 2) {
        struct attempt attempt = {.set = set, .input = input};

        input->memory = malloc(bytes);
        input->memory_bytes = bytes;
        if (!input->memory) {
            complain("%s: no %zu MiB of memory", path, bytes >> 20);
            return false;
        }
        arena_init(&attempt.arena, input->memory, bytes);
        if (read_files(&attempt, path))
            return true;
        if (!attempt.arena.is_exhausted || bytes > largest_arena_bytes / 2) {
            print_error(attempt.failed_path, &attempt.error);
            if (set->count == 1 && attempt.failed_path == set->files[0].path &&
                attempt.error.place_kind == PLACE_LINE && attempt.error.place == 1)
                hint_at_facts(attempt.failed_path);
            return false;
        }
        free(input->memory);
    }
}

bool input_load(const char *path, struct input *input)
{
    struct input_files set;
    bool is_good;

    *input = (struct input){0};
    is_good = input_files_read(&set, path) && read_with_enough_memory(&set, path, input);
    input_files_free(&set);
    return is_good;
}

void input_free(struct input *input)
{
    free(input->memory);
    *input = (struct input){0};
}
