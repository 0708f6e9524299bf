/*
 * Rewrite: what changes samples between the rings and the output of a recording. The recorder passes it all
 * records and writes what it gives back; side-band records are written as they are.
 */
#ifndef PERF_RECORD_REWRITE_H
#define PERF_RECORD_REWRITE_H

#include "../base/strbuf.h"
#include "../data/features.h"
#include "../event/abi.h"
#include "../event/event.h"

struct record_rewrite {
	/* once, with the open events and what the header says of the system; returns ctx of the others */
	void *(*begin)(struct evset *set, const struct features *feat);
	/* the attributes that the output has */
	void (*attr)(struct pe_attr *attr);
	/* whole records of what existed at the start */
	void (*state)(void *ctx, const struct strbuf *records);
	/* each record of the rings, in order of each ring */
	void (*record)(void *ctx, const struct rec_header *h);
	/*
	 * after each pass over all rings; all: nothing more comes. Appends the samples that may be written
	 * now: at the latest the file of the pass before the last one
	 */
	void (*pass)(void *ctx, bool all, struct strbuf *out);
	/* returns the number of samples that could not be rewritten */
	u64 (*end)(void *ctx);
};

#endif
