/* report.txt: contention, cache sharing and the price of moving, as tables. */
#include "kernel/report/text_measured.h"
#include "kernel/stats/measured_pairs.h"

enum { LISTED_PAIRS = 32 };

static void put_contention(struct textbuf *out, const struct measured_results *measured)
{
    static const struct text_column columns[] = {
        {"CPU", 6, true}, {"partner", 9, true}, {"declared", 12, true}, {"throughput", 12, true},
        {"  measured", 14, false}};
    static const char *const verdicts[] = {
        [CONTENTION_SHARED_CORE] = "  one core", [CONTENTION_OWN_CORE] = "  two cores",
        [CONTENTION_CANNOT_TELL] = "  cannot tell"};
    const struct measured_contention *contention = measured->contention;
    struct text_table table;

    text_heading(out, "Contention for a core");
    text_wrap(out, "", 0, "Throughput of a multiplication kernel while the partner runs the same, "
                          "in parts of its own.");
    textbuf_putc(out, '\n');
    text_table_begin(&table, out, columns, 5);
    for (uint32_t i = 0; i < contention->pair_count && i < LISTED_PAIRS; i++) {
        const struct measured_contention_pair *pair = &contention->pairs[i];

        text_cell(&table, "%u", measured->cpus[pair->slot].cpu);
        text_cell(&table, "%u", measured->cpus[pair->partner_slot].cpu);
        text_cell(&table, "%s", pair->is_claimed_sibling ? "siblings" : "-");
        text_cell(&table, "%u.%u %%", pair->throughput_permille / 10,
                  pair->throughput_permille % 10);
        text_cell(&table, "%s", verdicts[pair->verdict]);
    }
    if (contention->pair_count > LISTED_PAIRS)
        textbuf_printf(out, "and %u pairs more in report.json\n",
                       contention->pair_count - LISTED_PAIRS);
}

static void put_llc(struct textbuf *out, const struct measured_results *measured)
{
    static const struct text_column columns[] = {
        {"loaded by", 9, true}, {"read by", 9, true}, {"declared", 12, true}, {"own ns", 10, true},
        {"read ns", 10, true}, {"memory ns", 11, true}, {"  measured", 14, false}};
    static const char *const verdicts[] = {[LLC_SHARED] = "  shared",
                                           [LLC_NOT_SHARED] = "  not shared",
                                           [LLC_CANNOT_TELL] = "  cannot tell"};
    const struct measured_llc_sharing *llc = measured->llc_sharing;
    struct text_table table;

    text_heading(out, "Sharing the last-level cache");
    textbuf_printf(out, "%llu KiB loaded by one CPU and read by another, per line:\n\n",
                   (unsigned long long)(llc->bytes / 1024));
    text_table_begin(&table, out, columns, 7);
    for (uint32_t i = 0; i < llc->pair_count && i < LISTED_PAIRS; i++) {
        const struct measured_llc_pair *pair = &llc->pairs[i];

        text_cell(&table, "%u", measured->cpus[pair->slot].cpu);
        text_cell(&table, "%u", measured->cpus[pair->reader_slot].cpu);
        text_cell(&table, "%s", pair->is_claimed_shared ? "shared" : "-");
        text_measured_put_ns(&table, pair->own_ps_per_line);
        text_measured_put_ns(&table, pair->partner_ps_per_line);
        text_measured_put_ns(&table, pair->memory_ps_per_line);
        text_cell(&table, "%s", verdicts[pair->verdict]);
    }
}

static void put_migration(struct textbuf *out, const struct measured_migration *migration)
{
    static const struct text_column columns[] = {
        {"size", 8, true}, {"  moving inside", 18, false}, {"pairs", 7, true},
        {"ns/line", 10, true}, {"IQR", 8, true}, {"cycles/line", 13, true},
        {"staying ns", 12, true}};
    static const char *const places[DISTANCE_CLASSES] = {
        [DISTANCE_SMT] = "  a core",       [DISTANCE_CLUSTER] = "  a cluster",
        [DISTANCE_LLC] = "  an LLC",       [DISTANCE_DIE] = "  a die",
        [DISTANCE_PACKAGE] = "  a package", [DISTANCE_MACHINE] = "  the machine"};
    struct text_table table;

    text_heading(out, "The price of moving");
    text_wrap(out, "", 0, "One CPU writes a working set, another reads it: the cost of a migration, "
                          "per cache line, beside what the writer itself pays to read it again.");
    textbuf_putc(out, '\n');
    text_table_begin(&table, out, columns, 7);
    for (uint32_t i = 0; i < migration->row_count; i++) {
        const struct measured_migration_row *row = &migration->rows[i];

        text_cell_size(&table, row->bytes);
        text_cell(&table, "%s", places[row->distance]);
        text_cell(&table, "%u", row->pair_count);
        text_measured_put_ns(&table, row->ps_per_line);
        text_measured_put_ns(&table, row->iqr_ps_per_line);
        text_cell_fixed(&table, (int64_t)row->cycles_x16_per_line * 10 / 16, 1);
        text_measured_put_ns(&table, row->stay_ps_per_line);
    }
}

void text_measured_costs(struct textbuf *out, const struct measured_results *measured)
{
    if (measured->contention)
        put_contention(out, measured);
    if (measured->llc_sharing)
        put_llc(out, measured);
    if (measured->migration)
        put_migration(out, measured->migration);
}
