/* Packets of Arm SPE: the table of headers says what reading them step by step says. */
#include "test.h"
#include "../../util/aux/spe-packet.h"

TEST(spe_packets_by_table)
{
	u8 bytes[16];

	for (u32 header = 0; header < 256; header++) {
		for (size_t len = 1; len <= sizeof(bytes); len++) {
			struct spe_packet fast, slow;
			size_t used;

			for (size_t i = 0; i < sizeof(bytes); i++)
				bytes[i] = 0x91 + 7 * i;
			bytes[0] = header;
			used = spe_packet_read(bytes, len, 64, &slow);
			CHECK_INT(spe_packet_next(bytes, len, 64, &fast), used);
			CHECK_INT(fast.type, slow.type);
			if (slow.type == SPE_CUT || slow.type == SPE_BAD)
				continue;
			CHECK_INT(fast.index, slow.index);
			CHECK_INT(fast.size, slow.size);
			CHECK(fast.payload == slow.payload);
		}
	}
}
