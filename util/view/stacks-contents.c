/* Stacks-contents: see stacks-contents.h. */
#include "stacks-contents.h"

#include <stdlib.h>
#include <string.h>
#include "stacks.h"

int stacks_cmp_numbers(u64 a, u64 b)
{
	return (a > b) - (a < b);
}

/* stacks_finish() has brought the texts into order before it sorts anything else */
static int cmp_texts(const struct stacks *s, u32 a, u32 b)
{
	return a == b || !s->carried ? stacks_cmp_numbers(a, b) :
				       strcmp(stacks_text(s, a), stacks_text(s, b));
}

int stacks_cmp_modules(const struct stacks *s, u32 a, u32 b)
{
	const struct stacks_module *ma, *mb;
	int ret;

	if (a == b || a == STACKS_NONE || b == STACKS_NONE)
		return stacks_cmp_numbers(a, b);
	ma = &s->module.v[a];
	mb = &s->module.v[b];
	ret = cmp_texts(s, ma->path, mb->path);
	if (!ret)
		ret = cmp_texts(s, ma->name, mb->name);
	if (!ret)
		ret = cmp_texts(s, ma->buildid, mb->buildid);
	return ret ? ret : stacks_cmp_numbers(ma->kernel, mb->kernel);
}

int stacks_cmp_frames(const struct stacks *s, u32 a, u32 b)
{
	const struct stacks_frame *fa = &s->frame.v[a], *fb = &s->frame.v[b];
	int ret = cmp_texts(s, fa->function, fb->function);

	if (!ret)
		ret = stacks_cmp_modules(s, fa->module, fb->module);
	if (!ret)
		ret = cmp_texts(s, fa->file, fb->file);
	if (!ret)
		ret = stacks_cmp_numbers(fa->line, fb->line);
	if (!ret)
		ret = stacks_cmp_numbers(fa->address, fb->address);
	if (!ret)
		ret = stacks_cmp_numbers(fa->offset, fb->offset);
	return ret ? ret : stacks_cmp_numbers(fa->inlined << 1 | fa->mark, fb->inlined << 1 | fb->mark);
}

int stacks_cmp_labels(const struct stacks *s, u32 a, u32 b)
{
	const struct stacks_labels *la = &s->labels.v[a], *lb = &s->labels.v[b];
	int ret = 0;

	for (u32 i = 0; a != b && i < MIN(la->nr, lb->nr) && !ret; i++) {
		const struct stacks_label *ka = &s->label.v[la->first + i], *kb = &s->label.v[lb->first + i];

		ret = cmp_texts(s, ka->key, kb->key);
		if (!ret)
			ret = cmp_texts(s, ka->value, kb->value);
	}
	return ret ? ret : stacks_cmp_numbers(la->nr, lb->nr);
}

/* a merge sort, because the order needs the stacks */
void stacks_sort_ids(const struct stacks *s, u32 *id, u32 *tmp, size_t nr, stacks_cmp cmp)
{
	size_t half = nr / 2, a = 0, b = half;

	if (nr < 2)
		return;
	stacks_sort_ids(s, id, tmp, half, cmp);
	stacks_sort_ids(s, id + half, tmp, nr - half, cmp);
	if (cmp(s, id[half - 1], id[half]) <= 0)
		return;
	for (size_t i = 0; i < nr; i++)
		tmp[i] = b == nr || (a < half && cmp(s, id[a], id[b]) <= 0) ? id[a++] : id[b++];
	memcpy(id, tmp, nr * sizeof(*id));
}

u32 *stacks_sorted_ids(const struct stacks *s, u32 nr, stacks_cmp cmp)
{
	u32 *id = xreallocarray(NULL, nr + 1, sizeof(*id)), *tmp = xreallocarray(NULL, nr + 1, sizeof(*tmp));

	for (u32 i = 0; i < nr; i++)
		id[i] = i;
	stacks_sort_ids(s, id, tmp, nr, cmp);
	free(tmp);
	return id;
}
