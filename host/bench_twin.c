/* The turn is a byte in a pipe; the end of the pipe is the end of the other run. */
#include "host/bench_twin.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "host/command.h"
#include "host/complain.h"

static FILE *said; /* by the second on standard output */

static void close_end(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* False: there is no turn to come, because the other has ended or takes too long. */
static bool is_turn_here(struct bench_twin *twin)
{
    struct pollfd turn = { .fd = twin->turn_in, .events = POLLIN };
    int64_t end_ms = now_ms() + twin->bound_ms, left_ms = twin->bound_ms;
    char byte;
    int ready;
    while ((ready = poll(&turn, 1, (int)left_ms)) < 0 && errno == EINTR) /* stopped, continued */
        left_ms = end_ms > now_ms() ? end_ms - now_ms() : 0;
    if (ready == 1)
        return read(twin->turn_in, &byte, 1) == 1;
    twin->is_late = true;
    complain("--twin: the other run kept its turn for more than %d s: going on alone",
             twin->bound_ms / 1000);
    return false;
}

static void await_turn(struct bench_twin *twin)
{
    if (!is_turn_here(twin))
        close_end(&twin->turn_in);
}

static void give_turn(struct bench_twin *twin)
{
    if (twin->turn_out >= 0 && write(twin->turn_out, "", 1) != 1)
        close_end(&twin->turn_out);
}

bool bench_twin_start(struct bench_twin *twin, int bound_ms)
{
    int to_second[2], to_first[2];
    said = tmpfile();
    if (said == NULL || pipe(to_second) != 0 || pipe(to_first) != 0) {
        complain("--twin: no pipe or no temporary file: %s", strerror(errno));
        return false;
    }
    signal(SIGPIPE, SIG_IGN); /* the other may have ended: write() says so */
    fflush(NULL);
    pid_t second = fork();
    if (second < 0) {
        complain("--twin: no second process: %s", strerror(errno));
        return false;
    }
    *twin = (struct bench_twin){ .is_second = second == 0, .second = second,
                                 .bound_ms = bound_ms };
    twin->turn_in = second == 0 ? to_second[0] : to_first[0];
    twin->turn_out = second == 0 ? to_first[1] : to_second[1];
    close(second == 0 ? to_second[1] : to_first[1]);
    close(second == 0 ? to_first[0] : to_second[0]);
    if (twin->is_second) {
        dup2(fileno(said), STDOUT_FILENO);
        await_turn(twin);
    }
    return true;
}

void bench_twin_yield(struct bench_twin *twin)
{
    if (twin->turn_in < 0)
        return;
    give_turn(twin);
    await_turn(twin);
}

static void print_said(void)
{
    char text[4096];
    size_t length;
    rewind(said);
    while ((length = fread(text, 1, sizeof text, said)) != 0)
        fwrite(text, 1, length, stdout);
}

int bench_twin_end(struct bench_twin *twin, int status)
{
    int ended = 0;
    fflush(NULL);
    close_end(&twin->turn_out);
    if (twin->is_second)
        _exit(status);
    while (twin->turn_in >= 0) /* its end of the pipe closes with it */
        await_turn(twin);
    if (twin->is_late)
        kill(twin->second, SIGKILL);
    if (waitpid(twin->second, &ended, 0) < 0)
        complain("--twin: the second run's status is not known: %s", strerror(errno));
    puts("\n== the second run");
    print_said();
    fclose(said);
    if (!WIFEXITED(ended)) {
        complain("--twin: the second run was ended by signal %d", WTERMSIG(ended));
        return HOST_USAGE;
    }
    return status > WEXITSTATUS(ended) ? status : WEXITSTATUS(ended);
}
