/* What the screen shows: a page while the run goes on, the last page, and the pages of
 * report.txt behind it as keys ask for them. */
#include "kernel/run.h"

#include <string.h>

#include "drivers/screen/keys.h"
#include "drivers/screen/page_text.h"
#include "drivers/screen/qr.h"
#include "drivers/screen/screen.h"
#include "kernel/cpu/exception.h"
#include "kernel/cpu/instructions.h"
#include "kernel/cpu/tsc.h"
#include "kernel/page/final.h"
#include "kernel/page/running.h"
#include "kernel/report/summary_code.h"
#include "kernel/version.h"

enum {
    TEXT_BYTES = 200,
    MOST_KEYS = 1000,        /* noise on a serial line must not keep a machine for ever */
    POLL_US = 2000,
    LINE_COLUMNS = 80, LINE_ROWS = 40, /* of a page on the serial line */
};

static bool is_open, has_code, has_final, has_lists, is_late_log;
static struct page page;
static struct report_sink log_sink;
static bool (*write_log)(struct report_sink *sink, const void *bytes, size_t length);
static struct final_view final;
static char outcome[TEXT_BYTES];
static uint32_t shown;       /* number of the page on the screen */

static bool open_driver(const struct boot_framebuffer *from)
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

/* Of the steps that the top shows, the first of each phase is a line of the log. */
static bool write_but_progress(struct report_sink *sink, const void *bytes, size_t length)
{
    enum { PERCENT_AT = 4, PHASE_AT = 7 };
    const char *text = bytes;

    if (length <= PHASE_AT || text[0] != '[' || text[PERCENT_AT] != '%')
        return write_log(sink, bytes, length);
    return memcmp(text, "[  0%] ", PHASE_AT) != 0 ||
           write_log(sink, text + PHASE_AT, length - PHASE_AT);
}

/* The last page gives way to a log again. */
static void start_late_log(void)
{
    const struct page_metrics *m = &page.metrics;

    is_late_log = true;
    page_clear(&page);
    page_fill(&page, (struct page_rect){0, 0, m->width, m->char_height}, PAGE_BAD);
    page_words(&page, m->char_width, 0, 1, m->width / m->char_width - 2, PAGE_BRIGHT,
               "coretruth: an exception after the last page; the report was written before");
    screen_show_log(&page, 2 * m->char_height);
}

/* Dumps of exceptions go to COM1 and the debug port without help. */
static void put_on_screen(const char *text, size_t length_bytes)
{
    if (has_final && !is_late_log)
        start_late_log();
    log_sink.write(&log_sink, text, length_bytes);
}

static void draw_running(struct run *run, const char *phase, uint32_t percent, uint64_t left_ms)
{
    uint64_t per_ms = tsc_hz() / 1000;
    char place[TEXT_BYTES];
    struct textbuf out;
    struct running_view view = {
        .phase = phase, .step = run->phase_count ? run->phase_count : 1, .percent = percent,
        .left_ms = left_ms, .version = kernel_version, .place = place,
    };

    if (run->phase_count && per_ms)
        view.elapsed_ms = (tsc_read() - run->phases[0].start_cycles) / per_ms;
    textbuf_init(&out, place, sizeof place);
    run_console_place(run, &out);
    running_page(&page, &view);
}

static uint32_t log_top(void)
{
    return page.metrics.is_text ? RUNNING_TEXT_LINES
                                : RUNNING_LINES * page.metrics.char_height;
}

bool run_screen_open(struct run *run)
{
    struct page_metrics metrics;

    if (run->options.screen == SCREEN_LEFT_ALONE || !open_driver(&run->info->framebuffer))
        return false;
    screen_metrics(&metrics);
    has_lists = page_init(&page, &metrics, &run->arena);
    if (!has_lists)
        return false;
    is_open = true;
    run->result.pause_ms = (uint32_t)run->options.pause_ms;
    draw_running(run, "reading what the firmware says", 0, UINT64_MAX);
    screen_show_log(&page, log_top());
    screen_sink(&log_sink);
    write_log = log_sink.write;
    log_sink.write = write_but_progress;
    exception_set_sink(put_on_screen);
    return true;
}

struct report_sink *run_screen_sink(void)
{
    return &log_sink;
}

static void watch(void *context, const char *phase, uint32_t percent, uint64_t left_ms)
{
    if (has_final)
        return;
    draw_running(context, phase, percent, left_ms);
    screen_show_top(&page);
}

void run_screen_watch(struct run *run)
{
    if (is_open)
        progress_watch(&run->progress, watch, run);
}

/* The largest code that the screen has room for. */
static void make_code(const struct run *run)
{
    char text[SUMMARY_CODE_BYTES];
    struct textbuf out;
    bool is_small = page.metrics.is_text;

    textbuf_init(&out, text, sizeof text);
    summary_code_put(&out, &run->model, is_small ? QR_SMALL_CHARACTERS : QR_LARGE_CHARACTERS);
    has_code = qr_make(text, is_small ? QR_SMALL_VERSION : QR_LARGE_VERSION, &page.modules);
}

static const struct report_file *report_text(const struct run *run)
{
    for (uint32_t i = 0; i < run->files.count; i++)
        if (!strcmp(run->files.list[i].format->file_name, "report.txt") &&
            run->files.list[i].bytes)
            return &run->files.list[i];
    return NULL;
}

static void show(uint32_t number)
{
    shown = number;
    final_page(&page, &final, number);
    screen_show(&page);
}

static void make_view(const struct run *run, const char *text, bool is_bad)
{
    const struct report_file *file = report_text(run);

    strncpy(outcome, text, sizeof outcome - 1);
    final = (struct final_view){
        .model = &run->model,
        .text = file ? file->bytes : "",
        .text_bytes = file ? file->length_bytes : 0,
        .outcome = outcome,
        .is_outcome_bad = is_bad,
        .keys = run->options.pause_ms ? "any key: next" : "",
    };
}

/* The same page laid out in the cells of a terminal. The lists are those of the screen's
 * page, which is drawn by then. */
static void send_page(const struct run *run, uint32_t number)
{
    struct report_sink *line = run_console_line();
    struct page text_page = page;

    if (!has_lists || !line)
        return;
    text_page.metrics = (struct page_metrics){.width = LINE_COLUMNS, .height = LINE_ROWS,
                                              .char_width = 1, .char_height = 1, .is_text = true};
    text_page.modules = (struct page_modules){0};
    final_page(&text_page, &final, number % final_page_count(&text_page, &final));
    report_sink_write(line, "\r\n", 2);
    page_text_write(&text_page, run->options.colour == COLOUR_AS_ANSI, line);
}

void run_screen_send(struct run *run)
{
    char place[TEXT_BYTES];
    struct textbuf out;

    if (!run->info || !run_console_line())
        return;
    if (!has_lists)
        has_lists = page_init(&page, &(struct page_metrics){.is_text = true}, &run->arena);
    textbuf_init(&out, place, sizeof place);
    run_console_place(run, &out);
    make_view(run, place, false);
    final.keys = "";
    send_page(run, 0);
}

void run_screen_final(struct run *run, const char *text, bool is_bad)
{
    if (!is_open)
        return;
    has_final = true;
    if (!has_code)
        make_code(run);
    make_view(run, text, is_bad);
    show(shown);
}

static bool show_for(enum key key)
{
    uint32_t count = final_page_count(&page, &final);

    if (key == KEY_END)
        return false;
    show((shown + (key == KEY_PREVIOUS ? count - 1 : 1)) % count);
    return true;
}

/* The firmware's keys may come from its serial console. */
void run_screen_key(struct run *run, char character)
{
    if (!has_final)
        return;
    show_for(keys_of_character(character));
    run_open_line_again();
    send_page(run, shown);
    run_close_console();
}

static enum key next_key(bool *is_of_line)
{
    enum key key = keys_poll();
    char character;

    *is_of_line = false;
    if (key != KEY_NONE || !run_console_poll(&character))
        return key;
    *is_of_line = true;
    return keys_of_character(character);
}

void run_screen_wait(struct run *run)
{
    uint64_t start = tsc_read(), bound = tsc_cycles_of_us(run->options.pause_ms * 1000);
    uint32_t keys = 0;

    if (!has_final)
        return;
    while (tsc_read() - start < bound && keys < MOST_KEYS) {
        bool is_of_line;
        enum key key = next_key(&is_of_line);
        uint64_t polled = tsc_read();

        if (key != KEY_NONE) {
            if (!show_for(key))
                return;
            if (is_of_line)
                send_page(run, shown);
            keys++;
            start = tsc_read();
        }
        while (tsc_read() - polled < tsc_cycles_of_us(POLL_US))
            cpu_pause();
    }
}
