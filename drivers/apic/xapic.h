/* The register page of xAPIC mode. */
#ifndef DRIVERS_APIC_XAPIC_H
#define DRIVERS_APIC_XAPIC_H

#include <stdbool.h>
#include <stdint.h>

/* Maps the page of IA32_APIC_BASE. False: no room in the direct map. */
bool xapic_map(uint64_t physical);
const volatile void *xapic_page(void);

#endif
