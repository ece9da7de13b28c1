/* Polls COM1 as the firmware left it; gives up on a port that never gets ready. */
#include "kernel/cpu/early_console.h"

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/instructions.h"

enum {
    COM1 = 0x3f8,
    COM1_LINE_STATUS = COM1 + 5,
    LINE_STATUS_EMPTY = 0x20,
    LINE_STATUS_ABSENT = 0xff,
    DEBUG_PORT = 0xe9,
    READY_POLLS = 100000, /* about 100 ms of port reads: one character at 110 baud */
};

static void put_byte(uint8_t byte)
{
    uint32_t polls = 0;
    uint8_t status = 0;
    port_write8(DEBUG_PORT, byte);
    while (polls++ < READY_POLLS) {
        status = port_read8(COM1_LINE_STATUS);
        if (status == LINE_STATUS_ABSENT)
            return;
        if (status & LINE_STATUS_EMPTY)
            break;
    }
    if (status & LINE_STATUS_EMPTY)
        port_write8(COM1, byte);
}

void early_console_put(const char *text, size_t length_bytes)
{
    for (size_t i = 0; i < length_bytes; i++) {
        if (text[i] == '\n')
            put_byte('\r');
        put_byte((uint8_t)text[i]);
    }
}
