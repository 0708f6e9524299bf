/*
 * Protobuf reader: the fields of a message one after another, in the wire format of Protocol Buffers. Reads
 * hostile bytes: the cursor's sticky error marks a damaged message. Owns nothing; fields are in place.
 *
 *	while (proto_next(&c, &f))
 *		if (f.nr == 1 && f.type == PROTO_BYTES)
 *			...
 *	if (c.bad)
 */
#ifndef PERF_BASE_PROTO_IN_H
#define PERF_BASE_PROTO_IN_H

#include "cursor.h"

enum proto_type { PROTO_NUMBER, PROTO_FIXED64, PROTO_BYTES, PROTO_FIXED32 = 5 };

struct proto_field {
	u32 nr;
	enum proto_type type;
	u64 number;		/* of PROTO_NUMBER */
	struct cursor bytes;	/* of PROTO_BYTES: text, message or packed numbers */
};

/* a number of a packed field; sets bad if it is longer than any number is */
u64 proto_varint(struct cursor *c);
/* false at the end of the message, or if it is damaged: then c->bad is set */
bool proto_next(struct cursor *c, struct proto_field *ret);

#endif
