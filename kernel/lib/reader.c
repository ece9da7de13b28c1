/* The bounded reader. Lengths are compared with what is left, never added to
 * an offset, so that no length a foreign table states can overflow. */
#include "kernel/lib/reader.h"

#include <string.h>

struct reader reader_of(const void *bytes, size_t length_bytes)
{
    return (struct reader){.bytes = bytes, .length_bytes = bytes ? length_bytes : 0};
}

size_t reader_left_bytes(const struct reader *reader)
{
    return reader->length_bytes - reader->offset_bytes;
}

bool reader_skip(struct reader *reader, size_t count)
{
    if (count > reader_left_bytes(reader))
        return false;
    reader->offset_bytes += count;
    return true;
}

bool reader_copy(struct reader *reader, void *target, size_t count)
{
    if (count > reader_left_bytes(reader))
        return false;
    if (count)
        memcpy(target, reader->bytes + reader->offset_bytes, count);
    reader->offset_bytes += count;
    return true;
}

/* The machine is little-endian, like everything that is read. */
bool reader_u8(struct reader *reader, uint8_t *value)
{
    return reader_copy(reader, value, sizeof(*value));
}

bool reader_u16(struct reader *reader, uint16_t *value)
{
    return reader_copy(reader, value, sizeof(*value));
}

bool reader_u32(struct reader *reader, uint32_t *value)
{
    return reader_copy(reader, value, sizeof(*value));
}

bool reader_u64(struct reader *reader, uint64_t *value)
{
    return reader_copy(reader, value, sizeof(*value));
}

bool reader_sub(struct reader *reader, size_t count, struct reader *sub)
{
    if (count > reader_left_bytes(reader))
        return false;
    *sub = reader_of(reader->bytes + reader->offset_bytes, count);
    reader->offset_bytes += count;
    return true;
}
