/* Every error of the desk tool in one form: "coretruth COMMAND: what", one line. */
#ifndef HOST_COMPLAIN_H
#define HOST_COMPLAIN_H

/* The command whose errors they are from now on; a literal. */
void complain_as(const char *command);

/* One line on standard error; `format` has no line end. Of a file: "FILE: what". */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Wrong words on the command line: the line also names --help. Returns HOST_USAGE. */
int complain_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "WORD is no KIND; there are A B C". `word_at` gives word i, NULL after the last. */
void complain_choice(const char *word, const char *kind, const char *(*word_at)(unsigned i));

/* An argument that the command does not know or has no use for. Returns HOST_USAGE. */
int complain_argument(const char *argument);

#endif
