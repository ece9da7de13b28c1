/* Ends the machine where no firmware service does it for us. */
#ifndef KERNEL_CPU_POWER_H
#define KERNEL_CPU_POWER_H

#include <stdbool.h>
#include <stdint.h>

/* What the ACPI tables say; all zero when they say nothing. */
struct power_plan {
    bool can_sleep;                    /* S5 by PM1 control */
    uint16_t pm1a_control, pm1b_control; /* ports; pm1b 0: none */
    uint8_t sleep_type_a, sleep_type_b;
    uint16_t smi_command;              /* 0: ACPI mode needs no switching on */
    uint8_t acpi_enable;
    bool has_reset_port;
    uint16_t reset_port;
    uint8_t reset_value;
};

/* Returns when the machine did not go off within a second. */
void power_off(const struct power_plan *plan);

/* Reset register, port 0xCF9, keyboard controller, triple fault, in this order. */
void power_reset(const struct power_plan *plan) __attribute__((noreturn));

void power_halt(void) __attribute__((noreturn));

/* True in QEMU with its debug exit device: nobody looks at the screen. */
bool power_can_exit_qemu(void);
/* QEMU only: ends the emulator with exit status 2*code+1 where it has its debug exit
 * device; elsewhere nothing happens. */
void power_exit_qemu(uint8_t code);

#endif
