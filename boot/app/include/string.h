/* The string routines that the application has: no C library is linked to a PE file. */
#ifndef BOOT_APP_INCLUDE_STRING_H
#define BOOT_APP_INCLUDE_STRING_H

#include <stddef.h>

void *memcpy(void *target, const void *source, size_t count);
void *memmove(void *target, const void *source, size_t count);
void *memset(void *target, int value, size_t count);
int memcmp(const void *a, const void *b, size_t count);

#endif
