/* Every box gets an equal share of its parent's place, in the grid whose cells come
 * nearest to a good shape: the drawing fills its place whatever the machine is. */
#include "kernel/page/boxes.h"

#include "kernel/lib/textbuf.h"
#include "kernel/report/machine.h"
#include "kernel/report/tree.h"

enum {
    LLC_COLOURS = 8, LLC_TEXT_COLOURS = 6,
    HIDDEN = 1 << TREE_NODE | 1 << TREE_L1,
    LEVEL_BYTES = 24,
};

struct drawing {
    struct page *page;
    const struct topology *topology;
    const struct machine_facts *facts;
    uint32_t gap, border;
};

const char *boxes_core_type(const struct machine_facts *facts, const struct topology_cpu *cpu)
{
    if (!facts || cpu->fact >= facts->cpu_count)
        return NULL;
    return machine_core_type(facts, &facts->cpus[cpu->fact]);
}

page_colour boxes_colour(const struct page *page, uint32_t llc)
{
    static const page_colour colours[LLC_COLOURS] = {
        0x5AA9E6, 0xE8A33D, 0x62C370, 0xD96BB0, 0xA996F0, 0x45C4B8, 0xE56B60, 0xCFC94A,
    };
    static const page_colour text_colours[LLC_TEXT_COLOURS] = {
        0x0000AA, 0x00AA00, 0xAA0000, 0x00AAAA, 0xAA00AA, 0xAA5500,
    };

    return page->metrics.is_text ? text_colours[llc % LLC_TEXT_COLOURS]
                                 : colours[llc % LLC_COLOURS];
}

/* `part` sixteenths of a colour, the rest from `other`. */
static page_colour mix(page_colour colour, page_colour other, uint32_t part)
{
    page_colour mixed = 0;

    for (int shift = 0; shift <= 16; shift += 8)
        mixed |= ((colour >> shift & 0xFF) * part + (other >> shift & 0xFF) * (16 - part)) / 16
                 << shift;
    return mixed;
}

/* Last-level caches are counted in the order of their first CPUs. */
static uint32_t llc_number(const struct topology *topology, uint32_t cpu)
{
    uint32_t mask = topology->cpus[cpu].mask[TOPOLOGY_LLC], number = 0;
    uint32_t first = cpumask_first(&topology->masks[mask]);

    for (uint32_t other = 0; other < first && other < topology->cpu_count; other++) {
        const struct topology_cpu *one = &topology->cpus[other];

        number += one->is_online &&
                  cpumask_first(&topology->masks[one->mask[TOPOLOGY_LLC]]) == other;
    }
    return number;
}

/* A cache that only one core has is not drawn. */
static enum tree_level next_level(const struct topology *topology, uint32_t cpu,
                                  const struct cpumask *scope, uint32_t *used)
{
    const struct cpumask *core = tree_set(topology, cpu, TREE_CORE);

    for (;;) {
        enum tree_level level = tree_next_level(topology, cpu, scope, *used | HIDDEN);

        if (level < TREE_L4 || level > TREE_L2 || !core ||
            !cpumask_is_subset(tree_set(topology, cpu, level), core))
            return level;
        *used |= 1u << level;
    }
}

static void put_name(struct textbuf *out, const struct drawing *drawing, enum tree_level level,
                     uint32_t number, bool is_short)
{
    const struct topology_cpu *cpu = &drawing->topology->cpus[number];
    const char *type = boxes_core_type(drawing->facts, cpu);
    const struct topology_cache *cache;

    switch (level) {
    case TREE_PACKAGE:
        textbuf_printf(out, is_short ? "P%d" : "package %d", (int)cpu->package_id);
        return;
    case TREE_DIE: textbuf_printf(out, is_short ? "D%d" : "die %d", (int)cpu->die_id); return;
    case TREE_CORE: textbuf_printf(out, is_short ? "%d" : "core %d", (int)cpu->core_id); return;
    case TREE_COUNT: textbuf_printf(out, "%u", (unsigned)number); break;
    default:
        cache = tree_cache(cpu, level);
        textbuf_printf(out, "L%u", (unsigned)cache->level);
        if (!is_short && cache->size_bytes % (1 << 20) == 0)
            textbuf_printf(out, " %lluM", (unsigned long long)cache->size_bytes >> 20);
        else if (!is_short)
            textbuf_printf(out, " %lluK", (unsigned long long)cache->size_bytes >> 10);
        return;
    }
    if (type)
        textbuf_putc(out, (char)(type[0] - 'a' + 'A'));
}

/* The long name, the short one, or none. */
static void put_title(const struct drawing *drawing, struct page_rect rect,
                      enum tree_level level, uint32_t cpu, page_colour ink)
{
    uint32_t columns = rect.width / drawing->page->metrics.char_width;
    char name[LEVEL_BYTES];
    struct textbuf out;

    for (int is_short = 0; is_short < 2; is_short++) {
        textbuf_init(&out, name, sizeof name);
        put_name(&out, drawing, level, cpu, is_short);
        if (out.length <= columns) {
            page_words(drawing->page, rect.x, rect.y, 1, columns, ink, name);
            return;
        }
    }
}

static page_colour colour_of(const struct drawing *drawing, enum tree_level level, uint32_t cpu,
                             bool is_one_llc)
{
    page_colour llc = boxes_colour(drawing->page, llc_number(drawing->topology, cpu));
    const char *type = boxes_core_type(drawing->facts, &drawing->topology->cpus[cpu]);

    if (drawing->page->metrics.is_text)
        return level == TREE_CORE ? PAGE_BLACK :
               level == TREE_PACKAGE || !is_one_llc ? 0xAAAAAA : llc;
    if (!is_one_llc || level <= TREE_DIE)
        return level == TREE_PACKAGE ? 0x2A343E : 0x38444F;
    if (level == TREE_COUNT)
        return type && type[0] == 'e' ? mix(llc, PAGE_BRIGHT, 7) : llc;
    return mix(llc, PAGE_PAPER, level == TREE_CORE ? 9 : level == TREE_L2 ? 7 : 5);
}

/* Columns of the grid whose cells are nearest to twice as wide as high. */
static uint32_t choose_columns(struct page_rect rect, uint32_t count, bool is_text)
{
    uint32_t best = 1;
    uint64_t best_badness = UINT64_MAX;

    for (uint32_t columns = 1; columns <= count; columns++) {
        uint32_t rows = (count + columns - 1) / columns;
        uint64_t width = (uint64_t)rect.width * rows;
        uint64_t height = (uint64_t)rect.height * columns * (is_text ? 4 : 2) + 1;
        uint64_t badness = width > height ? width * 64 / height : height * 64 / (width + 1);

        badness += badness * (rows * columns - count) / count; /* empty cells */
        if (badness < best_badness) {
            best_badness = badness;
            best = columns;
        }
    }
    return best;
}

static struct page_rect cell_of(const struct drawing *drawing, struct page_rect rect,
                                uint32_t columns, uint32_t rows, uint32_t index)
{
    uint32_t column = index % columns, row = index / columns;
    uint32_t left = rect.width * column / columns, right = rect.width * (column + 1) / columns;
    uint32_t top = rect.height * row / rows, bottom = rect.height * (row + 1) / rows;
    uint32_t gap_x = right - left > 3 * drawing->gap ? drawing->gap : right - left > 2;
    uint32_t gap_y = drawing->page->metrics.is_text ? 0 :
                     bottom - top > 3 * drawing->gap ? drawing->gap : bottom - top > 2;

    return (struct page_rect){rect.x + left, rect.y + top, right - left - gap_x,
                              bottom - top - gap_y};
}

static void draw_below(const struct drawing *drawing, struct page_rect rect,
                       const struct cpumask *scope, uint32_t used);

/* The box itself, its title where there is room for it, and what is inside. */
static void draw_box(const struct drawing *drawing, struct page_rect rect, enum tree_level level,
                     uint32_t cpu, const struct cpumask *set, uint32_t used)
{
    uint32_t line = drawing->page->metrics.char_height, border = drawing->border;
    const struct cpumask *llc =
        &drawing->topology->masks[drawing->topology->cpus[cpu].mask[TOPOLOGY_LLC]];
    page_colour colour = colour_of(drawing, level, cpu, !set || cpumask_is_subset(set, llc));
    bool is_leaf = level == TREE_COUNT;

    page_fill(drawing->page, rect, colour);
    if (rect.width <= 4 * border || rect.height <= 4 * border)
        border = 0;
    rect = (struct page_rect){rect.x + border, rect.y + border, rect.width - 2 * border,
                              rect.height - 2 * border};
    if (rect.height >= line * (is_leaf ? 1 : 2) + (is_leaf ? 0 : border)) {
        put_title(drawing, rect, level, cpu, page_ink_on(colour));
        rect.y += line;
        rect.height -= line;
    }
    if (!is_leaf && rect.width && rect.height)
        draw_below(drawing, rect, set, used | 1u << level);
}

/* At most TREE_COUNT deep: each step uses up a level. */
static void draw_below(const struct drawing *drawing, struct page_rect rect,
                       const struct cpumask *scope, uint32_t used)
{
    const struct topology *topology = drawing->topology;
    uint32_t count = 0, index = 0;
    struct tree_seen seen;

    for (int is_drawing = 0; is_drawing < 2; is_drawing++) {
        uint32_t columns = is_drawing ?
            choose_columns(rect, count, drawing->page->metrics.is_text) : 1;

        if (is_drawing && (rect.width / columns < 2 - drawing->page->metrics.is_text ||
                           rect.height * columns < count))
            return; /* too small to be seen */
        tree_seen_init(&seen);
        CPUMASK_FOR_EACH(cpu, scope) {
            uint32_t own_used = used;
            enum tree_level level;
            const struct cpumask *set;

            if (cpumask_has(&seen.mask, cpu))
                continue;
            level = next_level(topology, cpu, scope, &own_used);
            set = level == TREE_COUNT ? NULL : tree_set(topology, cpu, level);
            if (set)
                cpumask_or(&seen.mask, set);
            if (set && cpumask_first(set) != cpu)
                continue;
            if (is_drawing)
                draw_box(drawing, cell_of(drawing, rect, columns, (count + columns - 1) / columns,
                                          index++), level, cpu, set, own_used);
            else
                count++;
        }
        if (!count)
            return;
    }
}

void boxes_draw(struct page *page, struct page_rect rect, const struct topology *topology,
                const struct machine_facts *facts)
{
    const struct drawing drawing = {
        .page = page, .topology = topology, .facts = facts,
        .gap = page->metrics.is_text ? 1 : page->metrics.char_width / 4,
        .border = page->metrics.is_text ? 0 : page->metrics.char_width / 4,
    };

    draw_below(&drawing, rect, &topology->online, 0);
}
