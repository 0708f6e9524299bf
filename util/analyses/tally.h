/*
 * Tally: rows of numbers by key, the table that most analyses fill. Zeroed memory is an empty one. Pointers
 * to rows are valid until the next tally_at().
 */
#ifndef PERF_ANALYSES_TALLY_H
#define PERF_ANALYSES_TALLY_H

#include "../base/hash.h"
#include "../base/vec.h"

#define TALLY_KEYS 4
#define TALLY_NUMBERS 8
#define TALLY_RANKS 5

struct tally_row {
	u64 key[TALLY_KEYS];
	u64 n[TALLY_NUMBERS];		/* zeroed at first; what they count is the analysis' matter */
	/* filled in when the rows are shown */
	u64 rank[TALLY_RANKS];
	const char *name, *comm;
	/* lines of text before the first of the rows that have them: of a group, and in it; or NULL */
	const char *group, *subgroup;
};

struct tally_table {
	VEC(struct tally_row);
	struct hidx idx;
};

/* the row with that key, made where it is new */
struct tally_row *tally_at(struct tally_table *t, u64 a, u64 b, u64 c, u64 d);
/* by rank, largest first, the earlier ranks first; nothing can be looked up any more */
void tally_sort(struct tally_table *t);
void tally_release(struct tally_table *t);

/* GET functions of columns: tally_n0() is row->n[0] */
u64 tally_n0(const void *row);
u64 tally_n1(const void *row);
u64 tally_n2(const void *row);
u64 tally_n3(const void *row);
u64 tally_key0(const void *row);
u64 tally_key1(const void *row);
const char *tally_name(const void *row);
const char *tally_comm(const void *row);

#endif
