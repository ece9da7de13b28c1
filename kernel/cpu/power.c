/* ACPI S5, resets, and QEMU's debug exit device. */
#include "kernel/cpu/power.h"

#include "kernel/cpu/instructions.h"
#include "kernel/cpu/tsc.h"

enum {
    PM1_SCI_ENABLE = 1 << 0,          /* [acpi 4.8.3.2.1] */
    PM1_SLEEP_TYPE_SHIFT = 10,
    PM1_SLEEP_TYPE_MASK = 7 << PM1_SLEEP_TYPE_SHIFT,
    PM1_SLEEP_ENABLE = 1 << 13,
    RESET_CONTROL_PORT = 0xcf9,
    RESET_CONTROL_FULL = 0x0e,
    RESET_CONTROL_PREPARE = 0x02,
    KEYBOARD_COMMAND_PORT = 0x64,
    KEYBOARD_PULSE_RESET = 0xfe,
    QEMU_EXIT_PORT = 0xf4,
    FW_CFG_SELECTOR_PORT = 0x510,
    FW_CFG_DATA_PORT = 0x511,
    FW_CFG_SIGNATURE = 0,
    ONE_SECOND_US = 1000000,
    RESET_SETTLE_US = 50000,
};

static void wait_us(uint64_t microseconds)
{
    uint64_t start = tsc_read(), bound = tsc_cycles_of_us(microseconds);
    while (tsc_read() - start < bound)
        cpu_pause();
}

/* A machine in legacy mode ignores PM1 control until its firmware is told. */
static void enable_acpi(const struct power_plan *plan)
{
    uint64_t start = tsc_read(), bound = tsc_cycles_of_us(ONE_SECOND_US);
    if ((port_read16(plan->pm1a_control) & PM1_SCI_ENABLE) || !plan->smi_command ||
        !plan->acpi_enable)
        return;
    port_write8(plan->smi_command, plan->acpi_enable);
    while (!(port_read16(plan->pm1a_control) & PM1_SCI_ENABLE) && tsc_read() - start < bound)
        cpu_pause();
}

static void enter_sleep(uint16_t port, uint8_t type)
{
    uint16_t control = (uint16_t)(port_read16(port) & ~(PM1_SLEEP_TYPE_MASK | PM1_SLEEP_ENABLE));
    port_write16(port, (uint16_t)(control | type << PM1_SLEEP_TYPE_SHIFT | PM1_SLEEP_ENABLE));
}

void power_off(const struct power_plan *plan)
{
    if (!plan->can_sleep)
        return;
    enable_acpi(plan);
    enter_sleep(plan->pm1a_control, plan->sleep_type_a);
    if (plan->pm1b_control)
        enter_sleep(plan->pm1b_control, plan->sleep_type_b);
    wait_us(ONE_SECOND_US);
}

void power_reset(const struct power_plan *plan)
{
    if (plan->has_reset_port) {
        port_write8(plan->reset_port, plan->reset_value);
        wait_us(RESET_SETTLE_US);
    }
    port_write8(RESET_CONTROL_PORT, RESET_CONTROL_PREPARE);
    port_write8(RESET_CONTROL_PORT, RESET_CONTROL_FULL);
    wait_us(RESET_SETTLE_US);
    port_write8(KEYBOARD_COMMAND_PORT, KEYBOARD_PULSE_RESET);
    wait_us(RESET_SETTLE_US);

    /* No descriptor can be found for the next exception. */
    const struct {
        uint16_t limit;
        uint64_t base;
    } __attribute__((packed)) nothing = {0, 0};
    __asm__ volatile("lidt %0; int3" : : "m"(nothing));
    power_halt();
}

void power_halt(void)
{
    for (;;) {
        interrupts_disable();
        cpu_halt();
    }
}

bool power_can_exit_qemu(void)
{
    static const char signature[4] = "QEMU";
    port_write16(FW_CFG_SELECTOR_PORT, FW_CFG_SIGNATURE);
    for (unsigned i = 0; i < sizeof signature; i++) {
        if (port_read8(FW_CFG_DATA_PORT) != (uint8_t)signature[i])
            return false;
    }
    return port_read8(QEMU_EXIT_PORT) == 0; /* nobody there would read as ones */
}

void power_exit_qemu(uint8_t code)
{
    if (power_can_exit_qemu())
        port_write8(QEMU_EXIT_PORT, code);
}
