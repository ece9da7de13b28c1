/* Logarithms, exponentials and square roots in integers: log ratios are kept in
 * units of 2^-32 ("q32"), ratios in parts per million. */
#ifndef KERNEL_STATS_FIXED_LOG_H
#define KERNEL_STATS_FIXED_LOG_H

#include <stdint.h>

/* ln(numerator / denominator); neither may be 0. Good to 2^-29. */
int64_t fixed_log_ratio_q32(uint64_t numerator, uint64_t denominator);

/* exp(x) in parts per million; UINT64_MAX when it does not fit. */
uint64_t fixed_log_exp_ppm(int64_t x_q32);

/* ln(1 + ppm/1,000,000). */
int64_t fixed_log_of_ppm_q32(uint64_t ppm);

/* Largest root with root * root <= value. */
uint64_t fixed_log_square_root(uint64_t value);

/* a * b / c with a 128-bit product; UINT64_MAX when it does not fit or c is 0. */
uint64_t fixed_log_scale(uint64_t a, uint64_t b, uint64_t c);

#endif
