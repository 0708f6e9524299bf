/*
 * Bytes: numbers as they are in memory, for tests that assemble files and records and must pass in both byte
 * orders.
 */
#ifndef PERF_TESTS_UNIT_BYTES_H
#define PERF_TESTS_UNIT_BYTES_H

#include "../../util/base/types.h"

#define HOST_IS_BE (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* address of the low bytes of *v, in the host's byte order */
static inline const void *low_bytes(const u64 *v, u32 bytes)
{
	return (const u8 *)v + (HOST_IS_BE ? sizeof(*v) - bytes : 0);
}

/* two u32 in one u64; a is first in memory */
static inline u64 u32_pair(u32 a, u32 b)
{
	return HOST_IS_BE ? (u64)a << 32 | b : (u64)b << 32 | a;
}

#endif
