/* The table of well-formed byte sequences as ranges of the second byte. [Unicode 3-7] */
#include "kernel/report/utf8.h"

#include <stdbool.h>
#include <stdint.h>

struct lead {
    uint8_t first, last;          /* leading bytes */
    uint8_t second_min, second_max;
    uint8_t length;
};

static const struct lead leads[] = {
    {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3}, {0xE1, 0xEC, 0x80, 0xBF, 3},
    {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4},
    {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
};

static bool is_continuation(uint8_t byte)
{
    return (byte & 0xC0) == 0x80;
}

size_t utf8_sequence_bytes(const char *text)
{
    const uint8_t *bytes = (const uint8_t *)text;

    if (bytes[0] < 0x80)
        return 1;
    for (size_t i = 0; i < sizeof(leads) / sizeof(leads[0]); i++) {
        const struct lead *lead = &leads[i];

        if (bytes[0] < lead->first || bytes[0] > lead->last)
            continue;
        if (bytes[1] < lead->second_min || bytes[1] > lead->second_max)
            return 0;
        for (size_t at = 2; at < lead->length; at++) {
            if (!is_continuation(bytes[at]))
                return 0;
        }
        return lead->length;
    }
    return 0;
}
