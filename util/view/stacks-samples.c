/* Stacks-samples: samples are distributed to tracks, and each track is sorted. */
#include "stacks-samples.h"

#include "../base/sort.h"

/* one of the samples of an event with equal labels */
struct tracks {
	u32 *of;		/* by stack */
	/* by track: where its next sample goes, and where the samples of the next one begin */
	size_t *next, *end;
	u32 nr;
};

/* tracks in the order of event and labels */
static void find_tracks(struct tracks *t, const struct stacks *s)
{
	size_t nr = s->stack.nr;
	struct sort_pair *pair = xreallocarray(NULL, 2 * nr + 1, sizeof(*pair));

	t->of = xreallocarray(NULL, nr + 1, sizeof(*t->of));
	for (size_t i = 0; i < nr; i++)
		pair[i] = (struct sort_pair){ (u64)s->stack.v[i].event << 32 | s->stack.v[i].labels, i };
	sort_pairs(pair, pair + nr, nr);
	for (size_t i = 0; i < nr; i++) {
		t->nr += !i || pair[i].key != pair[i - 1].key;
		t->of[pair[i].val] = t->nr - 1;
	}
	free(pair);
}

static void count_tracks(struct tracks *t, const struct stacks *s)
{
	size_t at = 0;

	t->next = xcalloc(t->nr + 1, sizeof(*t->next));
	t->end = xcalloc(t->nr + 1, sizeof(*t->end));
	for (size_t i = 0; i < s->sample.nr; i++)
		t->end[t->of[blocks_at(&s->sample, i)->stack]]++;
	for (u32 i = 0; i < t->nr; i++) {
		t->next[i] = at;
		at += t->end[i];
		t->end[i] = at;
	}
}

static void exchange(struct stacks *s, size_t a, size_t b)
{
	const struct stacks_sample moved = *blocks_at(&s->sample, a);

	*blocks_at(&s->sample, a) = *blocks_at(&s->sample, b);
	*blocks_at(&s->sample, b) = moved;
}

/* each exchange moves a sample to its track for good */
static void distribute(struct tracks *t, struct stacks *s)
{
	for (u32 i = 0; i < t->nr; i++)
		while (t->next[i] < t->end[i]) {
			u32 to = t->of[blocks_at(&s->sample, t->next[i])->stack];
			size_t at = t->next[to]++;

			if (to != i)
				exchange(s, at, t->next[i]);
		}
}

static bool before(const struct stacks_sample *a, const struct stacks_sample *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	if (a->stack != b->stack)
		return a->stack < b->stack;
	return a->cpu != b->cpu ? a->cpu < b->cpu : a->period < b->period;
}

static bool before_at(const struct stacks *s, size_t a, size_t b)
{
	return before(blocks_at(&s->sample, a), blocks_at(&s->sample, b));
}

static bool in_order(const struct stacks *s, size_t from, size_t nr)
{
	for (size_t i = 1; i < nr; i++)
		if (before_at(s, from + i, from + i - 1))
			return false;
	return true;
}

static void sift(struct stacks *s, size_t from, size_t at, size_t nr)
{
	const struct stacks_sample moved = *blocks_at(&s->sample, from + at);
	size_t child;

	while ((child = 2 * at + 1) < nr) {
		child += child + 1 < nr && before_at(s, from + child, from + child + 1);
		if (!before(&moved, blocks_at(&s->sample, from + child)))
			break;
		*blocks_at(&s->sample, from + at) = *blocks_at(&s->sample, from + child);
		at = child;
	}
	*blocks_at(&s->sample, from + at) = moved;
}

/* a heap needs no memory, and takes no longer for samples that somebody has arranged */
static void sort_track(struct stacks *s, size_t from, size_t nr)
{
	if (in_order(s, from, nr))
		return;
	for (size_t i = nr / 2; i-- > 0;)
		sift(s, from, i, nr);
	while (nr > 1) {
		exchange(s, from, from + --nr);
		sift(s, from, 0, nr);
	}
}

void stacks_order_samples(struct stacks *s, const u32 *stack)
{
	struct tracks t = { 0 };
	size_t at = 0;

	if (!s->sample.nr)
		return;
	for (size_t i = 0; i < s->sample.nr; i++)
		blocks_at(&s->sample, i)->stack = stack[blocks_at(&s->sample, i)->stack];
	find_tracks(&t, s);
	count_tracks(&t, s);
	distribute(&t, s);
	for (u32 i = 0; i < t.nr; i++) {
		sort_track(s, at, t.end[i] - at);
		at = t.end[i];
	}
	free(t.of);
	free(t.next);
	free(t.end);
}
