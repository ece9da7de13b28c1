/* Two runs that take turns on one CPU: one works while the other waits, and they change
 * places where the engine yields (kernel/bench/engine.h) and while memory is touched. What
 * neighbours, clocks and page frames do then meets both alike, as it meets the variants of
 * one run. */
#ifndef HOST_BENCH_TWIN_H
#define HOST_BENCH_TWIN_H

#include <stdbool.h>
#include <sys/types.h>

struct bench_twin {
    bool is_second;      /* the process that bench_twin_start() added */
    pid_t second;        /* the first one's knowledge of it */
    int turn_in, turn_out; /* pipes that carry the turn, one byte; -1: the other has ended */
    int bound_ms;        /* that a turn may take */
    bool is_late;        /* the other took longer once */
};

/* Forks. True in both processes, the first with the turn; what the second prints on standard
 * output is kept for bench_twin_end(). False: printed why, there is one process. */
bool bench_twin_start(struct bench_twin *twin, int bound_ms);

/* Gives the turn away and waits until it is back, the other has ended, or kept it for
 * longer than bound_ms: then this one goes on alone, which is printed. */
void bench_twin_yield(struct bench_twin *twin);

/* This one has finished. The first waits for the second, for bound_ms at most, prints what that
 * had to say, and returns the larger of both statuses; the second ends the process. */
int bench_twin_end(struct bench_twin *twin, int status);

#endif
