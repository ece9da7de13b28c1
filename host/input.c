/* The host side of reading machines: files, directories, memory and messages.
 * What the bytes mean is decided in kernel/facts. */
#include "host/input.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "kernel/facts/facts_read.h"
#include "kernel/facts/madt_cpus.h"

enum {
    SMALLEST_ARENA_BYTES = 1 << 20,
    ARENA_BYTES_PER_INPUT_BYTE = 8,
    MAX_FILES = 64,
    PATH_BYTES = 4096,
};

/* IA32_APIC_BASE: default address, enabled, x2APIC mode, BSP. [intel/vol3 11.4.4] */
#define APIC_BASE_BSP_IN_X2APIC_MODE 0xFEE00D00ull

/* A "like" line stands for a whole section: the input says little about the
 * memory it needs, so the arena doubles up to this. */
static const size_t largest_arena_bytes = (size_t)4 << 30;
static const size_t largest_file_bytes = (size_t)1 << 30;

struct loaded_file {
    char path[PATH_BYTES];
    const char *name;        /* last component of path */
    char *text;
    size_t length;
};

struct file_set {
    struct loaded_file *files;
    unsigned count;
    size_t total_bytes;
};

static const char *last_component(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static bool has_ending(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);

    return length > tail && strcmp(name + length - tail, ending) == 0;
}

static void print_error(const char *path, const struct input_error *error)
{
    if (error->place_kind == PLACE_LINE)
        fprintf(stderr, "coretruth: %s:%llu: %s\n", path, (unsigned long long)error->place,
                error->text);
    else if (error->place_kind == PLACE_OFFSET)
        fprintf(stderr, "coretruth: %s: byte %llu: %s\n", path, (unsigned long long)error->place,
                error->text);
    else
        fprintf(stderr, "coretruth: %s: %s\n", path, error->text);
}

static char *read_stream(FILE *file, const char *path, size_t *length)
{
    size_t capacity = 1 << 16;
    char *text = malloc(capacity);

    for (*length = 0; text;) {
        *length += fread(text + *length, 1, capacity - 1 - *length, file);
        if (*length < capacity - 1)
            break;
        if (capacity > largest_file_bytes) {
            fprintf(stderr, "coretruth: %s: more than %zu MiB: no recorded machine is as large\n",
                    path, largest_file_bytes >> 20);
            free(text);
            return NULL;
        }
        char *larger = realloc(text, capacity *= 2);
        if (!larger)
            free(text);
        text = larger;
    }
    if (!text || ferror(file)) {
        fprintf(stderr, "coretruth: %s: %s\n", path, text ? strerror(errno) : "out of memory");
        free(text);
        return NULL;
    }
    text[*length] = '\0';
    return text;
}

char *input_read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text;

    if (!file) {
        fprintf(stderr, "coretruth: %s: %s\n", path, strerror(errno));
        return NULL;
    }
    text = read_stream(file, path, length);
    fclose(file);
    return text;
}

static bool add_file(struct file_set *set, const char *path)
{
    struct loaded_file *file = &set->files[set->count];

    if (set->count == MAX_FILES) {
        fprintf(stderr, "coretruth: %s: more than %d files in this directory\n", path, MAX_FILES);
        return false;
    }
    if ((size_t)snprintf(file->path, sizeof(file->path), "%s", path) >= sizeof(file->path)) {
        fprintf(stderr, "coretruth: %s: the path is too long\n", path);
        return false;
    }
    file->name = last_component(file->path);
    file->text = input_read_file(path, &file->length);
    if (!file->text)
        return false;
    set->total_bytes += file->length;
    set->count++;
    return true;
}

/* What a case directory may hold beside README.md and the table sources. */
static bool is_part_of_a_case(const char *name)
{
    static const char *const names[] = {"cpuid.txt", "msr.txt",  "lapic.txt", "nodes.txt",
                                        "boot.txt",  "e820.txt", "facts.txt"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return strncmp(name, "expected", 8) == 0 && has_ending(name, ".txt");
}

static bool is_table(const char *name)
{
    return has_ending(name, ".bin") && strncmp(name, "efi-map", 7) != 0;
}

/* `only_table`: the one .bin file to take from the directory, NULL for all. */
static bool add_directory(struct file_set *set, const char *path, const char *only_table)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    bool is_good = count >= 0;

    if (!is_good) {
        fprintf(stderr, "coretruth: %s: %s\n", path, strerror(errno));
        return false;
    }
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        bool is_wanted = is_part_of_a_case(name) ||
                         (is_table(name) && (!only_table || strcmp(name, only_table) == 0));
        char whole[PATH_BYTES];

        if (is_wanted && is_good) {
            snprintf(whole, sizeof(whole), "%s/%s", path, name);
            is_good = add_file(set, whole);
        }
        free(entries[i]);
    }
    free(entries);
    return is_good;
}

/* A table alone brings the text files that lie beside it: they say which CPU
 * boots and what is expected. */
static bool add_path(struct file_set *set, const char *path)
{
    const char *name = last_component(path);
    char directory[PATH_BYTES];
    struct stat status;

    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return add_directory(set, path, NULL);
    if (strcmp(name, "cpuid.txt") != 0 && strcmp(name, "msr.txt") != 0 && !is_table(name))
        return add_file(set, path);
    snprintf(directory, sizeof(directory), "%.*s", (int)(name - path), path);
    return add_directory(set, name == path ? "." : directory, is_table(name) ? name : NULL);
}

static const struct loaded_file *find_file(const struct file_set *set, const char *name)
{
    for (unsigned i = 0; i < set->count; i++)
        if (strcmp(set->files[i].name, name) == 0)
            return &set->files[i];
    return NULL;
}

/* One attempt at reading the files; where it failed is kept, because a retry
 * with more memory must not print. */
struct attempt {
    const struct file_set *set;
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
static bool expectation_fits(const struct file_set *set, const char *name)
{
    const char *dash = strrchr(name, '-');
    char table[64];

    if (!dash || strncmp(dash, "-rev", 4) != 0)
        return true;
    snprintf(table, sizeof(table), "madt%.*s.bin", (int)strcspn(dash, "."), dash);
    return find_file(set, table) != NULL;
}

static bool add_tables(struct attempt *attempt)
{
    for (unsigned i = 0; i < attempt->set->count; i++) {
        const struct loaded_file *file = &attempt->set->files[i];
        char signature[5] = "";

        if (!is_table(file->name))
            continue;
        memcpy(signature, file->text, file->length < 4 ? file->length : 4);
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
    const struct loaded_file *boot = find_file(attempt->set, "boot.txt");
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
        const struct loaded_file *file = find_file(attempt->set, parts[i].name);

        if (file && !parts[i].read(file->text, file->length, &attempt->arena,
                                   &attempt->input->facts, &attempt->error))
            return fail(attempt, file->path);
    }
    return true;
}

static bool add_expected(struct attempt *attempt)
{
    for (unsigned i = 0; i < attempt->set->count; i++) {
        const struct loaded_file *file = &attempt->set->files[i];

        if (strncmp(file->name, "expected", 8) == 0 && expectation_fits(attempt->set, file->name) &&
            !facts_read_expected_text(file->text, file->length, expected_kernel(file->name),
                                      &attempt->arena, &attempt->input->expectations,
                                      &attempt->error))
            return fail(attempt, file->path);
    }
    return true;
}

/* The file that has the CPUs; NULL for a case of tables or MSRs only. */
static const struct loaded_file *find_main_file(const struct file_set *set)
{
    const struct loaded_file *file = find_file(set, "cpuid.txt");

    if (!file)
        file = find_file(set, "facts.txt");
    if (!file && set->count == 1 && !is_table(set->files[0].name) &&
        !is_part_of_a_case(set->files[0].name))
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
    const struct loaded_file *file = find_main_file(attempt->set);
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
static bool read_with_enough_memory(const struct file_set *set, const char *path,
                                    struct input *input)
{
    size_t bytes = SMALLEST_ARENA_BYTES + set->total_bytes * ARENA_BYTES_PER_INPUT_BYTE;

    for (;; bytes *= 2) {
        struct attempt attempt = {.set = set, .input = input};

        input->memory = malloc(bytes);
        input->memory_bytes = bytes;
        if (!input->memory) {
            fprintf(stderr, "coretruth: %s: no %zu MiB of memory\n", path, bytes >> 20);
            return false;
        }
        arena_init(&attempt.arena, input->memory, bytes);
        if (read_files(&attempt, path))
            return true;
        if (!attempt.arena.is_exhausted || bytes > largest_arena_bytes / 2) {
            print_error(attempt.failed_path, &attempt.error);
            return false;
        }
        free(input->memory);
    }
}

bool input_load(const char *path, struct input *input)
{
    struct file_set set = {.files = calloc(MAX_FILES, sizeof(struct loaded_file))};
    bool is_good;

    *input = (struct input){0};
    if (!set.files) {
        fprintf(stderr, "coretruth: out of memory\n");
        return false;
    }
    is_good = add_path(&set, path) && read_with_enough_memory(&set, path, input);
    for (unsigned i = 0; i < set.count; i++)
        free(set.files[i].text);
    free(set.files);
    return is_good;
}

void input_free(struct input *input)
{
    free(input->memory);
    *input = (struct input){0};
}
