/* The MSRs that are read on every CPU, and why each of them matters. */
#ifndef KERNEL_CAPTURE_MSR_LIST_H
#define KERNEL_CAPTURE_MSR_LIST_H

#include <stdint.h>

struct msr_span {
    uint32_t first, last; /* inclusive */
};

extern const struct msr_span msr_list[];
extern const uint32_t msr_list_count;

/* MSRs in all spans together. */
uint32_t msr_list_total(void);

#endif
