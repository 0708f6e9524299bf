/*
 * Pipe format: a header of 16 bytes, then records only; the contents of a plain file's header are records
 * here (types from 64), anywhere in the stream. One walk collects them.
 */
#ifndef PERF_DATA_PIPE_H
#define PERF_DATA_PIPE_H

#include "data.h"

/* takes attributes, features and the like from the records of a stream in pipe format */
void data_collect_header_records(struct data *d, const struct data_stream *s);

#endif
