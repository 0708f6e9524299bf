/* Labelled buckets: see labelled.h. */
#include "labelled.h"

#include <stdlib.h>

/* outermost first: the frame itself, then the functions that are inlined there */
static void add_frames(const struct hist *h, const u32 *word, u32 nr, struct path *p)
{
	const struct names *n = &h->names;

	while (nr-- > 0) {
		u32 frame = word[nr] & ~PATH_INLINED;

		if (likely(!(word[nr] & PATH_INLINED))) {
			p->v[p->nr++] = word[nr];
			continue;
		}
		if (word[nr] == PATH_CUT)
			return;		/* everything after it is cut, too */
		vec_reserve(p, p->nr + 1 + n->inl_start[frame + 1] - n->inl_start[frame] + nr);
		p->v[p->nr++] = h->label_of[frame];
		for (u32 k = n->inl_start[frame]; k < n->inl_start[frame + 1]; k++)
			p->v[p->nr++] = h->label_of[n->inl.v[k]];
	}
}

void bucket_path(const struct hist *h, const struct worker_result *s, const struct bucket *t, struct path *p)
{
	const struct kstack_frames *k = &s->kstacks.part.v[t->kstack];

	p->nr = 0;
	vec_reserve(p, BUCKET_FRAMES(t));
	add_frames(h, bucket_frames(&s->buckets, t), BUCKET_FRAMES(t), p);
	vec_reserve(p, p->nr + k->nr);
	add_frames(h, s->kstacks.frame.v + k->first, k->nr, p);
}

void worker_result_release(struct worker_result *s)
{
	buckets_release(&s->buckets);
	kstacks_release(&s->kstacks);
	vec_release(&s->places);
	blocks_release(&s->timed);
	free(s->pos);
	free(s->first);
	s->pos = s->first = NULL;
}

void worker_results_release(struct worker_results *s)
{
	for (u32 i = 0; i < s->nr; i++)
		worker_result_release(&s->v[i]);
	free(s->v);
	free(s->sample_key);
}
