/*
 * Gather: records on their way to a writer, in few large writes instead of one per record. Records that lie
 * side by side in memory are written from there; small ones are copied.
 */
#ifndef PERF_INJECT_GATHER_H
#define PERF_INJECT_GATHER_H

#include "../base/strbuf.h"

#include <sys/uio.h>

struct writer;

/* zeros: empty */
struct gather {
	struct strbuf copied;
	struct iovec span;	/* after them: memory of the caller */
};

/* whole records, whose memory may be used again at once. 0, or the negative errno of a write */
int gather_copy(struct gather *g, struct writer *w, const void *p, size_t size);
/* the same for records whose memory stays as it is until gather_flush() */
int gather_span(struct gather *g, struct writer *w, const void *p, size_t size);
/* writes the records that are still in memory */
int gather_flush(struct gather *g, struct writer *w);
void gather_release(struct gather *g);

#endif
