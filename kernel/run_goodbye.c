/* After the loader has tried to save the files: the last lines, and the machine's end. */
#include "kernel/run.h"

#include "kernel/cpu/physmap.h"
#include "kernel/cpu/power.h"
#include "kernel/facts/acpi_fadt.h"
#include "kernel/facts/acpi_sleep.h"

enum { TABLE_HEADER_BYTES = 36, TABLE_LENGTH_OFFSET = 4, DSDT_MOST_BYTES = 16 << 20,
       OUTCOME_BYTES = 200 };

static void plan_sleep(const struct acpi_table *fadt, struct power_plan *plan)
{
    struct acpi_sleep_registers registers;
    uint32_t length_bytes;

    if (!acpi_sleep_registers(&registers, fadt->bytes, fadt->length_bytes) ||
        !physmap_is_readable(registers.dsdt, TABLE_HEADER_BYTES))
        return;
    const uint8_t *dsdt = physmap(registers.dsdt);
    __builtin_memcpy(&length_bytes, dsdt + TABLE_LENGTH_OFFSET, sizeof length_bytes);
    if (length_bytes > DSDT_MOST_BYTES || !physmap_is_readable(registers.dsdt, length_bytes))
        return;
    plan->can_sleep = acpi_sleep_s5(dsdt, length_bytes, &plan->sleep_type_a, &plan->sleep_type_b);
    plan->pm1a_control = registers.pm1a_control;
    plan->pm1b_control = registers.pm1b_control;
    plan->smi_command = registers.smi_command;
    plan->acpi_enable = registers.acpi_enable;
}

static void plan_end(const struct run *run, struct power_plan *plan)
{
    const struct acpi_table *table = facts_table(&run->facts, "FACP");
    struct input_error error;
    struct acpi_fadt fadt;

    *plan = (struct power_plan){0};
    if (!table)
        return;
    plan_sleep(table, plan);
    if (acpi_fadt_parse(&fadt, table->bytes, table->length_bytes, &error) && fadt.has_reset &&
        fadt.reset.space == ACPI_SPACE_IO) {
        plan->has_reset_port = true;
        plan->reset_port = (uint16_t)fadt.reset.address;
        plan->reset_value = fadt.reset_value;
    }
}

static void end_machine(const struct run *run)
{
    struct power_plan plan;

    plan_end(run, &plan);
    if (run->result.after == BOOT_AFTER_POWEROFF)
        power_off(&plan);
    if (run->result.after == BOOT_AFTER_REBOOT)
        power_reset(&plan);
    power_halt();
}

static void tell_outcome(struct run *run, const struct boot_info *info)
{
    char place[OUTCOME_BYTES];
    struct textbuf out;

    textbuf_init(&out, place, sizeof place);
    run_console_place(run, &out);
    run_screen_final(run, info->saved[0] ? info->saved : place, info->is_save_failed);
}

/* What went wrong after the files were made is not in them, but in the last line, the exit
 * status and on the screen. */
static void check_saved(struct run *run, const struct boot_info *info)
{
    if (!info->is_save_failed || run->result.status != REPORT_PASS)
        return;
    run_check(run, "report-was-saved", false, false, info->saved);
    run->model.check_count = run->check_count;
    run->result.status = report_status(&run->model);
}

void run_goodbye(struct run *run, const struct boot_info *info)
{
    if (info->saved[0])
        progress_say(&run->progress, "%s%s", info->is_save_failed ? "WARNING " : "", info->saved);
    check_saved(run, info);
    frame_send_done((enum report_status)run->result.status, run->sinks, run->sink_count);
    tell_outcome(run, info);
    run_inject_fault(run, INJECT_IN_END);
    if (info->quiet != BOOT_QUIET_FIRMWARE && !power_can_exit_qemu())
        run_screen_wait(run);
    run_close_console();
    power_exit_qemu((uint8_t)run->result.status);
    if (!info->can_end_machine)
        end_machine(run);
}
