/* Tests drivers/serial/uart.c with registers in ordinary memory: places, widths, bounds.
 * The places are those of tests/cases/spcr-mmio-uart. */
#include "drivers/serial/uart.c"

#include <string.h>

#include "tests/unit/unit_test.h"

enum { WINDOW_BYTES = 64, PATTERN = 0xEE };

static _Alignas(64) uint8_t window[WINDOW_BYTES];
static uint64_t mapped_at, mapped_bytes;
static bool has_room;
static uint64_t longest_bound_us;

/* The driver's surroundings. */
void *physmap_device(uint64_t physical, uint64_t bytes, enum physmap_cache cache)
{
    assert_int_equal(cache, PHYSMAP_UNCACHED);
    mapped_at = physical;
    mapped_bytes = bytes;
    return has_room ? window : NULL;
}

uint64_t tsc_cycles_of_us(uint64_t microseconds)
{
    if (microseconds > longest_bound_us)
        longest_bound_us = microseconds;
    return microseconds / 100; /* bounds pass quickly */
}

static const struct uart_place mmio32 = {false, 0xFEDC9000, 4, 4, 0};
static const struct uart_place mmio8 = {false, 0xFE030000, 1, 1, 0};

static void start(uint32_t stride, uint8_t status)
{
    has_room = true;
    mapped_at = mapped_bytes = 0;
    memset(window, 0, sizeof(window));
    if (stride == 1)
        memset(window + 8, PATTERN, sizeof(window) - 8);
    window[UART_LINE_STATUS * stride] = status;
}

static void registers_of_32_bits_are_four_bytes_apart(void **state)
{
    struct uart uart;

    (void)state;
    start(4, UART_STATUS_HOLDING_EMPTY | UART_STATUS_ALL_EMPTY);
    assert_true(uart_open(&uart, &mmio32));
    assert_int_equal(mapped_at, 0xFEDC9000);
    assert_int_equal(mapped_bytes, 32);
    assert_true(uart_write(&uart, "A", 1));
    assert_int_equal(window[0], 'A');
    assert_int_equal(window[UART_SCRATCH * 4], 0xA5);
    assert_int_equal(window[UART_MODEM * 4], UART_MODEM_READY);
}

static void registers_of_8_bits_lie_side_by_side(void **state)
{
    struct uart uart;

    (void)state;
    start(1, UART_STATUS_HOLDING_EMPTY | UART_STATUS_ALL_EMPTY);
    assert_true(uart_open(&uart, &mmio8));
    assert_int_equal(mapped_at, 0xFE030000);
    assert_int_equal(mapped_bytes, 8);
    assert_true(uart_write(&uart, "B", 1));
    assert_int_equal(window[0], 'B');
    assert_int_equal(window[UART_SCRATCH], 0xA5);
    for (uint32_t i = 8; i < WINDOW_BYTES; i++)
        assert_int_equal(window[i], PATTERN);
}

/* Firmware's rate stays: in plain memory the divisor would show in register 1. */
static void without_a_rate_the_divisor_stays(void **state)
{
    struct uart uart;
    struct uart_place slow = mmio32;

    (void)state;
    start(4, UART_STATUS_HOLDING_EMPTY | UART_STATUS_ALL_EMPTY);
    window[0] = 0x77;
    assert_true(uart_open(&uart, &mmio32));
    assert_int_equal(window[0], 0x77);
    start(4, UART_STATUS_HOLDING_EMPTY | UART_STATUS_ALL_EMPTY);
    slow.baud = 9600;
    assert_true(uart_open(&uart, &slow));
    assert_int_equal(window[0], UART_CLOCK_BAUD / 9600);
    assert_int_equal(window[UART_LINE * 4], UART_LINE_8N1);
}

static void a_place_that_floats_is_not_written_to(void **state)
{
    struct uart uart;

    (void)state;
    start(4, 0);
    memset(window, 0xFF, sizeof(window));
    assert_false(uart_open(&uart, &mmio32));
    for (uint32_t i = 0; i < WINDOW_BYTES; i++)
        assert_int_equal(window[i], 0xFF);
}

static void a_place_that_cannot_be_mapped_is_no_uart(void **state)
{
    struct uart uart;

    (void)state;
    start(4, UART_STATUS_HOLDING_EMPTY);
    has_room = false;
    assert_false(uart_open(&uart, &mmio32));
}

static void a_line_that_does_not_drain_loses_and_returns(void **state)
{
    struct uart uart;
    struct report_sink sink;

    (void)state;
    start(4, UART_STATUS_HOLDING_EMPTY | UART_STATUS_ALL_EMPTY);
    assert_true(uart_open(&uart, &mmio32));
    uart_sink(&uart, &sink);
    window[UART_LINE_STATUS * 4] = 0;
    window[0] = 0;
    assert_false(sink.write(&sink, "lost", 4));
    assert_true(uart.is_stuck);
    assert_int_equal(window[0], 0);
    window[UART_LINE_STATUS * 4] = UART_STATUS_HOLDING_EMPTY;
    assert_true(sink.write(&sink, "C", 1));
    assert_false(uart.is_stuck);
    assert_int_equal(window[0], 'C');
}

static uint64_t bound_of_a_write(struct uart *uart)
{
    longest_bound_us = 0;
    assert_false(uart_write(uart, "x", 1));
    return longest_bound_us;
}

static void a_stalled_line_is_waited_for_in_seconds_once_nothing_is_measured(void **state)
{
    struct uart uart;

    (void)state;
    start(4, UART_STATUS_HOLDING_EMPTY | UART_STATUS_ALL_EMPTY);
    assert_true(uart_open(&uart, &mmio32));
    window[UART_LINE_STATUS * 4] = 0;
    assert_int_equal(bound_of_a_write(&uart), 500000);
    assert_int_equal(bound_of_a_write(&uart), 10000);
    uart_be_patient(&uart);
    assert_int_equal(bound_of_a_write(&uart), 5000000);
    assert_int_equal(bound_of_a_write(&uart), 10000);
}

static void what_was_found_is_put_back(void **state)
{
    struct uart uart;

    (void)state;
    start(4, UART_STATUS_HOLDING_EMPTY | UART_STATUS_ALL_EMPTY);
    window[UART_INTERRUPTS * 4] = 0x05;
    window[UART_LINE * 4] = 0x1B;
    window[UART_MODEM * 4] = 0x0B;
    assert_true(uart_open(&uart, &mmio32));
    assert_int_equal(window[UART_INTERRUPTS * 4], 0);
    uart_close(&uart);
    assert_int_equal(window[UART_INTERRUPTS * 4], 0x05);
    assert_int_equal(window[UART_LINE * 4], 0x1B);
    assert_int_equal(window[UART_MODEM * 4], 0x0B);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_of_32_bits_are_four_bytes_apart),
        cmocka_unit_test(registers_of_8_bits_lie_side_by_side),
        cmocka_unit_test(without_a_rate_the_divisor_stays),
        cmocka_unit_test(a_place_that_floats_is_not_written_to),
        cmocka_unit_test(a_place_that_cannot_be_mapped_is_no_uart),
        cmocka_unit_test(a_line_that_does_not_drain_loses_and_returns),
        cmocka_unit_test(a_stalled_line_is_waited_for_in_seconds_once_nothing_is_measured),
        cmocka_unit_test(what_was_found_is_put_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
