/* What a rule met on its way and Linux would have stumbled over, said or
 * silently mended: one plain row each, with the CPU and the place in the input.
 * kernel/topology/checks.c turns rows into findings. */
#ifndef KERNEL_TOPOLOGY_NOTES_H
#define KERNEL_TOPOLOGY_NOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/arena.h"

enum { NOTES_NO_CPU = UINT32_MAX, NOTES_CAPACITY = 512, NOTES_PER_KIND = 64 };

/* After each kind: what `a` and `b` hold. Section numbers are those of [rules]. */
enum note_kind {
    /* Arithmetic that is undefined in the kernel [rules 12]. */
    NOTE_NPROC_ZERO,          /* HTT set, leaf 1 EBX[23:16] = 0 */
    NOTE_HT_QUOTIENT_ZERO,    /* a threads div b cores per package is 0, or b is [rules 2.7] */
    NOTE_LEVEL_COUNT_ZERO,    /* leaf usable, EBX[15:0] = 0; a: EBX */
    NOTE_NODE_QUOTIENT_ZERO,  /* a cores div b nodes per package = 0 [rules 2.4 A7, 3.6] */
    NOTE_LEAF_ENDLESS,        /* leaf never returned type 0 in a sub-leaves */
    NOTE_NODE_OUT_OF_RANGE,   /* a: LLC id that was taken as a node number [rules 7.6] */
    /* CPUID against itself, the APIC and the boot CPU. */
    NOTE_LEGACY_SHIFT,        /* order a of leaf 1's count < order b of leaf 4's: check 8 */
    NOTE_FWID_MISMATCH,       /* a: MADT's id, b: the id in use: checks 1 and 3 */
    NOTE_CID_MISMATCH,        /* a: CPUID's id, b: the id in use: check 2 */
    NOTE_SHIFT_MISMATCH,      /* subleaf: domain; a: this CPU's shift, b: boot CPU's: check 4 */
    NOTE_EDX_MISMATCH,        /* a: EDX of the sub-leaf, b: sub-leaf 0's: check 5 */
    NOTE_SMT_SHIFT_ZERO,      /* a: CPUs at the level with shift 0: check 6 */
    NOTE_LEVEL_UNKNOWN,       /* a: level type: check 7 */
    NOTE_TOPOEXT_OFF,         /* family 0x15: TOPOEXT is clear, the kernel would try to set it */
    NOTE_ROW_ABSENT,          /* a rule asked for a row that was not recorded */
    /* Links and caches. */
    NOTE_NOT_SAME_NODE,       /* leaf: enum topology_mask; a, b: nodes of cpu, other_cpu: check 9 */
    NOTE_PACKAGE_SPLIT,       /* cpu, other_cpu: one package, nodes a and b: check 28 */
    NOTE_LLC_CROSSES_PACKAGES,/* cpu, other_cpu: LLC id a in two packages */
    NOTE_CACHES_INCOMPLETE,   /* an index below the boot CPU's count is empty: no cache directory */
    NOTE_PACKAGE_LIMIT,       /* a: packages, b: what the 4.x kernel has room for: check 19 */
    NOTE_PACKAGE_ORDER,       /* a: package id, b: order of appearance: check 20 */
    /* MADT: `offset` is the entry's. */
    NOTE_MADT_BROKEN,         /* a: entry length; the walk ends here */
    NOTE_MADT_DUPLICATE,      /* a: APIC id enabled before; b: offset of that entry */
    NOTE_MADT_ID_TOO_BIG,     /* a: APIC id >= 32768: check 16 */
    NOTE_MADT_ABOVE_LIMIT,    /* a: x2APIC id above the driver's limit: check 15; b: 1 enabled */
    NOTE_MADT_X2APIC_BELOW_255, /* a: id below 255 left out beside LAPIC entries */
    NOTE_MADT_DISABLED_SKIPPED, /* a: id of a disabled entry that takes no part */
    NOTE_MADT_BSP_NOT_FIRST,  /* a: first id, b: boot CPU's: check 12 */
    NOTE_MADT_BSP_UNMARKED,   /* a: boot id; limited to one CPU: check 13 */
    NOTE_MADT_FIRST_REJECTED, /* a: first id, taken for a crash kernel's old boot CPU */
    NOTE_MADT_BOOT_NOT_LISTED,/* a: boot id; b: enabled entries: check 14 */
    /* SRAT and SLIT: `offset` is the entry's, 0 for the whole table. */
    NOTE_SRAT_LENGTH,         /* a: entry length: whole table dropped: check 23 */
    NOTE_SRAT_TOO_MANY_DOMAINS,
    NOTE_SRAT_NO_MEMORY,      /* no memory entry: whole table dropped */
    NOTE_SRAT_MEMORY_CONFLICT,/* a, b: nodes that claim the same memory: whole table dropped */
    NOTE_SRAT_UNCOVERED,      /* a: MiB of usable RAM without a node: dropped: check 24 */
    NOTE_SRAT_ABOVE_LIMIT,    /* a: x2APIC id above the driver's limit: check 25 */
    NOTE_SLIT_INVALID,        /* a: distance; check 26 */
    NOTE_NO_NUMA,             /* no usable SRAT: one node: check 27 */
    NOTE_NORTHBRIDGE_NOT_READ,/* AMD family a without SRAT: the kernel would ask the PCI
                                 northbridge for nodes, which is left out here [rules 7.7] */
    NOTE_KINDS,
};

struct topology_note {
    enum note_kind kind;
    uint32_t cpu, other_cpu;  /* logical numbers of this profile, or NOTES_NO_CPU */
    uint32_t leaf, subleaf;   /* of the CPUID row concerned; 0 when it is a table */
    uint32_t offset;          /* in the table concerned */
    uint32_t a, b;
};

struct topology_notes {
    struct topology_note *list;
    uint32_t count, capacity;
    uint32_t kind_count[NOTE_KINDS]; /* also those that were not kept */
};

bool notes_init(struct topology_notes *notes, uint32_t capacity, struct arena *arena);

/* Keeps the first NOTES_PER_KIND rows of a kind and counts all. */
void notes_add(struct topology_notes *notes, struct topology_note note);

/* The first row of a kind, or NULL. */
const struct topology_note *notes_first(const struct topology_notes *notes, enum note_kind kind);

#endif
