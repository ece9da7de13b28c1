/* The direct map: where a physical address is seen by the image. */
#ifndef KERNEL_CPU_PHYSMAP_H
#define KERNEL_CPU_PHYSMAP_H

#include <stdbool.h>
#include <stdint.h>

/* RAM (granted: writable; firmware's, ACPI and reserved: read only) is mapped once at boot,
 * write-back, not executable. The pointer is a fixed offset away; it says nothing
 * about whether the address may be touched. */
void *physmap(uint64_t physical);
uint64_t physmap_physical(const void *pointer);

/* True when all `bytes` from `physical` on are mapped and may be read. */
bool physmap_is_readable(uint64_t physical, uint64_t bytes);

/* Maps device registers uncached, or a framebuffer write-combining. NULL: no room,
 * or the CPU has not that many address bits. */
enum physmap_cache { PHYSMAP_UNCACHED, PHYSMAP_WRITE_COMBINING };
void *physmap_device(uint64_t physical, uint64_t bytes, enum physmap_cache cache);

/* The same granted range seen through 4 KiB, 2 MiB or 1 GiB pages, for the bench.
 * NULL: not aligned, not granted, or the CPU has no such pages. */
void *physmap_window(uint64_t physical, uint64_t bytes, uint64_t page_bytes);

/* A granted range, in 4 KiB pages, as a stack: the pages before and behind it are not
 * mapped. Returns its lowest address. NULL: not aligned, not granted, no room. */
void *physmap_stack(uint64_t physical, uint64_t bytes);

#endif
