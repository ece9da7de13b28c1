/* The readable dump of an exception that ends the run. */
#ifndef KERNEL_CPU_FAULT_DUMP_H
#define KERNEL_CPU_FAULT_DUMP_H

#include "kernel/cpu/exception.h"

/* Prints to COM1, the debug port and the sink that was set, then speaks the last words. */
void fault_dump(const struct exception_frame *frame);

#endif
