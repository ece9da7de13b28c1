/* The ways out of the image, and which of them this run uses. */
#include "kernel/run.h"

#include "drivers/serial/debugcon.h"
#include "drivers/serial/uart.h"
#include "kernel/cpu/early_console.h"
#include "kernel/facts/acpi_spcr.h"

enum { SMALL_VOLUME_BYTES = 2 << 20, PLACE_BYTES = 160 };

static struct uart uart;
static bool is_uart_open, is_console_open;
static struct report_sink serial_sink, debug_sink;

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

bool run_console_poll(char *character)
{
    return is_uart_open && uart_poll(&uart, character);
}

struct report_sink *run_console_line(void)
{
    return serial_sink.write ? &serial_sink : NULL;
}

void run_console_place(const struct run *run, struct textbuf *out)
{
    const struct boot_info *info = run->info;
    const char *others = is_uart_open ? "serial line and screen" : "the screen";

    if (info->save_problem[0] && info->quiet != BOOT_QUIET_EXIT)
        textbuf_printf(out, "the report cannot be saved on volume %s: %s; it leaves by %s",
                       info->volume, info->save_problem, others);
    else if (info->can_save_files && info->volume_free_bytes >= SMALL_VOLUME_BYTES)
        textbuf_printf(out, "the report will be saved on volume %s", info->volume);
    else if (info->can_save_files)
        textbuf_printf(out, "volume %s has only %llu KiB free: the report may not fit and leaves "
                       "by %s", info->volume,
                       (unsigned long long)info->volume_free_bytes / 1024, others);
    else
        textbuf_printf(out, "nothing can be saved (%s): the report leaves by %s",
                       info->quiet == BOOT_QUIET_NONE ? "BIOS" :
                       info->quiet == BOOT_QUIET_EXIT ? "quiet=exit" :
                       info->is_volume_optical ? "optical medium" : "no FAT volume", others);
}

/* Who boots from a volume that takes files expects them there. */
static void check_place(struct run *run)
{
    const struct boot_info *info = run->info;
    bool has_problem = info->save_problem[0] != 0;

    if (info->quiet == BOOT_QUIET_FIRMWARE && run->options.report != 0 &&
        (info->can_save_files || has_problem))
        run_check(run, "report-can-be-saved", !has_problem, false, info->save_problem);
}

static void tell_place(struct run *run)
{
    char text[PLACE_BYTES];
    struct textbuf out;

    textbuf_init(&out, text, sizeof text);
    run_console_place(run, &out);
    progress_say(&run->progress, "%s", text);
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
    if (debugcon_sink(&debug_sink)) {
        /* Files go one way only: every byte is an exit to the hypervisor. */
        if (is_uart_open)
            debug_sink.wants = SINK_PROGRESS | SINK_SUMMARY;
        add_sink(run, &debug_sink);
    }
    check_place(run);
    tell_place(run);
    if (run_screen_open(run))
        add_sink(run, run_screen_sink());
    run_screen_watch(run);
}

void run_console_be_patient(void)
{
    if (is_uart_open)
        uart_be_patient(&uart);
}

void run_open_line_again(void)
{
    struct uart_place place = uart.place;

    if (!is_uart_open && run_console_line())
        is_uart_open = uart_open(&uart, &place);
}

void run_close_console(void)
{
    if (is_uart_open)
        uart_close(&uart);
    is_uart_open = false;
}
