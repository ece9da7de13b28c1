/* Colours for people at a terminal; files and pipes get plain text. */
#ifndef HOST_COLOUR_H
#define HOST_COLOUR_H

#include <stdio.h>

enum colour { COLOUR_NONE, COLOUR_BAD, COLOUR_WARNING, COLOUR_DIM, COLOUR_GOOD };

/* The text that switches a colour on (COLOUR_NONE: all off) on this stream: "" unless it is a
 * terminal, TERM is not "dumb" and NO_COLOR is not set. */
const char *colour_text(FILE *out, enum colour colour);

#endif
