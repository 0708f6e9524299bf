/*
 * The debug log of a decoder (letter d of --itrace): what it reads and does, as text. Decoders append to the
 * texts of their piece (aux_out), which are written in the order of the pieces. With a log, only one piece is
 * decoded at a time.
 */
#ifndef PERF_AUX_LOG_H
#define PERF_AUX_LOG_H

#include "aux-private.h"

/* name: of the file, in the current directory, if the options do not choose standard output. 0 or -errno */
int aux_log_open(struct aux_log **ret, const struct itrace_opts *o, const char *name, struct err *err);
/* 0, or -errno with err: the log could not be written completely */
int aux_log_close(struct aux_log *l, struct err *err);
/* a record of the file */
void aux_log_record(struct aux_log *l, const struct data *d, const struct rec *rec);

/* where a decoder appends lines; never NULL */
struct strbuf *aux_log_text(struct aux_out *out);
/* after an error was appended: a log of errors alone keeps the lines before it */
void aux_log_error(struct aux_out *out);
/* writes the texts of a piece, or a part of one, and empties them */
void aux_log_write(struct aux_log *l, struct aux_out *out);

#endif
