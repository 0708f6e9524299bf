/* Protobuf writer: see proto-out.h. */
#include "proto-out.h"

enum { WIRE_VARINT = 0, WIRE_BYTES = 2 };
#define VARINT_MAX 10	/* bytes of 64 bits, seven each */

static size_t encode(u8 *to, u64 v)
{
	size_t n = 0;

	for (; v >= 0x80; v >>= 7)
		to[n++] = v | 0x80;
	to[n++] = v;
	return n;
}

static void add_varint(struct proto *p, u64 v)
{
	u8 bytes[VARINT_MAX];

	strbuf_add(p->out, bytes, encode(bytes, v));
}

void proto_release(struct proto *p)
{
	vec_release(&p->open);
}

void proto_number(struct proto *p, u32 field, u64 v)
{
	if (!v)
		return;
	add_varint(p, field << 3 | WIRE_VARINT);
	add_varint(p, v);
}

void proto_string(struct proto *p, u32 field, const char *s)
{
	size_t len = strlen(s);

	add_varint(p, field << 3 | WIRE_BYTES);
	add_varint(p, len);
	strbuf_add(p->out, s, len);
}

void proto_begin(struct proto *p, u32 field)
{
	add_varint(p, field << 3 | WIRE_BYTES);
	vec_push(&p->open, p->out->len);
}

void proto_packed(struct proto *p, u64 v)
{
	add_varint(p, v);
}

void proto_end(struct proto *p)
{
	size_t start = p->open.v[--p->open.nr], len = p->out->len - start, n;
	u8 bytes[VARINT_MAX];

	n = encode(bytes, len);
	strbuf_add(p->out, bytes, n);	/* makes room */
	memmove(p->out->buf + start + n, p->out->buf + start, len);
	memcpy(p->out->buf + start, bytes, n);
}
