/* UEFI through GRUB: the firmware's tables come in Multiboot2 tags, boot services are
 * alive, and from there on everything is as in the application. */
#include <string.h>

#include "boot/efi/efi_boot.h"
#include "boot/efi/efi_console.h"
#include "boot/efi/efi_volume.h"
#include "boot/grub/efi_grub.h"
#include "boot/info/multiboot2.h"
#include "boot/kernel_entry.h"

static char given[BOOT_INFO_CMDLINE_BYTES];

void boot_efi_grub(const void *information)
{
    static struct multiboot2 tags;
    static struct boot_info from_tags;
    struct input_error error;

    /* GRUB hands over no memory map while boot services run: not an error here. */
    multiboot2_read(information, multiboot2_stated_length(information), &tags, &from_tags, &error);
    EFI_SYSTEM_TABLE *system = (EFI_SYSTEM_TABLE *)tags.efi_system_table;
    EFI_HANDLE image = (EFI_HANDLE)tags.efi_image_handle;
    if (!system || !system->BootServices || !image)
        return;
    struct efi_boot *boot = efi_boot_new(image, system);
    if (!boot)
        return;
    memcpy(given, from_tags.cmdline, sizeof given);
    memcpy(boot->info.loader, from_tags.loader, sizeof boot->info.loader);
    boot->info.is_cmdline_cut = from_tags.is_cmdline_cut;
    boot->info.path = BOOT_UEFI_GRUB;
    boot->kernel = (struct efi_kernel){(uint64_t)(uintptr_t)image_start,
                                       (uint64_t)(image_end - image_start), kernel_entry};
    efi_volume_of_medium(boot);
    efi_run(boot, given);
    /* GRUB has gone; its image handle is what the firmware is waiting for. */
    system->BootServices->Exit(image, EFI_SUCCESS, 0, NULL);
}
