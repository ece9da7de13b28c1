/* The end of an output stream: whether every byte of it was taken. */
#ifndef HOST_OUTPUT_H
#define HOST_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* Closes a file; standard output is only flushed. False: not every byte was taken, errno
 * says why. fclose() alone tells only of the bytes that were still in its buffer. */
bool output_close(FILE *out);

#endif
