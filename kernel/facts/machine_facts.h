/* Everything that was read from one machine, verbatim and with its input: no
 * conclusions. Filled by kernel/capture in the image and by the readers of
 * facts.txt, corpus files, oracle records and cases on the desk. */
#ifndef KERNEL_FACTS_MACHINE_FACTS_H
#define KERNEL_FACTS_MACHINE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/facts/smbios.h"
#include "kernel/lib/arena.h"
#include "kernel/lib/tsc_rate.h"

/* Eight times the largest kernel: room for odd numbers, bounded work. */
enum { FACTS_CPU_LIMIT = 65536 };

enum {
    FACTS_NO_CPU = UINT32_MAX,   /* "no such entry" for indexes into cpus[] */
};

/* One execution of CPUID. */
struct cpuid_row {
    uint32_t leaf, subleaf;
    uint32_t eax, ebx, ecx, edx;
};

/* The source left out sub-leaf `subleaf` and those above of `leaf` because they
 * are not valid (the `end` line of corpus/FORMAT.md). */
struct cpuid_end {
    uint32_t leaf, subleaf;
};

struct msr_row {
    uint32_t address;
    bool has_faulted; /* RDMSR raised #GP; value is then 0 and means nothing */
    uint64_t value;
};

enum cpu_state {
    CPU_ONLINE,   /* answered and was captured */
    CPU_SILENT,   /* told to start, never answered within the bound */
    CPU_FAULTED,  /* answered, then took an exception during capture */
    CPU_DISABLED, /* listed by the MADT but not enabled: never started */
};

/* What came to a CPU during the run although nobody asked for it. */
struct cpu_interrupts {
    uint32_t nmi, spurious, other;
    uint8_t last_vector;          /* of the others */
};

struct cpu_facts {
    enum cpu_state state;
    bool has_apic_id;             /* the local APIC's own ID register was read */
    uint32_t apic_id;             /* xAPIC register 0x20 bits 31:24, or MSR 0x802 */
    bool has_apic_version;
    uint32_t apic_version;        /* the local APIC's version register */
    bool has_cr0;
    struct cpu_interrupts interrupts;
    uint64_t cr0;                 /* as the CPU runs while it is read and measured */
    uint32_t madt_apic_id;        /* the id it was started by; equals apic_id on replay
                                     inputs that have no MADT */
    bool has_madt_apic_id;        /* of replay inputs: the source states madt_apic_id itself */
    bool has_uid;
    uint32_t uid;                 /* ACPI processor UID */
    bool is_untried;              /* listed as enabled, but this run could start no CPUs */
    uint32_t unsent_count;        /* messages to it that the sender's local APIC did not take */
    uint64_t bringup_cycles;      /* TSC cycles from the first INIT to its check-in; 0: not measured */
    bool rows_are_sorted;         /* strictly ascending by leaf and sub-leaf: facts_note_order() */
    struct cpuid_row *rows;       /* in the order they were read */
    uint32_t row_count;
    struct cpuid_end *ends;
    uint32_t end_count;
    struct msr_row *msrs;
    uint32_t msr_count;
};

enum { FACTS_CPU_STATES = 4 };
extern const char *const facts_state_names[FACTS_CPU_STATES]; /* "online", "silent", … */

/* One ACPI table (or the RSDP, under the signature "RSD PTR ") as it lay in memory. */
struct acpi_table {
    char signature[9];            /* NUL-terminated: 4 characters, or 8 for the RSDP */
    uint64_t address;             /* physical; 0 when the source does not say */
    const uint8_t *bytes;
    uint32_t length_bytes;
};

/* E820 numbering: 1 RAM, 2 reserved, 3 ACPI data, 4 ACPI NVS, 5 unusable,
 * 7 persistent; EFI types keep their own number in `efi_type`. */
struct memory_range {
    uint64_t start, end;          /* bytes, end exclusive */
    uint32_t type;
    bool has_efi_type;
    uint32_t efi_type;
    uint64_t efi_attribute;
};

/* What was wrong with the firmware's memory map and mended before it was used, in entries. */
struct memory_repairs {
    uint32_t unsorted;            /* started below the entry before it */
    uint32_t overlapping;         /* shared bytes with another one */
    uint32_t unaligned;           /* RAM that was cut to whole pages */
    uint32_t empty;               /* no bytes, or an end before its start */
    uint32_t endless;             /* reached the end of the address space */
};

/* A register of a device as it was read. In PCI configuration space the address is laid out
 * as in ECAM: bus << 20 | device << 15 | function << 12 | offset. */
enum facts_space { FACTS_PCI, FACTS_PORT, FACTS_MEMORY };
enum { FACTS_SPACES = 3 };
extern const char *const facts_space_names[FACTS_SPACES]; /* "pci", "port", "memory" */

struct facts_register {
    enum facts_space space;
    uint32_t bytes;               /* 1, 2, 4 or 8 */
    uint64_t address;
    uint64_t value;
};

/* A UEFI variable of one byte; not read: there was none, or no UEFI. */
struct efi_variable {
    bool is_read;
    uint8_t value;
};

/* The clock's word in facts.txt; the name that a reader of reports knows. */
extern const char *const tsc_clock_words[TSC_CLOCK_COUNT];
extern const char *const tsc_clock_names[TSC_CLOCK_COUNT];


struct machine_facts {
    char source[160];             /* file name on the desk, "this boot" in the image */
    /* cpus[0] is the boot CPU; the order is otherwise the source's own numbering,
     * which rises but may have holes: see number[]. */
    struct cpu_facts *cpus;
    uint32_t cpu_count;
    uint32_t *number;             /* the source's number of cpus[i] ("cpu N") */
    /* When true the numbers are Linux's and the profile's own MADT numbering is
     * not applied (corpus files and cases without a MADT). */
    bool has_linux_numbers;
    /* A row that is not there reads as four zeros (cases/README.md) instead of
     * being unrecorded. Never set for facts.txt and the corpus. */
    bool missing_rows_are_zero;
    /* IA32_APIC_BASE of the boot CPU as found, before we touched it. */
    bool has_handover_apic_base;
    uint64_t handover_apic_base;
    bool is_x2apic_at_handover;
    /* The boot CPU's id where the source has no CPUs (cases with a MADT and boot.txt). */
    bool has_boot_apic_id;
    uint32_t boot_apic_id;
    struct acpi_table *tables;
    uint32_t table_count;
    struct memory_range *memory;  /* as handed over, not normalised */
    uint32_t memory_count;
    bool has_memory_repairs;
    struct memory_repairs memory_repairs;
    /* Node of cpus[i] when the source states it (cases nodes.txt), -1 where it
     * does not; NULL: it states none. As long as cpus[] once reading is done. */
    int32_t *stated_nodes;
    uint32_t stated_node_capacity;
    bool has_tsc_hz;
    uint64_t tsc_hz;              /* measured on this boot */
    struct tsc_rate tsc_rates[TSC_CLOCK_COUNT]; /* what each clock that ran says; hz 0: none */
    char firmware_vendor[64];     /* empty: not known */
    uint32_t firmware_revision;
    struct efi_variable secure_boot, setup_mode; /* SecureBoot, SetupMode [uefi 3.3] */
    struct smbios smbios;
    struct facts_register *registers;
    uint32_t register_count;
};

/* Looking up a row: missing is not zero. */
enum cpuid_answer {
    CPUID_ABSENT,       /* not recorded, and no `end` line says what it would read */
    CPUID_RECORDED,
    CPUID_BEYOND_END,   /* registers filled as an invalid sub-leaf reads */
};

struct cpuid_regs {
    uint32_t eax, ebx, ecx, edx;
};

/* Fills *regs (zeros when absent). `facts` decides how a missing row reads. */
enum cpuid_answer facts_cpuid(const struct machine_facts *facts, const struct cpu_facts *cpu,
                              uint32_t leaf, uint32_t subleaf, struct cpuid_regs *regs);

/* Sets rows_are_sorted, so that a row that is not there is not searched twice.
 * Whoever fills `rows` calls it once. */
void facts_note_order(struct cpu_facts *cpu);

/* Index into cpus[] of the source's "cpu NUMBER", or FACTS_NO_CPU. */
uint32_t facts_cpu_index(const struct machine_facts *facts, uint32_t number);

/* States the node of cpus[index]; the others keep theirs, or -1. False: the
 * arena is full. */
bool facts_set_node(struct machine_facts *facts, uint32_t index, int32_t node,
                    struct arena *arena);

/* Fills apic_id of CPUs whose local APIC was not read, from the first of these
 * that is there and differs on all CPUs that have rows: leaf 0x1F, 0xB or
 * 0x80000026 EDX of sub-leaf 0 (EBX not zero), leaf 0x8000001E EAX, leaf 1
 * EBX[31:24]. The last one if none differs on all. A madt_apic_id that the source
 * does not state becomes equal to apic_id. */
void facts_fill_apic_ids(struct machine_facts *facts, struct arena *arena);

/* Largest basic leaf (leaf 0 EAX); 0 when leaf 0 is absent. */
uint32_t facts_max_basic_leaf(const struct machine_facts *facts, const struct cpu_facts *cpu);
/* Largest extended leaf; 0 unless leaf 0x80000000 EAX[31:16] is 0x8000. */
uint32_t facts_max_extended_leaf(const struct machine_facts *facts, const struct cpu_facts *cpu);

/* The MSR as read on this CPU, or NULL when it was not recorded. A row whose
 * read faulted is returned too: look at has_faulted. */
const struct msr_row *facts_msr(const struct cpu_facts *cpu, uint32_t address);

/* The register as read, or NULL when it was not recorded. */
const struct facts_register *facts_find_register(const struct machine_facts *facts,
                                                 enum facts_space space, uint64_t address,
                                                 uint32_t bytes);

/* The first table of that signature, or NULL. */
const struct acpi_table *facts_table(const struct machine_facts *facts, const char *signature);

#endif
