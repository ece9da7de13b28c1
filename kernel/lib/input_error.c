/* Keeps the sentence that tells a person what was wrong with an input. */
#include "kernel/lib/input_error.h"

#include <stdarg.h>
#include <stdio.h>

void input_error_set(struct input_error *error, enum input_place kind, uint64_t place,
                     const char *format, ...)
{
    va_list args;

    if (!error)
        return;
    error->place_kind = kind;
    error->place = place;
    va_start(args, format);
    vsnprintf(error->text, sizeof(error->text), format, args);
    va_end(args);
}
