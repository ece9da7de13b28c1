/* UEFI by GRUB. */
void boot_efi_grub(const void *multiboot2);
void boot_efi_grub(const void *multiboot2)
{
    (void)multiboot2;
}
