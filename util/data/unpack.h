/*
 * Unpacker: returns the records of a stream one after another, replacing COMPRESSED records by the records
 * inside.
 */
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
	struct strbuf rest;	/* the beginning of a record whose end is not unpacked yet */
	u64 packed, unpacked;	/* bytes so far */
	bool stopped;		/* the data expands too much to be a real recording */
};

/* replaces streams that hold COMPRESSED records by their unpacked form */
int data_unpack_streams(struct data *d, struct err *err);

/* -ENOTSUP if the stream's codec is not built in */
int unpacker_begin(struct unpacker *u, struct data *d, struct err *err);
/* adds the next record: len bytes, including the payload after it */
void unpacker_add(struct unpacker *u, const struct rec *rec, u64 len);
/* off: where the stream ended, for reporting an incomplete record */
void unpacker_end(struct unpacker *u, u64 off);

#endif
