/* The report's summary as the text of a QR code: upper case, in the 45 characters of a QR
 * code's alphanumeric kind, closed by a CRC. Its records are in docs/report.md; `coretruth
 * extract` reads it. */
#ifndef KERNEL_REPORT_SUMMARY_CODE_H
#define KERNEL_REPORT_SUMMARY_CODE_H

#include "kernel/lib/textbuf.h"
#include "kernel/report/report.h"

#define SUMMARY_CODE_START "CT1*"
enum { SUMMARY_CODE_BYTES = 1200 };

/* At most `most` characters. Records that do not fit are left out and counted; those on the
 * machine and its status come first. `out` must be empty and have room for them. */
void summary_code_put(struct textbuf *out, const struct report_model *model, uint32_t most);

#endif
