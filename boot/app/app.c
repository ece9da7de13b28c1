/* The UEFI application: loads the kernel.elf it carries and boots it. */
#include "boot/app/elf_load.h"
#include "boot/app/menu.h"
#include "boot/efi/efi_boot.h"
#include "boot/efi/efi_console.h"
#include "boot/efi/efi_volume.h"
#include "boot/info/loader_text.h"

EFI_STATUS EFIAPI efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system);

/* Load options are UTF-16 words; a shell puts the file's name first, which the options
 * reader passes over. */
static bool read_load_options(struct efi_boot *boot, char *text, size_t capacity)
{
    static const EFI_GUID guid = EFI_LOADED_IMAGE_PROTOCOL_GUID;
    EFI_LOADED_IMAGE *loaded = NULL;
    text[0] = 0;
    if (boot->services->HandleProtocol(boot->image, (EFI_GUID *)&guid, (void **)&loaded) !=
            EFI_SUCCESS ||
        !loaded->LoadOptions)
        return true;
    /* Boot managers leave binary data of their own here: text has no low control codes. */
    const CHAR16 *options = loaded->LoadOptions;
    size_t count = loaded->LoadOptionsSize / sizeof(CHAR16);
    for (size_t i = 0; i < count && options[i]; i++) {
        if (options[i] >= 0x7f || (options[i] < 0x20 && options[i] != '\t'))
            return true;
    }
    return loader_text_append16(text, capacity, options, count);
}

/* Every option but `help` has "=". */
static bool has_option_word(const char *text)
{
    const char help[] = "help";
    unsigned matched = 0;
    for (; *text; text++) {
        if (*text == '=')
            return true;
        matched = help[matched] && *text == help[matched] ? matched + 1 : 0;
        if (matched == 4 && (text[1] == 0 || text[1] == ' '))
            return true;
    }
    return false;
}

/* Options of the loader or of coretruth.cfg: then nobody is asked. */
static bool has_options(struct efi_boot *boot, const char *given)
{
    char *text = NULL, words[BOOT_INFO_CMDLINE_BYTES] = "";
    if (has_option_word(given))
        return true;
    if (boot->services->AllocatePool(EfiLoaderData, EFI_BOOT_CONFIG_BYTES, (void **)&text) !=
        EFI_SUCCESS)
        return false;
    efi_volume_read_config(boot, text, EFI_BOOT_CONFIG_BYTES);
    loader_text_append_words(words, sizeof words, text, "");
    boot->services->FreePool(text);
    return words[0] != 0;
}

EFI_STATUS EFIAPI efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system)
{
    static char given[BOOT_INFO_CMDLINE_BYTES];
    struct efi_boot *boot = efi_boot_new(image, system);
    if (!boot)
        return EFI_OUT_OF_RESOURCES;
    boot->info.path = BOOT_UEFI_APP;
    loader_text_append(boot->info.loader, sizeof boot->info.loader, "coretruth.efi");
    if (!read_load_options(boot, given, sizeof given))
        boot->info.is_cmdline_cut = true;
    EFI_STATUS status = elf_load(boot);
    if (status != EFI_SUCCESS) {
        efi_console_say_status(boot, "the kernel cannot be loaded", status);
        return status;
    }
    efi_volume_of_application(boot);
    if (!has_options(boot, given))
        loader_text_append_words(given, sizeof given, menu_choose(boot), "");
    efi_run(boot, given);
    elf_unload(boot);
    return EFI_SUCCESS;
}
