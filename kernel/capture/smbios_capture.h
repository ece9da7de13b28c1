/* SMBIOS as the firmware left it. */
#ifndef KERNEL_CAPTURE_SMBIOS_CAPTURE_H
#define KERNEL_CAPTURE_SMBIOS_CAPTURE_H

#include "kernel/facts/machine_facts.h"

/* From the entry point at a physical address, 0: searched for where a BIOS puts it. Nothing
 * found or readable: facts->smbios stays unread. [DMTF DSP0134 5.2] */
void smbios_capture(struct machine_facts *facts, uint64_t entry_address);

#endif
