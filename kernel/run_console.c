/* The ways out of the image, and which of them this run uses. */
#include "kernel/run.h"

#include "drivers/screen/screen.h"
#include "drivers/serial/debugcon.h"
#include "drivers/serial/uart.h"
#include "kernel/cpu/early_console.h"
#include "kernel/cpu/exception.h"
#include "kernel/facts/acpi_spcr.h"

static struct uart uart;
static bool is_uart_open, is_console_open;
static struct report_sink serial_sink, debug_sink, picture_sink;
static bool (*write_log)(struct report_sink *sink, const void *bytes, size_t length);

static bool early_write(struct report_sink *sink, const void *bytes, size_t length)
{
    (void)sink;
    early_console_put(bytes, length);
    return true;
}

static struct report_sink early_sink = {
    .name = "early", .wants = SINK_PROGRESS | SINK_FILES, .write = early_write,
};

static void add_sink(struct run *run, struct report_sink *sink)
{
    if (run->sink_count < RUN_MAX_SINKS)
        run->sinks[run->sink_count++] = sink;
    progress_init(&run->progress, run->sinks, run->sink_count);
}

void run_open_early_console(struct run *run)
{
    add_sink(run, &early_sink);
}

/* False: there is no SPCR, or it names something that is not a 16550. */
static bool place_of_spcr(const struct machine_facts *facts, struct uart_place *place)
{
    const struct acpi_table *table = facts_table(facts, "SPCR");
    struct input_error error;
    struct acpi_spcr spcr;

    if (table == NULL || !acpi_spcr_parse(&spcr, table->bytes, table->length_bytes, &error)
        || !spcr.is_16550 || !spcr.has_port)
        return false;
    *place = (struct uart_place){
        .is_io = spcr.is_io,
        .address = spcr.address,
        .stride_bytes = spcr.stride_bytes,
        .access_bytes = spcr.access_bytes,
        .baud = spcr.baud,
    };
    return true;
}

static struct uart_place place_of_option(const struct options_console *console)
{
    uint32_t stride = console->kind == CONSOLE_MMIO32 ? 4 : 1;

    return (struct uart_place){
        .is_io = console->kind == CONSOLE_IO,
        .address = console->address,
        .stride_bytes = stride,
        .access_bytes = stride,
        .baud = console->baud,
    };
}

/* The option wins over the table, the table over COM1. */
static bool open_uart(struct run *run)
{
    const struct options_console *console = &run->options.console;
    struct uart_place place;
    bool is_open;

    if (console->kind == CONSOLE_NONE)
        return false;
    if (console->kind != CONSOLE_AUTO) {
        place = place_of_option(console);
        is_open = uart_open(&uart, &place);
        run_check(run, "console-uart-answers", is_open, false,
                  "nothing that behaves like a 16550 is where console= says");
        return is_open;
    }
    if (place_of_spcr(&run->facts, &place)) {
        is_open = uart_open(&uart, &place);
        run_check(run, "spcr-uart-answers", is_open, false,
                  "nothing that behaves like a 16550 is where the SPCR table says");
        if (is_open)
            return true;
    }
    place = UART_COM1;
    return uart_open(&uart, &place);
}

static bool open_screen(const struct boot_framebuffer *from)
{
    static const enum screen_kind kinds[] = {
        [BOOT_PIXEL_NONE] = SCREEN_NONE,
        [BOOT_PIXEL_RGB] = SCREEN_PIXELS,
        [BOOT_PIXEL_TEXT] = SCREEN_TEXT,
    };
    const struct screen_mode mode = {
        .kind = kinds[from->kind],
        .address = from->address,
        .width = from->width,
        .height = from->height,
        .pitch_bytes = from->pitch_bytes,
        .bits_per_pixel = from->bits_per_pixel,
        .red_shift = from->red_shift,
        .red_bits = from->red_bits,
        .green_shift = from->green_shift,
        .green_bits = from->green_bits,
        .blue_shift = from->blue_shift,
        .blue_bits = from->blue_bits,
    };

    return screen_open(&mode);
}

/* A progress line, "[ 42%] …", replaces the one before it in the bottom row; the log
 * keeps what is said in between. */
static bool write_picture(struct report_sink *sink, const void *bytes, size_t length)
{
    enum { PERCENT_AT = 4, LONGEST = 200 };
    const char *text = bytes;

    if (length <= PERCENT_AT + 1 || length > LONGEST || text[0] != '[' || text[PERCENT_AT] != '%')
        return write_log(sink, bytes, length);
    screen_set_status(text, length);
    return true;
}

/* Dumps of exceptions go to COM1 and the debug port without help. */
static void put_on_screen(const char *text, size_t length_bytes)
{
    picture_sink.write(&picture_sink, text, length_bytes);
}

void run_open_console(struct run *run)
{
    if (is_console_open)
        return;
    is_console_open = true;
    run->sink_count = 0;
    is_uart_open = open_uart(run);
    if (is_uart_open) {
        uart_sink(&uart, &serial_sink);
        add_sink(run, &serial_sink);
    }
    if (debugcon_sink(&debug_sink))
        add_sink(run, &debug_sink);
    if (open_screen(&run->info->framebuffer)) {
        screen_sink(&picture_sink);
        write_log = picture_sink.write;
        picture_sink.write = write_picture;
        add_sink(run, &picture_sink);
        exception_set_sink(put_on_screen);
    }
    progress_init(&run->progress, run->sinks, run->sink_count);
}

void run_close_console(void)
{
    if (is_uart_open)
        uart_close(&uart);
    is_uart_open = false;
}
