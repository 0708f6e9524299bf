/*
 * Streams: the mapped files of struct data and the streams of records in them, and what else it keeps, for
 * util/data only.
 */
#ifndef PERF_DATA_STREAMS_H
#define PERF_DATA_STREAMS_H

#include "data.h"
#include "../base/mapping.h"
#include "../base/strbuf.h"

struct tracepoint_name {
	u64 config;
	size_t place;
	const char *name;	/* owned by the event set's arena */
};

struct data_private {
	struct { VEC(struct mapping); } map;
	struct { VEC(int); } fd;		/* closed at the end */
	/* of the file that was opened: to see at the end whether it still is the same; no head: a pipe */
	int input_fd;
	u64 input_size;
	u8 *head;
	size_t head_len;
	u64 attrs_off;				/* the bytes before it never change */
	/* names from records that name events, then names from attributes */
	struct { VEC(struct tracepoint_name); } tp_name;
	bool maybe_packed;			/* streams may hold COMPRESSED records */
	struct data_live *live;			/* NULL if no more data will come */
	struct strbuf fed;			/* records that were handed over: feed.h */
	bool borrowed;				/* events and features belong to somebody else */
};

/* maps a whole file; its stream index is its position in d->stream. Negative errno with err. */
int data_map(struct data *d, int fd, u64 size, const u8 **ret_base, struct err *err);
void data_add_stream(struct data *d, const char *name, int fd, const u8 *base, u64 start, u64 end);

#endif
