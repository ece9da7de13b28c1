/* The first serial port, for the loaders: a character at a time, never faster
 * than the port sends and never waiting long for one that does not. */
#ifndef BOOT_COM1_H
#define BOOT_COM1_H

#include <stdint.h>

enum {
    COM1 = 0x3f8,
    COM1_LINE_STATUS = COM1 + 5,
    COM1_RECEIVED = 0x01,
    COM1_RECEIVED_OR_BROKEN = 0x9f, /* with the error bits, all set where there is no UART */
    COM1_TRANSMITTER_EMPTY = 0x20,
    COM1_ABSENT = 0xff,
    COM1_READY_POLLS = 100000, /* about 100 ms of port reads */
};

static inline uint8_t com1_read(uint16_t port)
{
    uint8_t value;
    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static inline void com1_put(char c)
{
    for (uint32_t polls = 0; polls < COM1_READY_POLLS; polls++) {
        uint8_t status = com1_read(COM1_LINE_STATUS);
        if (status == COM1_ABSENT)
            return;
        if (status & COM1_TRANSMITTER_EMPTY) {
            __asm__ volatile("outb %0, %1" : : "a"(c), "Nd"((uint16_t)COM1));
            return;
        }
    }
}

#endif
