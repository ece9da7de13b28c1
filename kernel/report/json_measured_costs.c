/* report.json: what CPUs cost each other: contention, cache sharing, migration. */
#include "kernel/report/json_measured.h"
#include "kernel/stats/measured_pairs.h"

static const char *contention_name(enum contention_verdict verdict)
{
    static const char *const names[] = {
        [CONTENTION_SHARED_CORE] = "shared-core", [CONTENTION_OWN_CORE] = "own-core",
        [CONTENTION_CANNOT_TELL] = "cannot-tell",
    };

    return names[verdict];
}

static const char *llc_name(enum llc_verdict verdict)
{
    static const char *const names[] = {
        [LLC_SHARED] = "shared", [LLC_NOT_SHARED] = "not-shared", [LLC_CANNOT_TELL] = "cannot-tell",
    };

    return names[verdict];
}

static void put_contention(struct json *json, const struct measured_results *measured)
{
    const struct measured_contention *contention = measured->contention;

    json_open_object(json, "contention");
    json_u64(json, "iterations", contention->iterations);
    json_u64(json, "samples", contention->samples);
    json_open_array(json, "pairs");
    for (uint32_t i = 0; i < contention->pair_count; i++) {
        const struct measured_contention_pair *pair = &contention->pairs[i];

        json_open_object(json, NULL);
        json_measured_cpu(json, "cpu", measured, pair->slot);
        json_measured_cpu(json, "partner_cpu", measured, pair->partner_slot);
        json_bool(json, "is_claimed_sibling", pair->is_claimed_sibling);
        json_u64(json, "alone_cycles", pair->alone_cycles);
        json_u64(json, "busy_cycles", pair->busy_cycles);
        json_u64(json, "throughput_permille", pair->throughput_permille);
        json_text(json, "verdict", contention_name(pair->verdict));
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

static void put_llc(struct json *json, const struct measured_results *measured)
{
    const struct measured_llc_sharing *llc = measured->llc_sharing;

    json_open_object(json, "llc_sharing");
    json_u64(json, "bytes", llc->bytes);
    json_open_array(json, "pairs");
    for (uint32_t i = 0; i < llc->pair_count; i++) {
        const struct measured_llc_pair *pair = &llc->pairs[i];

        json_open_object(json, NULL);
        json_measured_cpu(json, "cpu", measured, pair->slot);
        json_measured_cpu(json, "reader_cpu", measured, pair->reader_slot);
        json_bool(json, "is_claimed_shared", pair->is_claimed_shared);
        json_measured_value(json, "own_ps_per_line", pair->own_ps_per_line);
        json_measured_value(json, "partner_ps_per_line", pair->partner_ps_per_line);
        json_measured_value(json, "memory_ps_per_line", pair->memory_ps_per_line);
        json_text(json, "verdict", llc_name(pair->verdict));
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

static void put_migration(struct json *json, const struct measured_migration *migration)
{
    json_open_object(json, "migration");
    json_u64(json, "repeats", migration->repeats);
    json_u64(json, "llc_bytes", migration->llc_bytes);
    json_open_array(json, "rows");
    for (uint32_t i = 0; i < migration->row_count; i++) {
        const struct measured_migration_row *row = &migration->rows[i];

        json_open_object(json, NULL);
        json_text(json, "distance", distance_name(row->distance));
        json_u64(json, "bytes", row->bytes);
        json_u64(json, "pairs", row->pair_count);
        json_measured_value(json, "ps_per_line", row->ps_per_line);
        json_measured_value(json, "iqr_ps_per_line", row->iqr_ps_per_line);
        json_u64(json, "cycles_x16_per_line", row->cycles_x16_per_line);
        json_measured_value(json, "stay_ps_per_line", row->stay_ps_per_line);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

void json_measured_costs(struct json *json, const struct measured_results *measured)
{
    if (measured->contention)
        put_contention(json, measured);
    if (measured->llc_sharing)
        put_llc(json, measured);
    if (measured->migration)
        put_migration(json, measured->migration);
}
