/* The generated symbol table; empty in the first link. */
#ifndef KERNEL_CPU_SYMBOLS_TABLE_H
#define KERNEL_CPU_SYMBOLS_TABLE_H

#include <stdint.h>

struct symbols_address {
    uint32_t offset_bytes; /* from image_start */
    uint32_t name;         /* index in symbols_names */
};

extern const uint32_t symbols_count;
extern const struct symbols_address symbols_addresses[];
extern const char symbols_names[];

#endif
