/*
 * Codecs of COMPRESSED records, rows in codecs.def. The data of all such records of a stream are one
 * continuous compressed stream, so a codec keeps state from record to record.
 */
#ifndef PERF_DATA_CODEC_H
#define PERF_DATA_CODEC_H

#include "spool.h"

struct codec {
	u32 type;			/* comp_type of the COMPRESSED feature */
	const char *name;
	bool built;			/* false: this program was built without the library */
	/* NULL with err if the library cannot be loaded */
	void *(*begin)(struct err *err);
	/* unpacks len bytes and calls sink with the output, in pieces; 0 or -EBADMSG */
	int (*feed)(void *state, const void *p, size_t len,
		    void (*sink)(void *ctx, const void *p, size_t len), void *ctx);
	void (*end)(void *state);
};

#define CODEC(type, name) extern const struct codec codec_##name;
#include "codecs.def"
#undef CODEC

/* NULL if the type is not known */
const struct codec *codec_find(u32 type);

#endif
