/* What every command of the desk tool shares with host/main.c. */
#ifndef HOST_COMMAND_H
#define HOST_COMMAND_H

enum host_exit {
    HOST_GOOD = 0,
    HOST_NO = 1,     /* the answer is no: a difference, a finding, a broken log */
    HOST_USAGE = 2,  /* wrong usage, or an input that cannot be read */
};

#define COMMAND(name, help) \
    int cmd_##name(int argc, char **argv); \
    extern const char cmd_##name##_usage[];
#include "host/commands.def"
#undef COMMAND

#endif
