/* Registers and bits of the 16550. [National PC16550D] */
#ifndef DRIVERS_SERIAL_UART_REGS_H
#define DRIVERS_SERIAL_UART_REGS_H

enum uart_reg {
    UART_DATA = 0,          /* with LCR_DLAB: divisor, low byte */
    UART_INTERRUPTS = 1,    /* with LCR_DLAB: divisor, high byte */
    UART_FIFO = 2,          /* written; reads as interrupt identification */
    UART_LINE = 3,
    UART_MODEM = 4,
    UART_LINE_STATUS = 5,
    UART_SCRATCH = 7,
};

enum {
    UART_FIFO_ENABLE = 1 << 0,
    UART_FIFO_CLEAR_SEND = 1 << 2,
    UART_IDENTIFICATION_FIFO = 3 << 6, /* both bits: the FIFO works */

    UART_LINE_8N1 = 3,
    UART_LINE_DLAB = 1 << 7,

    UART_MODEM_READY = 3,              /* DTR and RTS */
    UART_MODEM_LOOP = 1 << 4,

    UART_STATUS_RECEIVED = 1 << 0,
    UART_STATUS_HOLDING_EMPTY = 1 << 5,
    UART_STATUS_ALL_EMPTY = 1 << 6,

    UART_CLOCK_BAUD = 115200,
    UART_FIFO_BYTES = 16,
};

#endif
