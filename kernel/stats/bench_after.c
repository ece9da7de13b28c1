/* The arithmetic of what is measured beside the blocks. [clear 3.6] */
#include "kernel/stats/bench_after.h"

uint32_t bench_startup_pages(uint32_t index)
{
    return 1u << index;
}

/* Five fixed lengths: no division by a sum that could be 0, and 1/256 cycles times 16
 * pages stay far inside 64 bits. */
void bench_startup_fit(struct bench_startup *startup)
{
    const int64_t n = BENCH_STARTUP_LENGTHS;
    int64_t sum_x = 0, sum_xx = 0, sum_y = 0, sum_xy = 0;
    for (uint32_t i = 0; i < BENCH_STARTUP_LENGTHS; i++) {
        int64_t x = bench_startup_pages(i), y = (int64_t)startup->cycles_q8[i];
        sum_x += x;
        sum_xx += x * x;
        sum_y += y;
        sum_xy += x * y;
    }
    startup->page_cycles_q8 = (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x);
    startup->start_cycles_q8 = (sum_y - startup->page_cycles_q8 * sum_x) / n;
}

const char *bench_reader_name(enum bench_reader reader)
{
    static const char *const names[BENCH_READERS] = {
        [BENCH_READER_SAME] = "same-cpu", [BENCH_READER_SIBLING] = "sibling",
        [BENCH_READER_OTHER_CORE] = "other-core",
    };
    return reader < BENCH_READERS ? names[reader] : "unknown";
}

const char *bench_victim_name(enum bench_victim victim)
{
    return victim == BENCH_VICTIM_L2 ? "half-l2" : "half-llc";
}

void bench_consumer_compare(struct bench_consumer *row, const struct bench_consumer *pick)
{
    for (uint32_t i = 0; i < BENCH_READERS; i++) {
        row->break_even[i] = BREAK_EVEN_NONE;
        row->break_even_bytes[i] = 0;
        if (!row->has_reader[i] || !pick->has_reader[i])
            continue;
        if (row->clear_cycles_q8 >= pick->clear_cycles_q8) {
            row->break_even[i] = BREAK_EVEN_NEVER_AHEAD;
            continue;
        }
        uint64_t gain = pick->clear_cycles_q8 - row->clear_cycles_q8;
        uint64_t loss = row->read_cycles_q8[i] > pick->read_cycles_q8[i]
                            ? row->read_cycles_q8[i] - pick->read_cycles_q8[i] : 0;
        if (loss <= gain) {
            row->break_even[i] = BREAK_EVEN_BEYOND;
            continue;
        }
        row->break_even[i] = BREAK_EVEN_AT;
        row->break_even_bytes[i] = row->extent_bytes / loss * gain +
                                   row->extent_bytes % loss * gain / loss;
    }
}
