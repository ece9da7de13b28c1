/* A 16550 at I/O ports or in memory, as a sink. Nothing waits longer than its bound: a
 * line that does not drain loses text, and the run goes on. */
#ifndef DRIVERS_SERIAL_UART_H
#define DRIVERS_SERIAL_UART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/report/sink.h"

struct uart_place {
    bool is_io;             /* ports; else memory */
    uint64_t address;       /* of register 0 */
    uint32_t stride_bytes;  /* from one register to the next */
    uint32_t access_bytes;  /* 1 or 4 */
    uint32_t baud;          /* 0: leave the line as the firmware set it */
};

#define UART_COM1 ((struct uart_place){.is_io = true, .address = 0x3F8, .stride_bytes = 1, \
                                       .access_bytes = 1})

struct uart {
    struct uart_place place;
    volatile uint8_t *registers; /* memory only */
    uint32_t fifo_bytes;         /* what may be written when the line is empty */
    bool is_stuck;               /* the last wait reached its bound */
    bool is_patient;             /* a wait may take seconds: uart_be_patient() */
    uint8_t found_interrupts, found_line, found_modem;
    uint16_t found_divisor;
};

/* False: there is no UART, or its registers cannot be mapped. Nothing is written to a
 * place that does not behave like a line status register. */
bool uart_open(struct uart *uart, const struct uart_place *place);

/* Returns when everything is on its way or was given up. False: bytes were lost. */
bool uart_write(struct uart *uart, const void *bytes, size_t length);

/* From now on nothing is measured any more: a line that stalls is waited for longer, and
 * once more even where it stood still before. */
void uart_be_patient(struct uart *uart);

/* A character that has come in. False: none has. Never waits. */
bool uart_poll(struct uart *uart, char *character);

/* Waits until the last bit has left, and gives the line back as it was found. */
void uart_close(struct uart *uart);

/* Fills in a sink that writes to this UART. */
void uart_sink(struct uart *uart, struct report_sink *sink);

#endif
