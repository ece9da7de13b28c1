/* QEMU's debug port as a sink: one OUT a byte, no line behind it that could stall. */
#ifndef DRIVERS_SERIAL_DEBUGCON_H
#define DRIVERS_SERIAL_DEBUGCON_H

#include <stdbool.h>

#include "kernel/report/sink.h"

/* False: the port does not answer as QEMU's and Bochs's do. */
bool debugcon_sink(struct report_sink *sink);

#endif
