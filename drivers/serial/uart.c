/* Polled output in bursts of a FIFO. */
#include "drivers/serial/uart.h"

#include "drivers/serial/uart_regs.h"
#include "kernel/cpu/instructions.h"
#include "kernel/cpu/physmap.h"
#include "kernel/cpu/tsc.h"

enum {
    REGISTER_COUNT = 8,
    /* A full FIFO at 300 baud takes half a second; a line that stood still once gets a
     * fiftieth of that until it moves again. */
    DRAIN_BOUND_US = 500000,
    /* A line that is carried over a network stalls for seconds. */
    PATIENT_BOUND_US = 5000000,
    STUCK_BOUND_US = 10000,
    ECHO_BOUND_US = 50000,
};

static uint8_t get(const struct uart *uart, enum uart_reg reg)
{
    uint32_t offset = (uint32_t)reg * uart->place.stride_bytes;

    if (uart->place.is_io)
        return port_read8((uint16_t)(uart->place.address + offset));
    if (uart->place.access_bytes == 4)
        return (uint8_t)*(volatile uint32_t *)(volatile void *)(uart->registers + offset);
    return uart->registers[offset];
}

static void put(const struct uart *uart, enum uart_reg reg, uint8_t value)
{
    uint32_t offset = (uint32_t)reg * uart->place.stride_bytes;

    if (uart->place.is_io)
        port_write8((uint16_t)(uart->place.address + offset), value);
    else if (uart->place.access_bytes == 4)
        *(volatile uint32_t *)(volatile void *)(uart->registers + offset) = value;
    else
        uart->registers[offset] = value;
}

static bool wait_for_status(const struct uart *uart, uint8_t bits, uint64_t bound_us)
{
    uint64_t start = tsc_read(), bound = tsc_cycles_of_us(bound_us);

    while ((get(uart, UART_LINE_STATUS) & bits) != bits) {
        if (tsc_read() - start > bound)
            return false;
        cpu_pause();
    }
    return true;
}

/* A place without a device floats: no status register reads all ones for long. */
static bool has_status(const struct uart *uart)
{
    return get(uart, UART_LINE_STATUS) != 0xFF;
}

static bool keeps_scratch(const struct uart *uart, uint8_t value)
{
    put(uart, UART_SCRATCH, value);
    return get(uart, UART_SCRATCH) == value;
}

/* For UARTs without a scratch register: what is sent comes back in loop mode. */
static bool echoes(const struct uart *uart)
{
    enum { ECHO_BYTE = 0xAE };
    uint8_t modem = get(uart, UART_MODEM);
    bool is_echo;

    put(uart, UART_MODEM, UART_MODEM_LOOP | UART_MODEM_READY);
    put(uart, UART_DATA, ECHO_BYTE);
    is_echo = wait_for_status(uart, UART_STATUS_RECEIVED, ECHO_BOUND_US) &&
              get(uart, UART_DATA) == ECHO_BYTE;
    put(uart, UART_MODEM, modem);
    return is_echo;
}

static bool is_there(const struct uart *uart)
{
    return has_status(uart) &&
           ((keeps_scratch(uart, 0x5A) && keeps_scratch(uart, 0xA5)) || echoes(uart));
}

static uint16_t swap_divisor(const struct uart *uart, uint16_t divisor)
{
    uint8_t line = get(uart, UART_LINE);

    put(uart, UART_LINE, line | UART_LINE_DLAB);
    uint16_t found = (uint16_t)(get(uart, UART_INTERRUPTS) << 8 | get(uart, UART_DATA));
    if (divisor != 0) {
        put(uart, UART_DATA, (uint8_t)divisor);
        put(uart, UART_INTERRUPTS, (uint8_t)(divisor >> 8));
    }
    put(uart, UART_LINE, line);
    return found;
}

static void set_up(struct uart *uart)
{
    /* Changing the FIFO mode drops what an earlier writer has left in it. */
    wait_for_status(uart, UART_STATUS_ALL_EMPTY, DRAIN_BOUND_US);
    uart->found_line = get(uart, UART_LINE) & (uint8_t)~UART_LINE_DLAB;
    put(uart, UART_LINE, uart->found_line);
    uart->found_interrupts = get(uart, UART_INTERRUPTS);
    uart->found_modem = get(uart, UART_MODEM);
    put(uart, UART_INTERRUPTS, 0);
    if (uart->place.baud != 0) {
        put(uart, UART_LINE, UART_LINE_8N1);
        uart->found_divisor = swap_divisor(uart, (uint16_t)(UART_CLOCK_BAUD / uart->place.baud));
    }
    put(uart, UART_MODEM, UART_MODEM_READY);
    put(uart, UART_FIFO, UART_FIFO_ENABLE);
    bool has_fifo = (get(uart, UART_FIFO) & UART_IDENTIFICATION_FIFO) == UART_IDENTIFICATION_FIFO;
    uart->fifo_bytes = has_fifo ? UART_FIFO_BYTES : 1;
}

bool uart_open(struct uart *uart, const struct uart_place *place)
{
    *uart = (struct uart){.place = *place};
    if (place->baud > UART_CLOCK_BAUD)
        uart->place.baud = UART_CLOCK_BAUD;
    if (!place->is_io) {
        uart->registers = physmap_device(
            place->address, (uint64_t)REGISTER_COUNT * place->stride_bytes, PHYSMAP_UNCACHED);
        if (uart->registers == NULL)
            return false;
    }
    if (!is_there(uart))
        return false;
    set_up(uart);
    return true;
}

bool uart_write(struct uart *uart, const void *bytes, size_t length)
{
    const uint8_t *next = bytes;

    while (length > 0) {
        size_t burst = length < uart->fifo_bytes ? length : uart->fifo_bytes;

        uart->is_stuck = !wait_for_status(uart, UART_STATUS_HOLDING_EMPTY,
                                          uart->is_stuck ? STUCK_BOUND_US :
                                          uart->is_patient ? PATIENT_BOUND_US : DRAIN_BOUND_US);
        if (uart->is_stuck) {
            uart->is_patient = false; /* once: nobody may be there at all */
            return false;
        }
        for (size_t i = 0; i < burst; i++)
            put(uart, UART_DATA, *next++);
        length -= burst;
    }
    return true;
}

void uart_be_patient(struct uart *uart)
{
    uart->is_patient = true;
    uart->is_stuck = false;
}

bool uart_poll(struct uart *uart, char *character)
{
    if (!has_status(uart) || !(get(uart, UART_LINE_STATUS) & UART_STATUS_RECEIVED))
        return false;
    *character = (char)get(uart, UART_DATA);
    return true;
}

void uart_close(struct uart *uart)
{
    wait_for_status(uart, UART_STATUS_ALL_EMPTY, DRAIN_BOUND_US);
    if (uart->place.baud != 0)
        swap_divisor(uart, uart->found_divisor);
    put(uart, UART_LINE, uart->found_line);
    put(uart, UART_MODEM, uart->found_modem);
    put(uart, UART_INTERRUPTS, uart->found_interrupts);
}

static bool write_sink(struct report_sink *sink, const void *bytes, size_t length)
{
    return uart_write(sink->context, bytes, length);
}

void uart_sink(struct uart *uart, struct report_sink *sink)
{
    *sink = (struct report_sink){
        .name = "serial",
        .wants = SINK_PROGRESS | SINK_FILES,
        .write = write_sink,
        .context = uart,
    };
}
