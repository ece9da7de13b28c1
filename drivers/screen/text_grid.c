/* A log that scrolls. */
#include "drivers/screen/text_grid.h"

#include <string.h>

enum { MIN_COLUMNS = 20, MIN_ROWS = 1, TAB_COLUMNS = 8, BLANK = ' ' };

bool text_grid_init(struct text_grid *grid, uint32_t columns, uint32_t rows)
{
    if (columns < MIN_COLUMNS || rows < MIN_ROWS || columns > TEXT_GRID_MAX_CELLS ||
        rows > TEXT_GRID_MAX_CELLS / columns)
        return false;
    grid->columns = columns;
    grid->rows = rows;
    grid->column = grid->row = 0;
    grid->wraps_next = false;
    memset(grid->wanted, BLANK, (size_t)columns * rows);
    memset(grid->drawn, BLANK, (size_t)columns * rows);
    return true;
}

static uint8_t *row_of(struct text_grid *grid, uint32_t row)
{
    return grid->wanted + (size_t)row * grid->columns;
}

static void next_line(struct text_grid *grid)
{
    grid->column = 0;
    grid->wraps_next = false;
    if (++grid->row < grid->rows)
        return;
    grid->row = grid->rows - 1;
    memmove(grid->wanted, row_of(grid, 1), (size_t)grid->columns * (grid->rows - 1));
    memset(row_of(grid, grid->row), BLANK, grid->columns);
}

static void put(struct text_grid *grid, uint8_t code)
{
    if (grid->wraps_next)
        next_line(grid);
    row_of(grid, grid->row)[grid->column] = code;
    if (grid->column + 1 < grid->columns)
        grid->column++;
    else
        grid->wraps_next = true;
}

static void put_tab(struct text_grid *grid)
{
    do
        put(grid, BLANK);
    while (grid->column % TAB_COLUMNS != 0 && !grid->wraps_next);
}

/* What a byte shows as; 0: nothing (the rest of a UTF-8 sequence, control characters). */
static uint8_t code_of(char byte)
{
    uint8_t value = (uint8_t)byte;

    if (value >= 0x20 && value < 0x7F)
        return value;
    return value >= 0xC0 ? '?' : 0;
}

static bool is_in_word(const char *text, size_t length, size_t at)
{
    return at < length && text[at] != BLANK && code_of(text[at]) != 0;
}

/* Before the word that begins there: on to the next line when only that has room for it. */
static void make_room(struct text_grid *grid, const char *text, size_t length, size_t at)
{
    size_t end = at;

    while (is_in_word(text, length, end))
        end++;
    if (grid->column != 0 && end - at <= grid->columns && end - at > grid->columns - grid->column)
        next_line(grid);
}

void text_grid_write(struct text_grid *grid, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (i != 0 && text[i - 1] == BLANK && is_in_word(text, length, i))
            make_room(grid, text, length, i);
        if (text[i] == '\n') {
            next_line(grid);
        } else if (text[i] == '\r') {
            grid->column = 0;
            grid->wraps_next = false;
        } else if (text[i] == BLANK && grid->wraps_next) {
            next_line(grid);
        } else if (text[i] == '\t') {
            put_tab(grid);
        } else if (code_of(text[i]) != 0) {
            put(grid, code_of(text[i]));
        }
    }
}

void text_grid_flush(struct text_grid *grid,
                     void (*draw)(void *context, uint32_t column, uint32_t row, uint8_t code),
                     void *context)
{
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++) {
            size_t cell = (size_t)row * grid->columns + column;

            if (grid->wanted[cell] == grid->drawn[cell])
                continue;
            grid->drawn[cell] = grid->wanted[cell];
            draw(context, column, row, grid->wanted[cell]);
        }
}
