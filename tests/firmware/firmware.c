/* Starts coretruth.efi as a firmware would that leaves 5-level paging on, or whose ACPI
 * tables are broken. What it has to say goes to QEMU's debug port. */
#include "tests/firmware/firmware.h"

#include <string.h>

enum { PAGE_BYTES = 4096, WORD_BYTES = 32, CR4_LA57 = 1 << 12, CPUID7_ECX_LA57 = 1 << 16 };
#define FOLDER L"\\EFI\\BOOT\\"
#define APPLICATION FOLDER L"coretruth.efi"

EFI_STATUS EFIAPI efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system);

static void say(const char *text)
{
    for (const char *prefix = "firmware: "; *prefix; prefix++)
        __asm__ volatile("outb %0, $0xe9" : : "a"(*prefix));
    for (; *text; text++)
        __asm__ volatile("outb %0, $0xe9" : : "a"(*text));
    __asm__ volatile("outb %0, $0xe9" : : "a"((char)'\n'));
}

bool firmware_read(const struct firmware *firmware, const char *name, uint8_t **bytes,
                   uint32_t *length_bytes)
{
    CHAR16 path[WORD_BYTES + sizeof FOLDER] = FOLDER;
    size_t length = sizeof FOLDER / sizeof(CHAR16) - 1;
    EFI_PHYSICAL_ADDRESS pages = 0xffffffff;
    UINTN room = 32 * PAGE_BYTES;
    EFI_FILE_HANDLE file;
    bool is_read;

    for (size_t i = 0; name[i] && i < WORD_BYTES; i++)
        path[length++] = (CHAR16)name[i];
    path[length] = 0;
    if (firmware->root->Open(firmware->root, &file, path, EFI_FILE_MODE_READ, 0) != EFI_SUCCESS)
        return false;
    is_read = firmware->services->AllocatePages(AllocateMaxAddress, EfiACPIReclaimMemory,
                                                room / PAGE_BYTES, &pages) == EFI_SUCCESS &&
              file->Read(file, &room, (void *)pages) == EFI_SUCCESS;
    file->Close(file);
    *bytes = (uint8_t *)pages;
    *length_bytes = (uint32_t)room;
    return is_read;
}

static size_t path_bytes(const EFI_DEVICE_PATH *path)
{
    const uint8_t *at = (const uint8_t *)path;
    while ((at[0] & 0x7f) != END_DEVICE_PATH_TYPE)
        at += at[2] | at[3] << 8;
    return (size_t)(at - (const uint8_t *)path);
}

/* The volume's own path, then the file. */
static EFI_STATUS load(const struct firmware *firmware, EFI_HANDLE image, EFI_HANDLE volume,
                       EFI_HANDLE *loaded)
{
    static const EFI_GUID guid = EFI_DEVICE_PATH_PROTOCOL_GUID;
    static uint8_t path[1024];
    static const uint8_t end[] = {END_DEVICE_PATH_TYPE, 0xff, 4, 0};
    const uint16_t node_bytes = 4 + sizeof APPLICATION;
    EFI_DEVICE_PATH *base;
    size_t at;

    if (firmware->services->HandleProtocol(volume, (EFI_GUID *)&guid, (void **)&base) != EFI_SUCCESS)
        return EFI_NOT_FOUND;
    at = path_bytes(base);
    memcpy(path, base, at);
    path[at] = MEDIA_DEVICE_PATH;
    path[at + 1] = MEDIA_FILEPATH_DP;
    memcpy(path + at + 2, &node_bytes, 2);
    memcpy(path + at + 4, APPLICATION, sizeof APPLICATION);
    memcpy(path + at + node_bytes, end, sizeof end);
    return firmware->services->LoadImage(FALSE, image, (EFI_DEVICE_PATH *)path, NULL, 0, loaded);
}

static uint64_t read_cr3(void)
{
    uint64_t value;
    __asm__ volatile("mov %%cr3, %0" : "=r"(value));
    return value;
}

static uint64_t read_cr4(void)
{
    uint64_t value;
    __asm__ volatile("mov %%cr4, %0" : "=r"(value));
    return value;
}

static bool has_la57(void)
{
    uint32_t a = 7, b, c = 0, d;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    return c & CPUID7_ECX_LA57;
}

static void start(const struct firmware *firmware, EFI_HANDLE loaded)
{
    if (firmware->services->StartImage(loaded, NULL, NULL) != EFI_SUCCESS)
        say("the application failed");
}

/* One more level on top of the firmware's tables. */
static void start_with_la57(const struct firmware *firmware, EFI_HANDLE loaded)
{
    EFI_PHYSICAL_ADDRESS page = 0xffffffff;
    uint64_t cr3 = read_cr3(), cr4 = read_cr4();

    if (!has_la57() || firmware->services->AllocatePages(AllocateMaxAddress, EfiBootServicesData,
                                                         1, &page) != EFI_SUCCESS) {
        say("no 5-level paging");
        return;
    }
    memset((void *)page, 0, PAGE_BYTES);
    *(uint64_t *)page = (cr3 & ~0xfffull) | 3;
    paging_switch(page, cr4 | CR4_LA57);
    say(read_cr4() & CR4_LA57 ? "5-level paging is on" : "CR4.LA57 did not stay");
    start(firmware, loaded);
    say(read_cr4() == (cr4 | CR4_LA57) && read_cr3() == page ? "5-level paging is as it was"
                                                             : "CR3 or CR4 was not restored");
    paging_switch(cr3, cr4);
}

/* The next word of a line. False: there is none. */
static bool next_word(const uint8_t *text, uint32_t length, uint32_t *at, char *word)
{
    unsigned count = 0;
    while (*at < length && text[*at] <= ' ')
        ++*at;
    while (*at < length && text[*at] > ' ' && count < WORD_BYTES - 1)
        word[count++] = (char)text[(*at)++];
    word[count] = 0;
    return count;
}

EFI_STATUS EFIAPI efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system)
{
    static const EFI_GUID image_guid = EFI_LOADED_IMAGE_PROTOCOL_GUID,
                          volume_guid = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID;
    struct firmware firmware = {system, system->BootServices, NULL};
    EFI_LOADED_IMAGE *own;
    EFI_FILE_IO_INTERFACE *volume;
    EFI_HANDLE loaded;
    uint8_t *text;
    uint32_t length, at = 0;
    char word[WORD_BYTES];
    bool wants_la57 = false;

    if (firmware.services->HandleProtocol(image, (EFI_GUID *)&image_guid, (void **)&own) ||
        firmware.services->HandleProtocol(own->DeviceHandle, (EFI_GUID *)&volume_guid,
                                          (void **)&volume) ||
        volume->OpenVolume(volume, &firmware.root) ||
        !firmware_read(&firmware, "firmware.cfg", &text, &length) ||
        load(&firmware, image, own->DeviceHandle, &loaded)) {
        say("firmware.cfg or coretruth.efi cannot be read");
        return EFI_NOT_FOUND;
    }
    while (next_word(text, length, &at, word)) {
        wants_la57 |= !memcmp(word, "la57", sizeof "la57");
        if (memcmp(word, "la57", sizeof "la57") && !acpi_break(&firmware, word)) {
            say("a defect cannot be made:");
            say(word);
            return EFI_UNSUPPORTED;
        }
    }
    if (wants_la57)
        start_with_la57(&firmware, loaded);
    else
        start(&firmware, loaded);
    /* Its menu would write over the log's last line. */
    system->RuntimeServices->ResetSystem(EfiResetShutdown, EFI_SUCCESS, 0, NULL);
    return EFI_SUCCESS;
}
