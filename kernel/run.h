/* One run of the image: everything its steps share. kernel/main.c calls the steps in
 * order; each is one function of a kernel/run_*.c file. */
#ifndef KERNEL_RUN_H
#define KERNEL_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/info/boot_info.h"
#include "kernel/capture/acpi_capture.h"
#include "kernel/capture/capture.h"
#include "kernel/capture/cpu_list.h"
#include "kernel/facts/machine_facts.h"
#include "kernel/lib/arena.h"
#include "kernel/options/options.h"
#include "kernel/report/frame.h"
#include "kernel/report/progress.h"
#include "kernel/report/report.h"
#include "kernel/smp/smp.h"
#include "kernel/topology/findings.h"
#include "kernel/topology/topology.h"

enum { RUN_MAX_SINKS = 6, RUN_MAX_CHECKS = 32, RUN_MAX_PHASES = 16, RUN_MAX_FINDINGS = 512 };

struct run {
    struct boot_info *info;
    struct arena arena;            /* the first part of the largest granted range */
    uint64_t arena_limit_bytes;    /* how far it may still grow: the range's end */
    struct options options;
    struct options_words words;
    struct report_sink *sinks[RUN_MAX_SINKS];
    uint32_t sink_count;
    struct progress progress;

    struct machine_facts facts;
    struct acpi_capture acpi;
    struct cpu_list list;
    struct smp_cpu *started;       /* list.enabled_count entries, as facts.cpus[] */
    struct capture capture;
    struct topology topologies[RULE_PROFILE_COUNT];
    uint32_t built;                /* bit i: topologies[i] is whole */
    struct findings findings;
    struct bench_results *bench;   /* NULL: did not run */
    struct measured_results *measured;

    struct report_check checks[RUN_MAX_CHECKS];
    uint32_t check_count;
    struct report_phase phases[RUN_MAX_PHASES];
    uint32_t phase_count;
    char fail_text[320];           /* empty unless the run cannot go on */
    struct report_model model;     /* filled by run_report() */
    struct report_files files;
    struct boot_result result;
};

/* Keeps the reason why the run cannot go on (the first one wins); returns false. */
bool run_fail(struct run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A claim of results.tap. `reason` must stay where it is; NULL when ok. */
void run_check(struct run *run, const char *name, bool is_ok, bool voids_run, const char *reason);

/* Ends the phase before and starts one, on the console and in .phases[]. */
void run_phase(struct run *run, const char *name);
uint64_t run_now_ms(void);

/* Memory for everything but the bench. False: no granted range is big enough. */
bool run_take_memory(struct run *run, struct boot_info *info);
/* The arena gets room for this many CPUs; what is left stays granted for the bench. */
bool run_fix_memory(struct run *run, uint32_t cpu_count);
/* Lists in the model what this run may write. */
void run_tell_memory(struct run *run, struct report_model *model);

/* Runs one step. False: the boot CPU took an exception in it, which is the run's reason to
 * fail; it was dumped. */
bool run_guarded(struct run *run, void (*step)(struct run *run));
/* From now on an exception outside of steps ends with the last line. */
void run_guard_end(struct run *run);

/* What inject= wants: CPUs that are silent or late, and an exception in a part. */
void run_inject_start(struct run *run);
void run_inject_fault(struct run *run, enum inject_part part);
void run_inject_interrupts(const struct run *run);
void run_inject_stray_stores(const struct run *run);

/* The ways out that are open before any table was read, then those the tables name. */
void run_open_early_console(struct run *run);
void run_open_console(struct run *run);
/* Gives the serial line back as it was found, after the last byte has left: the last
 * thing kernel_goodbye() does. */
void run_close_console(void);
/* Before the files: nothing is measured any more, a stalled serial line is waited for. */
void run_console_be_patient(void);
/* The serial line once more after that, as the run had it: the firmware may have changed it. */
void run_open_line_again(void);

/* The screen: opened with the console. False: there is none, or it is to be left alone. */
bool run_screen_open(struct run *run);
struct report_sink *run_screen_sink(void);
/* The top of the screen follows run->progress. */
void run_screen_watch(struct run *run);
/* The last page with what became of the files, until a key or run_screen_open() again. */
void run_screen_final(struct run *run, const char *outcome, bool is_outcome_bad);
/* The last page as text on the serial line. */
void run_screen_send(struct run *run);
/* Shows the page that a character asks for, on screen and serial line. */
void run_screen_key(struct run *run, char character);
/* Shows pages as keys of keyboard and serial line ask, until no key came for pause=. */
void run_screen_wait(struct run *run);
/* A character from the serial line. False: none has come, or there is no line. */
bool run_console_poll(char *character);
/* The serial line as a sink, from the first run_open_console() on. NULL: there is none. */
struct report_sink *run_console_line(void);
/* One sentence on where the report will go, known before anything is measured. */
void run_console_place(const struct run *run, struct textbuf *out);

/* Each returns false when the run cannot go on; the reason is then kept. */
bool run_read_options(struct run *run);
bool run_read_tables(struct run *run);
bool run_start_cpus(struct run *run);
bool run_capture(struct run *run);
bool run_conclude(struct run *run);
bool run_measure(struct run *run);
bool run_bench(struct run *run);

/* Findings of what was measured, told as soon as that is known. */
void run_judge_measured(struct run *run);

/* What came to the CPUs that nobody asked for, as facts and as a finding. */
void run_judge_interrupts(struct run *run);

/* Claims about the run itself. */
void run_judge(struct run *run);

/* Sends the started CPUs into their halt loop, for good. */
void run_park(struct run *run);

/* Makes the files and sends them. */
void run_report(struct run *run);
enum boot_after run_after(const struct run *run);
/* Gives up what a report could not be made of. */
void run_forget(struct run *run);

/* Repeats what became of the files, prints the last line, and ends the machine where the
 * loader does not. */
void run_goodbye(struct run *run, const struct boot_info *info);

#endif
