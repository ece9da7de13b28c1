/* Order statistics: selection in place, medians, quartiles, and the ranks that
 * bound a median without assuming a distribution. */
#ifndef KERNEL_STATS_ORDER_H
#define KERNEL_STATS_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/* The value of rank `rank` (0 is the least); reorders `values`. count > rank. */
int64_t order_select(int64_t *values, uint32_t count, uint32_t rank);

/* The middle value, or the mean of the two middle ones; 0 for none. Reorders. */
int64_t order_median(int64_t *values, uint32_t count);

/* The value below which `ppm` millionths lie (nearest rank). Reorders. */
int64_t order_quantile(int64_t *values, uint32_t count, uint32_t ppm);

/* The widest-in rank pair (1-based, `low` and count+1-low) whose interval covers
 * the median with at least confidence_ppm; coverage by the binomial distribution.
 * False: too few values for any. count <= 4096. */
bool order_median_ranks(uint32_t count, uint32_t confidence_ppm, uint32_t *low, uint32_t *high);

#endif
