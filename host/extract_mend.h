/* Files of a log that was read: copies for damaged ones, and packed ones unpacked. */
#ifndef HOST_EXTRACT_MEND_H
#define HOST_EXTRACT_MEND_H

#include "host/extract.h"

/* False: memory ran out. */
bool extract_mend(struct extract_log *log);

#endif
