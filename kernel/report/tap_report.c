/* results.tap: every check as a line of KTAP version 1. [ktap 1] */
#include "kernel/report/text.h"
#include "kernel/report/writers.h"

static void put_check(struct textbuf *out, uint32_t number, const struct report_check *check)
{
    textbuf_printf(out, "%s %u ", check->outcome == CHECK_NOT_OK ? "not ok" : "ok",
                   (unsigned)number);
    text_put_clean(out, check->name);
    if (check->outcome == CHECK_SKIPPED) {
        textbuf_put(out, " # SKIP ");
        text_put_clean(out, check->reason ? check->reason : "no reason given");
    }
    textbuf_putc(out, '\n');
    if (check->outcome == CHECK_NOT_OK && check->reason) {
        textbuf_put(out, "# ");
        text_put_clean(out, check->reason);
        textbuf_putc(out, '\n');
    }
}

/* A run that could not go on has a failed check of its own, so that nobody takes the
 * checks before it for the whole. */
void tap_report(const struct report_model *model, struct textbuf *out)
{
    uint32_t extra = model->fail_reason != NULL;
    struct report_check stopped = {"run-completed", CHECK_NOT_OK, model->fail_reason, true};

    textbuf_printf(out, "KTAP version 1\n1..%u\n", (unsigned)(model->check_count + extra));
    for (uint32_t i = 0; i < model->check_count; i++)
        put_check(out, i + 1, &model->checks[i]);
    if (extra)
        put_check(out, model->check_count + 1, &stopped);
}
