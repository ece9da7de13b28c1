/* Records of the code become members of a JSON object; a table says which field is what. */
#include "host/summary.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/lib/crc32.h"

enum { MAX_FIELDS = 8, RECORD_BYTES = 256 };

static const char start[] = "CT1*";
static const char alphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";

static bool ends_here(const struct summary *summary)
{
    const char *end = summary->text + summary->length - 11;

    return summary->length > 11 && !strncmp(end, "*Z:", 3) &&
           strspn(end + 3, "0123456789ABCDEF") == 8;
}

bool summary_find(struct summary *summary, const char *bytes, size_t length)
{
    const char *at = memmem(bytes, length, start, sizeof start - 1), *end = bytes + length;

    memset(summary, 0, sizeof *summary);
    if (!at)
        return false;
    for (; at < end && summary->length < SUMMARY_MAX_BYTES && !summary->is_whole; at++) {
        if (*at == '\r' || *at == '\n')
            continue;
        if (!*at || !strchr(alphabet, *at))
            break;
        summary->text[summary->length++] = *at;
        summary->is_whole = ends_here(summary);
    }
    if (summary->is_whole) {
        summary->crc = crc32_update(0, summary->text, summary->length - 11);
        summary->expected_crc =
            (uint32_t)strtoul(summary->text + summary->length - 8, NULL, 16);
    }
    return true;
}

enum field_kind { FIELD_WORD, FIELD_CAPITALS, FIELD_NUMBER, FIELD_HEX, FIELD_VARIANT };

struct record_kind {
    char letter;
    const char *name;       /* of the member; */
    bool is_list;           /* an array of objects of that name */
    int field_count;
    struct {
        const char *name;   /* NULL: the record's value itself */
        enum field_kind kind;
    } fields[MAX_FIELDS];
};

static const struct record_kind kinds[] = {
    {'S', "status", false, 1, {{NULL, FIELD_WORD}}},
    {'V', "version", false, 1, {{NULL, FIELD_WORD}}},
    {'Q', "boot", false, 2, {{"path", FIELD_WORD}, {"quiet", FIELD_WORD}}},
    {'I', "machine", false, 6, {{"vendor", FIELD_CAPITALS}, {"family", FIELD_NUMBER},
        {"model", FIELD_NUMBER}, {"stepping", FIELD_NUMBER}, {"microcode", FIELD_HEX},
        {"is_virtual", FIELD_NUMBER}}},
    {'B', "brand", false, 1, {{NULL, FIELD_CAPITALS}}},
    {'N', "cpus", false, 5, {{"listed", FIELD_NUMBER}, {"online", FIELD_NUMBER},
        {"silent", FIELD_NUMBER}, {"faulted", FIELD_NUMBER}, {"disabled", FIELD_NUMBER}}},
    {'T', "tsc_hz", false, 1, {{NULL, FIELD_NUMBER}}},
    {'F', "findings", true, 3, {{"severity", FIELD_WORD}, {"id", FIELD_WORD},
        {"count", FIELD_NUMBER}}},
    {'D', "masks_crc32", true, 2, {{"profile", FIELD_WORD}, {"crc32", FIELD_HEX}}},
    {'L', "latency", true, 2, {{"distance", FIELD_WORD}, {"median_ps", FIELD_NUMBER}}},
    {'X', "settings", true, 5, {{"extent_bytes", FIELD_NUMBER}, {"region_bytes", FIELD_NUMBER},
        {"mapping_page_bytes", FIELD_NUMBER}, {"cpu_count", FIELD_NUMBER},
        {"state", FIELD_WORD}}},
    {'Y', "results", true, 3, {{"variant", FIELD_VARIANT}, {"median_mib_per_s", FIELD_NUMBER},
        {"verdict", FIELD_CAPITALS}}},
    {'O', "records_left_out", false, 1, {{NULL, FIELD_NUMBER}}},
};

static json_t *field_value(const char *field, enum field_kind kind)
{
    char text[RECORD_BYTES];
    size_t length = strlen(field);

    if (kind == FIELD_NUMBER) {
        if (!length || length > 18 || strspn(field, "0123456789") != length)
            return NULL;
        return json_integer(strtoll(field, NULL, 10));
    }
    if (kind == FIELD_HEX) {
        if (strspn(field, "0123456789ABCDEF") != length || length > 16)
            return NULL;
        if (!length)
            return json_null();
    }
    for (size_t i = 0; i <= length; i++)
        text[i] = kind == FIELD_CAPITALS ? field[i] :
                  kind == FIELD_VARIANT && field[i] == '+' ? '_' :
                  (char)tolower((unsigned char)field[i]);
    return json_sprintf("%s%s", kind == FIELD_HEX ? "0x" : "", text);
}

/* Words for what the code writes as one letter or number. */
static json_t *spell_out(const struct record_kind *kind, const char *name, json_t *value)
{
    static const struct { char letter, word[20]; } verdicts[] = {
        {'D', "DIFFERENT"}, {'E', "EQUIVALENT"}, {'I', "INCONCLUSIVE"}, {'N', "NO VERDICT"},
        {'R', "REFERENCE"}, {'e', "error"}, {'w', "warning"}, {'i', "info"},
    };
    const char *text = json_string_value(value);
    json_t *spelled = NULL;

    if (!strcmp(name, "is_virtual"))
        spelled = json_boolean(json_integer_value(value) != 0);
    if (kind->letter == 'D' && !strcmp(name, "profile"))
        spelled = json_sprintf("linux-%s", text);
    for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0] && text; i++)
        if ((!strcmp(name, "verdict") || !strcmp(name, "severity")) &&
            text[0] == verdicts[i].letter)
            spelled = json_string(verdicts[i].word);
    if (!spelled)
        return value;
    json_decref(value);
    return spelled;
}

static int split(char *text, char **fields)
{
    int count = 0;

    while (count < MAX_FIELDS) {
        fields[count++] = text;
        text = strchr(text, '/');
        if (!text)
            break;
        *text++ = '\0';
    }
    return count;
}

/* A record as a value of its own: an object, or what stands in its only field. */
static json_t *record_value(const struct record_kind *kind, char *text)
{
    char *fields[MAX_FIELDS] = {NULL};
    int count = split(text, fields);
    json_t *object = json_object();

    if (count != kind->field_count) {
        json_decref(object);
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        json_t *value = field_value(fields[i], kind->fields[i].kind);

        if (value && !kind->fields[i].name) {
            json_decref(object);
            return value;
        }
        if (value && !strcmp(kind->fields[i].name, "verdict"))
            json_object_set_new(object, "is_kernel_pick",
                                json_boolean(strchr(fields[i], 'K') != NULL));
        if (!value || json_object_set_new(object, kind->fields[i].name,
                                          spell_out(kind, kind->fields[i].name, value))) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

/* Results belong to the setting before them. */
static bool add_record(json_t *json, const struct record_kind *kind, json_t *value)
{
    json_t *list, *target = json;

    if (!kind->is_list)
        return json_object_set_new(json, kind->name, value) == 0;
    if (kind->letter == 'Y') {
        json_t *settings = json_object_get(json, "settings");

        target = json_array_get(settings, json_array_size(settings) - 1);
    }
    list = json_object_get(target, kind->name);
    if (!list && target) {
        list = json_array();
        json_object_set_new(target, kind->name, list);
    }
    return json_array_append_new(list, value) == 0;
}

static bool read_record(json_t *json, const char *text, size_t length)
{
    char record[RECORD_BYTES];
    json_t *value;

    if (length < 2 || length >= sizeof record || text[1] != ':')
        return false;
    memcpy(record, text, length);
    record[length] = '\0';
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].letter == text[0]) {
            value = record_value(&kinds[i], record + 2);
            return value && add_record(json, &kinds[i], value);
        }
    return true; /* of a later version: passed over */
}

json_t *summary_json(const struct summary *summary, char *why, size_t why_bytes)
{
    json_t *json = json_object();
    const char *at = summary->text + sizeof start - 1;
    const char *end = summary->text + summary->length - 11;

    json_object_set_new(json, "schema", json_string("coretruth-summary/1"));
    while (at < end) {
        const char *stop = memchr(at, '*', (size_t)(end - at));

        stop = stop ? stop : end;
        if (!read_record(json, at, (size_t)(stop - at))) {
            snprintf(why, why_bytes, "record \"%.*s\" is not as it should be",
                     (int)(stop - at), at);
            json_decref(json);
            return NULL;
        }
        at = stop + 1;
    }
    return json;
}

static void write_value(const json_t *value, FILE *out)
{
    if (json_is_string(value))
        fputs(json_string_value(value), out);
    else if (json_is_integer(value))
        fprintf(out, "%lld", (long long)json_integer_value(value));
    else
        fputs(json_is_true(value) ? "yes" : json_is_null(value) ? "-" : "no", out);
}

static void write_object(const json_t *object, FILE *out)
{
    const char *key;
    json_t *value;
    const char *between = "";

    json_object_foreach((json_t *)object, key, value) {
        if (json_is_array(value))
            continue;
        fprintf(out, "%s%s ", between, key);
        write_value(value, out);
        between = ", ";
    }
    fputc('\n', out);
}

static void write_list(const char *name, const json_t *list, FILE *out)
{
    size_t i;
    json_t *item;

    json_array_foreach((json_t *)list, i, item) {
        json_t *results = json_object_get(item, "results");

        fprintf(out, "%-20s", name);
        write_object(item, out);
        if (results)
            write_list("  result", results, out);
    }
}

void summary_write_text(const json_t *json, FILE *out)
{
    const char *key;
    json_t *value;

    fputs("coretruth summary, from a QR code\n=================================\n", out);
    json_object_foreach((json_t *)json, key, value) {
        if (json_is_array(value)) {
            write_list(key, value, out);
            continue;
        }
        fprintf(out, "%-20s", key);
        if (json_is_object(value)) {
            write_object(value, out);
        } else {
            write_value(value, out);
            fputc('\n', out);
        }
    }
}
