/* Finds the frames of a log, and judges the files between them. */
#ifndef HOST_EXTRACT_SCAN_H
#define HOST_EXTRACT_SCAN_H

#include "host/extract.h"

/* The log as it is; nothing is mended. False: memory ran out. */
bool extract_scan(const char *log, size_t length, struct extract_log *out);

#endif
