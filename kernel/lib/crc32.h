/* CRC-32 as in IEEE 802.3 and zip: reflected 0x04C11DB7, start and final 0xFFFFFFFF. */
#ifndef KERNEL_LIB_CRC32_H
#define KERNEL_LIB_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* crc32_update(0, "123456789", 9) is 0xCBF43926; pieces may be chained. */
uint32_t crc32_update(uint32_t crc, const void *bytes, size_t length_bytes);

#endif
