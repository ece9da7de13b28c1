/* Reads `.bench` of report.json with jansson. A file of another program, or one that
 * lacks what the statistics need, is refused with the name of what is missing. */
#include "host/bench_json.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/complain.h"
#include "host/json_read.h"

#define MAX_HZ 100000000000ull /* no clock is above 100 GHz */
#define MAX_PS 1e16            /* no extent takes hours */

static bool fail(const char *path, const char *text)
{
    complain("%s: %s", path, text);
    return false;
}

static void copy(char *target, size_t size, const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    snprintf(target, size, "%s", text == NULL ? "" : text);
}

static uint64_t number(const json_t *object, const char *key)
{
    json_int_t value = json_integer_value(json_object_get(object, key));
    return value < 0 ? 0 : (uint64_t)value;
}

/* Cycles as picoseconds; 0: no such number. */
static uint64_t ps_of(const json_t *value, uint64_t tsc_hz)
{
    double ps = json_number_value(value) / (double)tsc_hz * 1e12;
    if (!json_is_number(value) || !(ps > 0 && ps < MAX_PS))
        return 0;
    return ps < 1 ? 1 : (uint64_t)llround(ps);
}

static bool load_blocks(const json_t *object, uint64_t tsc_hz, struct bench_json_cell *cell)
{
    const json_t *blocks = json_object_get(object, "block_cycles"), *value;
    size_t index;
    if (!json_is_array(blocks) || json_array_size(blocks) > SHIFT_MAX_PAIRS)
        return false;
    json_array_foreach(blocks, index, value) {
        uint64_t ps = ps_of(value, tsc_hz);
        if (ps == 0)
            return false;
        cell->block_ps[cell->block_count++] = ps;
    }
    return true;
}

static bool load_cell(const json_t *object, uint64_t tsc_hz, struct bench_json_cell *cell)
{
    copy(cell->variant, sizeof cell->variant, object, "variant");
    copy(cell->placement, sizeof cell->placement, object, "placement");
    copy(cell->state, sizeof cell->state, object, "state");
    cell->extent_bytes = number(object, "extent_bytes");
    cell->page_bytes = number(object, "mapping_page_bytes");
    cell->region_bytes = number(object, "region_bytes");
    cell->cpu_count = number(object, "cpu_count");
    cell->node = json_integer_value(json_object_get(object, "node"));
    cell->setting = number(object, "setting");
    cell->core_hz = number(object, "core_hz");
    cell->is_pick = json_is_true(json_object_get(object, "is_kernel_pick"));
    return cell->variant[0] != 0 && cell->extent_bytes != 0 && cell->core_hz <= MAX_HZ &&
           load_blocks(object, tsc_hz, cell);
}

/* The first condition that left the run without verdicts. A list that is not there says
 * nothing about them. */
static bool load_notes(const char *path, const json_t *bench, struct bench_json *out)
{
    const json_t *notes = json_object_get(bench, "notes"), *note;
    size_t index;
    if (!json_is_array(notes))
        return fail(path, ".bench.notes is not a list: whether the run is worth anything is not "
                          "known");
    json_array_foreach(notes, index, note) {
        char id[32];
        copy(id, sizeof id, note, "id");
        out->is_virtual |= strcmp(id, "hypervisor") == 0;
        if (json_is_true(json_object_get(note, "is_void")) && out->void_note[0] == 0)
            copy(out->void_note, sizeof out->void_note, note, "text");
    }
    return true;
}

static bool load_results(const char *path, const json_t *bench, struct bench_json *out)
{
    const json_t *results = json_object_get(bench, "results"), *object;
    size_t index;
    if (!json_is_array(results))
        return fail(path, ".bench.results is not a list");
    out->cells = calloc(json_array_size(results) + 1, sizeof *out->cells);
    out->repeats = calloc(json_array_size(results) + 1, sizeof *out->repeats);
    if (out->cells == NULL || out->repeats == NULL)
        return fail(path, "no memory");
    json_array_foreach(results, index, object) {
        bool is_repeat = json_is_true(json_object_get(object, "is_repeat"));
        struct bench_json_cell *list = is_repeat ? out->repeats : out->cells;
        uint32_t *count = is_repeat ? &out->repeat_count : &out->cell_count;
        struct bench_json_cell *cell = &list[*count];
        if (!load_cell(object, out->tsc_hz, cell))
            return fail(path, "an entry of .bench.results lacks its variant, extent or "
                              "block_cycles, or they are no such numbers");
        for (uint32_t i = 0; i < *count; i++)
            cell->occurrence += bench_json_is_same(&list[i], cell);
        if (cell->block_count == 0)
            memset(cell, 0, sizeof *cell);
        else
            ++*count;
    }
    return true;
}

static bool load_controls(const char *path, const json_t *bench, struct bench_json *out)
{
    const json_t *verdicts = json_object_get(bench, "verdicts"), *object;
    size_t index;
    out->controls = calloc(json_array_size(verdicts) + 1, sizeof *out->controls);
    if (out->controls == NULL)
        return fail(path, "no memory");
    json_array_foreach(verdicts, index, object) {
        struct bench_json_control *control = &out->controls[out->control_count];
        char comparison[32];
        copy(comparison, sizeof comparison, object, "comparison");
        if (strcmp(comparison, "same-against-same") != 0)
            continue;
        control->setting = number(object, "setting");
        copy(control->verdict, sizeof control->verdict, object, "verdict");
        control->low99 = json_number_value(json_object_get(object, "low99"));
        control->high99 = json_number_value(json_object_get(object, "high99"));
        out->control_count++;
    }
    return true;
}

static bool load_peer_row(const json_t *object, uint64_t tsc_hz, struct bench_json_peer *peer)
{
    const json_t *blocks = json_object_get(object, "block_cycles"), *value;
    size_t index;
    copy(peer->function, sizeof peer->function, object, "function");
    copy(peer->variant, sizeof peer->variant, object, "variant");
    peer->region_bytes = number(object, "region_bytes");
    peer->page_bytes = number(object, "mapping_page_bytes");
    if (!json_is_array(blocks) || json_array_size(blocks) > SHIFT_MAX_PAIRS)
        return false;
    json_array_foreach(blocks, index, value)
        peer->block_ps[peer->block_count++] = ps_of(value, tsc_hz);
    return peer->function[0] != 0;
}

static bool load_peer(const char *path, const json_t *bench, struct bench_json *out)
{
    const json_t *peer = json_object_get(bench, "peer"), *object;
    const json_t *results = json_object_get(peer, "results");
    size_t index;
    copy(out->peer_version, sizeof out->peer_version, peer, "version");
    out->peer_unit_bytes = number(peer, "unit_bytes");
    out->peers = calloc(json_array_size(results) + 1, sizeof *out->peers);
    if (out->peers == NULL)
        return fail(path, "no memory");
    if (peer != NULL && out->peer_unit_bytes == 0)
        return fail(path, ".bench.peer.unit_bytes is not a size");
    json_array_foreach(results, index, object)
        if (!load_peer_row(object, out->tsc_hz, &out->peers[out->peer_count++]))
            return fail(path, "an entry of .bench.peer.results lacks its function or "
                              "block_cycles");
    return true;
}

static bool load_root(const char *path, const json_t *root, struct bench_json *out)
{
    const json_t *bench = json_object_get(root, "bench");
    if (!json_is_object(bench))
        return fail(path, "the bench did not run: there is no .bench");
    copy(out->version, sizeof out->version, root, "version");
    copy(out->cpu, sizeof out->cpu, json_object_get(root, "machine"), "brand");
    copy(out->place, sizeof out->place, bench, "place");
    out->is_twin = json_is_true(json_object_get(bench, "is_twin"));
    out->is_hosted = json_is_true(json_object_get(bench, "is_hosted"));
    out->tsc_hz = number(bench, "tsc_hz");
    if (out->tsc_hz == 0 || out->tsc_hz > MAX_HZ)
        return fail(path, ".bench.tsc_hz is not known: cycles cannot be turned into time");
    return load_notes(path, bench, out) && load_results(path, bench, out) &&
           load_controls(path, bench, out) && load_peer(path, bench, out);
}

bool bench_json_load(const char *path, struct bench_json *out)
{
    memset(out, 0, sizeof *out);
    json_t *root = json_read_report(path);
    if (root == NULL)
        return false;
    bool is_loaded = load_root(path, root, out);
    json_decref(root);
    return is_loaded;
}

void bench_json_free(struct bench_json *json)
{
    free(json->cells);
    free(json->repeats);
    free(json->controls);
    free(json->peers);
    json->cells = json->repeats = NULL;
    json->controls = NULL;
    json->peers = NULL;
}

bool bench_json_is_same(const struct bench_json_cell *a, const struct bench_json_cell *b)
{
    return strcmp(a->variant, b->variant) == 0 && strcmp(a->placement, b->placement) == 0 &&
           strcmp(a->state, b->state) == 0 && a->extent_bytes == b->extent_bytes &&
           a->page_bytes == b->page_bytes && a->region_bytes == b->region_bytes &&
           a->cpu_count == b->cpu_count && a->node == b->node &&
           a->occurrence == b->occurrence;
}
