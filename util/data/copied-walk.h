/*
 * Copied walk: a walk over records that are copied, piece by piece, into a small buffer. To map pages of a
 * file and to unmap them costs more: each time the other CPUs that run the program have to be told. The copy
 * stays in the cache of the CPU. Records that cannot be copied are read where they are mapped.
 *
 *	struct copied_walk c = copied_walk_of(rec_walk_of(...), buf);
 *
 *	for (;;) {
 *		if (copied_walk_needs(&c))
 *			copied_walk_next(&c);	// records of earlier pieces are gone from here on
 *		if (rec_next(&c.walk, &rec) <= 0)
 *			break;
 *		...
 *	}
 *	copied_walk_end(&c);
 */
#ifndef PERF_DATA_COPIED_WALK_H
#define PERF_DATA_COPIED_WALK_H

#include "walk.h"

#define COPIED_WALK_SIZE (256u << 10)

struct copied_walk {
	struct rec_walk walk;
	u64 safe;		/* records that begin before this offset are whole in the piece */
	u64 start, end;		/* the piece */
	u8 *buf;		/* COPIED_WALK_SIZE bytes; NULL: pieces are mapped */
	bool mapped;		/* the piece is */
};

/* buf: COPIED_WALK_SIZE bytes of the caller; NULL: nothing is copied */
struct copied_walk copied_walk_of(struct rec_walk walk, u8 *buf);
/* the same as copied_walk_needs() near the end of a piece */
bool copied_walk_lacks(const struct copied_walk *c);
/* takes the piece that begins with the next record */
void copied_walk_next(struct copied_walk *c);
/* after the last record */
void copied_walk_end(struct copied_walk *c);

/* whether the next record is not whole in the piece */
static inline bool copied_walk_needs(const struct copied_walk *c)
{
	return unlikely(c->walk.off >= c->safe) && copied_walk_lacks(c);
}

#endif
