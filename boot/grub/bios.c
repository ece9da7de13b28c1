/* BIOS: turns GRUB's Multiboot2 information into boot_info and enters the kernel. */
#include "boot/grub/bios.h"

#include <string.h>

#include "boot/com1.h"
#include "boot/info/memory_map.h"
#include "boot/info/multiboot2.h"
#include "boot/kernel_entry.h"

enum {
    PAGE_BYTES = 4096,
    ONE_MIB = 1 << 20,
    BDA_EBDA_SEGMENT = 0x40e,    /* BIOS data area: where the extended one starts */
    LOWEST_EBDA = 0x80000,
    HIGHEST_TRAMPOLINE = 0x9f000,
    DEBUG_PORT = 0xe9,
};

static struct boot_info info;

/* Nothing else can speak when there is no kernel to enter. */
static void say(const char *text)
{
    for (; *text; text++) {
        com1_put(*text);
        __asm__ volatile("outb %0, %1" : : "a"(*text), "Nd"((uint16_t)DEBUG_PORT));
    }
}

/* The extended BIOS data area is often missing from the memory map. */
static uint64_t low_memory_end(void)
{
    const volatile uint16_t *segment;
    __asm__("mov %1, %0" : "=r"(segment) : "i"(BDA_EBDA_SEGMENT));
    uint64_t ebda = (uint64_t)*segment << 4;
    return ebda >= LOWEST_EBDA && ebda < HIGHEST_TRAMPOLINE ? ebda : HIGHEST_TRAMPOLINE;
}

/* The highest granted page below the BIOS's own; GRUB and its information lie lower. */
static uint64_t find_trampoline(void)
{
    for (uint64_t page = low_memory_end() & ~(PAGE_BYTES - 1ull); page > PAGE_BYTES;) {
        page -= PAGE_BYTES;
        const struct boot_range *range = memory_map_find(&info, page);
        if (range && range->kind == BOOT_RANGE_GRANTED && page + PAGE_BYTES <= range->end)
            return page;
    }
    return 0;
}

/* Below 1 MiB the BIOS keeps data that no map tells of: only the trampoline is ours. */
static void set_ranges(void)
{
    uint64_t image = info.kernel_physical, trampoline = find_trampoline();
    if (trampoline) {
        memory_map_take(&info, trampoline, trampoline + PAGE_BYTES, BOOT_RANGE_KERNEL);
        info.trampoline_physical = trampoline;
    }
    memory_map_take(&info, 0, ONE_MIB, BOOT_RANGE_FIRMWARE);
    memory_map_take(&info, image, image + info.kernel_bytes, BOOT_RANGE_KERNEL);
}

void boot_bios(const void *information)
{
    struct multiboot2 tags;
    struct input_error error;

    info.path = BOOT_BIOS_GRUB;
    info.quiet = BOOT_QUIET_NONE;
    info.kernel_physical = (uint64_t)(uintptr_t)image_start;
    info.kernel_bytes = (uint64_t)(image_end - image_start);
    if (!multiboot2_read(information, multiboot2_stated_length(information), &tags, &info,
                         &error)) {
        say("coretruth: the boot loader's information: ");
        say(error.text);
        say("\r\n#coretruth done status=fail\r\n");
        return;
    }
    set_ranges();
    kernel_entry(&info); /* ends the machine, unless it could not begin */
    say("coretruth: no memory for page tables, or the run's end came back\r\n"
        "#coretruth done status=fail\r\n");
}
