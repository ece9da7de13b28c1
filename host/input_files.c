/* Files and directories; what the bytes mean is not known here. */
#include "host/input_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/complain.h"
#include "host/input.h"

static const size_t largest_file_bytes = (size_t)1 << 30;

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

static char *read_stream(FILE *file, const char *path, size_t *length)
{
    size_t capacity = 1 << 16;
    char *text = malloc(capacity);

    for (*length = 0; text;) {
        *length += fread(text + *length, 1, capacity - 1 - *length, file);
        if (*length < capacity - 1)
            break;
        if (capacity > largest_file_bytes) {
            complain("%s: more than %zu MiB: no recorded machine is as large",
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
        complain("%s: %s", path, text ? strerror(errno) : "out of memory");
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
        complain("%s: %s", path, strerror(errno));
        return NULL;
    }
    text = read_stream(file, path, length);
    fclose(file);
    return text;
}

static bool add_file(struct input_files *set, const char *path)
{
    struct input_file *file = &set->files[set->count];

    if (set->count == INPUT_MAX_FILES) {
        complain("%s: more than %d files in this directory", path, INPUT_MAX_FILES);
        return false;
    }
    if ((size_t)snprintf(file->path, sizeof(file->path), "%s", path) >= sizeof(file->path)) {
        complain("%s: the path is too long", path);
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
bool input_files_is_part_of_a_case(const char *name)
{
    static const char *const names[] = {"cpuid.txt", "msr.txt",  "lapic.txt", "nodes.txt",
                                        "boot.txt",  "e820.txt", "facts.txt"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return strncmp(name, "expected", 8) == 0 && has_ending(name, ".txt");
}

bool input_files_is_table(const char *name)
{
    return has_ending(name, ".bin") && strncmp(name, "efi-map", 7) != 0;
}

/* `only_table`: the one .bin file to take from the directory, NULL for all. */
static bool add_directory(struct input_files *set, const char *path, const char *only_table)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    bool is_good = count >= 0;

    if (!is_good) {
        complain("%s: %s", path, strerror(errno));
        return false;
    }
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        bool is_wanted = input_files_is_part_of_a_case(name) ||
                         (input_files_is_table(name) && (!only_table || strcmp(name, only_table) == 0));
        char whole[INPUT_PATH_BYTES];

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
static bool add_path(struct input_files *set, const char *path)
{
    const char *name = last_component(path);
    char directory[INPUT_PATH_BYTES];
    struct stat status;

    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return add_directory(set, path, NULL);
    if (strcmp(name, "cpuid.txt") != 0 && strcmp(name, "msr.txt") != 0 && !input_files_is_table(name))
        return add_file(set, path);
    snprintf(directory, sizeof(directory), "%.*s", (int)(name - path), path);
    return add_directory(set, name == path ? "." : directory, input_files_is_table(name) ? name : NULL);
}

const struct input_file *input_files_find(const struct input_files *set, const char *name)
{
    for (unsigned i = 0; i < set->count; i++)
        if (strcmp(set->files[i].name, name) == 0)
            return &set->files[i];
    return NULL;
}

bool input_files_read(struct input_files *set, const char *path)
{
    *set = (struct input_files){.files = calloc(INPUT_MAX_FILES, sizeof(struct input_file))};
    if (!set->files) {
        complain("out of memory");
        return false;
    }
    return add_path(set, path);
}

void input_files_free(struct input_files *set)
{
    for (unsigned i = 0; i < set->count; i++)
        free(set->files[i].text);
    free(set->files);
    *set = (struct input_files){0};
}
