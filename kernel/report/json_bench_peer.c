/* report.json: what another program's bench gave in the same blocks. */
#include "kernel/report/bench_parts.h"

#include <stddef.h>

#include "kernel/report/fixed.h"

static void put_row(struct json *json, const struct bench_peer_row *row)
{
    json_open_object(json, NULL);
    json_text(json, "function", row->function);
    json_text(json, "variant", row->variant);
    json_u64(json, "region_bytes", row->region_bytes);
    json_u64(json, "mapping_page_bytes", row->page_bytes);
    json_open_array(json, "block_cycles");
    for (uint32_t i = 0; i < row->block_count; i++)
        if (row->cycles_q8[i] == 0)
            json_no_value(json, NULL);
        else
            json_fixed(json, NULL, (int64_t)fixed_muldiv(row->cycles_q8[i], 1000, 256), 3);
    json_end(json);
    json_end(json);
}

void json_bench_peer(struct json *json, const struct bench_results *bench)
{
    if (bench->peer == NULL)
        return;
    json_open_object(json, "peer");
    json_text(json, "name", bench->peer->name);
    json_text(json, "version", bench->peer->version);
    json_u64(json, "unit_bytes", bench->peer->unit_bytes);
    json_open_array(json, "results");
    for (uint32_t i = 0; i < bench->peer->row_count; i++)
        put_row(json, &bench->peer->rows[i]);
    json_end(json);
    json_end(json);
}
