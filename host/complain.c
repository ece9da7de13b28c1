/* The line is written at once, so that those of several processes do not mix. */
#include "host/complain.h"

#include <stdarg.h>
#include <stdio.h>

#include "host/command.h"

enum { LINE_BYTES = 1000 };

static const char *name;

static void put_line(const char *format, va_list args, const char *more, const char *word)
{
    char text[LINE_BYTES];

    vsnprintf(text, sizeof text, format, args);
    fprintf(stderr, "coretruth%s%s: %s%s%s\n", name ? " " : "", name ? name : "", text, more, word);
}

void complain_as(const char *command)
{
    name = command;
}

void complain(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    put_line(format, args, "", "");
    va_end(args);
}

int complain_usage(const char *format, ...)
{
    char help[64];
    va_list args;

    snprintf(help, sizeof help, "coretruth %s --help", name ? name : "");
    va_start(args, format);
    put_line(format, args, "; see ", name ? help : "coretruth --help");
    va_end(args);
    return HOST_USAGE;
}

void complain_choice(const char *word, const char *kind, const char *(*word_at)(unsigned i))
{
    char known[LINE_BYTES / 2] = "";
    size_t length = 0;

    for (unsigned i = 0; word_at(i) && length < sizeof known; i++)
        length += (size_t)snprintf(known + length, sizeof known - length, " %s", word_at(i));
    complain("\"%s\" is no %s; there are%s", word, kind, known);
}

int complain_argument(const char *argument)
{
    if (argument[0] == '-' && argument[1])
        return complain_usage("\"%s\" is no option here, or its value is missing", argument);
    return complain_usage("\"%s\" is one argument too many", argument);
}
