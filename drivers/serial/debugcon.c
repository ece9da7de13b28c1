/* The port reads back its own number where the device is there. */
#include "drivers/serial/debugcon.h"

#include "kernel/cpu/instructions.h"

enum { DEBUGCON_PORT = 0xE9, DEBUGCON_PRESENT = 0xE9 };

static bool write_sink(struct report_sink *sink, const void *bytes, size_t length)
{
    (void)sink;
    __asm__ volatile("rep outsb"
                     : "+S"(bytes), "+c"(length)
                     : "d"(DEBUGCON_PORT)
                     : "memory");
    return true;
}

bool debugcon_sink(struct report_sink *sink)
{
    *sink = (struct report_sink){
        .name = "debugcon",
        .wants = SINK_PROGRESS | SINK_FILES,
        .write = write_sink,
    };
    return port_read8(DEBUGCON_PORT) == DEBUGCON_PRESENT;
}
