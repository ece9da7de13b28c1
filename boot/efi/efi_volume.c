/* Simple File System [uefi 13.4, 13.5]: finds the volume, reads the options. */
#include "boot/efi/efi_volume.h"

#include "boot/efi/efi_console.h"
#include "boot/efi/efi_file.h"
#include "boot/efi/efi_network.h"
#include "boot/info/loader_text.h"

static const EFI_GUID file_system_guid = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID;
enum { MAX_NODES = 32 };

static const EFI_GUID device_path_guid = EFI_DEVICE_PATH_PROTOCOL_GUID;
static const EFI_GUID loaded_image_guid = EFI_LOADED_IMAGE_PROTOCOL_GUID;

static EFI_LOADED_IMAGE *loaded_image(struct efi_boot *boot)
{
    EFI_LOADED_IMAGE *loaded = NULL;
    if (boot->services->HandleProtocol(boot->image, (EFI_GUID *)&loaded_image_guid,
                                       (void **)&loaded) != EFI_SUCCESS)
        return NULL;
    return loaded;
}

/* A boot image of El Torito has a node of its own in its device path. [uefi 10.3.5.2] */
static bool is_optical(struct efi_boot *boot)
{
    const EFI_DEVICE_PATH *node = NULL;
    if (boot->services->HandleProtocol(boot->volume, (EFI_GUID *)&device_path_guid,
                                       (void **)&node) != EFI_SUCCESS)
        return false;
    for (unsigned nodes = 0; node && nodes < MAX_NODES; nodes++) {
        size_t bytes = node->Length[0] | (size_t)node->Length[1] << 8;
        if ((node->Type & 0x7f) == END_DEVICE_PATH_TYPE || bytes < 4)
            return false;
        if (node->Type == MEDIA_DEVICE_PATH && node->SubType == MEDIA_CDROM_DP)
            return true;
        node = (const EFI_DEVICE_PATH *)((const uint8_t *)node + bytes);
    }
    return false;
}

/* Label and state of the volume, for the report. */
static void describe(struct efi_boot *boot)
{
    bool is_read_only = false;
    char *label = boot->info.volume;
    label[0] = 0;
    if (!efi_file_describe_volume(boot, boot->volume, label, sizeof boot->info.volume,
                                  &is_read_only, &boot->info.volume_free_bytes)) {
        boot->volume = NULL;
        return;
    }
    if (label[0] == 0)
        loader_text_append(label, sizeof boot->info.volume, "(no label)");
    boot->info.is_volume_optical = is_optical(boot);
    boot->info.can_save_files = !is_read_only;
    if (is_read_only && !boot->info.is_volume_optical)
        loader_text_append(boot->info.save_problem, sizeof boot->info.save_problem,
                           efi_status_text(EFI_WRITE_PROTECTED));
}

/* "\EFI\BOOT\BOOTX64.EFI" gives "\EFI\BOOT\coretruth.cfg". */
static void set_config_path(struct efi_boot *boot, const EFI_LOADED_IMAGE *loaded)
{
    const EFI_DEVICE_PATH *node = loaded->FilePath;
    CHAR16 *path = boot->config_path;
    size_t length = 0, folder = 0;

    for (unsigned nodes = 0; node && nodes < MAX_NODES; nodes++) {
        size_t bytes = node->Length[0] | (size_t)node->Length[1] << 8;
        if ((node->Type & 0x7f) == END_DEVICE_PATH_TYPE || bytes < 4)
            break;
        if (node->Type == MEDIA_DEVICE_PATH && node->SubType == MEDIA_FILEPATH_DP) {
            const uint8_t *name = (const uint8_t *)node + 4;
            for (size_t i = 0; i + 1 < bytes - 4 && length < EFI_BOOT_PATH_CHARS - 16; i += 2) {
                CHAR16 c = (CHAR16)(name[i] | name[i + 1] << 8);
                if (c == 0)
                    break;
                path[length++] = c;
                if (c == '\\')
                    folder = length;
            }
        }
        node = (const EFI_DEVICE_PATH *)((const uint8_t *)node + bytes);
    }
    if (folder == 0)
        path[folder++] = '\\';
    loader_text_widen(path + folder, EFI_BOOT_PATH_CHARS - folder, "coretruth.cfg");
}

void efi_volume_of_application(struct efi_boot *boot)
{
    EFI_LOADED_IMAGE *loaded = loaded_image(boot);
    if (!loaded || !loaded->DeviceHandle)
        return;
    boot->volume = loaded->DeviceHandle;
    set_config_path(boot, loaded);
    describe(boot);
    if (!boot->volume)
        efi_network_read_words(boot, loaded->DeviceHandle);
}

static bool has_our_folder(struct efi_boot *boot, EFI_HANDLE volume)
{
    EFI_FILE *folder = efi_file_open(boot, volume, L"\\coretruth", EFI_FILE_MODE_READ, 0, NULL);
    if (!folder)
        return false;
    folder->Close(folder);
    return true;
}

static EFI_HANDLE find_medium(struct efi_boot *boot)
{
    EFI_LOADED_IMAGE *loaded = loaded_image(boot);
    EFI_HANDLE *handles = NULL, found = NULL;
    UINTN count = 0;

    if (loaded && loaded->DeviceHandle && has_our_folder(boot, loaded->DeviceHandle))
        return loaded->DeviceHandle;
    if (boot->services->LocateHandleBuffer(ByProtocol, (EFI_GUID *)&file_system_guid, NULL,
                                           &count, &handles) != EFI_SUCCESS)
        return NULL;
    for (UINTN i = 0; i < count && !found; i++) {
        if (has_our_folder(boot, handles[i]))
            found = handles[i];
    }
    boot->services->FreePool(handles);
    return found;
}

void efi_volume_of_medium(struct efi_boot *boot)
{
    boot->volume = find_medium(boot);
    if (!boot->volume)
        return;
    loader_text_widen(boot->config_path, EFI_BOOT_PATH_CHARS, "\\coretruth\\coretruth.cfg");
    describe(boot);
}

/* A byte order mark of UTF-8 is no word. What has NULs is no text: the words behind the first
 * would be lost without a trace. */
static bool is_text(char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (!text[i])
            return false;
    if (bytes >= 3 && text[0] == '\xef' && text[1] == '\xbb' && text[2] == '\xbf')
        text[0] = text[1] = text[2] = ' ';
    return true;
}

bool efi_volume_read_config(struct efi_boot *boot, char *text, size_t capacity)
{
    EFI_STATUS status;
    text[0] = 0;
    if (!boot->volume)
        return loader_text_append(text, capacity, boot->network_words);
    EFI_FILE *file = efi_file_open(boot, boot->volume, boot->config_path, EFI_FILE_MODE_READ, 0,
                                   &status);
    if (!file) {
        if (status != EFI_NOT_FOUND)
            efi_console_say_status(boot, "coretruth.cfg cannot be opened", status);
        return status == EFI_NOT_FOUND;
    }
    UINTN bytes = capacity - 1;
    status = file->Read(file, &bytes, text);
    file->Close(file);
    text[status == EFI_SUCCESS ? bytes : 0] = 0;
    if (status != EFI_SUCCESS)
        efi_console_say_status(boot, "coretruth.cfg cannot be read", status);
    else if (bytes == capacity - 1)
        efi_console_say(boot, "coretruth.cfg is longer than 16 KiB");
    if (status == EFI_SUCCESS && !is_text(text, bytes)) {
        efi_console_say(boot, "coretruth.cfg has NULs; right is plain text in ASCII or UTF-8");
        return false;
    }
    return status == EFI_SUCCESS && bytes < capacity - 1;
}
