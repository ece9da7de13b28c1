/* What stands for input_error_set() in the Multiboot2 reader: the loaders run where they
 * were loaded, and the C library's printf only where it was linked. */
#ifndef BOOT_GRUB_LOADER_ERROR_H
#define BOOT_GRUB_LOADER_ERROR_H

#include "kernel/lib/input_error.h"

/* Keeps the format itself as the text. */
void loader_error_set(struct input_error *error, enum input_place kind, uint64_t place,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
