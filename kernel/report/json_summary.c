/* report.json: what comes first: status, version, options, boot, checks, phases. */
#include "kernel/report/fixed.h"
#include "kernel/report/sections.h"

static void put_options(struct json *json, const struct report_model *model)
{
    if (!model->options)
        return;
    json_open_object(json, "options");
    for (uint32_t id = 0; id < OPTION_COUNT; id++) {
        if (id != OPTION_HELP)
            json_text(json, options_name((enum option_id)id),
                        options_text(model->options, (enum option_id)id));
    }
    json_end(json);
    json_open_array(json, "options_given");
    for (uint32_t id = 0; id < OPTION_COUNT; id++) {
        if (model->options->is_given[id])
            json_text(json, NULL, options_name((enum option_id)id));
    }
    json_end(json);
}

static void put_variable(struct json *json, const char *name, struct efi_variable variable)
{
    if (variable.is_read)
        json_u64(json, name, variable.value);
    else
        json_no_value(json, name);
}

static void put_boot(struct json *json, const struct report_model *model)
{
    json_open_object(json, "boot");
    json_text(json, "path", model->boot_path);
    json_text(json, "quiet", model->quiet);
    json_text(json, "loader", model->loader);
    json_text(json, "command_line", model->cmdline);
    json_text(json, "volume", model->volume);
    if (model->facts && model->facts->firmware_vendor[0]) {
        json_text(json, "firmware_vendor", model->facts->firmware_vendor);
        json_u64(json, "firmware_revision", model->facts->firmware_revision);
    } else {
        json_no_value(json, "firmware_vendor");
    }
    if (model->facts) {
        put_variable(json, "secure_boot", model->facts->secure_boot);
        put_variable(json, "setup_mode", model->facts->setup_mode);
    }
    json_end(json);
}

static void put_checks(struct json *json, const struct report_model *model)
{
    static const char *const outcomes[] = {
        [CHECK_OK] = "ok", [CHECK_NOT_OK] = "not ok", [CHECK_SKIPPED] = "skipped",
    };

    json_open_array(json, "checks");
    for (uint32_t i = 0; i < model->check_count; i++) {
        const struct report_check *check = &model->checks[i];

        json_open_object(json, NULL);
        json_text(json, "name", check->name);
        json_text(json, "outcome", outcomes[check->outcome]);
        if (check->reason)
            json_text(json, "reason", check->reason);
        if (check->voids_run)
            json_bool(json, "voids_run", true);
        json_end(json);
    }
    json_end(json);
}

static void put_phases(struct json *json, const struct report_model *model)
{
    uint64_t tsc_hz = model->facts && model->facts->has_tsc_hz ? model->facts->tsc_hz : 0;
    /* Counted from the first phase: what firmware and loader took before it is not ours,
     * and differs between boots that are equal otherwise. */
    uint64_t first_cycles = model->phase_count ? model->phases[0].start_cycles : 0;

    json_open_array(json, "phases");
    for (uint32_t i = 0; i < model->phase_count; i++) {
        const struct report_phase *phase = &model->phases[i];
        uint64_t cycles = phase->end_cycles - phase->start_cycles;

        json_open_object(json, NULL);
        json_text(json, "name", phase->name);
        json_u64(json, "start_cycles", phase->start_cycles - first_cycles);
        json_u64(json, "end_cycles", phase->end_cycles - first_cycles);
        if (tsc_hz)
            json_u64(json, "duration_ns", fixed_muldiv(cycles, 1000000000, tsc_hz));
        if (phase->memory_bytes)
            json_u64(json, "memory_bytes", phase->memory_bytes);
        json_end(json);
    }
    json_end(json);
}

void json_summary(struct json *json, const struct report_model *model)
{
    json_text(json, "schema", "coretruth-report/1");
    json_text(json, "status", report_status_name(report_status(model)));
    json_text(json, "fail_reason", model->fail_reason);
    json_text(json, "version", model->version);
    put_options(json, model);
    put_boot(json, model);
    put_checks(json, model);
    put_phases(json, model);
}
