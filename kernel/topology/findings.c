/* Findings: one bounded list in an arena that counts what it could not keep. */
#include "kernel/topology/findings.h"

#include <stdarg.h>
#include <string.h>

#include "kernel/lib/textbuf.h"

enum { FINDING_TEXT_BYTES = 512 };

static const char *copy_text(struct findings *findings, const char *text, size_t length)
{
    char *copy = ARENA_NEW(findings->arena, char, length + 1);

    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

static const char *format_text(struct findings *findings, const char *format, va_list args)
{
    char storage[FINDING_TEXT_BYTES];
    struct textbuf text;

    textbuf_init(&text, storage, sizeof(storage));
    textbuf_vprintf(&text, format, args);
    return copy_text(findings, text.text, text.length);
}

bool findings_init(struct findings *findings, uint32_t capacity, uint32_t cpu_capacity,
                   struct arena *arena)
{
    *findings = (struct findings){
        .list = ARENA_NEW(arena, struct finding, capacity),
        .capacity = capacity,
        .cpu_capacity = cpu_capacity,
        .arena = arena,
    };
    if (!findings->list)
        findings->capacity = 0;
    return findings->list != NULL;
}

struct finding *findings_add(struct findings *findings, const char *id,
                             enum finding_severity severity, uint32_t rules, const char *source,
                             const char *format, ...)
{
    struct finding finding = {.id = id, .severity = severity, .rules = rules};
    va_list args;

    if (findings->count == findings->capacity) {
        findings->dropped++;
        return NULL;
    }
    va_start(args, format);
    finding.text = format_text(findings, format, args);
    va_end(args);
    finding.source = copy_text(findings, source, strlen(source));
    if (!finding.text || !finding.source ||
        !cpumask_init(&finding.cpus, findings->cpu_capacity, findings->arena)) {
        findings->dropped++;
        return NULL;
    }
    findings->list[findings->count] = finding;
    return &findings->list[findings->count++];
}

enum finding_severity findings_worst(const struct findings *findings)
{
    enum finding_severity worst = FINDING_INFO;

    for (uint32_t i = 0; i < findings->count; i++)
        if (findings->list[i].severity > worst)
            worst = findings->list[i].severity;
    return worst;
}
