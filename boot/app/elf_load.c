/* The kernel's segments lie one behind the other from its first address on, so one block
 * of pages takes them all. Its own build made the file; it is still checked to fit. */
#include "boot/app/elf_load.h"

#include <string.h>

enum { PAGE_BYTES = 4096, PT_LOAD = 1, MAX_SEGMENTS = 16 };

struct elf_header {
    uint8_t magic[16];
    uint16_t type, machine;
    uint32_t version;
    uint64_t entry, segments_offset, sections_offset;
    uint32_t flags;
    uint16_t header_bytes, segment_bytes, segment_count;
};

struct elf_segment {
    uint32_t type, flags;
    uint64_t offset, virtual, physical, file_bytes, memory_bytes, align;
};

extern const uint8_t kernel_file[], kernel_file_end[];

static const struct elf_segment *segment(const struct elf_header *header, uint16_t index)
{
    return (const struct elf_segment *)(kernel_file + header->segments_offset +
                                        (size_t)index * header->segment_bytes);
}

/* The lowest and the highest virtual address. False: not a file of ours. */
static bool measure(const struct elf_header *header, uint64_t *low, uint64_t *high)
{
    size_t file_bytes = (size_t)(kernel_file_end - kernel_file);
    *low = UINT64_MAX;
    *high = 0;
    if (file_bytes < sizeof *header || memcmp(header->magic, "\177ELF\2\1", 6) != 0 ||
        header->segment_bytes < sizeof(struct elf_segment) ||
        header->segment_count > MAX_SEGMENTS ||
        header->segments_offset + (size_t)header->segment_count * header->segment_bytes >
            file_bytes)
        return false;
    for (uint16_t i = 0; i < header->segment_count; i++) {
        const struct elf_segment *s = segment(header, i);
        if (s->type != PT_LOAD)
            continue;
        if (s->file_bytes > s->memory_bytes || s->offset + s->file_bytes > file_bytes)
            return false;
        if (s->virtual < *low)
            *low = s->virtual;
        if (s->virtual + s->memory_bytes > *high)
            *high = s->virtual + s->memory_bytes;
    }
    return *low < *high && *low % PAGE_BYTES == 0;
}

EFI_STATUS elf_load(struct efi_boot *boot)
{
    const struct elf_header *header = (const struct elf_header *)kernel_file;
    EFI_PHYSICAL_ADDRESS base = 0xffffffff; /* APs load CR3 in 32-bit mode */
    uint64_t low, high;
    if (!measure(header, &low, &high))
        return EFI_LOAD_ERROR;
    UINTN pages = (high - low + PAGE_BYTES - 1) / PAGE_BYTES;
    EFI_STATUS status = boot->services->AllocatePages(AllocateMaxAddress, EfiLoaderCode, pages,
                                                      &base);
    if (status != EFI_SUCCESS)
        return status;
    memset((void *)base, 0, pages * PAGE_BYTES);
    for (uint16_t i = 0; i < header->segment_count; i++) {
        const struct elf_segment *s = segment(header, i);
        if (s->type == PT_LOAD)
            memcpy((void *)(base + s->virtual - low), kernel_file + s->offset, s->file_bytes);
    }
    boot->kernel.physical = base;
    boot->kernel.bytes = pages * PAGE_BYTES;
    boot->kernel.enter = (__attribute__((sysv_abi)) struct boot_result *(*)(
        const struct boot_info *))(base + header->entry - low);
    return EFI_SUCCESS;
}

void elf_unload(struct efi_boot *boot)
{
    boot->services->FreePages(boot->kernel.physical, boot->kernel.bytes / PAGE_BYTES);
}
