/* Unpacker: records of a stream one after the other, those inside COMPRESSED records in the place of these. */
#ifndef PERF_DATA_UNPACK_H
#define PERF_DATA_UNPACK_H

#include "codec.h"
#include "data.h"
#include "../base/strbuf.h"

struct unpacker {
	void (*put)(void *ctx, const void *p, size_t len);	/* set by the caller: gets whole records */
	void *ctx;
	struct data *data;
	const struct codec *codec;
	void *state;
	struct strbuf rest;	/* the begin of a record whose end is not unpacked yet */
	u64 packed, unpacked;	/* bytes so far */
	bool stopped;		/* so much more came out than went in that nobody recorded it */
};

/* -ENOTSUP where the stream's codec is not built in */
int unpacker_begin(struct unpacker *u, struct data *d, struct err *err);
/* the next record, len bytes with the payload behind it */
void unpacker_add(struct unpacker *u, const struct rec *rec, u64 len);
/* off: where the stream ended, for what is incomplete */
void unpacker_end(struct unpacker *u, u64 off);

#endif
