/* Where things are in the image's virtual address space, and what linker.ld says of
 * the image itself. */
#ifndef KERNEL_CPU_LAYOUT_H
#define KERNEL_CPU_LAYOUT_H

#include <stdint.h>

#define LAYOUT_IMAGE 0x40000000ull             /* KERNEL_VIRTUAL of linker.ld */
#define LAYOUT_PHYSMAP 0xffff800000000000ull   /* physical 0, 64 TiB long */
#define LAYOUT_PHYSMAP_BYTES (1ull << 46)
#define LAYOUT_WINDOWS 0xffffc00000000000ull   /* physmap_window(), physmap_stack() */
#define LAYOUT_DEVICES 0xffffe00000000000ull   /* physmap_device() */
#define LAYOUT_DEVICES_END 0xffffe10000000000ull
#define LAYOUT_SWITCH 0xffffff8000000000ull    /* the two pages that change CR3 */

/* Boot CPU's stack, and the stacks that faults run on, each above an unmapped page. */
enum {
    LAYOUT_PAGE_BYTES = 4096,
    LAYOUT_BOOT_STACK_BYTES = 65536,
    LAYOUT_FAULT_STACK_BYTES = 8192,
    LAYOUT_FAULT_STACK_COUNT = 4,
};

extern const uint8_t image_start[], image_rodata[], image_data[], image_stacks[], image_end[];

#endif
