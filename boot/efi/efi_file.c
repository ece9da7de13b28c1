/* File access with every status looked at. A volume that fills up shows itself in Write,
 * in a short count, in Flush or only in Close, depending on the firmware. */
#include "boot/efi/efi_file.h"

#include "boot/info/loader_text.h"

enum { WRITE_CHUNK_BYTES = 65536, VOLUME_INFO_BYTES = 512 };

static EFI_FILE *open_root(struct efi_boot *boot, EFI_HANDLE volume, EFI_STATUS *status)
{
    static const EFI_GUID guid = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID;
    EFI_FILE_IO_INTERFACE *system = NULL;
    EFI_FILE *root = NULL;

    *status = boot->services->HandleProtocol(volume, (EFI_GUID *)&guid, (void **)&system);
    if (*status == EFI_SUCCESS)
        *status = system->OpenVolume(system, &root);
    return *status == EFI_SUCCESS ? root : NULL;
}

EFI_FILE *efi_file_open(struct efi_boot *boot, EFI_HANDLE volume, const CHAR16 *path,
                        uint64_t mode, uint64_t attributes, EFI_STATUS *status)
{
    EFI_STATUS own_status;
    EFI_FILE *file = NULL;
    if (!status)
        status = &own_status;
    EFI_FILE *root = open_root(boot, volume, status);
    if (!root)
        return NULL;
    *status = root->Open(root, &file, (CHAR16 *)path, mode, attributes);
    root->Close(root);
    return *status == EFI_SUCCESS ? file : NULL;
}

bool efi_file_describe_volume(struct efi_boot *boot, EFI_HANDLE volume, char *label,
                              size_t capacity, bool *is_read_only,
                              uint64_t *free_bytes)
{
    static const EFI_GUID guid = EFI_FILE_SYSTEM_INFO_ID;
    union {
        EFI_FILE_SYSTEM_INFO info;
        uint8_t bytes[VOLUME_INFO_BYTES];
    } volume_info;
    UINTN bytes = sizeof volume_info;
    EFI_STATUS status;

    EFI_FILE *root = open_root(boot, volume, &status);
    if (!root)
        return false;
    status = root->GetInfo(root, (EFI_GUID *)&guid, &bytes, &volume_info);
    root->Close(root);
    if (status != EFI_SUCCESS || bytes < SIZE_OF_EFI_FILE_SYSTEM_INFO)
        return false;
    *is_read_only = volume_info.info.ReadOnly;
    *free_bytes = volume_info.info.FreeSpace;
    loader_text_append16(label, capacity, volume_info.info.VolumeLabel,
                      (bytes - SIZE_OF_EFI_FILE_SYSTEM_INFO) / sizeof(CHAR16));
    return true;
}

EFI_STATUS efi_file_write(struct efi_boot *boot, EFI_HANDLE volume, const CHAR16 *path,
                          const void *bytes, uint64_t length_bytes)
{
    EFI_STATUS status;
    EFI_FILE *file = efi_file_open(
        boot, volume, path, EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE, 0,
        &status);
    if (!file)
        return status;
    for (uint64_t done = 0; done < length_bytes && status == EFI_SUCCESS;) {
        uint64_t left = length_bytes - done;
        UINTN chunk = left < WRITE_CHUNK_BYTES ? left : WRITE_CHUNK_BYTES, written = chunk;
        status = file->Write(file, &written, (uint8_t *)bytes + done);
        if (status == EFI_SUCCESS && written != chunk)
            status = EFI_VOLUME_FULL;
        done += written;
    }
    if (status == EFI_SUCCESS)
        status = file->Flush(file);
    if (status != EFI_SUCCESS) {
        file->Delete(file); /* half a file would look like a report; closes it as well */
        return status;
    }
    return file->Close(file);
}

EFI_STATUS efi_file_delete(struct efi_boot *boot, EFI_HANDLE volume, const CHAR16 *path)
{
    EFI_STATUS status;
    EFI_FILE *file = efi_file_open(boot, volume, path, EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE, 0,
                                   &status);
    return file ? file->Delete(file) : status;
}
