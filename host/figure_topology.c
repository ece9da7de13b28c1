/* The machine as nested boxes, outside in as in the tree. A box's children stand in rows
 * that make it about as wide as a screen; CPUs are the smallest boxes. What hangs on one
 * core alone (its L1 and L2) is said in the core's title instead of drawn around it. */
#include "host/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/json_read.h"
#include "host/markup.h"
#include "kernel/report/tree.h"

enum { PU_WIDTH = 46, PU_HEIGHT = 24, GAP = 6, LINE = 14, HUES = 12, LEGEND = 40 };

struct box {
    enum tree_level level;  /* TREE_COUNT: a CPU */
    uint32_t also;          /* bits of the levels below it that hold the same CPUs */
    uint32_t cpu;           /* its first one */
    double x, y, width, height;
    struct box *children;
    size_t child_count, child_capacity;
};

struct drawing {
    const struct topology *topology;
    bool *is_efficiency;    /* by CPU */
    bool has_kinds;
    uint32_t *hue;          /* by CPU: number of its last-level cache */
};

static struct box *add_child(struct box *box)
{
    if (box->child_count == box->child_capacity) {
        size_t capacity = box->child_capacity ? box->child_capacity * 2 : 8;
        struct box *grown = realloc(box->children, capacity * sizeof(*grown));

        if (!grown)
            return NULL;
        box->children = grown;
        box->child_capacity = capacity;
    }
    memset(&box->children[box->child_count], 0, sizeof(*box->children));
    return &box->children[box->child_count++];
}

/* Caches of one core and the core are one box. */
static bool is_of_core(enum tree_level level)
{
    return level == TREE_L2 || level == TREE_L1 || level == TREE_CORE;
}

static bool fill(struct box *box, const struct topology *topology, const struct cpumask *scope,
                 uint32_t used)
{
    struct tree_seen seen;

    tree_seen_init(&seen);
    CPUMASK_FOR_EACH(cpu, scope) {
        enum tree_level level;
        const struct cpumask *set;
        struct box *child;

        if (cpumask_has(&seen.mask, cpu))
            continue;
        level = tree_next_level(topology, cpu, scope, used);
        set = level == TREE_COUNT ? NULL : tree_set(topology, cpu, level);
        if (set)
            cpumask_or(&seen.mask, set);
        if (set && cpumask_first(set) != cpu)
            continue;
        if (set && is_of_core(level) && is_of_core(box->level) && cpumask_equal(set, scope)) {
            box->also |= 1u << level;
            return fill(box, topology, scope, used | 1u << level);
        }
        child = add_child(box);
        if (!child)
            return false;
        child->level = level;
        child->cpu = cpu;
        if (set && !fill(child, topology, set, used | 1u << level))
            return false;
    }
    return true;
}

static uint32_t title_lines(const struct box *box)
{
    return 1 + (uint32_t)__builtin_popcount(box->also);
}

/* The width that rows may have: about that of a screen, and boxes of one width spread
 * evenly over the rows. */
static double row_limit(const struct box *box, double area)
{
    double limit = fmax(sqrt(area * 1.6), 100), width = box->children[0].width;
    size_t per_row, rows;

    for (size_t i = 1; i < box->child_count; i++) {
        if (fabs(box->children[i].width - width) > 0.5)
            return limit;
    }
    per_row = (size_t)fmax((limit + GAP) / (width + GAP), 1);
    rows = (box->child_count + per_row - 1) / per_row;
    per_row = (box->child_count + rows - 1) / rows;
    return (double)per_row * (width + GAP);
}

/* Sizes from the inside out; children stand relative to their parent. */
static void lay_out(struct box *box)
{
    double top = title_lines(box) * LINE + GAP, x = GAP, y = top, row_height = 0, area = 0;
    double limit, widest = 0;

    if (box->level == TREE_COUNT) {
        box->width = PU_WIDTH;
        box->height = PU_HEIGHT;
        return;
    }
    for (size_t i = 0; i < box->child_count; i++) {
        lay_out(&box->children[i]);
        area += (box->children[i].width + GAP) * (box->children[i].height + GAP);
    }
    limit = row_limit(box, area);
    for (size_t i = 0; i < box->child_count; i++) {
        struct box *child = &box->children[i];

        if (x > GAP && x + child->width > limit + GAP) {
            x = GAP;
            y += row_height + GAP;
            row_height = 0;
        }
        child->x = x;
        child->y = y;
        x += child->width + GAP;
        widest = fmax(widest, x);
        row_height = fmax(row_height, child->height);
    }
    box->width = fmax(widest, is_of_core(box->level) ? 68 : 100);
    box->height = y + row_height + GAP;
}

static void size_words(uint64_t bytes, char text[24])
{
    if (bytes >= 1 << 20 && bytes % (1 << 20) == 0)
        snprintf(text, 24, "%lluM", (unsigned long long)(bytes >> 20));
    else
        snprintf(text, 24, "%lluK", (unsigned long long)(bytes >> 10));
}

static void put_level(FILE *out, const struct drawing *drawing, const struct box *box,
                      enum tree_level level, double x, double y)
{
    const struct topology_cpu *cpu = &drawing->topology->cpus[box->cpu];
    const struct topology_cache *cache;
    const char *kind = "";
    char size[24];

    switch (level) {
    case TREE_PACKAGE: svg_text(out, x, y, "b", "Package %d", (int)cpu->package_id); break;
    case TREE_DIE: svg_text(out, x, y, "b", "Die %d", (int)cpu->die_id); break;
    case TREE_CORE:
        if (drawing->has_kinds)
            kind = drawing->is_efficiency[box->cpu] ? " E" : " P";
        svg_text(out, x, y, "", "Core %d%s", (int)cpu->core_id, kind);
        break;
    case TREE_NODE:
        svg_text(out, x, y, "", "Node %d", (int)tree_node(drawing->topology, box->cpu)->node);
        break;
    default:
        cache = tree_cache(cpu, level);
        size_words(cache->size_bytes, size);
        svg_text(out, x, y, "", "L%u %s", (unsigned)cache->level, size);
    }
}

/* Boxes of a last-level cache and below have its colour. */
static void put_rect(FILE *out, const struct drawing *drawing, const struct box *box, double x,
                     double y)
{
    const struct topology *topology = drawing->topology;
    const struct cpumask *set = box->level == TREE_COUNT ? NULL
                                                         : tree_set(topology, box->cpu, box->level);
    const struct cpumask *llc = &topology->masks[topology->cpus[box->cpu].mask[TOPOLOGY_LLC]];
    char style_class[24];

    if (box->level == TREE_COUNT)
        snprintf(style_class, sizeof(style_class), "cpu%s",
                 drawing->is_efficiency[box->cpu] ? " eff" : "");
    else if (box->level == TREE_PACKAGE)
        snprintf(style_class, sizeof(style_class), "box");
    else if (box->level == TREE_DIE)
        snprintf(style_class, sizeof(style_class), "die");
    else if (box->level == TREE_NODE && !cpumask_is_subset(set, llc))
        snprintf(style_class, sizeof(style_class), "node");
    else if (cpumask_equal(set, llc) || is_of_core(box->level))
        snprintf(style_class, sizeof(style_class), "l%u%s", (unsigned)drawing->hue[box->cpu],
                 is_of_core(box->level) && drawing->is_efficiency[box->cpu] ? " eff" : "");
    else
        snprintf(style_class, sizeof(style_class), "inner");
    svg_rect(out, x, y, box->width, box->height, style_class);
}

static void put_box(FILE *out, const struct drawing *drawing, const struct box *box, double x,
                    double y)
{
    static const enum tree_level core_order[] = {TREE_CORE, TREE_L2, TREE_L1};
    double line = y + box->y + LINE;

    x += box->x;
    y += box->y;
    put_rect(out, drawing, box, x, y);
    if (box->level == TREE_COUNT) {
        svg_text(out, x + PU_WIDTH / 2.0, y + 16, "mid", "CPU %u", (unsigned)box->cpu);
    } else if (!is_of_core(box->level)) {
        put_level(out, drawing, box, box->level, x + 5, line);
    } else {
        for (int i = 0; i < 3; i++) {
            if (box->level != core_order[i] && !(box->also >> core_order[i] & 1))
                continue;
            put_level(out, drawing, box, core_order[i], x + 5, line);
            line += LINE;
        }
    }
    for (size_t i = 0; i < box->child_count; i++)
        put_box(out, drawing, &box->children[i], x, y);
}

static void free_children(struct box *box)
{
    for (size_t i = 0; i < box->child_count; i++)
        free_children(&box->children[i]);
    free(box->children);
}

/* Last-level caches are numbered as they come; a CPU without one counts as its own. */
static void number_caches(struct drawing *drawing)
{
    const struct topology *topology = drawing->topology;
    uint32_t count = 0;

    CPUMASK_FOR_EACH(cpu, &topology->online) {
        uint32_t first = cpumask_first(&topology->masks[topology->cpus[cpu].mask[TOPOLOGY_LLC]]);

        drawing->hue[cpu] = first < cpu ? drawing->hue[first] : count++ % HUES;
    }
}

static void read_kinds(struct drawing *drawing, const json_t *report)
{
    const json_t *cpu;
    size_t index;

    json_array_foreach(json_object_get(report, "cpus"), index, cpu) {
        const char *type = json_read_text(cpu, "core_type");
        double number = json_read_or(cpu, "cpu", -1);

        if (number < 0 || number >= drawing->topology->nr_cpu_ids || !strcmp(type, ""))
            continue;
        drawing->is_efficiency[(uint32_t)number] = !strcmp(type, "efficiency");
        drawing->has_kinds |= !strcmp(type, "efficiency");
    }
}

static void put_drawing(FILE *out, const struct drawing *drawing, const struct box *machine,
                        bool is_alone)
{
    const char *profile = rules_name(drawing->topology->rules);
    double width = fmax(machine->width, 330);
    char label[120];

    snprintf(label, sizeof(label), "The machine of %u CPUs as nested boxes, by %s",
             (unsigned)cpumask_count(&drawing->topology->online), profile);
    svg_open(out, width, machine->height + LEGEND, label, is_alone);
    svg_text(out, GAP, LINE + 1, "b", "Machine as %s sees it", profile);
    for (size_t i = 0; i < machine->child_count; i++)
        put_box(out, drawing, &machine->children[i], 0, 0);
    svg_text(out, GAP, machine->height + 14, "", "one colour: one last-level cache");
    if (drawing->has_kinds)
        svg_text(out, GAP, machine->height + 30, "", "P: performance core, E, dashed: efficiency core");
    svg_close(out);
}

bool figure_topology(const struct export_source *source, bool is_alone, FILE *out)
{
    const struct topology *newest = report_newest(&source->model);
    struct box machine = {.level = TREE_PACKAGE};
    struct drawing drawing = {.topology = newest};
    bool is_good;

    if (!newest || cpumask_first(&newest->online) == CPUMASK_NONE)
        return false;
    drawing.is_efficiency = calloc(newest->nr_cpu_ids, sizeof(*drawing.is_efficiency));
    drawing.hue = calloc(newest->nr_cpu_ids, sizeof(*drawing.hue));
    is_good = drawing.is_efficiency && drawing.hue && fill(&machine, newest, &newest->online, 0);
    if (is_good) {
        number_caches(&drawing);
        read_kinds(&drawing, source->report);
        lay_out(&machine);
        put_drawing(out, &drawing, &machine, is_alone);
    }
    free_children(&machine);
    free(drawing.is_efficiency);
    free(drawing.hue);
    return is_good;
}
