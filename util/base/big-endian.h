/* Big endian: numbers at any address whose first byte is the highest. */
#ifndef PERF_BASE_BIG_ENDIAN_H
#define PERF_BASE_BIG_ENDIAN_H

#include "types.h"

#include <endian.h>
#include <string.h>

static inline u16 be16_at(const u8 *p)
{
	return p[0] << 8 | p[1];
}

static inline u32 be32_at(const u8 *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return be32toh(v);
}

static inline u64 be64_at(const u8 *p)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	return be64toh(v);
}

#endif
