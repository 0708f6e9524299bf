/* Protobuf reader. */
#include "test.h"
#include "../../util/base/proto-in.h"

TEST(proto_in_fields)
{
	/* 1: 150; 2: "ab"; 3: packed 1, 300; 4: a number of 32 bits; 5: one of 64 bits */
	static const u8 bytes[] = { 0x08, 0x96, 0x01, 0x12, 2, 'a', 'b', 0x1a, 3, 1, 0xac, 0x02,
				    0x25, 1, 2, 3, 4, 0x29, 1, 2, 3, 4, 5, 6, 7, 8 };
	struct cursor c = cursor_of(bytes, sizeof(bytes), false);
	struct proto_field f;

	CHECK(proto_next(&c, &f) && f.nr == 1 && f.type == PROTO_NUMBER && f.number == 150);
	CHECK(proto_next(&c, &f) && f.nr == 2 && f.type == PROTO_BYTES && cursor_left(&f.bytes) == 2 &&
	      !memcmp(f.bytes.p, "ab", 2));
	CHECK(proto_next(&c, &f) && f.nr == 3);
	CHECK_INT(proto_varint(&f.bytes), 1);
	CHECK_INT(proto_varint(&f.bytes), 300);
	CHECK(!cursor_left(&f.bytes) && !f.bytes.bad);
	CHECK(proto_next(&c, &f) && f.nr == 4 && f.type == PROTO_FIXED32);
	CHECK(proto_next(&c, &f) && f.nr == 5 && f.type == PROTO_FIXED64);
	CHECK(!proto_next(&c, &f) && !c.bad);
}

TEST(proto_in_damage)
{
	static const struct { u8 byte[12], len; } bad[] = {
		{ { 0x08 }, 1 },					/* no number */
		{ { 0x12, 5, 'a' }, 3 },				/* fewer bytes than it says */
		{ { 0x00, 1 }, 2 },					/* field 0 */
		{ { 0x0b }, 1 }, { { 0x0e }, 1 },			/* types that there are no longer */
		{ { 0x25, 1, 2 }, 3 }, { { 0x29, 1 }, 2 },
		{ { 0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1 }, 12 },
	};

	for (u32 i = 0; i < ARRAY_SIZE(bad); i++) {
		struct cursor c = cursor_of(bad[i].byte, bad[i].len, false);
		struct proto_field f;

		CHECK(!proto_next(&c, &f) && c.bad);
	}
}
