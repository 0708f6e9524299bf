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

u64 proto_long_varint(struct cursor *c);
bool proto_next_any(struct cursor *c, struct proto_field *ret);

/* a number of a packed field; sets bad if it is longer than any number is */
static inline u64 proto_varint(struct cursor *c)
{
	if (likely(c->p < c->end && *c->p < 0x80 && !c->bad))
		return *c->p++;
	return proto_long_varint(c);
}

/* false at the end of the message, or if it is damaged: then c->bad is set */
static inline bool proto_next(struct cursor *c, struct proto_field *ret)
{
	size_t left = cursor_left(c);
	const u8 *p = c->p;

	if (c->bad || !left)
		return false;
	/* nearly all fields: the tag and the number or length have one byte each */
	if (unlikely(left < 2 || p[0] < 8 || (p[0] | p[1]) & 0x80))
		return proto_next_any(c, ret);
	if ((p[0] & 7) == PROTO_NUMBER) {
		*ret = (struct proto_field){ .nr = p[0] >> 3, .type = PROTO_NUMBER, .number = p[1] };
		c->p += 2;
		return true;
	}
	if (unlikely((p[0] & 7) != PROTO_BYTES || p[1] > left - 2))
		return proto_next_any(c, ret);
	*ret = (struct proto_field){ .nr = p[0] >> 3, .type = PROTO_BYTES,
				     .bytes = { .p = p + 2, .end = p + 2 + p[1] } };
	c->p = ret->bytes.end;
	return true;
}

#endif
