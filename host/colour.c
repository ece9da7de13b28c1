/* The eight colours that every terminal has, so that its user's choice of them holds. */
#include "host/colour.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_colours(FILE *out)
{
    const char *term = getenv("TERM"), *refused = getenv("NO_COLOR");

    return isatty(fileno(out)) && term && strcmp(term, "dumb") != 0 && !(refused && refused[0]);
}

const char *colour_text(FILE *out, enum colour colour)
{
    static const char *const texts[] = {
        [COLOUR_NONE] = "\033[0m", [COLOUR_BAD] = "\033[1;31m", [COLOUR_WARNING] = "\033[33m",
        [COLOUR_DIM] = "\033[2m",
        [COLOUR_GOOD] = "\033[32m",
    };

    return has_colours(out) ? texts[colour] : "";
}
