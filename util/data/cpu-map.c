/* CPU maps of records. */
#include "cpu-map.h"

enum { CPU_MAP_LIST, CPU_MAP_MASK, CPU_MAP_RANGE };

/*
 * u16 nr, u16 size of a word, [4 bytes], words; packed, so that the 64-bit words are 10 bytes after the type
 */
static void decode_mask(struct cursor *c, struct cpu_map *map)
{
	u16 nr = cursor_u16(c), word = cursor_u16(c);

	if (word == 8)
		cursor_skip(c, 4);
	for (u32 i = 0; i < nr && cursor_left(c) >= word && (word == 4 || word == 8); i++) {
		u64 bits = word == 8 ? cursor_u64(c) : cursor_u32(c);

		for (u32 k = 0; k < word * 8u; k++)
			if (bits >> k & 1)
				vec_push(map, i * word * 8 + k);
	}
}

bool cpu_map_decode(struct cursor *c, struct cpu_map *map)
{
	u16 type = cursor_u16(c), nr, end;
	u8 any;

	switch (type) {
	case CPU_MAP_LIST:
		nr = cursor_u16(c);
		for (u32 i = 0; i < nr && cursor_left(c) >= 2; i++)
			vec_push(map, (s16)cursor_u16(c));
		return true;
	case CPU_MAP_MASK:
		decode_mask(c, map);
		return true;
	case CPU_MAP_RANGE:
		any = cursor_u8(c);
		cursor_u8(c);
		nr = cursor_u16(c);
		end = cursor_u16(c);
		if (any)
			vec_push(map, -1);
		for (u32 i = nr; i <= end && !c->bad; i++)
			vec_push(map, i);
		return true;
	default:
		return false;
	}
}
