/* The readable dump of an exception that nobody expected. */
#ifndef KERNEL_CPU_FAULT_DUMP_H
#define KERNEL_CPU_FAULT_DUMP_H

#include "kernel/cpu/exception.h"

/* Prints to COM1, the debug port and the sink that was set. */
void fault_dump(const struct exception_frame *frame);

/* On the boot CPU: calls what exception_set_last_words() was given; before that, says the
 * log's last line. */
void fault_last_words(void);

#endif
