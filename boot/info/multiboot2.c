/* Walks Multiboot2 tags. [mb2 3.6] */
#include "boot/info/multiboot2.h"

#include <string.h>

#include "boot/info/memory_map.h"
#include "kernel/lib/reader.h"

enum { FIXED_BYTES = 8, TAG_HEADER_BYTES = 8, TAG_ALIGN = 8 };

enum tag_type {
    TAG_END = 0,
    TAG_COMMAND_LINE = 1,
    TAG_LOADER_NAME = 2,
    TAG_MEMORY_MAP = 6,
    TAG_FRAMEBUFFER = 8,
    TAG_EFI64_SYSTEM_TABLE = 12,
    TAG_RSDP_OLD = 14,
    TAG_RSDP_NEW = 15,
    TAG_EFI_MEMORY_MAP = 17,
    TAG_BOOT_SERVICES_RUNNING = 18,
    TAG_EFI64_IMAGE_HANDLE = 20,
    TAG_LOAD_BASE = 21,
};

enum framebuffer_type { FRAMEBUFFER_INDEXED = 0, FRAMEBUFFER_RGB = 1, FRAMEBUFFER_TEXT = 2 };

struct walk {
    struct multiboot2 *tags;
    struct boot_info *info;
    bool has_new_rsdp;
};

/* `tag` is what follows type and size. False: it is shorter than its fields. */
/* Up to the NUL or the end of the tag, whichever comes first; true when it fits. */
static bool copy_string(struct reader *tag, char *target, size_t target_bytes)
{
    size_t left = reader_left_bytes(tag), length = 0;
    const char *text = (const char *)tag->bytes + tag->offset_bytes;
    bool fits;

    while (length < left && text[length])
        length++;
    fits = length < target_bytes;
    if (!fits)
        length = target_bytes - 1;
    memcpy(target, text, length);
    target[length] = '\0';
    return fits;
}

static bool read_command_line(struct walk *walk, struct reader *tag)
{
    walk->info->is_cmdline_cut = !copy_string(tag, walk->info->cmdline,
                                              sizeof(walk->info->cmdline));
    return true;
}

static bool read_loader_name(struct walk *walk, struct reader *tag)
{
    copy_string(tag, walk->info->loader, sizeof(walk->info->loader));
    return true;
}

static bool read_memory_map(struct walk *walk, struct reader *tag)
{
    struct multiboot2 *tags = walk->tags;

    if (!reader_u32(tag, &tags->e820_entry_bytes) || !reader_skip(tag, 4))
        return false;
    tags->e820 = tag->bytes + tag->offset_bytes;
    tags->e820_bytes = (uint32_t)reader_left_bytes(tag);
    return true;
}

static bool read_efi_memory_map(struct walk *walk, struct reader *tag)
{
    struct multiboot2 *tags = walk->tags;

    if (!reader_u32(tag, &tags->efi_descriptor_bytes) ||
        !reader_u32(tag, &tags->efi_descriptor_version))
        return false;
    tags->efi_map = tag->bytes + tag->offset_bytes;
    tags->efi_map_bytes = (uint32_t)reader_left_bytes(tag);
    return true;
}

/* Colours are shifts and widths in a pixel of at most 32 bits. */
static bool read_colours(struct reader *tag, struct boot_framebuffer *screen)
{
    return reader_u8(tag, &screen->red_shift) && reader_u8(tag, &screen->red_bits) &&
           reader_u8(tag, &screen->green_shift) && reader_u8(tag, &screen->green_bits) &&
           reader_u8(tag, &screen->blue_shift) && reader_u8(tag, &screen->blue_bits) &&
           screen->red_shift + screen->red_bits <= screen->bits_per_pixel &&
           screen->green_shift + screen->green_bits <= screen->bits_per_pixel &&
           screen->blue_shift + screen->blue_bits <= screen->bits_per_pixel;
}

static bool is_drawable(const struct boot_framebuffer *screen)
{
    uint64_t pixel_bytes = ((uint64_t)screen->bits_per_pixel + 7) / 8;
    uint64_t size;

    return screen->address && screen->width && screen->height && pixel_bytes >= 1 &&
           pixel_bytes <= 4 && screen->pitch_bytes >= screen->width * pixel_bytes &&
           !__builtin_add_overflow(screen->address,
                                   (uint64_t)screen->pitch_bytes * screen->height, &size);
}

/* A palette is not supported and a mode that makes no sense is no screen: the
 * report still goes out over the other sinks. */
static bool read_framebuffer(struct walk *walk, struct reader *tag)
{
    struct boot_framebuffer screen = {0};
    uint8_t type;

    walk->info->framebuffer = screen;
    if (!reader_u64(tag, &screen.address) || !reader_u32(tag, &screen.pitch_bytes) ||
        !reader_u32(tag, &screen.width) || !reader_u32(tag, &screen.height) ||
        !reader_u8(tag, &screen.bits_per_pixel) || !reader_u8(tag, &type) || !reader_skip(tag, 2))
        return false;
    if (!is_drawable(&screen))
        return true;
    if (type == FRAMEBUFFER_TEXT)
        screen.kind = BOOT_PIXEL_TEXT;
    else if (type == FRAMEBUFFER_RGB && screen.bits_per_pixel > 8 && read_colours(tag, &screen))
        screen.kind = BOOT_PIXEL_RGB;
    else
        return true;
    walk->info->framebuffer = screen;
    return true;
}

static bool read_system_table(struct walk *walk, struct reader *tag)
{
    return reader_u64(tag, &walk->tags->efi_system_table);
}

static bool read_image_handle(struct walk *walk, struct reader *tag)
{
    return reader_u64(tag, &walk->tags->efi_image_handle);
}

static bool read_boot_services(struct walk *walk, struct reader *tag)
{
    (void)tag;
    walk->tags->are_boot_services_running = true;
    return true;
}

static bool read_load_base(struct walk *walk, struct reader *tag)
{
    walk->tags->has_load_base = true;
    return reader_u32(tag, &walk->tags->load_base);
}

static bool copy_rsdp(struct walk *walk, struct reader *tag)
{
    struct boot_info *info = walk->info;
    size_t length = reader_left_bytes(tag);

    if (length > sizeof(info->rsdp_copy))
        length = sizeof(info->rsdp_copy);
    info->rsdp_copy_bytes = (uint32_t)length;
    return reader_copy(tag, info->rsdp_copy, length);
}

/* The new tag is the one to prefer, in whatever order they come. */
static bool read_rsdp_old(struct walk *walk, struct reader *tag)
{
    return walk->has_new_rsdp || copy_rsdp(walk, tag);
}

static bool read_rsdp_new(struct walk *walk, struct reader *tag)
{
    walk->has_new_rsdp = true;
    return copy_rsdp(walk, tag);
}

/* Not a table: loaders call this where the image was loaded, and a table would hold the
 * addresses it was linked for. */
static bool read_tag(struct walk *walk, uint32_t type, struct reader tag)
{
    switch (type) {
    case TAG_COMMAND_LINE: return read_command_line(walk, &tag);
    case TAG_LOADER_NAME: return read_loader_name(walk, &tag);
    case TAG_MEMORY_MAP: return read_memory_map(walk, &tag);
    case TAG_FRAMEBUFFER: return read_framebuffer(walk, &tag);
    case TAG_EFI64_SYSTEM_TABLE: return read_system_table(walk, &tag);
    case TAG_RSDP_OLD: return read_rsdp_old(walk, &tag);
    case TAG_RSDP_NEW: return read_rsdp_new(walk, &tag);
    case TAG_EFI_MEMORY_MAP: return read_efi_memory_map(walk, &tag);
    case TAG_BOOT_SERVICES_RUNNING: return read_boot_services(walk, &tag);
    case TAG_EFI64_IMAGE_HANDLE: return read_image_handle(walk, &tag);
    case TAG_LOAD_BASE: return read_load_base(walk, &tag);
    default: return true;
    }
}

static bool fail(struct input_error *error, size_t offset, const char *what)
{
    input_error_set(error, PLACE_OFFSET, offset, "Multiboot2: %s", what);
    return false;
}

/* Tags follow each other, each rounded up to eight bytes, up to the end tag. */
static bool read_tags(struct walk *walk, struct reader *list, struct input_error *error)
{
    for (;;) {
        size_t offset = list->offset_bytes, padding;
        uint32_t type, size;
        struct reader tag;

        if (!reader_u32(list, &type) || !reader_u32(list, &size))
            return fail(error, offset, "the tags end without an end tag");
        if (type == TAG_END)
            return true;
        if (size < TAG_HEADER_BYTES)
            return fail(error, offset, "a tag is shorter than its header: the walk would not end");
        if (!reader_sub(list, size - TAG_HEADER_BYTES, &tag))
            return fail(error, offset, "a tag runs past the end of the information");
        if (!read_tag(walk, type, tag))
            return fail(error, offset, "a tag is shorter than its fields");
        padding = -(size_t)size % TAG_ALIGN;
        if (padding > reader_left_bytes(list))
            padding = reader_left_bytes(list);
        reader_skip(list, padding);
    }
}

static bool load_memory_map(const struct multiboot2 *tags, struct boot_info *info,
                            struct input_error *error)
{
    if (tags->efi_map)
        return memory_map_from_efi(info, tags->efi_map, tags->efi_map_bytes,
                                   tags->efi_descriptor_bytes, !tags->are_boot_services_running) ||
               fail(error, 0, "the EFI memory map is not a multiple of its descriptor size");
    if (tags->e820)
        return memory_map_from_e820(info, tags->e820, tags->e820_bytes, tags->e820_entry_bytes) ||
               fail(error, 0, "the memory map is not a multiple of its entry size");
    /* With boot services running the map is the firmware's to give. */
    return tags->are_boot_services_running || fail(error, 0, "no memory map was handed over");
}

uint32_t multiboot2_stated_length(const void *information)
{
    struct reader reader = reader_of(information, FIXED_BYTES);
    uint32_t length;

    if (!reader_u32(&reader, &length) || length < FIXED_BYTES + TAG_HEADER_BYTES ||
        length > MULTIBOOT2_MOST_BYTES)
        return 0;
    return length;
}

bool multiboot2_read(const void *information, size_t length_bytes, struct multiboot2 *tags,
                     struct boot_info *info, struct input_error *error)
{
    struct walk walk = {.tags = tags, .info = info};
    struct reader list;
    uint32_t stated;

    *tags = (struct multiboot2){0};
    if (length_bytes < FIXED_BYTES)
        return fail(error, 0, "the information is shorter than eight bytes");
    stated = multiboot2_stated_length(information);
    if (!stated || stated > length_bytes)
        return fail(error, 0, "its stated size is not that of the information");
    list = reader_of(information, stated);
    reader_skip(&list, FIXED_BYTES);
    return read_tags(&walk, &list, error) && load_memory_map(tags, info, error);
}
