/* Keys of a PS/2 keyboard, polled: interrupts stay masked. */
#ifndef DRIVERS_SCREEN_KEYS_H
#define DRIVERS_SCREEN_KEYS_H

#include <stdbool.h>
#include <stdint.h>

enum key { KEY_NONE, KEY_NEXT, KEY_PREVIOUS, KEY_END };

/* KEY_NONE: nothing was pressed, or there is no keyboard controller. Never waits. */
enum key keys_poll(void);

/* What a character of a serial line or of the firmware's console means. */
enum key keys_of_character(char character);

#endif
