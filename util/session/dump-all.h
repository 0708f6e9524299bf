/* Dump of a whole profile, record by record, in the order in which they take effect: report -D, script -D. */
#ifndef PERF_SESSION_DUMP_ALL_H
#define PERF_SESSION_DUMP_ALL_H

#include "../data/dump.h"
#include "session.h"

/*
 * unsorted: in the order of the file. write gets pieces of text in order; a negative return ends the dump and
 * is returned
 */
int session_dump(const struct session *s, enum dump_for who, const struct stream_format *f, bool unsorted,
		 int (*write)(void *ctx, const char *text, size_t len), void *ctx);

#endif
