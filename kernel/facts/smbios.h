/* SMBIOS: who made the machine, which firmware is in it, how many memory devices are filled.
 * Serial numbers, asset tags and the UUID are left alone: reports are sent round.
 * [DMTF DSP0134 3.7] */
#ifndef KERNEL_FACTS_SMBIOS_H
#define KERNEL_FACTS_SMBIOS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SMBIOS_ENTRY_BYTES = 31,          /* the longest entry point [5.2.1] */
    SMBIOS_MAX_TABLE_BYTES = 1 << 20, /* longer ones are read up to here */
    SMBIOS_MAX_CHANNELS = 64,         /* of more nothing is said */
    SMBIOS_TEXT_BYTES = 48,           /* with the NUL; longer texts are cut */
};

/* The texts that are kept, in the order of smbios_texts[]. */
enum smbios_text {
    SMBIOS_FIRMWARE_VENDOR, SMBIOS_FIRMWARE_VERSION, SMBIOS_FIRMWARE_DATE,
    SMBIOS_SYSTEM_MAKER, SMBIOS_SYSTEM_PRODUCT, SMBIOS_BOARD_MAKER, SMBIOS_BOARD_PRODUCT,
    SMBIOS_TEXTS,
};

/* Where a text is named: its key in facts.txt, and the structure and the offset whose
 * byte is the number of the string. */
struct smbios_text_place {
    const char *key;
    uint8_t type, offset;
};
extern const struct smbios_text_place smbios_texts[SMBIOS_TEXTS];

struct smbios_entry {
    uint8_t major, minor;
    uint64_t table_address;           /* physical */
    uint32_t table_bytes;             /* version 3: at most; version 2: exactly */
};

struct smbios {
    bool is_read;
    uint8_t major, minor;
    char text[SMBIOS_TEXTS][SMBIOS_TEXT_BYTES]; /* printable ASCII; empty: not stated */
    bool has_memory;                  /* there is a structure of type 17 */
    uint32_t memory_slots, memory_filled;
    uint64_t memory_bytes;            /* of the filled ones whose size is stated */
    /* Different channels that the devices' locators name, and those of filled ones: words of
     * the board's maker, no field. 0: a device's locators name none. */
    uint32_t channels_named, channels_filled;
    bool has_ipmi;                    /* there is a structure of type 38 [7.39] */
    uint8_t ipmi_interface;           /* 1 KCS, 2 SMIC, 3 BT, 4 SSIF */
    uint64_t ipmi_address;            /* as stated; bit 0: a port */
};

/* An entry point of version 2 ("_SM_") or 3 ("_SM3_") at the start of `bytes`, with a
 * right sum. [5.2.1, 5.2.2] */
bool smbios_entry_parse(struct smbios_entry *entry, const void *bytes, size_t length_bytes);

/* Walks the structures up to the end marker, the end of the bytes, or one that does not fit:
 * what came before is kept. [6.1] */
void smbios_parse(struct smbios *smbios, const struct smbios_entry *entry, const void *bytes,
                  size_t length_bytes);

#endif
