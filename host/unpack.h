/* The file that kernel/report/pack.h describes, as it was before it was packed. */
#ifndef HOST_UNPACK_H
#define HOST_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UNPACK_NAME_BYTES = 64 };

struct unpacked {
    char name[UNPACK_NAME_BYTES];
    char *bytes;              /* to be freed; as far as it could be made */
    size_t length_bytes;
    uint64_t expected_bytes;
    uint32_t expected_crc, crc;
};

/* False: the first line is not that of a packed file, or memory ran out; nothing is to be
 * freed then. A cut or damaged stream gives fewer bytes than expected, or another CRC. */
bool unpack_text(const char *text, size_t length, struct unpacked *out);

#endif
