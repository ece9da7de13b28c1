/* Which reading of a log is the best one. */
#include "host/extract.h"

#include <stdlib.h>
#include <string.h>

#include "host/extract_mend.h"
#include "host/extract_scan.h"
#include "host/log_clean.h"

static bool is_all_whole(const struct extract_log *log)
{
    uint32_t whole = 0;

    while (whole < log->report_count && extract_is_whole(log, whole))
        whole++;
    return whole == log->report_count && whole;
}

/* More is better: whole reports, then whole files, then broken frame lines. */
static bool is_better(const struct extract_log *log, const struct extract_log *than)
{
    uint64_t score[2];
    const struct extract_log *both[] = {log, than};

    for (int k = 0; k < 2; k++) {
        score[k] = 0;
        for (uint32_t r = 0; r < both[k]->report_count; r++) {
            const struct extract_report *report = &both[k]->reports[r];

            score[k] += extract_is_whole(both[k], r) ? 1000 : 0;
            for (uint32_t i = 0; i < report->file_count; i++)
                score[k] += report->files[i].state == EXTRACT_WHOLE;
        }
    }
    return score[0] != score[1] ? score[0] > score[1]
                                : log->problem_count < than->problem_count;
}

static void find_places(struct extract_log *log, const struct log_clean *clean)
{
    for (uint32_t r = 0; r < log->report_count; r++) {
        struct extract_report *report = &log->reports[r];

        report->end = log_clean_place(clean, report->end);
        for (uint32_t i = 0; i < report->file_count; i++) {
            report->files[i].begin = log_clean_place(clean, report->files[i].begin);
            report->files[i].end = log_clean_place(clean, report->files[i].end);
        }
    }
    for (uint32_t i = 0; i < log->problem_count; i++)
        log->problems[i].place = log_clean_place(clean, log->problems[i].place);
    memcpy(log->cleaned, clean->told, sizeof(log->cleaned));
}

/* Reads the log once more without what was added to it; keeps that when it gives more. A
 * report that is not whole either way is better read without a prefix. */
static bool scan_clean(const char *log, size_t length, struct extract_log *out)
{
    struct extract_log second = {0};
    struct log_clean clean;
    bool is_good = log_clean_make(log, length, &clean);

    if (is_good && clean.told[0]) {
        is_good = extract_scan(clean.bytes, clean.length_bytes, &second);
        if (is_good && (is_better(&second, out) || (clean.has_prefix && !is_better(out, &second)))) {
            struct extract_log first = *out;

            find_places(&second, &clean);
            *out = second;
            second = first;
        }
        extract_free(&second);
    }
    log_clean_free(&clean);
    return is_good;
}

bool extract_parse(const char *log, size_t length, struct extract_log *out)
{
    return extract_scan(log, length, out) &&
           (is_all_whole(out) || scan_clean(log, length, out)) && extract_mend(out);
}

void extract_free(struct extract_log *log)
{
    for (uint32_t r = 0; r < log->report_count; r++) {
        for (uint32_t i = 0; i < log->reports[r].file_count; i++)
            free(log->reports[r].files[i].bytes);
    }
    free(log->reports);
    free(log->problems);
}

bool extract_is_whole(const struct extract_log *log, uint32_t report)
{
    const struct extract_report *which = &log->reports[report];

    for (uint32_t i = 0; i < which->file_count; i++) {
        if (which->files[i].state != EXTRACT_WHOLE)
            return false;
    }
    for (uint32_t i = 0; i < log->problem_count; i++) {
        if (log->problems[i].report == report)
            return false;
    }
    return which->is_done;
}
