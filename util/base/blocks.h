/*
 * Blocks: a growing array whose elements never move. A vec that grows copies everything, and leaves its old
 * memory unused: with many elements this costs more than the work on them.
 *
 *	struct { BLOCKS(u64); } sums = { 0 };
 *	*blocks_add(&sums) = 42;  *blocks_at(&sums, 0);  blocks_release(&sums);
 */
#ifndef PERF_BASE_BLOCKS_H
#define PERF_BASE_BLOCKS_H

#include <stdlib.h>
#include "alloc.h"

#define BLOCK_BITS 15
#define BLOCK_ITEMS (1u << BLOCK_BITS)

#define BLOCKS(type) \
	type **block; \
	size_t nr, nr_blocks

#define blocks_at(b, i) (&(b)->block[(size_t)(i) >> BLOCK_BITS][(size_t)(i) & (BLOCK_ITEMS - 1)])

/* room for one more element at the end */
#define blocks_make_room(b) \
	do { \
		if (unlikely((b)->nr >> BLOCK_BITS == (b)->nr_blocks)) { \
			(b)->block = xreallocarray((b)->block, (b)->nr_blocks + 1, sizeof(*(b)->block)); \
			(b)->block[(b)->nr_blocks++] = xreallocarray(NULL, BLOCK_ITEMS, \
								     sizeof(**(b)->block)); \
		} \
	} while (0)

/* appends an element and gives its address; its contents are undefined */
#define blocks_add(b) \
	({ \
		blocks_make_room(b); \
		(b)->nr++; \
		blocks_at(b, (b)->nr - 1); \
	})

/* changes the number of elements; new ones are undefined */
#define blocks_resize(b, want) \
	do { \
		while ((b)->nr < (want)) \
			blocks_add(b); \
		(b)->nr = (want); \
	} while (0)

/* elements in the i-th block */
#define blocks_in(b, i) MIN((b)->nr - ((size_t)(i) << BLOCK_BITS), (size_t)BLOCK_ITEMS)

/* moves all elements of from to the end of into, in another order; from is empty afterwards */
#define blocks_join(into, from) \
	do { \
		size_t _tail = (into)->nr % BLOCK_ITEMS, _i; \
		__typeof__(*(into)->block) _last = _tail ? (into)->block[--(into)->nr_blocks] : NULL; \
		(into)->nr -= _tail; \
		for (_i = 0; (from)->nr - (_i << BLOCK_BITS) >= BLOCK_ITEMS; _i++) { \
			(into)->block = xreallocarray((into)->block, (into)->nr_blocks + 1, \
						      sizeof(*(into)->block)); \
			(into)->block[(into)->nr_blocks++] = (from)->block[_i]; \
			(into)->nr += BLOCK_ITEMS; \
			(from)->block[_i] = NULL; \
		} \
		for (size_t _k = 0; _k < _tail; _k++) \
			*blocks_add(into) = _last[_k]; \
		for (_i <<= BLOCK_BITS; _i < (from)->nr; _i++) \
			*blocks_add(into) = *blocks_at(from, _i); \
		free(_last); \
		blocks_release(from); \
	} while (0)

#define blocks_release(b) \
	do { \
		for (size_t _i = 0; _i < (b)->nr_blocks; _i++) \
			free((b)->block[_i]); \
		free((b)->block); \
		(b)->block = NULL; \
		(b)->nr = (b)->nr_blocks = 0; \
	} while (0)

#endif
