/* The latency of one cache line between CPUs as a heat map: row from, column to. CPUs
 * stand in the order of the declared topology, so that caches are squares on the
 * diagonal; what was not measured is grey. */
#include "host/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/json_read.h"
#include "host/markup.h"

enum { MAX_CPUS = 4096, STEPS = 8, AXIS = 40, TOP = 44, LEGEND = 56, MIN_WIDTH = 330 };

struct map {
    uint32_t count;
    uint32_t *cpus;        /* by place: logical number */
    uint32_t *place;       /* by logical number, UINT32_MAX: not in the map */
    uint32_t cpu_limit;
    const struct topology *topology;
    double *values;        /* count * count, ps; negative: not measured */
    double low, high;
    double cell;
};

static uint32_t first_of(const struct topology *topology, uint32_t cpu, enum topology_mask kind)
{
    if (!topology || cpu >= topology->cpu_count || !topology->cpus[cpu].is_online)
        return cpu;
    return cpumask_first(&topology->masks[topology->cpus[cpu].mask[kind]]);
}

static int by_topology(const void *left, const void *right, void *topology)
{
    static const enum topology_mask order[] = {TOPOLOGY_PACKAGE, TOPOLOGY_DIE, TOPOLOGY_LLC,
                                               TOPOLOGY_SMT};
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

    for (int i = 0; i < 4; i++) {
        uint32_t x = first_of(topology, a, order[i]), y = first_of(topology, b, order[i]);

        if (x != y)
            return x < y ? -1 : 1;
    }
    return (a > b) - (a < b);
}

/* False: no CPUs, or numbers that are not sane. */
static bool read_cpus(struct map *map, const json_t *cpus)
{
    map->count = (uint32_t)json_array_size(cpus);
    if (map->count < 2 || map->count > MAX_CPUS)
        return false;
    map->cpus = calloc(map->count, sizeof(*map->cpus));
    map->values = malloc(sizeof(*map->values) * map->count * map->count);
    if (!map->cpus || !map->values)
        return false;
    for (uint32_t i = 0; i < map->count; i++) {
        json_int_t cpu = json_integer_value(json_array_get(cpus, i));

        if (cpu < 0 || cpu >= 65536)
            return false;
        map->cpus[i] = (uint32_t)cpu;
        map->cpu_limit = map->cpu_limit > (uint32_t)cpu ? map->cpu_limit : (uint32_t)cpu + 1;
    }
    qsort_r(map->cpus, map->count, sizeof(*map->cpus), by_topology, (void *)map->topology);
    map->place = malloc(sizeof(*map->place) * map->cpu_limit);
    if (!map->place)
        return false;
    memset(map->place, 0xFF, sizeof(*map->place) * map->cpu_limit);
    for (uint32_t i = 0; i < map->count; i++)
        map->place[map->cpus[i]] = i;
    for (size_t i = 0; i < (size_t)map->count * map->count; i++)
        map->values[i] = -1;
    return true;
}

static void set_value(struct map *map, double from, double to, const json_t *value)
{
    double ps = json_number_value(value);

    if (!json_is_number(value) || ps <= 0 || from < 0 || to < 0 || from >= map->cpu_limit ||
        to >= map->cpu_limit || map->place[(uint32_t)from] == UINT32_MAX ||
        map->place[(uint32_t)to] == UINT32_MAX)
        return;
    map->values[(size_t)map->place[(uint32_t)from] * map->count + map->place[(uint32_t)to]] = ps;
    map->low = map->low == 0 ? ps : fmin(map->low, ps);
    map->high = fmax(map->high, ps);
}

/* The whole matrix, or the pairs of a sample. */
static void read_values(struct map *map, const json_t *cpus, const json_t *latency)
{
    const json_t *row, *value, *pair;
    size_t from, to, index;

    json_array_foreach(json_object_get(latency, "median_ps"), from, row) {
        json_array_foreach(row, to, value) {
            set_value(map, json_number_value(json_array_get(cpus, from)),
                      json_number_value(json_array_get(cpus, to)), value);
        }
    }
    json_array_foreach(json_object_get(latency, "pairs"), index, pair) {
        set_value(map, json_read_or(pair, "from_cpu", -1), json_read_or(pair, "to_cpu", -1),
                  json_object_get(pair, "median_ps"));
    }
}

/* Steps of equal ratio: near and far are a factor apart, not a difference. */
static int step_of(const struct map *map, double ps)
{
    if (map->high <= map->low * 1.001)
        return 0;
    return (int)fmin(STEPS - 1, STEPS * log(ps / map->low) / log(map->high / map->low));
}

static void put_cell(FILE *out, const struct map *map, uint32_t from, uint32_t to)
{
    double ps = map->values[(size_t)from * map->count + to];
    double x = AXIS + to * map->cell, y = TOP + from * map->cell;
    int step = ps > 0 ? step_of(map, ps) : 0;

    fprintf(out, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" class=\"", x, y, map->cell,
            map->cell);
    if (from == to)
        fputs("self\"/>\n", out);
    else if (ps < 0)
        fprintf(out, "none\"><title>%u to %u: not measured</title></rect>\n",
                (unsigned)map->cpus[from], (unsigned)map->cpus[to]);
    else
        fprintf(out, "h%d\"><title>%u to %u: %.1f ns</title></rect>\n", step,
                (unsigned)map->cpus[from], (unsigned)map->cpus[to], ps / 1000);
    if (map->cell >= 30 && from != to && ps > 0)
        svg_text(out, x + map->cell / 2, y + map->cell / 2 + 4,
                 step >= STEPS / 2 ? "mid on-dark" : "mid on-light",
                 ps < 99950 ? "%.1f" : "%.0f", ps / 1000);
}

/* Numbers at the edges, as many as there is room for. */
static void put_axes(FILE *out, const struct map *map)
{
    uint32_t every = (uint32_t)ceil(14 / map->cell), wide = (uint32_t)ceil(26 / map->cell);

    svg_text(out, AXIS, 15, "b", "ns one way, from CPU (row) to CPU (column)");
    for (uint32_t i = 0; i < map->count; i++) {
        double middle = (i + 0.5) * map->cell;

        if (i % every == 0)
            svg_text(out, AXIS - 6, TOP + middle + 4, "end", "%u", (unsigned)map->cpus[i]);
        if (i % wide == 0)
            svg_text(out, AXIS + middle, TOP - 6, "mid", "%u", (unsigned)map->cpus[i]);
    }
}

/* Lines where a package ends, and thinner ones where a last-level cache does. */
static void put_borders(FILE *out, const struct map *map)
{
    const struct topology *topology = map->topology;
    double side = map->count * map->cell;

    for (uint32_t i = 1; topology && i < map->count; i++) {
        uint32_t a = map->cpus[i - 1], b = map->cpus[i];
        bool is_package = first_of(topology, a, TOPOLOGY_PACKAGE) !=
                          first_of(topology, b, TOPOLOGY_PACKAGE);
        const char *style_class = is_package ? "edge" : "edge2";

        if (!is_package &&
            first_of(topology, a, TOPOLOGY_LLC) == first_of(topology, b, TOPOLOGY_LLC))
            continue;
        svg_line(out, AXIS + i * map->cell, TOP, AXIS + i * map->cell, TOP + side, style_class);
        svg_line(out, AXIS, TOP + i * map->cell, AXIS + side, TOP + i * map->cell, style_class);
    }
}

static void put_legend(FILE *out, const struct map *map)
{
    double y = TOP + map->count * map->cell + 16, ratio = map->high / map->low;
    double width = 240.0 / STEPS;

    for (int i = 0; i < STEPS; i++) {
        char style_class[8];

        snprintf(style_class, sizeof(style_class), "h%d", i);
        svg_rect(out, AXIS + i * width, y, width, 12, style_class);
    }
    for (int i = 0; i <= STEPS; i += STEPS / 2)
        svg_text(out, AXIS + i * width, y + 26, i ? i == STEPS ? "end" : "mid" : "", "%.1f ns",
                 map->low * pow(ratio, (double)i / STEPS) / 1000);
    svg_rect(out, AXIS + 252, y, 12, 12, "none");
    svg_text(out, AXIS + 268, y + 10, "", "no value");
}

static void put_map(FILE *out, struct map *map, bool is_alone)
{
    char label[120];
    double side;

    map->cell = map->count <= 16 ? 34 : map->count <= 32 ? 20 : map->count <= 64 ? 12
              : map->count <= 256 ? 7 : 3;
    side = map->count * map->cell;
    snprintf(label, sizeof(label), "Heat map of cache line latency between %u CPUs, %.1f to %.1f ns",
             (unsigned)map->count, map->low / 1000, map->high / 1000);
    svg_open(out, AXIS + fmax(side, MIN_WIDTH) + 10, TOP + side + LEGEND, label, is_alone);
    put_axes(out, map);
    for (uint32_t from = 0; from < map->count; from++) {
        for (uint32_t to = 0; to < map->count; to++) {
            /* A sample leaves most of a large map empty. */
            if (map->count <= 128 || from == to || map->values[(size_t)from * map->count + to] > 0)
                put_cell(out, map, from, to);
        }
    }
    put_borders(out, map);
    put_legend(out, map);
    svg_close(out);
}

bool figure_latency(const struct export_source *source, bool is_alone, FILE *out)
{
    const json_t *cpus = json_object_get(json_object_get(source->report, "measured"), "cpus");
    const json_t *latency = json_object_get(source->report, "latency");
    struct map map = {.topology = report_newest(&source->model)};
    bool has_values = false;

    if (latency && read_cpus(&map, cpus)) {
        read_values(&map, cpus, latency);
        has_values = map.high > 0;
    }
    if (has_values)
        put_map(out, &map, is_alone);
    free(map.cpus);
    free(map.place);
    free(map.values);
    return has_values;
}
