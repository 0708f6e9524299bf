/* Folding: names the counted frames and puts labels in their place, so that everything behind it knows labels alone. */
#ifndef PERF_HIST_FOLD_H
#define PERF_HIST_FOLD_H

#include "count.h"

/* one worker's piles once folded: leaf is an elabel, frames are labels, or PATH_INLINED | frame where several stand for one, or PATH_CUT */
struct share {
	struct piles piles;
	struct kstacks kstacks;
	u32 *pos;		/* of those that are kept, grouped by base */
	u32 *first;		/* base -> where it starts in pos[]; one more than there are bases */
};
#define PATH_INLINED (1u << 31)
#define PATH_CUT UINT32_MAX	/* a frame that --ignore-callees takes away */

struct shares {
	struct share *v;
	u32 nr;
	u32 *base;		/* all bases, those of one event side by side */
};

/* labels of a call chain, from the outermost caller on */
struct path {
	VEC(u32);
};

/* h->session and h->opts are set; fills names, labels, bases. Uses up the workers' piles */
void fold_run(struct hist *h, struct count_worker *workers, struct shares *ret);
void shares_release(struct shares *s);
void share_path(const struct hist *h, const struct share *s, const struct pile *t, struct path *ret);

#define BASE_FOREACH_PILE(s, base, t) \
	for (u32 _i = (s)->first[base]; _i < (s)->first[(base) + 1] && ((t) = piles_at(&(s)->piles, (s)->pos[_i])); _i++)

/* ids are dealt out to so many tasks by their lowest bits: none writes what is another's */
u32 hist_part_bits(const struct hist *h);

/* makes entries: sums, children totals */
void entries_make(struct hist *h, const struct shares *s);

#endif
