/* report.json: the findings. */
#include "kernel/report/sections.h"

static const char *severity_name(enum finding_severity severity)
{
    static const char *const names[] = {
        [FINDING_INFO] = "info", [FINDING_WARNING] = "warning", [FINDING_ERROR] = "error",
    };

    return names[severity];
}

static void put_rules(struct json *json, uint32_t rules)
{
    json_open_array(json, "rules");
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++) {
        if (rules >> i & 1)
            json_text(json, NULL, rules_name(&rule_profiles[i]));
    }
    json_end(json);
}

void json_findings(struct json *json, const struct report_model *model)
{
    if (!model->findings)
        return;
    json_open_array(json, "findings");
    for (uint32_t i = 0; i < model->findings->count; i++) {
        const struct finding *finding = &model->findings->list[i];

        json_open_object(json, NULL);
        json_text(json, "id", finding->id);
        json_text(json, "severity", severity_name(finding->severity));
        json_list(json, "cpus", &finding->cpus);
        json_text(json, "text", finding->text);
        json_text(json, "source", finding->source);
        put_rules(json, finding->rules);
        json_end(json);
    }
    json_end(json);
    json_u64(json, "findings_dropped", model->findings->dropped);
}
