/* What the files of the reworked pipeline share. [rules 3] */
#ifndef KERNEL_TOPOLOGY_IDENTIFY_REWORKED_H
#define KERNEL_TOPOLOGY_IDENTIFY_REWORKED_H

#include "kernel/topology/build.h"

/* Domains, low to high: shift[d] low bits of an APIC id are stripped to get the id
 * of the domain above d.
 *
 *   APIC id   | PKG … | DIE | TILE | MODULE | CORE | SMT |
 *                     ^shift[DIEGRP]        ^shift[CORE] ^shift[SMT]
 */
enum domain { DOMAIN_SMT, DOMAIN_CORE, DOMAIN_MODULE, DOMAIN_TILE, DOMAIN_DIE, DOMAIN_DIEGRP,
              DOMAIN_PKG };

struct reworked {
    struct build *build;
    uint8_t boot_shift[TOPOLOGY_DOMAINS]; /* applied to every CPU */
    bool boot_has_topoext;
    bool boot_has_hypervisor;
    bool boot_has_extended;               /* the boot CPU had a usable extended leaf */
};

/* SET and UPD of [rules 3.1]. */
void reworked_set(struct topology_ident *ident, enum domain domain, unsigned shift, uint32_t count);
void reworked_update(struct topology_ident *ident, enum domain domain, unsigned shift,
                     uint32_t count);

/* EXT: false when no leaf parses. [rules 3.3] */
bool reworked_extended(struct reworked *reworked, uint32_t cpu);

/* AMDSCAN. [rules 3.5] */
void reworked_amd(struct reworked *reworked, uint32_t cpu);

#endif
