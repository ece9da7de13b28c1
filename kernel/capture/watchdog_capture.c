/* Runs on the boot CPU with interrupts masked: nobody else uses the address port meanwhile
 * but SMM, which gives it back. [PCI 3.0, 3.2.2.3.2] */
#include "kernel/capture/watchdog_capture.h"

#include "kernel/capture/acpi_memory.h"
#include "kernel/cpu/instructions.h"
#include "kernel/facts/watchdog.h"

enum {
    PCI_ADDRESS_PORT = 0xCF8, PCI_DATA_PORT = 0xCFC,
    PCI_FUNCTIONS = 256,          /* of a bus */
    PCI_CLASS = 0x08, PCI_HEADER = 0x0C, PCI_MULTI_FUNCTION_BIT = 23,
    REGISTERS_MAX = 2 * PCI_FUNCTIONS + WATCHDOG_ROUNDS_MAX * WATCHDOG_WANTS_MAX,
};
#define PCI_ENABLE 0x80000000u
#define ABSENT 0xFFFFFFFFu

static bool read_port(uint16_t port, uint32_t bytes, uint64_t *value)
{
    *value = bytes == 1   ? port_read8(port)
             : bytes == 2 ? port_read16(port)
                          : port_read32(port);
    return bytes <= 4;
}

/* ECAM's layout for bus 0 and 256 bytes, as the address port has it. */
static bool read_pci(uint64_t address, uint32_t bytes, uint64_t *value)
{
    port_write32(PCI_ADDRESS_PORT,
                 PCI_ENABLE | (uint32_t)(address >> 12 & 0xFF) << 8 | (address & 0xFC));
    return read_port((uint16_t)(PCI_DATA_PORT + (address & 3)), bytes, value);
}

static uint32_t pci_read(uint64_t address)
{
    uint64_t value;

    read_pci(address, 4, &value);
    return (uint32_t)value;
}

/* The enable bit stays only where there is such a port. */
static bool has_pci(void)
{
    port_write32(PCI_ADDRESS_PORT, PCI_ENABLE);
    return port_read32(PCI_ADDRESS_PORT) == PCI_ENABLE;
}

static void keep(struct machine_facts *facts, struct facts_register one, uint64_t value)
{
    one.value = value;
    facts->registers[facts->register_count++] = one;
}

/* True when the device has more functions. */
static bool scan_function(struct machine_facts *facts, uint32_t function)
{
    uint64_t at = (uint64_t)function << 12;
    uint32_t id = pci_read(at);

    if (id == ABSENT || id == 0)
        return false;
    keep(facts, (struct facts_register){FACTS_PCI, 4, at, 0}, id);
    keep(facts, (struct facts_register){FACTS_PCI, 4, at + PCI_CLASS, 0},
         pci_read(at + PCI_CLASS));
    return pci_read(at + PCI_HEADER) >> PCI_MULTI_FUNCTION_BIT & 1;
}

static void scan_bus(struct machine_facts *facts)
{
    for (uint32_t function = 0; function < PCI_FUNCTIONS; function += 8)
        if (scan_function(facts, function))
            for (uint32_t other = function + 1; other < function + 8; other++)
                scan_function(facts, other);
}

static bool read_memory(const struct facts_register *want, uint64_t *value)
{
    const volatile void *at = acpi_memory(want->address, want->bytes);

    if (at == NULL)
        return false;
    switch (want->bytes) {
    case 1: *value = *(const volatile uint8_t *)at; return true;
    case 2: *value = *(const volatile uint16_t *)at; return true;
    case 4: *value = *(const volatile uint32_t *)at; return true;
    default: return false;
    }
}

static bool read_one(const struct facts_register *want, bool is_pci_there, uint64_t *value)
{
    switch (want->space) {
    case FACTS_PORT: return read_port((uint16_t)want->address, want->bytes, value);
    case FACTS_MEMORY: return read_memory(want, value);
    default: return is_pci_there && read_pci(want->address, want->bytes, value);
    }
}

/* Each round reads what the one before made known to be there. */
static void read_wants(struct machine_facts *facts, bool is_pci_there)
{
    static struct watchdogs found;

    for (uint32_t round = 0; round < WATCHDOG_ROUNDS_MAX; round++) {
        uint32_t known = facts->register_count;

        watchdogs_find(facts, &found);
        for (uint32_t i = 0; i < found.want_count; i++) {
            const struct facts_register *want = &found.wants[i];
            uint64_t value;

            if (!facts_find_register(facts, want->space, want->address, want->bytes) &&
                read_one(want, is_pci_there, &value))
                keep(facts, *want, value);
        }
        if (facts->register_count == known)
            return;
    }
}

bool watchdog_capture(struct machine_facts *facts, struct arena *arena)
{
    uint32_t found_address = port_read32(PCI_ADDRESS_PORT);
    bool is_pci_there = has_pci();

    facts->registers = ARENA_NEW(arena, struct facts_register, REGISTERS_MAX);
    if (facts->registers != NULL) {
        if (is_pci_there)
            scan_bus(facts);
        read_wants(facts, is_pci_there);
    }
    port_write32(PCI_ADDRESS_PORT, found_address);
    return facts->registers != NULL;
}
