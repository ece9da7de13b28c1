/* cpus.csv and bench.csv: RFC 4180 lines for a spreadsheet or a data frame. */
#include <stdlib.h>
#include <string.h>

#include "host/export.h"

static void put_text(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void put_value(FILE *out, const json_t *value)
{
    char *number;

    if (json_is_string(value)) {
        put_text(out, json_string_value(value));
    } else if (json_is_number(value) || json_is_boolean(value)) {
        number = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
        if (number)
            fputs(number, out);
        free(number);
    }
}

bool export_cpus_csv(const struct export_source *source, FILE *out)
{
    static const char *const names[] = {
        "cpu", "physical_package_id", "die_id", "core_id", "cluster_id", "llc_id",
        "thread_siblings_list", "core_siblings_list", "die_cpus_list", "cluster_cpus_list",
        "llc_cpus_list",
    };
    const char *profile;
    json_t *rules = json_object_get(source->report, "rules"), *conclusion;
    bool has_any = false;

    fputs("profile", out);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        fprintf(out, ",%s", names[i]);
    fputs("\r\n", out);
    json_object_foreach(rules, profile, conclusion) {
        const json_t *cpu;
        size_t index;

        json_array_foreach(json_object_get(conclusion, "cpus"), index, cpu) {
            put_text(out, profile);
            for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
                fputc(',', out);
                put_value(out, json_object_get(cpu, names[i]));
            }
            fputs("\r\n", out);
            has_any = true;
        }
    }
    return has_any;
}

static bool is_scalar(const json_t *value)
{
    return !json_is_object(value) && !json_is_array(value);
}

/* Every scalar of a result; the first result that was measured says which there are. */
bool export_bench_csv(const struct export_source *source, FILE *out)
{
    const json_t *results = json_object_get(json_object_get(source->report, "bench"), "results");
    json_t *columns = json_object(), *cell, *value;
    const char *name;
    size_t index;
    bool is_first = true;

    json_array_foreach(results, index, cell) {
        json_object_foreach(cell, name, value) {
            if (is_scalar(value))
                json_object_set_new(columns, name, json_true());
        }
    }
    json_object_foreach(columns, name, value) {
        fprintf(out, "%s%s", is_first ? "" : ",", name);
        is_first = false;
    }
    fputs("\r\n", out);
    json_array_foreach(results, index, cell) {
        is_first = true;
        json_object_foreach(columns, name, value) {
            if (!is_first)
                fputc(',', out);
            put_value(out, json_object_get(cell, name));
            is_first = false;
        }
        fputs("\r\n", out);
    }
    json_decref(columns);
    return json_array_size(results) > 0;
}
