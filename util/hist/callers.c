/* Callers: see callers.h. */
#include "branch-history.h"
#include "callers.h"

#include <errno.h>
#include <stdlib.h>
#include "../fields/field-family.h"
#include "address-frames.h"

#define DEFAULT_PARENT "^sys_|^do_page_fault"
#define OTHER "[other]"

enum { MARK_PARENT = 1, MARK_IGNORE = 2 };

static int compile(regex_t *re, const char *option, const char *text, struct err *err)
{
	char why[128];
	int ret = regcomp(re, text, REG_EXTENDED | REG_NOSUB);

	if (!ret)
		return 0;
	regerror(ret, re, why, sizeof(why));
	return err_set(err, -EINVAL, "%s: '%s' is not a regular expression: %s", option, text, why);
}

int caller_patterns_compile(struct caller_patterns *p, const struct session *s, struct err *err)
{
	int ret = 0;

	p->by_parent |= p->parent || p->exclude_other;
	if (!p->by_parent && !p->ignore_callees)
		return 0;
	if ((p->parent || p->exclude_other || p->ignore_callees) &&
	    !evset_samples(s->data->evset, PERF_SAMPLE_CALLCHAIN)) {
		err_set(err, -EINVAL,
			"the profile has no call chains, which -p, -x and --ignore-callees need");
		err_hint(err, "record them with perf record -g, or --call-graph dwarf");
		return -EINVAL;
	}
	if (p->by_parent)
		ret = compile(&p->parent_re, "--parent", p->parent ? p->parent : DEFAULT_PARENT, err);
	p->parent_compiled = p->by_parent && !ret;
	if (!ret && p->ignore_callees)
		ret = compile(&p->ignore_re, "--ignore-callees", p->ignore_callees, err);
	p->ignore_compiled = p->ignore_callees && !ret;
	return ret;
}

void caller_patterns_release(struct caller_patterns *p)
{
	if (p->parent_compiled)
		regfree(&p->parent_re);
	if (p->ignore_compiled)
		regfree(&p->ignore_re);
}

/* which patterns match the frames of all workers */
static u8 *mark_frames(const struct hist *h)
{
	const struct caller_patterns *p = h->opts.callers;
	const struct names *n = &h->names;
	u8 *named = xcalloc(n->named.nr + 1, 1), *mark = xcalloc(n->frame.nr + 1, 1);

	for (u32 i = 0; i < n->named.nr; i++) {
		const char *name = n->named.v[i].name;

		if (name && p->parent_compiled && !regexec(&p->parent_re, name, 0, NULL, 0))
			named[i] |= MARK_PARENT;
		if (name && p->ignore_compiled && !regexec(&p->ignore_re, name, 0, NULL, 0))
			named[i] |= MARK_IGNORE;
	}
	for (u32 f = 0; f < n->frame.nr; f++)
		mark[f] = named[n->named_of[f]];
	free(named);
	return mark;
}

struct callers {
	struct hist *h;
	struct count_worker *w;
	const u8 *mark;
	u32 parent_word;	/* word in the worker's sample_keys; 0: parents are not needed */
};

/* the i-th frame: of the kernel part, then of the rest, innermost first */
static u32 chain_at(const struct callers *c, const struct kstack_frames *k, const u32 *frame, u32 i)
{
	return c->w->frame_map[i < k->nr ? c->w->kstacks.frame.v[k->first + i] :
					   history_frame(c->w, frame[i - k->nr])];
}

/* the first match in the order in which chains are shown, as a text of h->names */
static u64 parent_of(const struct callers *c, const struct bucket *t)
{
	const struct kstack_frames *k = &c->w->kstacks.part.v[t->kstack];
	const u32 *frame = bucket_frames(&c->w->buckets, t);
	struct names *n = &c->h->names;
	u32 nr = k->nr + BUCKET_FRAMES(t);

	for (u32 i = 0; i < nr; i++) {
		u32 f = chain_at(c, k, frame, c->h->opts.chain.caller ? nr - 1 - i : i);

		if (c->mark[f] & MARK_PARENT)
			return strtab_add(&n->texts, n->named.v[n->named_of[f]].name);
	}
	return strtab_add(&n->texts, OTHER);
}

static void set_parent(const struct callers *c, struct bucket *t)
{
	u64 key[1 + HIST_MAX_KEYS + BRANCH_WORDS];

	memcpy(key, key_table_at(&c->w->sample_keys, t->sample_key), c->w->sample_keys.nr_key * sizeof(u64));
	key[c->parent_word] = parent_of(c, t);
	t->sample_key = key_table_get(&c->w->sample_keys, key);
}

/* removes the callees of the outermost match, which becomes the sample's own frame */
static void cut_chain(const struct callers *c, struct bucket *t)
{
	u32 *frame = bucket_frames(&c->w->buckets, t), nr = BUCKET_FRAMES(t), *kframe;
	const struct kstack_frames *k = &c->w->kstacks.part.v[t->kstack];

	while (nr && !(c->mark[c->w->frame_map[history_frame(c->w, frame[nr - 1])]] & MARK_IGNORE))
		nr--;
	if (nr) {
		t->leaf = history_frame(c->w, frame[nr - 1]);
		t->kstack = 0;
		for (u32 i = 0; i + 1 < nr; i++)
			frame[i] = FRAME_CUT;
		return;
	}
	kframe = c->w->kstacks.frame.v + k->first;
	for (nr = k->nr;
	     nr && kframe[nr - 1] != FRAME_CUT && !(c->mark[c->w->frame_map[kframe[nr - 1]]] & MARK_IGNORE);)
		nr--;
	if (!nr)
		return;
	if (kframe[nr - 1] != FRAME_CUT)
		t->leaf = kframe[nr - 1];
	else
		/* samples of another bucket have the same kernel part: it is cut already */
		t->leaf = kframe[nr];
	for (u32 i = 0; i + 1 < nr; i++)
		kframe[i] = FRAME_CUT;
}

static u32 parent_word(const struct hist *h)
{
	u32 word = 1;

	for (u32 i = 0; i < h->opts.nr_keys; i++) {
		if (h->opts.key[i] == &field_parent)
			return word;
		word += h->opts.key[i]->kind == FIELD_SLOT;
	}
	return 0;
}

void callers_apply(struct hist *h, struct count_worker *w)
{
	struct callers c = { .h = h, .w = w, .parent_word = parent_word(h) };
	u8 *mark;

	if (!h->opts.callers || !h->opts.chains)
		return;
	c.mark = mark = mark_frames(h);
	if (c.parent_word)
		BUCKETS_FOREACH(&w->buckets, pos)
			set_parent(&c, buckets_at(&w->buckets, pos));
	if (h->opts.callers->ignore_compiled)
		BUCKETS_FOREACH(&w->buckets, pos)
			cut_chain(&c, buckets_at(&w->buckets, pos));
	free(mark);
}

bool callers_hide(const struct hist *h, const u64 *sample_key)
{
	u32 word = parent_word(h);

	return word && h->opts.callers && h->opts.callers->exclude_other &&
	       !strcmp(strtab_get(&h->names.texts, sample_key[word]), OTHER);
}

const char *callers_wanted(const struct hist *h)
{
	const struct caller_patterns *p = h->opts.callers;

	return !p || !p->exclude_other ? NULL : p->parent ? p->parent : DEFAULT_PARENT;
}
