/*
 * Protobuf writer: appends fields of messages to a strbuf, in the wire format of Protocol Buffers, piece by
 * piece. A message inside another one is begun and ended; its length is put before it when it ends. The
 * caller may drain the strbuf when no message is open. Fields whose value is 0 are left out, as in proto3.
 */
#ifndef PERF_BASE_PROTO_OUT_H
#define PERF_BASE_PROTO_OUT_H

#include "strbuf.h"
#include "vec.h"

struct proto {
	struct strbuf *out;
	/* the writer's own: where the contents of each open message begin */
	struct { VEC(size_t); } open;
};

void proto_release(struct proto *p);
/* varint: int64, uint64, bool */
void proto_number(struct proto *p, u32 field, u64 v);
/* string, also an empty one: repeated fields have a place for each */
void proto_string(struct proto *p, u32 field, const char *s);
/* a message, or the numbers of a packed repeated field: proto_packed() each */
void proto_begin(struct proto *p, u32 field);
void proto_packed(struct proto *p, u64 v);
void proto_end(struct proto *p);

#endif
