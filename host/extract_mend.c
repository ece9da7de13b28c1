/* What can still be done for files once the whole log was read. */
#include "host/extract_mend.h"

#include <stdlib.h>
#include <string.h>

#include "host/unpack.h"

/* A damaged file that an earlier report of the log has whole, with the same length
 * and CRC, is taken from there. */
static bool take_from_copies(struct extract_log *log, uint32_t report, struct extract_file *file)
{
    for (uint32_t r = 0; r < log->report_count; r++) {
        for (uint32_t i = 0; r != report && i < log->reports[r].file_count; i++) {
            const struct extract_file *other = &log->reports[r].files[i];
            char *bytes;

            if (other->state != EXTRACT_WHOLE || strcmp(other->name, file->name) != 0 ||
                other->crc != file->expected_crc || other->length_bytes != file->expected_bytes)
                continue;
            bytes = malloc(other->length_bytes + 1);
            if (!bytes)
                return false;
            memcpy(bytes, other->bytes, other->length_bytes);
            free(file->bytes);
            file->bytes = bytes;
            file->length_bytes = other->length_bytes;
            file->crc = other->crc;
            file->state = EXTRACT_WHOLE;
            file->is_from_copy = true;
            return true;
        }
    }
    return true;
}

/* A packed file becomes the file that was packed, as far as its bytes are right. */
static void unpack(struct extract_file *file)
{
    static const char ending[] = ".packed";
    size_t length = strlen(file->name), stem = length - (sizeof(ending) - 1);
    struct unpacked made;

    if (length < sizeof(ending) || strcmp(file->name + stem, ending) != 0 ||
        !unpack_text(file->bytes, file->length_bytes, &made))
        return;
    file->name[stem] = '\0';
    free(file->bytes);
    file->bytes = made.bytes;
    file->length_bytes = made.length_bytes;
    file->crc = made.crc;
    file->expected_bytes = made.expected_bytes;
    file->expected_crc = made.expected_crc;
    if (file->state == EXTRACT_WHOLE &&
        (made.length_bytes != made.expected_bytes || made.crc != made.expected_crc ||
         strcmp(made.name, file->name) != 0))
        file->state = EXTRACT_DAMAGED;
}

bool extract_mend(struct extract_log *log)
{
    for (uint32_t r = 0; r < log->report_count; r++) {
        for (uint32_t i = 0; i < log->reports[r].file_count; i++) {
            struct extract_file *file = &log->reports[r].files[i];

            if (file->state == EXTRACT_DAMAGED && file->has_expected_crc &&
                !take_from_copies(log, r, file))
                return false;
        }
    }
    for (uint32_t r = 0; r < log->report_count; r++)
        for (uint32_t i = 0; i < log->reports[r].file_count; i++)
            unpack(&log->reports[r].files[i]);
    return true;
}
