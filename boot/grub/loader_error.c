/* Errors of the Multiboot2 reader without printf: "%s" is understood, all else is copied. */
#include "boot/grub/loader_error.h"

#include <stdarg.h>
#include <stddef.h>

void loader_error_set(struct input_error *error, enum input_place kind, uint64_t place,
                      const char *format, ...)
{
    size_t at = 0, room = sizeof error->text - 1;
    va_list args;
    error->place_kind = kind;
    error->place = place;
    va_start(args, format);
    for (; *format && at < room; format++) {
        if (format[0] != '%' || format[1] != 's') {
            error->text[at++] = *format;
            continue;
        }
        for (const char *word = va_arg(args, const char *); *word && at < room; word++)
            error->text[at++] = *word;
        format++;
    }
    va_end(args);
    error->text[at] = 0;
}
