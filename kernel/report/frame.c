/* Every file is made twice: once to learn its length and CRC, once into memory or
 * onto the line. So nothing has to be guessed and a large machine fits anywhere. */
#include "kernel/report/frame.h"

#include <string.h>

#include "kernel/lib/crc32.h"
#include "kernel/report/pack.h"

enum {
    CHUNK_BYTES = 4096,
    PACK_FROM_BYTES = 100000, /* nine seconds at 115,200 baud */
    PACK_GAIN = 4,            /* what does not become a quarter stays readable */
};

void report_sink_write(struct report_sink *sink, const void *bytes, size_t length)
{
    if (!length)
        return;
    sink->written_bytes += length;
    if (!sink->write(sink, bytes, length))
        sink->has_lost = true;
}

static void count_chunk(struct textbuf *buf, void *context)
{
    struct report_file *file = context;

    file->length_bytes += buf->length;
    file->crc32 = crc32_update(file->crc32, buf->text, buf->length);
}

static void send_chunk(struct textbuf *buf, void *context)
{
    report_sink_write(context, buf->text, buf->length);
}

/* Runs the format through a small buffer; `flush` sees all bytes. */
static bool stream(const struct report_format *format, const struct report_model *model,
                   void (*flush)(struct textbuf *, void *), void *context)
{
    char chunk[CHUNK_BYTES];
    struct textbuf out;

    textbuf_init(&out, chunk, sizeof(chunk));
    out.flush = flush;
    out.flush_context = context;
    format->write(model, &out);
    flush(&out, context);
    return !out.is_cut;
}

/* The file in memory, or NULL. */
static const char *keep(const struct report_format *format, const struct report_model *model,
                        uint64_t length_bytes, struct arena *arena)
{
    struct textbuf out;
    char *bytes;

    if (length_bytes + 1 > arena_left_bytes(arena))
        return NULL;
    bytes = arena_alloc(arena, length_bytes + 1, 1, 1);
    if (!bytes)
        return NULL;
    textbuf_init(&out, bytes, length_bytes + 1);
    format->write(model, &out);
    return bytes;
}

/* Long files once more, packed. Without room they are sent as they are. */
static void pack(struct report_file *file, struct pack_tables **tables, struct arena *arena)
{
    uint64_t room = file->length_bytes / PACK_GAIN;
    struct textbuf out;
    char *text;

    if (!file->bytes || file->length_bytes < PACK_FROM_BYTES || file->length_bytes > UINT32_MAX)
        return;
    if (!*tables)
        *tables = pack_new_tables(arena);
    if (!*tables || room > arena_left_bytes(arena))
        return;
    text = arena_alloc(arena, room, 1, 1);
    textbuf_init(&out, text, text ? room : 0);
    pack_write(*tables, file->format->file_name, file->bytes, file->length_bytes, file->crc32,
               &out);
    if (out.is_cut)
        return;
    file->packed = text;
    file->packed_bytes = out.length;
    file->packed_crc32 = crc32_update(0, text, out.length);
}

void frame_make_files(const struct report_model *model, struct arena *arena,
                      struct report_files *files)
{
    struct pack_tables *tables = NULL;

    *files = (struct report_files){0};
    for (uint32_t i = 0; i < report_format_count && files->count < FRAME_MAX_FILES; i++) {
        struct report_file *file = &files->list[files->count];

        if (model->options && !(model->options->report >> i & 1))
            continue;
        files->count++;
        file->format = &report_formats[i];
        file->is_cut = !stream(file->format, model, count_chunk, file);
        file->bytes = keep(file->format, model, file->length_bytes, arena);
        files->not_kept += !file->bytes;
    }
    for (uint32_t i = 0; i < files->count; i++)
        pack(&files->list[i], &tables, arena);
}

static void send_line(struct report_sink *sink, const struct textbuf *line)
{
    report_sink_write(sink, line->text, line->length);
}

static void send_body(const struct report_model *model, const struct report_file *file,
                      struct report_sink *sink)
{
    if (file->bytes)
        report_sink_write(sink, file->bytes, file->length_bytes);
    else
        stream(file->format, model, send_chunk, sink);
}

static void send_file(const struct report_model *model, const struct report_file *file,
                      struct report_sink *sink)
{
    const char *ending = file->packed ? ".packed" : "";
    char text[96];
    struct textbuf line;

    textbuf_init(&line, text, sizeof(text));
    textbuf_printf(&line, "\n#coretruth begin %s%s bytes=%llu\n", file->format->file_name, ending,
                   (unsigned long long)(file->packed ? file->packed_bytes : file->length_bytes));
    send_line(sink, &line);
    if (file->packed)
        report_sink_write(sink, file->packed, file->packed_bytes);
    else
        send_body(model, file, sink);
    textbuf_init(&line, text, sizeof(text));
    textbuf_printf(&line, "#coretruth end %s%s crc32=%08x\n", file->format->file_name, ending,
                   (unsigned)(file->packed ? file->packed_crc32 : file->crc32));
    send_line(sink, &line);
}

void frame_send_files(const struct report_model *model, const struct report_files *files,
                      struct report_sink *const *sinks, uint32_t sink_count)
{
    for (uint32_t s = 0; s < sink_count; s++) {
        struct report_sink *sink = sinks[s];

        for (uint32_t i = 0; i < files->count; i++) {
            const struct report_file *file = &files->list[i];

            if (sink->wants & SINK_FILES)
                send_file(model, file, sink);
            else if ((sink->wants & SINK_SUMMARY) &&
                     !strcmp(file->format->file_name, "report.txt"))
                send_body(model, file, sink);
        }
    }
}

void frame_send_done(enum report_status status, struct report_sink *const *sinks,
                     uint32_t sink_count)
{
    char text[64];
    struct textbuf line;

    textbuf_init(&line, text, sizeof(text));
    textbuf_printf(&line, "#coretruth done status=%s\n", report_status_name(status));
    for (uint32_t s = 0; s < sink_count; s++) {
        if (sinks[s]->wants & (SINK_FILES | SINK_SUMMARY))
            send_line(sinks[s], &line);
    }
}

void frame_send(const struct report_model *model, const struct report_files *files,
                struct report_sink *const *sinks, uint32_t sink_count)
{
    frame_send_files(model, files, sinks, sink_count);
    frame_send_done(report_status(model), sinks, sink_count);
}
