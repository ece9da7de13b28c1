/* Reads and writes of MSRs that survive a #GP: a register that a CPU or an
 * emulator does not have is an answer, not a crash. */
#ifndef KERNEL_CPU_MSR_H
#define KERNEL_CPU_MSR_H

#include <stdbool.h>
#include <stdint.h>

/* False when RDMSR faulted; *value is then 0. */
bool msr_read(uint32_t address, uint64_t *value);

/* False when WRMSR faulted. Every address written is in docs/msr-writes.md; the
 * check in tests/check looks for calls that are not. */
bool msr_write(uint32_t address, uint64_t value);

#endif
