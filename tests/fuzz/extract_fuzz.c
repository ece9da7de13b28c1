/* Logs of serial lines are foreign bytes: any log is parsed without a fault, and what
 * is called whole has the length and the CRC that its frame announced. */
#include <stdlib.h>
#include <string.h>

#include "host/extract.h"
#include "kernel/lib/crc32.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check_file(const struct extract_file *file, size_t length)
{
    if ((file->length_bytes > length && file->length_bytes > file->expected_bytes) ||
        file->end.offset > length || strchr(file->name, '/'))
        abort();
    if (file->state == EXTRACT_WHOLE &&
        (file->length_bytes != file->expected_bytes ||
         crc32_update(0, file->bytes, file->length_bytes) != file->expected_crc))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct extract_log log;

    if (extract_parse((const char *)bytes, length, &log)) {
        for (uint32_t r = 0; r < log.report_count; r++) {
            for (uint32_t i = 0; i < log.reports[r].file_count; i++)
                check_file(&log.reports[r].files[i], length);
            if (extract_is_whole(&log, r) && !log.reports[r].status[0])
                abort();
        }
    }
    extract_free(&log);
    return 0;
}
