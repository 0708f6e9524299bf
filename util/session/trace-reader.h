/*
 * Trace reader: the samples of a hardware trace by time, decoded as they are asked for: one run per CPU or
 * thread, merged. A part of an ordered reader.
 */
#ifndef PERF_SESSION_TRACE_READER_H
#define PERF_SESSION_TRACE_READER_H

#include "session.h"

struct trace_reader;
/* sorted: else run after run, after all other records. NULL: the session does not decode a trace so */
struct trace_reader *trace_reader_new(const struct session *s, bool sorted);
void trace_reader_free(struct trace_reader *t);
/* the time of the next record: 0 if samples have none; false at the end */
bool trace_reader_time(const struct trace_reader *t, u64 *ret);
/* records are valid until the second call of this from now on */
void trace_reader_begin(struct trace_reader *t);
/*
 * the next records, max at most: one, and more of its run while they are older than until and than those of
 * other runs. 0: as many bytes were returned as there may be before the next trace_reader_begin()
 */
size_t trace_reader_take(struct trace_reader *t, struct rec *ret, u64 *ret_time, size_t max, u64 until);

#endif
