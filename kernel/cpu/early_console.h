/* COM1 and QEMU's debug port, for what must be said before or without any driver. */
#ifndef KERNEL_CPU_EARLY_CONSOLE_H
#define KERNEL_CPU_EARLY_CONSOLE_H

#include <stddef.h>

void early_console_put(const char *text, size_t length_bytes);

#endif
