/* report.txt: the top (status, checks that are not ok, machine, whether the kernels part,
 * verdict) and the findings, worst first, because they are what a reader came for. */
#include <string.h>

#include "kernel/report/machine.h"
#include "kernel/report/sections.h"
#include "kernel/report/sentence.h"
#include "kernel/report/text.h"
#include "kernel/topology/parting.h"

enum { LINE_BYTES = 600 };

static const char *severity_word(enum finding_severity severity)
{
    static const char *const words[] = {
        [FINDING_INFO] = "info", [FINDING_WARNING] = "WARNING", [FINDING_ERROR] = "ERROR",
    };

    return words[severity];
}

static uint32_t count_findings(const struct findings *findings, enum finding_severity severity)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < findings->count; i++)
        count += findings->list[i].severity == severity;
    return count;
}

static void put_checks(struct textbuf *out, const struct report_model *model)
{
    uint32_t passed = 0, skipped = 0;

    for (uint32_t i = 0; i < model->check_count; i++) {
        passed += model->checks[i].outcome == CHECK_OK;
        skipped += model->checks[i].outcome == CHECK_SKIPPED;
    }
    text_pair(out, "checks", "%u ok, %u not ok, %u skipped", (unsigned)passed,
              (unsigned)(model->check_count - passed - skipped), (unsigned)skipped);
    for (uint32_t i = 0; i < model->check_count; i++) {
        const struct report_check *check = &model->checks[i];

        if (check->outcome == CHECK_NOT_OK)
            text_pair(out, "", "not ok: %s%s%s", check->name, check->reason ? ": " : "",
                      check->reason ? check->reason : "");
    }
}

static void put_machine(struct textbuf *out, const struct machine_facts *facts)
{
    struct machine_cpu cpu;

    if (!facts || !facts->cpu_count)
        return;
    machine_describe_cpu(facts, &facts->cpus[0], &cpu);
    text_pair(out, "machine", "%s, %u CPUs online%s", cpu.brand[0] ? cpu.brand : cpu.vendor,
              (unsigned)machine_count_cpus(facts, CPU_ONLINE), cpu.is_virtual ? ", virtual" : "");
}

/* What a reader came for, in a line each; the parts below say it in full. */
static void put_conclusions(struct textbuf *out, const struct report_model *model)
{
    uint32_t groups = parting_count(model->topologies);
    char text[LINE_BYTES];
    struct textbuf sentence;

    if (groups == 1)
        text_pair(out, "kernels", "all conclude the same");
    else if (groups)
        text_pair(out, "kernels", "%u different conclusions, see \"What the kernels would "
                  "conclude\"", (unsigned)groups);
    if (model->fail_reason)
        return; /* stands above already */
    textbuf_init(&sentence, text, sizeof(text));
    sentence_put(&sentence, model);
    text_pair(out, "verdict", "%s", text);
}

void text_summary(struct textbuf *out, const struct report_model *model)
{
    textbuf_put(out, "coretruth report\n================\n");
    text_pair(out, "status", "%s", report_status_name(report_status(model)));
    if (model->fail_reason)
        text_pair(out, "the run stopped", "%s", model->fail_reason);
    if (model->findings)
        text_pair(out, "findings", "%u error, %u warning, %u info",
                  (unsigned)count_findings(model->findings, FINDING_ERROR),
                  (unsigned)count_findings(model->findings, FINDING_WARNING),
                  (unsigned)count_findings(model->findings, FINDING_INFO));
    if (model->check_count)
        put_checks(out, model);
    put_machine(out, model->facts);
    put_conclusions(out, model);
    if (model->options && model->options->inject_count)
        text_pair(out, "injected", "%s (faults on purpose: this run tests coretruth, it says "
                  "nothing about the machine)", options_text(model->options, OPTION_INJECT));
    text_pair(out, "version", "%s", model->version ? model->version : "unknown");
}

static void put_finding(struct textbuf *out, const struct finding *finding)
{
    char line[LINE_BYTES];
    struct textbuf text;

    textbuf_init(&text, line, sizeof(line));
    textbuf_printf(&text, "%s ", severity_word(finding->severity));
    textbuf_put(&text, finding->id);
    textbuf_put(&text, ": ");
    text_wrap(out, line, 4, finding->text);
    textbuf_init(&text, line, sizeof(line));
    if (cpumask_first(&finding->cpus) != CPUMASK_NONE) {
        textbuf_put(&text, "CPUs ");
        cpumask_put_list(&text, &finding->cpus);
        if (text.is_cut)
            memcpy(line + text.length - 3, "...", 3);
        text_wrap(out, "    ", 4, line);
    }
    if (finding->source)
        text_wrap(out, "    source: ", 4, finding->source);
    if (!finding->rules)
        return;
    textbuf_init(&text, line, sizeof(line));
    for (uint32_t i = 0; i < RULE_PROFILE_COUNT; i++) {
        if (finding->rules >> i & 1)
            textbuf_printf(&text, "%s ", rules_name(&rule_profiles[i]));
    }
    text_wrap(out, "    concerns ", 4, line);
}

void text_findings(struct textbuf *out, const struct report_model *model)
{
    const struct findings *findings = model->findings;

    if (!findings)
        return;
    text_heading(out, "Findings");
    if (!findings->count)
        textbuf_put(out, "none\n");
    for (int severity = FINDING_ERROR; severity >= FINDING_INFO; severity--) {
        for (uint32_t i = 0; i < findings->count; i++) {
            if (findings->list[i].severity == (enum finding_severity)severity)
                put_finding(out, &findings->list[i]);
        }
    }
    if (findings->dropped)
        textbuf_printf(out, "%u more findings did not fit in the list\n",
                       (unsigned)findings->dropped);
}
