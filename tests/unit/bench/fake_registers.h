/* Registers that record every access, and the CPUs whose counters are tried on them. */
#ifndef TESTS_UNIT_BENCH_FAKE_REGISTERS_H
#define TESTS_UNIT_BENCH_FAKE_REGISTERS_H

#include <string.h>
#include "tests/unit/unit_test.h"

#include "kernel/bench/pmu.h"
#include "tests/unit/stats/fake_cpu.h"

enum { LOG = 256, REGISTERS = 128 };

struct access {
    uint32_t address;
    uint64_t value;
};

static struct {
    struct access values[REGISTERS]; /* what the registers hold */
    uint32_t value_count;
    struct access log[LOG];          /* writes, in their order */
    uint32_t log_count;
    uint32_t faults_at;              /* a register that is not there */
    bool is_forgetful;               /* takes every write and keeps nothing */
    uint64_t mchbar;                 /* PCI 00:00.0 registers 0x48 and 0x4c */
    uint64_t mapped;                 /* the address that was mapped last */
} fake;
static uint32_t device[0x20000 / 4];

static inline bool fake_read(void *context, uint32_t address, uint64_t *value)
{
    (void)context;
    *value = 0;
    if (address == fake.faults_at)
        return false;
    for (uint32_t i = 0; i < fake.value_count; i++)
        if (fake.values[i].address == address)
            *value = fake.values[i].value;
    return true;
}

static inline void fake_hold(uint32_t address, uint64_t value)
{
    for (uint32_t i = 0; i < fake.value_count; i++)
        if (fake.values[i].address == address) {
            fake.values[i].value = value;
            return;
        }
    fake.values[fake.value_count++] = (struct access){ address, value };
}

static inline bool fake_write(void *context, uint32_t address, uint64_t value)
{
    (void)context;
    if (address == fake.faults_at)
        return false;
    fake.log[fake.log_count++] = (struct access){ address, value };
    if (!fake.is_forgetful)
        fake_hold(address, value);
    return true;
}

static inline bool fake_host_bridge(void *context, uint32_t offset, uint32_t *value)
{
    (void)context;
    *value = (uint32_t)(offset == 0x48 ? fake.mchbar : offset == 0x4c ? fake.mchbar >> 32 : 0);
    return offset == 0x48 || offset == 0x4c;
}

static inline const volatile uint8_t *fake_map(void *context, uint64_t physical, uint64_t bytes)
{
    (void)context;
    assert_true(bytes <= sizeof device);
    fake.mapped = physical;
    return (const volatile uint8_t *)device;
}

static const struct pmu_registers registers = {
    .read = fake_read, .write = fake_write, .read_host_bridge = fake_host_bridge, .map = fake_map,
};

static inline void fake_begin(void)
{
    memset(&fake, 0, sizeof fake);
    fake.faults_at = UINT32_MAX;
}

static inline void expect_writes(const struct access *expected, uint32_t count)
{
    assert_int_equal(fake.log_count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(fake.log[i].address, expected[i].address);
        assert_true(fake.log[i].value == expected[i].value);
    }
}

/* Ice Lake-SP: version 5, eight counters of 48 bits, four fixed, full-width writes. */
static inline void ice_lake(struct fake_machine *machine)
{
    fake_machine_init(machine, 1, "GenuineIntel");
    fake_leaf(machine, 1, 0, 0x000606a6, 0, 1u << 15, 0);
    fake_leaf(machine, 0xa, 0, 0x08300805, 0, 0xf, 0x00008604);
    fake_begin();
    fake_hold(0x345, 1u << 13);
    fake_hold(0x38f, 0xff);  /* as after reset: the general counters are enabled here */
}

/* As recorded on a Threadripper PRO 7995WX (tests/corpus): 32 counters of eight of twelve memory
 * controllers. */
static inline void genoa(struct fake_machine *machine)
{
    fake_machine_init(machine, 1, "AuthenticAMD");
    machine->rows[0][1].eax = 0x80000022;
    fake_leaf(machine, 1, 0, 0x00a10f81, 0, 0, 0);
    fake_leaf(machine, 0x80000001, 0, 0, 0, 0x75c237ff, 0);
    fake_leaf(machine, 0x80000022, 0, 3, 0x00204106, 0x6db, 0);
    fake_begin();
}

#endif
