/* SMBIOS structures: a header, a formatted area, then strings that end with an empty one.
 * A field of the area holds the number of its string, 0 for none. [6.1.3] */
#include "kernel/facts/smbios.h"

#include <string.h>

#include "kernel/lib/reader.h"

enum {
    V2_MIN_BYTES = 0x1E,         /* 0x1F, but version 2.1 of the specification had it so */
    V3_MIN_BYTES = 0x18,
    HEADER_BYTES = 4,
    TYPE_MEMORY_DEVICE = 17, TYPE_IPMI_DEVICE = 38, TYPE_END = 127,
    /* Memory device. [7.18] */
    SIZE_AT = 0x0C, LOCATOR_AT = 0x10, BANK_LOCATOR_AT = 0x11, EXTENDED_SIZE_AT = 0x1C,
    SIZE_UNKNOWN = 0xFFFF, SIZE_IS_EXTENDED = 0x7FFF, SIZE_IN_KIB = 0x8000,
    /* IPMI device information. [7.39] */
    IPMI_INTERFACE_AT = 4, IPMI_ADDRESS_AT = 8,
    KIB_SHIFT = 10, MIB_SHIFT = 20,
};
#define EXTENDED_SIZE_MASK 0x7FFFFFFFu

const struct smbios_text_place smbios_texts[SMBIOS_TEXTS] = {
    [SMBIOS_FIRMWARE_VENDOR] = {"firmware-vendor", 0, 0x04},   /* [7.1] */
    [SMBIOS_FIRMWARE_VERSION] = {"firmware-version", 0, 0x05},
    [SMBIOS_FIRMWARE_DATE] = {"firmware-date", 0, 0x08},
    [SMBIOS_SYSTEM_MAKER] = {"system-manufacturer", 1, 0x04},  /* [7.2] */
    [SMBIOS_SYSTEM_PRODUCT] = {"system-product", 1, 0x05},
    [SMBIOS_BOARD_MAKER] = {"board-manufacturer", 2, 0x04},    /* [7.3] */
    [SMBIOS_BOARD_PRODUCT] = {"board-product", 2, 0x05},
};

struct structure {
    uint8_t type;
    const uint8_t *area;         /* with the header */
    uint8_t area_bytes;
    const uint8_t *strings;
    size_t strings_bytes;        /* with both NULs */
};

static bool has_zero_sum(const uint8_t *bytes, size_t count)
{
    uint8_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum = (uint8_t)(sum + bytes[i]);
    return sum == 0;
}

static bool parse_version_3(struct smbios_entry *entry, const uint8_t *bytes, size_t length)
{
    struct reader reader = reader_of(bytes, length);
    uint8_t entry_bytes;

    return reader_skip(&reader, 6) && reader_u8(&reader, &entry_bytes) && entry_bytes >= V3_MIN_BYTES &&
           entry_bytes <= length && has_zero_sum(bytes, entry_bytes) &&
           reader_u8(&reader, &entry->major) && reader_u8(&reader, &entry->minor) &&
           reader_skip(&reader, 3) && reader_u32(&reader, &entry->table_bytes) &&
           reader_u64(&reader, &entry->table_address);
}

static bool parse_version_2(struct smbios_entry *entry, const uint8_t *bytes, size_t length)
{
    struct reader reader = reader_of(bytes, length);
    uint8_t entry_bytes;
    uint16_t table_bytes;
    uint32_t table_address;

    if (!reader_skip(&reader, 5) || !reader_u8(&reader, &entry_bytes) || entry_bytes < V2_MIN_BYTES ||
        entry_bytes > length ||
        !has_zero_sum(bytes, entry_bytes) || !reader_u8(&reader, &entry->major) ||
        !reader_u8(&reader, &entry->minor) || !reader_skip(&reader, 14) ||
        !reader_u16(&reader, &table_bytes) || !reader_u32(&reader, &table_address))
        return false;
    entry->table_bytes = table_bytes;
    entry->table_address = table_address;
    return true;
}

bool smbios_entry_parse(struct smbios_entry *entry, const void *bytes, size_t length_bytes)
{
    *entry = (struct smbios_entry){0};
    if (length_bytes >= 5 && memcmp(bytes, "_SM3_", 5) == 0)
        return parse_version_3(entry, bytes, length_bytes);
    return length_bytes >= 4 && memcmp(bytes, "_SM_", 4) == 0 &&
           parse_version_2(entry, bytes, length_bytes);
}

/* Bytes up to and with the two NULs that end the strings; 0: they do not end. */
static size_t strings_length(const uint8_t *strings, size_t left)
{
    for (size_t at = 0; at + 1 < left; at++)
        if (strings[at] == 0 && strings[at + 1] == 0)
            return at + 2;
    return 0;
}

static bool next_structure(struct reader *reader, struct structure *out)
{
    const uint8_t *start = reader->bytes + reader->offset_bytes;
    uint8_t type, area_bytes;

    if (!reader_u8(reader, &type) || !reader_u8(reader, &area_bytes) ||
        area_bytes < HEADER_BYTES || !reader_skip(reader, area_bytes - 2u))
        return false;
    *out = (struct structure){.type = type, .area = start, .area_bytes = area_bytes,
                              .strings = start + area_bytes};
    out->strings_bytes = strings_length(out->strings, reader_left_bytes(reader));
    return out->strings_bytes != 0 && reader_skip(reader, out->strings_bytes);
}

/* String `number`, from 1, without the spaces that pad it; what is not printable becomes a
 * question mark. */
static void copy_string(const struct structure *from, uint8_t number, char *text)
{
    const char *string = (const char *)from->strings;
    size_t length;

    for (uint8_t i = 1; i < number && *string; i++)
        string += strlen(string) + 1;
    while (*string == ' ')
        string++;
    length = strnlen(string, SMBIOS_TEXT_BYTES - 1);
    while (length > 0 && string[length - 1] == ' ')
        length--;
    for (size_t i = 0; i < length; i++)
        text[i] = string[i] >= ' ' && string[i] <= '~' ? string[i] : '?';
    text[length] = '\0';
}

static void read_texts(struct smbios *smbios, const struct structure *from)
{
    for (uint32_t i = 0; i < SMBIOS_TEXTS; i++) {
        const struct smbios_text_place *place = &smbios_texts[i];

        /* The first structure of a type is the machine's own: blades list several boards. */
        if (place->type == from->type && place->offset < from->area_bytes &&
            from->area[place->offset] != 0 && !smbios->text[i][0])
            copy_string(from, from->area[place->offset], smbios->text[i]);
    }
}

/* Names of channels, as "P0 CHANNEL A". */
struct channels {
    char name[SMBIOS_MAX_CHANNELS][SMBIOS_TEXT_BYTES];
    bool is_filled[SMBIOS_MAX_CHANNELS];
    uint32_t count;
    bool is_incomplete;          /* a device names none, or there are too many */
};

static bool is_letter_or_digit(char c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

static bool is_channel_word(const char *text)
{
    static const char word[] = "channel";
    size_t i = 0;

    while (word[i] && (text[i] | 0x20) == word[i])
        i++;
    return !word[i];
}

/* Cuts a locator behind the letter or number that follows "channel"; false: there is none. */
static bool cut_to_channel(char *text)
{
    while (*text && !is_channel_word(text))
        text++;
    if (!*text)
        return false;
    text += strlen("channel");
    while (*text == ' ' || *text == '_' || *text == '-' || *text == '#')
        text++;
    if (!is_letter_or_digit(*text))
        return false;
    while (is_letter_or_digit(*text))
        text++;
    *text = '\0';
    return true;
}

static bool read_channel(const struct structure *from, uint8_t offset, char *name)
{
    if (offset >= from->area_bytes || from->area[offset] == 0)
        return false;
    copy_string(from, from->area[offset], name);
    return cut_to_channel(name);
}

static void note_channel(struct channels *channels, const struct structure *from, bool is_filled)
{
    char name[SMBIOS_TEXT_BYTES];
    uint32_t i = 0;

    if (!read_channel(from, LOCATOR_AT, name) && !read_channel(from, BANK_LOCATOR_AT, name)) {
        channels->is_incomplete = true;
        return;
    }
    while (i < channels->count && strcmp(channels->name[i], name) != 0)
        i++;
    if (i == SMBIOS_MAX_CHANNELS) {
        channels->is_incomplete = true;
        return;
    }
    if (i == channels->count)
        memcpy(channels->name[channels->count++], name, sizeof(name));
    channels->is_filled[i] |= is_filled;
}

static void count_channels(struct smbios *smbios, const struct channels *channels)
{
    if (channels->is_incomplete)
        return;
    smbios->channels_named = channels->count;
    for (uint32_t i = 0; i < channels->count; i++)
        smbios->channels_filled += channels->is_filled[i];
}

static void read_memory_device(struct smbios *smbios, const struct structure *from,
                               struct channels *channels)
{
    struct reader area = reader_of(from->area, from->area_bytes), extended = area;
    uint16_t size;
    uint32_t mib;

    if (!reader_skip(&area, SIZE_AT) || !reader_u16(&area, &size))
        return;
    smbios->has_memory = true;
    smbios->memory_slots++;
    smbios->memory_filled += size != 0;
    note_channel(channels, from, size != 0);
    if (size == SIZE_UNKNOWN)
        return;
    if (size == SIZE_IS_EXTENDED) {
        if (reader_skip(&extended, EXTENDED_SIZE_AT) && reader_u32(&extended, &mib))
            smbios->memory_bytes += (uint64_t)(mib & EXTENDED_SIZE_MASK) << MIB_SHIFT;
        return;
    }
    smbios->memory_bytes += (uint64_t)(size & ~SIZE_IN_KIB)
                            << (size & SIZE_IN_KIB ? KIB_SHIFT : MIB_SHIFT);
}

static void read_ipmi_device(struct smbios *smbios, const struct structure *from)
{
    struct reader interface = reader_of(from->area, from->area_bytes), address = interface;

    if (smbios->has_ipmi || !reader_skip(&interface, IPMI_INTERFACE_AT) ||
        !reader_u8(&interface, &smbios->ipmi_interface))
        return;
    smbios->has_ipmi = reader_skip(&address, IPMI_ADDRESS_AT) &&
                       reader_u64(&address, &smbios->ipmi_address);
}

void smbios_parse(struct smbios *smbios, const struct smbios_entry *entry, const void *bytes,
                  size_t length_bytes)
{
    struct reader reader = reader_of(bytes, length_bytes);
    struct structure structure;
    struct channels channels = {.count = 0};

    *smbios = (struct smbios){.is_read = true, .major = entry->major, .minor = entry->minor};
    while (next_structure(&reader, &structure) && structure.type != TYPE_END) {
        read_texts(smbios, &structure);
        if (structure.type == TYPE_MEMORY_DEVICE)
            read_memory_device(smbios, &structure, &channels);
        if (structure.type == TYPE_IPMI_DEVICE)
            read_ipmi_device(smbios, &structure);
    }
    count_channels(smbios, &channels);
}
