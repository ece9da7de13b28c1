/* The bounded reader: the only way to look at foreign bytes. A struct that
 * fits, or nothing. */
#ifndef KERNEL_LIB_READER_H
#define KERNEL_LIB_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reader {
    const uint8_t *bytes;
    size_t length_bytes;
    size_t offset_bytes;
};

struct reader reader_of(const void *bytes, size_t length_bytes);
size_t reader_left_bytes(const struct reader *reader);

/* Each returns false and moves nothing when the bytes are not there.
 * Values are little-endian and may be unaligned. */
bool reader_u8(struct reader *reader, uint8_t *value);
bool reader_u16(struct reader *reader, uint16_t *value);
bool reader_u32(struct reader *reader, uint32_t *value);
bool reader_u64(struct reader *reader, uint64_t *value);
bool reader_skip(struct reader *reader, size_t count);
/* Copies `count` bytes out, for packed structures. */
bool reader_copy(struct reader *reader, void *target, size_t count);
/* A reader over the next `count` bytes; the outer one moves past them. */
bool reader_sub(struct reader *reader, size_t count, struct reader *sub);

#endif
