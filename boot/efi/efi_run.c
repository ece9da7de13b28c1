/* The steps of a boot under UEFI, and of the way back. */
#include "boot/efi/efi_boot.h"
#include "boot/efi/efi_console.h"
#include "boot/efi/efi_keys.h"
#include "boot/efi/efi_memory.h"
#include "boot/efi/efi_screen.h"
#include "boot/efi/efi_volume.h"
#include "boot/info/loader_text.h"

enum { EXIT_TRIES = 8, PAGE_BYTES = 4096, MOST_KEYS = 1000, ESCAPE = 27 };

static bool is_same_guid(const EFI_GUID *a, const EFI_GUID *b)
{
    const uint8_t *x = (const uint8_t *)a, *y = (const uint8_t *)b;
    for (size_t i = 0; i < sizeof *a; i++) {
        if (x[i] != y[i])
            return false;
    }
    return true;
}

struct efi_boot *efi_boot_new(EFI_HANDLE image, EFI_SYSTEM_TABLE *system)
{
    EFI_PHYSICAL_ADDRESS address = 0xffffffff;
    UINTN pages = (sizeof(struct efi_boot) + PAGE_BYTES - 1) / PAGE_BYTES;
    if (system->BootServices->AllocatePages(AllocateMaxAddress, EfiLoaderData, pages, &address) !=
        EFI_SUCCESS)
        return NULL;
    system->BootServices->SetMem((void *)address, pages * PAGE_BYTES, 0);
    struct efi_boot *boot = (struct efi_boot *)address;
    boot->image = image;
    boot->system = system;
    boot->services = system->BootServices;
    return boot;
}

static void find_rsdp(struct efi_boot *boot)
{
    static const EFI_GUID acpi1 = ACPI_TABLE_GUID, acpi2 = ACPI_20_TABLE_GUID;
    bool has_acpi2 = false;
    for (UINTN i = 0; i < boot->system->NumberOfTableEntries; i++) {
        const EFI_CONFIGURATION_TABLE *table = &boot->system->ConfigurationTable[i];
        if (is_same_guid(&table->VendorGuid, &acpi2)) {
            boot->info.rsdp_address = (uint64_t)(uintptr_t)table->VendorTable;
            has_acpi2 = true;
        } else if (!has_acpi2 && is_same_guid(&table->VendorGuid, &acpi1)) {
            boot->info.rsdp_address = (uint64_t)(uintptr_t)table->VendorTable;
        }
    }
}

/* The entry point of version 3 wins: its table may lie anywhere. [DMTF DSP0134 5.2] */
static void find_smbios(struct efi_boot *boot)
{
    static const EFI_GUID smbios2 = SMBIOS_TABLE_GUID, smbios3 = SMBIOS3_TABLE_GUID;
    bool has_smbios3 = false;
    for (UINTN i = 0; i < boot->system->NumberOfTableEntries && !has_smbios3; i++) {
        const EFI_CONFIGURATION_TABLE *table = &boot->system->ConfigurationTable[i];
        has_smbios3 = is_same_guid(&table->VendorGuid, &smbios3);
        if (has_smbios3 || is_same_guid(&table->VendorGuid, &smbios2))
            boot->info.smbios_address = (uint64_t)(uintptr_t)table->VendorTable;
    }
}

/* The value is kept as it is: all but 0 and 1 are reserved. [uefi 3.3] */
static struct boot_variable read_variable(const struct efi_boot *boot, const CHAR16 *name)
{
    static const EFI_GUID guid = EFI_GLOBAL_VARIABLE;
    struct boot_variable variable = {0};
    UINTN bytes = sizeof variable.value;
    EFI_STATUS status = boot->system->RuntimeServices->GetVariable(
        (CHAR16 *)name, (EFI_GUID *)&guid, NULL, &bytes, &variable.value);
    variable.is_read = status == EFI_SUCCESS && bytes == sizeof variable.value;
    return variable;
}

static void describe_firmware(struct efi_boot *boot)
{
    struct boot_info *info = &boot->info;
    if (boot->system->FirmwareVendor)
        loader_text_append16(info->firmware_vendor, sizeof info->firmware_vendor,
                          boot->system->FirmwareVendor, sizeof info->firmware_vendor);
    info->firmware_revision = boot->system->FirmwareRevision;
    info->secure_boot = read_variable(boot, L"SecureBoot");
    info->setup_mode = read_variable(boot, L"SetupMode");
    info->kernel_physical = boot->kernel.physical;
    info->kernel_bytes = boot->kernel.bytes;
    find_rsdp(boot);
    find_smbios(boot);
    efi_screen_find(boot);
}

/* The words of the configuration file, then what the loader was given, which wins. */
static void set_cmdline(struct efi_boot *boot, const char *given)
{
    struct boot_info *info = &boot->info;
    char *text = NULL;
    info->cmdline[0] = 0;
    if (boot->services->AllocatePool(EfiLoaderData, EFI_BOOT_CONFIG_BYTES, (void **)&text) ==
        EFI_SUCCESS) {
        if (!efi_volume_read_config(boot, text, EFI_BOOT_CONFIG_BYTES))
            info->is_cmdline_cut = true;
        if (!loader_text_append_words(info->cmdline, sizeof info->cmdline, text, given))
            info->is_cmdline_cut = true;
        boot->services->FreePool(text);
    }
    if (!loader_text_append_words(info->cmdline, sizeof info->cmdline, given, ""))
        info->is_cmdline_cut = true;
    info->quiet = loader_text_last_value_is(info->cmdline, "quiet=", "exit") ? BOOT_QUIET_EXIT
                                                                         : BOOT_QUIET_FIRMWARE;
}

/* A map that changed between reading it and leaving is read again. [uefi 7.4] */
static EFI_STATUS exit_boot_services(struct efi_boot *boot)
{
    for (int tries = 0; tries < EXIT_TRIES; tries++) {
        EFI_STATUS status = efi_memory_read_map(boot);
        if (status != EFI_SUCCESS)
            return status;
        status = boot->services->ExitBootServices(boot->image, boot->map_key);
        if (status == EFI_SUCCESS) {
            boot->has_exited = true;
            boot->info.can_save_files = false;
            return EFI_SUCCESS;
        }
        if (status != EFI_INVALID_PARAMETER)
            return status;
    }
    return EFI_INVALID_PARAMETER;
}

static EFI_STATUS get_ready(struct efi_boot *boot)
{
    EFI_STATUS status = efi_memory_take_trampoline(boot);
    if (status != EFI_SUCCESS) /* one CPU can still run; the kernel says so */
        efi_console_say_status(boot, "no page below 1 MiB to start CPUs from", status);
    status = efi_memory_take(boot);
    if (status != EFI_SUCCESS) {
        efi_console_say_status(boot, "no memory from the firmware", status);
        return status;
    }
    status = boot->info.quiet == BOOT_QUIET_EXIT ? exit_boot_services(boot)
                                                 : efi_memory_read_map(boot);
    if (status != EFI_SUCCESS) {
        efi_console_say_status(boot, "no memory map, or the firmware does not let go", status);
        return status;
    }
    return efi_memory_fill_ranges(boot) ? EFI_SUCCESS : EFI_UNSUPPORTED;
}

/* Into the kernel with the firmware's timers and events held off. */
static struct boot_result *enter(struct efi_boot *boot, enum boot_call call)
{
    EFI_TPL level = boot->has_exited ? 0 : boot->services->RaiseTPL(TPL_HIGH_LEVEL);
    boot->info.call = call;
    struct boot_result *result = boot->kernel.enter(&boot->info);
    if (!boot->has_exited)
        boot->services->RestoreTPL(level);
    return result;
}

static void save(struct efi_boot *boot, const struct boot_result *result)
{
    struct boot_info *info = &boot->info;
    if (boot->has_exited || result->file_count == 0)
        return;
    /* Known before the run: a full volume is left as it is. */
    if (info->save_problem[0]) {
        loader_text_append(info->saved, sizeof info->saved, "files not saved on volume ");
        loader_text_append(info->saved, sizeof info->saved, info->volume);
        loader_text_append(info->saved, sizeof info->saved, ": ");
        loader_text_append(info->saved, sizeof info->saved, info->save_problem);
        info->is_save_failed = true;
        return;
    }
    if (!info->can_save_files)
        return;
    EFI_STATUS status = efi_volume_save(boot, result, info->saved, sizeof info->saved);
    info->is_save_failed = status != EFI_SUCCESS;
}

/* The kernel's last page stays until no key came for the whole pause. */
static void show_pages(struct efi_boot *boot, uint32_t pause_ms)
{
    for (unsigned keys = 0; pause_ms && keys < MOST_KEYS; keys++) {
        char key = efi_keys_wait(boot, pause_ms);
        if (key == 0 || key == ESCAPE || key == 'q')
            return;
        boot->info.key = key;
        enter(boot, BOOT_CALL_KEY);
    }
}

static void end(struct efi_boot *boot, enum boot_after after)
{
    EFI_RUNTIME_SERVICES *runtime = boot->system->RuntimeServices;
    if (after == BOOT_AFTER_POWEROFF)
        runtime->ResetSystem(EfiResetShutdown, EFI_SUCCESS, 0, NULL);
    if (after == BOOT_AFTER_REBOOT)
        runtime->ResetSystem(EfiResetCold, EFI_SUCCESS, 0, NULL);
    if (after == BOOT_AFTER_RETURN && !boot->has_exited)
        return;
    for (;;)
        __asm__ volatile("cli; hlt");
}

void efi_run(struct efi_boot *boot, const char *cmdline)
{
    boot->services->SetWatchdogTimer(0, 0, 0, NULL);
    boot->info.can_end_machine = true;
    set_cmdline(boot, cmdline);
    if (boot->info.quiet != BOOT_QUIET_EXIT)
        efi_volume_test(boot);
    describe_firmware(boot);
    if (get_ready(boot) != EFI_SUCCESS)
        return;
    struct boot_result *result = enter(boot, BOOT_CALL_RUN);
    if (!result) {
        efi_console_say(boot, "no memory for page tables");
        return;
    }
    enum boot_after after = result->after;
    save(boot, result);
    uint32_t pause_ms = result->pause_ms;
    enter(boot, BOOT_CALL_GOODBYE);
    if (!boot->has_exited) {
        show_pages(boot, pause_ms);
        efi_memory_give_back(boot);
    }
    end(boot, after);
}
