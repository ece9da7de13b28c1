/* Any bytes as SMBIOS entry point and as table: counts fit, texts are printable and end. */
#include <stdlib.h>
#include <string.h>

#include "kernel/facts/smbios.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct smbios_entry entry;
    struct smbios smbios;

    smbios_entry_parse(&entry, bytes, length);
    smbios_parse(&smbios, &entry, bytes, length);
    if (smbios.memory_filled > smbios.memory_slots || smbios.memory_slots > length / 4 ||
        smbios.channels_filled > smbios.channels_named || smbios.channels_named > smbios.memory_slots)
        abort();
    for (uint32_t i = 0; i < SMBIOS_TEXTS; i++) {
        const char *text = smbios.text[i];

        if (!memchr(text, 0, SMBIOS_TEXT_BYTES))
            abort();
        for (; *text; text++)
            if (*text < ' ' || *text > '~')
                abort();
    }
    return 0;
}
