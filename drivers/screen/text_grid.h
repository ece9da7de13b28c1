/* The text on a screen as it should be and as it was drawn last, so that only what
 * changed is drawn and video memory is never read. */
#ifndef DRIVERS_SCREEN_TEXT_GRID_H
#define DRIVERS_SCREEN_TEXT_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TEXT_GRID_MAX_CELLS = 480 * 160 };

struct text_grid {
    uint32_t columns, rows;
    uint32_t column, row;     /* where the next character goes */
    bool wraps_next;          /* the line is full: the next character starts a new one */
    uint8_t wanted[TEXT_GRID_MAX_CELLS];
    uint8_t drawn[TEXT_GRID_MAX_CELLS];
};

/* Blank, and drawn as blank. False: less than 20 × 1, or more cells than there is room for. */
bool text_grid_init(struct text_grid *grid, uint32_t columns, uint32_t rows);

/* LF starts a line, CR goes back to its start, TAB moves to a multiple of 8. UTF-8
 * beyond ASCII shows as one '?' a character. A word that is written at once is not
 * broken at the end of a line unless it is longer than one. */
void text_grid_write(struct text_grid *grid, const char *text, size_t length);

/* Hands every cell that differs to `draw`, and takes it for drawn. */
void text_grid_flush(struct text_grid *grid,
                     void (*draw)(void *context, uint32_t column, uint32_t row, uint8_t code),
                     void *context);

#endif
