/* Protobuf reader: see proto-in.h. */
#include "proto-in.h"

u64 proto_long_varint(struct cursor *c)
{
	u64 v = 0;
	u8 byte;

	if (cursor_left(c) >= 2 && c->p[1] < 0x80 && !c->bad) {
		c->p += 2;
		return (c->p[-2] & 0x7f) | (u64)c->p[-1] << 7;
	}
	for (u32 shift = 0; shift < 64; shift += 7) {
		byte = cursor_u8(c);
		v |= (u64)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
	}
	c->bad = true;
	return 0;
}

bool proto_next_any(struct cursor *c, struct proto_field *ret)
{
	const u8 *p;
	u64 tag, len;

	if (c->bad || !cursor_left(c))
		return false;
	tag = proto_varint(c);
	*ret = (struct proto_field){ .nr = tag >> 3, .type = tag & 7 };
	if (!(tag >> 3) || tag >> 32)
		c->bad = true;
	switch (ret->type) {
	case PROTO_NUMBER:
		ret->number = proto_varint(c);
		break;
	case PROTO_FIXED64:
		cursor_skip(c, 8);
		break;
	case PROTO_BYTES:
		len = proto_varint(c);
		p = cursor_bytes(c, len);
		if (p)
			ret->bytes = cursor_of(p, len, false);
		break;
	case PROTO_FIXED32:
		cursor_skip(c, 4);
		break;
	default:
		c->bad = true;
	}
	return !c->bad;
}
