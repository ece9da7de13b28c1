/* The one word at the end, and which topology speaks for the machine. */
#include "kernel/report/report.h"

enum report_status report_status(const struct report_model *model)
{
    bool has_findings = false;

    if (model->fail_reason)
        return REPORT_FAIL;
    for (uint32_t i = 0; i < model->check_count; i++) {
        const struct report_check *check = &model->checks[i];

        if (check->outcome == CHECK_NOT_OK && check->voids_run)
            return REPORT_FAIL;
        has_findings |= check->outcome == CHECK_NOT_OK;
    }
    has_findings |= model->findings && (findings_worst(model->findings) != FINDING_INFO ||
                                        model->findings->dropped > 0);
    return has_findings ? REPORT_FINDINGS : REPORT_PASS;
}

const char *report_status_name(enum report_status status)
{
    static const char *const names[] = {
        [REPORT_PASS] = "pass", [REPORT_FINDINGS] = "findings", [REPORT_FAIL] = "fail",
    };

    return names[status];
}

const struct topology *report_newest(const struct report_model *model)
{
    for (uint32_t i = RULE_PROFILE_COUNT; i > 0; i--) {
        if (model->topologies[i - 1])
            return model->topologies[i - 1];
    }
    return NULL;
}
