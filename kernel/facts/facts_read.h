/* Reads recorded machines from text: facts.txt, corpus files, oracle records,
 * and the text files of a case. Nothing is printed and nothing is opened. */
#ifndef KERNEL_FACTS_FACTS_READ_H
#define KERNEL_FACTS_FACTS_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/facts/expectations.h"
#include "kernel/facts/machine_facts.h"
#include "kernel/lib/arena.h"
#include "kernel/lib/input_error.h"

/* Recognises the format by its first line and fills *facts and *expectations
 * (both are started anew). Everything they point to lies in the arena; the text
 * is not needed afterwards. False: see *error; when arena->is_exhausted the
 * input may be fine and the arena too small. */
bool facts_read(const char *text, size_t length, const char *name, struct arena *arena,
                struct machine_facts *facts, struct expectations *expectations,
                struct input_error *error);

/* Further parts of a case directory (cases/README.md), added to what is there.
 * They name CPUs by the numbers of cpuid.txt; CPUs that are not there yet are
 * added by msr.txt only. */
bool facts_read_msr_text(const char *text, size_t length, struct arena *arena,
                         struct machine_facts *facts, struct input_error *error);
bool facts_read_lapic_text(const char *text, size_t length, struct arena *arena,
                           struct machine_facts *facts, struct input_error *error);
bool facts_read_nodes_text(const char *text, size_t length, struct arena *arena,
                           struct machine_facts *facts, struct input_error *error);
/* boot.txt: the id of the CPU that has the BSP bit. */
bool facts_read_boot_text(const char *text, size_t length, struct arena *arena,
                          uint32_t *apic_id, struct input_error *error);
/* e820.txt: the memory map as the loader handed it over. */
bool facts_read_e820_text(const char *text, size_t length, struct arena *arena,
                          struct machine_facts *facts, struct input_error *error);
/* expected*.txt; `kernel` is "6.1", "6.12" or "" (kept, not copied). */
bool facts_read_expected_text(const char *text, size_t length, const char *kernel,
                              struct arena *arena, struct expectations *expectations,
                              struct input_error *error);

/* A table of an ACPI dump: the bytes are copied, the signature is taken from
 * them. False: the arena is full. */
bool facts_add_table(struct machine_facts *facts, const void *bytes, uint32_t length_bytes,
                     uint64_t address, struct arena *arena);

#endif
