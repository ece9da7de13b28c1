/* Files on a line of text, so that `coretruth extract` can cut them out of a log:
 *
 *     #coretruth begin NAME bytes=N
 *     … exactly N bytes, the last of them a line feed …
 *     #coretruth end NAME crc32=XXXXXXXX
 *     #coretruth done status=pass|findings|fail
 *
 * N and the CRC-32 (of zip and IEEE 802.3) count the file's bytes as they are on the
 * stick. A long file goes as NAME.packed [pack.h]. Lines of files and frames end with LF
 * alone, so N can be counted on the wire; files never contain CR, so a reader may drop
 * every CR that a terminal added. */
#ifndef KERNEL_REPORT_FRAME_H
#define KERNEL_REPORT_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/arena.h"
#include "kernel/report/formats.h"
#include "kernel/report/report.h"
#include "kernel/report/sink.h"

enum { FRAME_MAX_FILES = 8 };

struct report_file {
    const struct report_format *format;
    const char *bytes;     /* NULL: the arena was full, the file is written anew for each sink */
    uint64_t length_bytes;
    uint32_t crc32;
    bool is_cut;           /* the format could not tell everything: a defect */
    const char *packed;    /* NULL: short, or no room */
    uint64_t packed_bytes;
    uint32_t packed_crc32;
};

struct report_files {
    struct report_file list[FRAME_MAX_FILES];
    uint32_t count;
    uint32_t not_kept;     /* files without bytes: they cannot be saved on a volume */
};

/* Makes the files that `report=` asks for (all when the model has no options). */
void frame_make_files(const struct report_model *model, struct arena *arena,
                      struct report_files *files);

/* Sends every file to every sink that wants files; report.txt alone to sinks that want
 * the summary. */
void frame_send_files(const struct report_model *model, const struct report_files *files,
                      struct report_sink *const *sinks, uint32_t sink_count);

/* The last line of a run, to the same sinks. */
void frame_send_done(enum report_status status, struct report_sink *const *sinks,
                     uint32_t sink_count);

/* Both. */
void frame_send(const struct report_model *model, const struct report_files *files,
                struct report_sink *const *sinks, uint32_t sink_count);

#endif
