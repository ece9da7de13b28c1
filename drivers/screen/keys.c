/* Scan code set 1, as the controller translates. [IBM 8042] */
#include "drivers/screen/keys.h"

#include "kernel/cpu/instructions.h"

enum {
    DATA_PORT = 0x60, STATUS_PORT = 0x64,
    STATUS_HAS_OUTPUT = 1 << 0,
    STATUS_IS_MOUSE = 1 << 5,
    STATUS_NOBODY = 0xFF,
    RELEASED = 0x80,
    SCAN_ESCAPE = 0x01, SCAN_BACKSPACE = 0x0E, SCAN_Q = 0x10, SCAN_UP = 0x48,
    SCAN_PAGE_UP = 0x49, SCAN_LEFT = 0x4B,
    CHARACTER_ESCAPE = 0x1B, CHARACTER_BACKSPACE = 0x08, CHARACTER_DELETE = 0x7F,
};

static enum key key_of_scan(uint8_t scan)
{
    if (scan & RELEASED)
        return KEY_NONE; /* and the prefix of the grey keys */
    switch (scan) {
    case SCAN_ESCAPE:
    case SCAN_Q: return KEY_END;
    case SCAN_BACKSPACE:
    case SCAN_UP:
    case SCAN_PAGE_UP:
    case SCAN_LEFT: return KEY_PREVIOUS;
    default: return KEY_NEXT;
    }
}

enum key keys_poll(void)
{
    uint8_t status = port_read8(STATUS_PORT);

    if (status == STATUS_NOBODY || !(status & STATUS_HAS_OUTPUT))
        return KEY_NONE;
    uint8_t scan = port_read8(DATA_PORT);
    return status & STATUS_IS_MOUSE ? KEY_NONE : key_of_scan(scan);
}

enum key keys_of_character(char character)
{
    switch (character) {
    case CHARACTER_ESCAPE:
    case 'q':
    case 'Q': return KEY_END;
    case CHARACTER_BACKSPACE:
    case CHARACTER_DELETE:
    case 'b':
    case 'p': return KEY_PREVIOUS;
    default: return KEY_NEXT;
    }
}
