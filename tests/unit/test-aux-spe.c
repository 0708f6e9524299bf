/* Packets of Arm SPE: sizes by header agree with the reader of packets. */
#include "test.h"
#include "../../util/aux/spe-packet.h"

TEST(spe_packet_sizes)
{
	u8 bytes[16] = { 0 };
	u32 known = 0;

	for (u32 header = 0; header < 256; header++) {
		struct spe_packet p;

		bytes[0] = header;
		if (!spe_packet_skip(bytes))
			continue;
		CHECK_INT(spe_packet_skip(bytes), spe_packet_read(bytes, sizeof(bytes), 64, &p));
		CHECK(p.type != SPE_BAD);
		known++;
	}
	CHECK_INT(known, 34);
}
