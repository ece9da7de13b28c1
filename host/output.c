/* fclose() says nothing of what an earlier write could not place. */
#include "host/output.h"

#include <errno.h>

bool output_close(FILE *out)
{
    int reason = ferror(out) ? errno : 0; /* of the last write, which failed like those before */
    bool is_whole = !ferror(out);

    if ((out == stdout ? fflush(out) : fclose(out)) != 0)
        return false;
    if (!is_whole)
        errno = reason ? reason : EIO;
    return is_whole;
}
