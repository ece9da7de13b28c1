/* facts.txt: the recorded machine. From a few CPUs on in the compact form, because
 * nearly all rows repeat and the serial line is slow (docs/facts.md). */
#include "kernel/facts/facts_write.h"
#include "kernel/report/writers.h"

enum { COMPACT_FROM_CPUS = 17 };

void facts_report(const struct report_model *model, struct textbuf *out)
{
    if (model->facts)
        facts_write(out, model->facts, model->facts->cpu_count >= COMPACT_FROM_CPUS);
}
