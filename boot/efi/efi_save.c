/* The report files go to \coretruth\reports\<date-time>-<nnn>\, a folder that was not
 * there before. */
#include "boot/efi/efi_console.h"
#include "boot/efi/efi_file.h"
#include "boot/efi/efi_volume.h"
#include "boot/info/loader_text.h"

enum { FOLDER_CHARS = 80, PATH_CHARS = 128, MAX_NUMBER = 999, MAX_CLOCK_YEAR = 9999 };

static EFI_STATUS make_folder(struct efi_boot *boot, const char *path)
{
    CHAR16 wide[PATH_CHARS];
    EFI_STATUS status;
    loader_text_widen(wide, PATH_CHARS, path);
    EFI_FILE *folder = efi_file_open(
        boot, boot->volume, wide, EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE,
        EFI_FILE_DIRECTORY, &status);
    return folder ? folder->Close(folder) : status;
}

static bool exists(struct efi_boot *boot, const char *path)
{
    CHAR16 wide[PATH_CHARS];
    EFI_STATUS status;
    loader_text_widen(wide, PATH_CHARS, path);
    EFI_FILE *file = efi_file_open(boot, boot->volume, wide, EFI_FILE_MODE_READ, 0, &status);
    if (file)
        file->Close(file);
    return file || status != EFI_NOT_FOUND;
}

/* "20261130-140005", or zeros when the clock does not answer. */
static void append_time(struct efi_boot *boot, char *path, size_t capacity)
{
    EFI_TIME time = {0};
    EFI_TIME zero = {0};
    if (boot->system->RuntimeServices->GetTime(&time, NULL) != EFI_SUCCESS ||
        time.Year > MAX_CLOCK_YEAR)
        time = zero;
    loader_text_append_number(path, capacity, time.Year, 4);
    loader_text_append_number(path, capacity, time.Month, 2);
    loader_text_append_number(path, capacity, time.Day, 2);
    loader_text_append(path, capacity, "-");
    loader_text_append_number(path, capacity, time.Hour, 2);
    loader_text_append_number(path, capacity, time.Minute, 2);
    loader_text_append_number(path, capacity, time.Second, 2);
}

/* Leaves a path that does not exist yet in `path`. */
static bool choose_folder(struct efi_boot *boot, char *path, size_t capacity)
{
    char stem[FOLDER_CHARS] = "";
    loader_text_append(stem, sizeof stem, "\\coretruth\\reports\\");
    append_time(boot, stem, sizeof stem);
    for (unsigned number = 1; number <= MAX_NUMBER; number++) {
        path[0] = 0;
        loader_text_append(path, capacity, stem);
        loader_text_append(path, capacity, "-");
        loader_text_append_number(path, capacity, number, 3);
        if (!exists(boot, path))
            return true;
    }
    return false;
}

static EFI_STATUS make_reports_folder(struct efi_boot *boot)
{
    EFI_STATUS status = make_folder(boot, "\\coretruth");
    return status == EFI_SUCCESS ? make_folder(boot, "\\coretruth\\reports") : status;
}

static EFI_STATUS save_all(struct efi_boot *boot, const struct boot_result *result, char *folder,
                           size_t capacity)
{
    EFI_STATUS status = make_reports_folder(boot);
    if (status == EFI_SUCCESS && !choose_folder(boot, folder, capacity))
        status = EFI_VOLUME_FULL;
    if (status == EFI_SUCCESS)
        status = make_folder(boot, folder);
    for (uint32_t i = 0; i < result->file_count && status == EFI_SUCCESS; i++) {
        char path[PATH_CHARS] = "";
        CHAR16 wide[PATH_CHARS];
        loader_text_append(path, sizeof path, folder);
        loader_text_append(path, sizeof path, "\\");
        loader_text_append(path, sizeof path, result->files[i].name);
        loader_text_widen(wide, PATH_CHARS, path);
        status = efi_file_write(boot, boot->volume, wide, result->files[i].bytes,
                                result->files[i].length_bytes);
    }
    return status;
}

void efi_volume_test(struct efi_boot *boot)
{
    static const CHAR16 path[] = L"\\coretruth\\reports\\test.tmp";
    struct boot_info *info = &boot->info;
    if (!info->can_save_files)
        return;
    EFI_STATUS status = make_reports_folder(boot);
    if (status == EFI_SUCCESS) /* the bytes do not matter, but they should be some clusters */
        status = efi_file_write(boot, boot->volume, path, info, sizeof *info);
    if (status == EFI_SUCCESS)
        status = efi_file_delete(boot, boot->volume, path);
    if (status != EFI_SUCCESS)
        loader_text_append(info->save_problem, sizeof info->save_problem, efi_status_text(status));
}

EFI_STATUS efi_volume_save(struct efi_boot *boot, const struct boot_result *result,
                           char *outcome, size_t capacity)
{
    char folder[FOLDER_CHARS] = "";
    EFI_STATUS status = save_all(boot, result, folder, sizeof folder);
    outcome[0] = 0;
    if (status == EFI_SUCCESS) {
        loader_text_append_number(outcome, capacity, result->file_count, 1);
        loader_text_append(outcome, capacity, " files saved in ");
        loader_text_append(outcome, capacity, folder);
    } else {
        loader_text_append(outcome, capacity, "files not saved on volume ");
        loader_text_append(outcome, capacity, boot->info.volume);
        loader_text_append(outcome, capacity, ": ");
        loader_text_append(outcome, capacity, efi_status_text(status));
    }
    return status;
}
