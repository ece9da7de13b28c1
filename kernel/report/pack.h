/* Long files in a tenth of their bytes, as text, for lines on which a byte takes time.
 * A packed file is
 *
 *     coretruth-packed 1 NAME bytes=N crc32=XXXXXXXX
 *     … base64 of the stream, 76 characters a line …
 *
 * where N and the CRC-32 are those of the file before it was packed. The stream is
 *
 *     literal_count  literals…  match_length  match_distance   …again, until N bytes are made
 *
 * with numbers in 7 bits a byte, lowest first, bit 7 set on all but the last. A match
 * repeats match_length bytes from match_distance bytes back and may reach into itself. It is
 * left out after the last literals. */
#ifndef KERNEL_REPORT_PACK_H
#define KERNEL_REPORT_PACK_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/arena.h"
#include "kernel/lib/textbuf.h"

struct pack_tables;

/* NULL: the arena has no room for what packing needs. */
struct pack_tables *pack_new_tables(struct arena *arena);

/* Writes the packed file. `length` is below 2^32. */
void pack_write(struct pack_tables *tables, const char *name, const char *bytes, uint64_t length,
                uint32_t crc32, struct textbuf *out);

#endif
