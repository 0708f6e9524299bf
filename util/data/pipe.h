/*
 * Pipe format: a header of 16 bytes, then records only; the contents of a plain file's header are records
 * here (types from 64), anywhere in the stream. One walk collects them.
 */
#ifndef PERF_DATA_PIPE_H
#define PERF_DATA_PIPE_H

#include "data.h"

/* takes attributes, features and the like from the records of a stream in pipe format */
void data_collect_header_records(struct data *d, const struct data_stream *s);
/*
 * Applies an EVENT_UPDATE record to its event: unit, scale, name. data_open() does this for pipes. Files with
 * counts need it: the code that opens one calls it before the events are used.
 */
void data_apply_update(struct data *d, const struct rec *rec);

#endif
