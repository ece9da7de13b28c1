/* AllocatePages for what the image will write, and boot_info's ranges from the memory
 * map. [uefi 7.2] */
#include "boot/efi/efi_memory.h"

#include "boot/info/memory_map.h"
#include "boot/info/range_list.h"

enum { PAGE_SHIFT = 12, PAGE_BYTES = 1 << PAGE_SHIFT, MAP_SLACK_BYTES = 16384 };

#define MIB (1ull << 20)
#define LOW_END (1ull << 32)
#define FIRMWARE_SHARE_MIN (32 * MIB)
#define FIRMWARE_SHARE_MAX (256 * MIB)
#define FIRMWARE_SHARE_EXIT (8 * MIB) /* for what ExitBootServices itself needs */
#define SMALLEST_RANGE_BYTES (256 * 1024ull)
#define TRAMPOLINE_LIMIT 0xfffffull

static const EFI_MEMORY_DESCRIPTOR *descriptor(const struct efi_boot *boot, UINTN index)
{
    return (const EFI_MEMORY_DESCRIPTOR *)(boot->map + index * boot->descriptor_bytes);
}

static UINTN descriptor_count(const struct efi_boot *boot)
{
    return boot->map_bytes / boot->descriptor_bytes;
}

EFI_STATUS efi_memory_read_map(struct efi_boot *boot)
{
    UINT32 version;
    for (int tries = 0; tries < 4; tries++) {
        boot->map_bytes = boot->map_capacity;
        EFI_STATUS status = boot->services->GetMemoryMap(
            &boot->map_bytes, (EFI_MEMORY_DESCRIPTOR *)boot->map, &boot->map_key,
            &boot->descriptor_bytes, &version);
        if (status != EFI_BUFFER_TOO_SMALL)
            return status;
        if (boot->map)
            boot->services->FreePool(boot->map);
        boot->map_capacity = boot->map_bytes + MAP_SLACK_BYTES;
        status = boot->services->AllocatePool(EfiLoaderData, boot->map_capacity,
                                              (void **)&boot->map);
        if (status != EFI_SUCCESS) {
            boot->map = NULL;
            boot->map_capacity = 0;
            return status;
        }
    }
    return EFI_OUT_OF_RESOURCES;
}

EFI_STATUS efi_memory_take_trampoline(struct efi_boot *boot)
{
    for (int tries = 0; tries < 2; tries++) {
        EFI_PHYSICAL_ADDRESS page = TRAMPOLINE_LIMIT;
        EFI_STATUS status = boot->services->AllocatePages(AllocateMaxAddress,
                                                          EfiReservedMemoryType, 1, &page);
        if (status != EFI_SUCCESS)
            return status;
        if (page != 0) { /* page 0 cannot be told from "none", and is left to the firmware */
            boot->info.trampoline_physical = page;
            return EFI_SUCCESS;
        }
    }
    return EFI_NOT_FOUND;
}

static bool is_free(const EFI_MEMORY_DESCRIPTOR *d)
{
    const uint64_t special = EFI_ATTRIBUTE_NON_VOLATILE | EFI_ATTRIBUTE_SPECIFIC_PURPOSE |
                             EFI_ATTRIBUTE_RUNTIME;
    return d->Type == EfiConventionalMemory && !(d->Attribute & special) &&
           d->PhysicalStart >= MIB && d->NumberOfPages << PAGE_SHIFT >= SMALLEST_RANGE_BYTES;
}

static uint64_t firmware_share(const struct efi_boot *boot, uint64_t free_bytes)
{
    uint64_t share = free_bytes / 8;
    if (boot->info.quiet == BOOT_QUIET_EXIT)
        return FIRMWARE_SHARE_EXIT;
    if (share < FIRMWARE_SHARE_MIN)
        share = FIRMWARE_SHARE_MIN;
    return share > FIRMWARE_SHARE_MAX ? FIRMWARE_SHARE_MAX : share;
}

static void take(struct efi_boot *boot, uint64_t start, uint64_t bytes)
{
    EFI_PHYSICAL_ADDRESS address = start;
    UINTN pages = bytes >> PAGE_SHIFT;
    if (pages == 0 || boot->taken_count == EFI_BOOT_MAX_TAKEN)
        return;
    /* A range that the firmware gave to itself meanwhile is left out. */
    if (boot->services->AllocatePages(AllocateAddress, EfiLoaderData, pages, &address) !=
        EFI_SUCCESS)
        return;
    boot->taken[boot->taken_count++] = (struct efi_taken){start, pages};
}

EFI_STATUS efi_memory_take(struct efi_boot *boot)
{
    uint64_t low_bytes = 0, largest_bytes = 0;
    UINTN largest = 0;
    EFI_STATUS status = efi_memory_read_map(boot);
    if (status != EFI_SUCCESS)
        return status;
    for (UINTN i = 0; i < descriptor_count(boot); i++) {
        const EFI_MEMORY_DESCRIPTOR *d = descriptor(boot, i);
        uint64_t bytes = d->NumberOfPages << PAGE_SHIFT;
        if (!is_free(d) || d->PhysicalStart >= LOW_END)
            continue;
        low_bytes += bytes;
        if (bytes > largest_bytes) {
            largest_bytes = bytes;
            largest = i;
        }
    }
    uint64_t share = firmware_share(boot, low_bytes);
    if (share > largest_bytes / 2)
        share = largest_bytes / 2 & ~(PAGE_BYTES - 1ull);
    for (UINTN i = 0; i < descriptor_count(boot); i++) {
        const EFI_MEMORY_DESCRIPTOR *d = descriptor(boot, i);
        uint64_t bytes = d->NumberOfPages << PAGE_SHIFT;
        if (is_free(d))
            take(boot, d->PhysicalStart, i == largest && largest_bytes ? bytes - share : bytes);
    }
    return boot->taken_count ? EFI_SUCCESS : EFI_OUT_OF_RESOURCES;
}

void efi_memory_give_back(struct efi_boot *boot)
{
    for (uint32_t i = 0; i < boot->taken_count; i++)
        boot->services->FreePages(boot->taken[i].start, boot->taken[i].pages);
    boot->taken_count = 0;
}

/* The trampoline page is reserved memory of ours. */
static void take_trampoline(struct boot_info *info)
{
    const struct boot_range page = {
        .start = info->trampoline_physical, .end = info->trampoline_physical + PAGE_BYTES,
        .kind = BOOT_RANGE_KERNEL, .source_type = EFI_TYPE_RESERVED};
    if (page.start)
        range_list_lay(info, &page, 1u << BOOT_RANGE_RESERVED | 1u << BOOT_RANGE_GRANTED, false);
}

bool efi_memory_fill_ranges(struct efi_boot *boot)
{
    struct boot_info *info = &boot->info;
    uint64_t image = boot->kernel.physical, image_end = image + boot->kernel.bytes;
    /* Boot services count as alive even after the exit: their page tables, stack and this
     * loader's code lead back out of the kernel. */
    if (!memory_map_from_efi(info, boot->map, boot->map_bytes, (uint32_t)boot->descriptor_bytes,
                             false))
        return false;
    for (uint32_t i = 0; i < boot->taken_count; i++)
        memory_map_grant(info, boot->taken[i].start,
                         boot->taken[i].start + (boot->taken[i].pages << PAGE_SHIFT));
    memory_map_grant(info, image, image_end);
    memory_map_take(info, image, image_end, BOOT_RANGE_KERNEL);
    take_trampoline(info);
    return true;
}
