/* Carry, fold: see carry-fold.h. */
#include "carry-fold.h"
#include "collect.h"

#include "../session/feed.h"

struct hist *hist_carry_count(struct hist_carry *c, struct session *s, const struct hist_opts *opts)
{
	struct hist *h = hist_collect(s, opts);

	hist_carry_take(c, h);
	return h;
}

struct hist *hist_carry_fold(struct hist_carry *c, struct session *s, const struct hist_opts *opts, bool all)
{
	struct hist *h;

	session_feed_take(s, all);
	h = hist_carry_count(c, s, opts);
	session_feed_drop(s);
	return h;
}
