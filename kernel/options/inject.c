/* The grammar of inject=. Which keys a kind takes and needs is one table. */
#include "kernel/options/inject.h"

#include <string.h>

#include "kernel/options/values.h"

enum { PIECE_BYTES = 512, MAX_MS = 60000, MAX_NS = 1000000, MAX_PERCENT = 99,
       MIN_VECTOR = 16, MAX_VECTOR = 255 }; /* the local APIC takes no others */
enum { KEY_APIC = 1, KEY_CPUS = 2, KEY_MS = 4, KEY_NS = 8, KEY_PERCENT = 16, KEY_IN = 32,
       KEY_AT = 64, KEY_VECTOR = 128,
       KEYS_OPTIONAL = KEY_IN };

static const struct { const char *name; unsigned keys; const char *example; } kinds[] = {
    [INJECT_SILENT] = {"silent", KEY_APIC, "silent:apic=3"},
    [INJECT_STUCK] = {"stuck", KEY_APIC, "stuck:apic=3"},
    [INJECT_LATE] = {"late", KEY_APIC | KEY_MS, "late:apic=3,ms=5"},
    [INJECT_FAULT] = {"fault", KEY_APIC | KEY_IN, "fault:apic=3,in=bench"},
    [INJECT_SLOW] = {"slow", KEY_CPUS | KEY_NS, "slow:cpus=0-3/4-7,ns=60"},
    [INJECT_STRAY_STORE] = {"stray-store", KEY_AT, "stray-store:at=0x1000"},
    [INJECT_CONTEND] = {"contend", KEY_CPUS | KEY_PERCENT, "contend:cpus=0-1/2-3,percent=40"},
    [INJECT_SPURIOUS] = {"spurious", KEY_APIC, "spurious:apic=3"},
    [INJECT_INTERRUPT] = {"interrupt", KEY_APIC | KEY_VECTOR, "interrupt:apic=3,vector=0xff"},
    [INJECT_CACHES_OFF] = {"caches-off", KEY_APIC, "caches-off:apic=3"},
};

static const struct { const char *name; unsigned key; } key_names[] = {
    {"apic", KEY_APIC}, {"cpus", KEY_CPUS}, {"ms", KEY_MS}, {"ns", KEY_NS},
    {"percent", KEY_PERCENT}, {"in", KEY_IN}, {"at", KEY_AT}, {"vector", KEY_VECTOR},
};

static const char *const part_names[] = {
    [INJECT_IN_CAPTURE] = "capture", [INJECT_IN_MASKS] = "masks",
    [INJECT_IN_LATENCY] = "latency", [INJECT_IN_BENCH] = "bench", [INJECT_IN_REPORT] = "report",
    [INJECT_IN_END] = "end",
};

/* Where the reader is: the list that a piece without "=" goes on with. */
struct inject_state {
    struct inject *inject;
    unsigned allowed, seen, current;
    uint32_t group;
};

static bool take_number(const char *text, uint32_t max, uint32_t *value)
{
    uint64_t number;

    if (!value_number(text, &number) || number < 1 || number > max)
        return false;
    *value = (uint32_t)number;
    return true;
}

static bool take_apic_id(struct inject *inject, const char *text)
{
    uint64_t id;

    if (!value_number(text, &id) || id >= UINT32_MAX || inject->apic_id_count == INJECT_MAX_IDS)
        return false;
    inject->apic_ids[inject->apic_id_count++] = (uint32_t)id;
    return true;
}

/* "0-3", or "8/4-7": the end of one group and the start of the next. */
static bool take_cpus(struct inject_state *state, const char *text)
{
    struct inject *inject = state->inject;
    char range[PIECE_BYTES];
    bool is_first = true;

    while (value_next_piece(&text, '/', range, sizeof(range))) {
        struct inject_range *next = &inject->ranges[inject->range_count];

        if (inject->range_count == INJECT_MAX_RANGES)
            return false;
        if (!is_first)
            state->group++;
        is_first = false;
        if (!value_range(range, &next->first, &next->last))
            return false;
        next->group = state->group;
        for (uint32_t i = 0; i < inject->range_count; i++) {
            if (next->first <= inject->ranges[i].last && inject->ranges[i].first <= next->last)
                return false;
        }
        inject->range_count++;
    }
    return true;
}

static bool take_part(struct inject *inject, const char *text)
{
    for (size_t i = 0; i < sizeof(part_names) / sizeof(part_names[0]); i++) {
        if (value_same_word(text, part_names[i])) {
            inject->part = (enum inject_part)i;
            return true;
        }
    }
    return false;
}

static bool take_value(struct inject_state *state, const char *text)
{
    switch (state->current) {
    case KEY_APIC: return take_apic_id(state->inject, text);
    case KEY_CPUS: return take_cpus(state, text);
    case KEY_MS: return take_number(text, MAX_MS, &state->inject->ms);
    case KEY_NS: return take_number(text, MAX_NS, &state->inject->ns);
    case KEY_PERCENT: return take_number(text, MAX_PERCENT, &state->inject->percent);
    case KEY_VECTOR: return take_number(text, MAX_VECTOR, &state->inject->vector) &&
                            state->inject->vector >= MIN_VECTOR;
    case KEY_IN: return take_part(state->inject, text);
    case KEY_AT: return value_number(text, &state->inject->address) &&
                        state->inject->address < 1ull << 52;
    default: return false;
    }
}

/* One piece between commas: key=value, or more of the list before it. */
static bool take_piece(struct inject_state *state, const char *piece)
{
    const char *equals = strchr(piece, '=');
    size_t length = equals ? (size_t)(equals - piece) : 0;

    if (!equals)
        return (state->current & (KEY_APIC | KEY_CPUS)) && take_value(state, piece);
    for (size_t i = 0; i < sizeof(key_names) / sizeof(key_names[0]); i++) {
        if (strlen(key_names[i].name) == length && !memcmp(key_names[i].name, piece, length)) {
            state->current = key_names[i].key;
            if ((state->seen & state->current) || !(state->allowed & state->current))
                return false;
            state->seen |= state->current;
            return take_value(state, equals + 1);
        }
    }
    return false;
}

bool inject_parse(struct inject *inject, const char *text, uint64_t offset,
                  struct input_error *error)
{
    char kind[PIECE_BYTES], piece[PIECE_BYTES];
    const char *rest = text;
    struct inject_state state = {.inject = inject};

    *inject = (struct inject){0};
    value_next_piece(&rest, ':', kind, sizeof(kind));
    for (uint32_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (!value_same_word(kind, kinds[i].name))
            continue;
        inject->kind = (enum inject_kind)i;
        state.allowed = kinds[i].keys;
        while (value_next_piece(&rest, ',', piece, sizeof(piece))) {
            if (!take_piece(&state, piece)) {
                input_error_set(error, PLACE_OFFSET, offset,
                                "\"inject=%.60s\": \"%.30s\" is not understood; "
                                "right would be such as %s", text, piece, kinds[i].example);
                return false;
            }
        }
        if ((state.seen | KEYS_OPTIONAL) == (kinds[i].keys | KEYS_OPTIONAL))
            return true;
        input_error_set(error, PLACE_OFFSET, offset, "\"inject=%.60s\" lacks a key; right would "
                        "be such as %s", text, kinds[i].example);
        return false;
    }
    input_error_set(error, PLACE_OFFSET, offset, "\"inject=%.60s\": no such kind; right would be "
                    "silent:, stuck:, late:, fault:, slow:, contend:, spurious:, interrupt:, "
                    "caches-off: or stray-store:", text);
    return false;
}

bool inject_has_apic_id(const struct inject *inject, uint32_t apic_id)
{
    for (uint32_t i = 0; i < inject->apic_id_count; i++) {
        if (inject->apic_ids[i] == apic_id)
            return true;
    }
    return false;
}

uint32_t inject_group(const struct inject *inject, uint32_t cpu)
{
    for (uint32_t i = 0; i < inject->range_count; i++) {
        if (cpu >= inject->ranges[i].first && cpu <= inject->ranges[i].last)
            return inject->ranges[i].group;
    }
    return INJECT_NO_GROUP;
}

uint32_t inject_pair_ns(const struct inject *inject, uint32_t cpu_a, uint32_t cpu_b)
{
    uint32_t group_a = inject_group(inject, cpu_a), group_b = inject_group(inject, cpu_b);

    if (inject->kind != INJECT_SLOW || group_a == INJECT_NO_GROUP || group_b == INJECT_NO_GROUP)
        return 0;
    return group_a == group_b ? 0 : inject->ns;
}
