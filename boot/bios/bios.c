/* BIOS: turns GRUB's Multiboot2 information into boot_info and enters the kernel. */
#include "boot/bios/bios.h"

#include <string.h>

#include "boot/kernel_entry.h"

static struct boot_info info;

static void add(uint64_t start, uint64_t end, enum boot_range_kind kind)
{
    if (start < end)
        info.ranges[info.range_count++] = (struct boot_range){.start = start, .end = end, .kind = kind};
}

void boot_bios(const void *multiboot2)
{
    const uint8_t *p = multiboot2;
    uint64_t ks = (uint64_t)(uintptr_t)image_start, ke = (uint64_t)(uintptr_t)image_end;
    uint32_t total = *(const uint32_t *)p;
    for (uint32_t at = 8; at + 8 <= total;) {
        uint32_t type = *(const uint32_t *)(p + at), size = *(const uint32_t *)(p + at + 4);
        if (type == 0 || size < 8)
            break;
        if (type == 1)
            strncpy(info.cmdline, (const char *)p + at + 8, sizeof info.cmdline - 1);
        if (type == 2)
            strncpy(info.loader, (const char *)p + at + 8, sizeof info.loader - 1);
        if (type == 6) {
            for (uint32_t e = at + 16; e < at + size; e += 24) {
                uint64_t s = *(const uint64_t *)(p + e), n = s + *(const uint64_t *)(p + e + 8);
                uint32_t t = *(const uint32_t *)(p + e + 16);
                if (t != 1) { add(s, n, t == 3 || t == 4 ? BOOT_RANGE_ACPI : BOOT_RANGE_RESERVED); continue; }
                if (s < 0x100000) { add(0, 0x8000, BOOT_RANGE_FIRMWARE); add(0x8000, 0x80000, BOOT_RANGE_GRANTED); add(0x80000, n, BOOT_RANGE_FIRMWARE); continue; }
                if (s <= ks && ke <= n) { add(s, ks, BOOT_RANGE_GRANTED); add(ks, ke, BOOT_RANGE_KERNEL); s = ke; }
                add(s, n, BOOT_RANGE_GRANTED);
            }
        }
        at += (size + 7) & ~7u;
    }
    info.trampoline_physical = 0x8000;
    info.kernel_physical = ks;
    info.kernel_bytes = ke - ks;
    kernel_entry(&info);
    for (;;)
        __asm__ volatile("cli; hlt");
}
