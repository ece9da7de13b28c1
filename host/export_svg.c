/* topology.svg: nested boxes, outside in as in the tree. A box's children stand in rows
 * that make it about as wide as a screen; CPUs are the smallest boxes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/export.h"
#include "kernel/report/tree.h"

enum { PU_WIDTH = 44, PU_HEIGHT = 24, GAP = 6, TITLE = 18 };

struct box {
    enum tree_level level; /* TREE_COUNT: a CPU */
    uint32_t cpu;          /* its first one */
    double x, y, width, height;
    struct box *children;
    size_t child_count, child_capacity;
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

static bool fill(struct box *box, const struct topology *topology, const struct cpumask *scope,
                 uint32_t used)
{
    CPUMASK_FOR_EACH(cpu, scope) {
        enum tree_level level = tree_next_level(topology, cpu, scope, used);
        const struct cpumask *set = level == TREE_COUNT ? NULL : tree_set(topology, cpu, level);
        struct box *child;

        if (set && cpumask_first(set) != cpu)
            continue;
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

/* Sizes from the inside out; children stand relative to their parent. */
static void lay_out(struct box *box)
{
    double x = GAP, y = TITLE + GAP, row_height = 0, area = 0, limit, widest = 0;

    if (box->level == TREE_COUNT) {
        box->width = PU_WIDTH;
        box->height = PU_HEIGHT;
        return;
    }
    for (size_t i = 0; i < box->child_count; i++) {
        lay_out(&box->children[i]);
        area += (box->children[i].width + GAP) * (box->children[i].height + GAP);
    }
    limit = fmax(sqrt(area * 1.6), 100);
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
    box->width = fmax(widest, 90);
    box->height = y + row_height + GAP;
}

static void put_title(FILE *out, const struct topology *topology, const struct box *box)
{
    const struct topology_cpu *cpu = &topology->cpus[box->cpu];
    const struct topology_cache *cache;

    switch (box->level) {
    case TREE_PACKAGE: fprintf(out, "Package %d", (int)cpu->package_id); break;
    case TREE_DIE: fprintf(out, "Die %d", (int)cpu->die_id); break;
    case TREE_CORE: fprintf(out, "Core %d", (int)cpu->core_id); break;
    case TREE_NODE: fprintf(out, "Node %d", (int)tree_node(topology, box->cpu)->node); break;
    default:
        cache = tree_cache(cpu, box->level);
        fprintf(out, "L%u %lluK", (unsigned)cache->level,
                (unsigned long long)(cache->size_bytes / 1024));
    }
}

static void put_box(FILE *out, const struct topology *topology, const struct box *box, double x,
                    double y)
{
    static const char *const colours[TREE_COUNT + 1] = {
        [TREE_PACKAGE] = "#dcdcdc", [TREE_DIE] = "#cfd8e8", [TREE_L4] = "#f4f4f4",
        [TREE_L3] = "#ffffff", [TREE_L2] = "#f2eee2", [TREE_L1] = "#e9e2cc",
        [TREE_CORE] = "#c8c8c8", [TREE_NODE] = "#e6f0dc", [TREE_COUNT] = "#ffffff",
    };

    x += box->x;
    y += box->y;
    fprintf(out, "<rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" fill=\"%s\" "
            "stroke=\"#333\"/>\n<text x=\"%.0f\" y=\"%.0f\">", x, y, box->width, box->height,
            colours[box->level], x + 5, y + 15);
    if (box->level == TREE_COUNT)
        fprintf(out, "CPU %u", (unsigned)box->cpu);
    else
        put_title(out, topology, box);
    fputs("</text>\n", out);
    for (size_t i = 0; i < box->child_count; i++)
        put_box(out, topology, &box->children[i], x, y);
}

static void free_children(struct box *box)
{
    for (size_t i = 0; i < box->child_count; i++)
        free_children(&box->children[i]);
    free(box->children);
}

bool export_svg(const struct export_source *source, FILE *out)
{
    const struct topology *newest = report_newest(&source->model);
    struct box machine = {.level = TREE_PACKAGE};
    bool is_good;

    if (!newest || cpumask_first(&newest->online) == CPUMASK_NONE)
        return false;
    is_good = fill(&machine, newest, &newest->online, 0);
    if (is_good) {
        lay_out(&machine);
        fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"11\">\n"
                "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
                "<text x=\"6\" y=\"15\">Machine, %s</text>\n", machine.width, machine.height,
                machine.width, machine.height, rules_name(newest->rules));
        for (size_t i = 0; i < machine.child_count; i++)
            put_box(out, newest, &machine.children[i], 0, 0);
        fputs("</svg>\n", out);
    }
    free_children(&machine);
    return is_good;
}
