/* Magic: the numbers with which a recording begins. */
#ifndef PERF_DATA_MAGIC_H
#define PERF_DATA_MAGIC_H

#include <byteswap.h>
#include "../base/types.h"

/* magic numbers as a u64 of the machine that wrote the file */
#define DATA_MAGIC1 0x454c494646524550ull	/* "PERFFILE", always in this byte order */
#define DATA_MAGIC2 0x32454c4946524550ull	/* "PERFILE2" on a little-endian machine */
#define DATA_PIPE_HEADER 16u

/* what files of both byte orders begin with */
static inline bool data_is_magic(u64 magic)
{
	return magic == DATA_MAGIC1 || bswap_64(magic) == DATA_MAGIC1 || magic == DATA_MAGIC2 ||
	       bswap_64(magic) == DATA_MAGIC2;
}

#endif
