/* A watchdog that counts while nobody feeds it ends the run in a reset. */
#include "kernel/topology/checks_run.h"

#include "kernel/facts/watchdog.h"

static void check_running(struct check_run *run)
{
    struct watchdogs found;

    watchdogs_find(run->facts, &found);
    for (uint32_t i = 0; i < found.count; i++) {
        const struct watchdog *watchdog = &found.list[i];
        char storage[CHECKS_TEXT_BYTES];
        struct textbuf text;

        if (watchdog->state != WATCHDOG_RUNNING || watchdog->reset == WATCHDOG_NO_RESET)
            continue;
        textbuf_init(&text, storage, sizeof(storage));
        watchdog_put(&text, watchdog);
        checks_report(run, 0, watchdog->place, "A hardware watchdog runs and may reset the machine "
                      "in the middle of the run: %s.", storage);
    }
}

static const struct check checks[] = {
    {"watchdog-running", FINDING_WARNING, "", "all",
     "a hardware watchdog is seen to run, and its reset is not seen to be off", "",
     "the firmware left it on for a system that feeds it, and coretruth feeds none: a run that "
     "ends in a reset was ended by it", check_running, NULL},
};
CHECK_GROUP(checks_of_watchdog, checks);
