/* Stacks: see stacks.h. */
#include "stacks.h"
#include "stacks-carried.h"
#include "stacks-contents.h"
#include "stacks-samples.h"
#include "stacks-seen.h"

#include <errno.h>
#include <string.h>
#include "../base/sort.h"

void stacks_init(struct stacks *s, enum stacks_by by)
{
	*s = (struct stacks){ .by = by };
	strtab_add(&s->strings, "");
	vec_push(&s->node, (struct stacks_node){ STACKS_NONE, STACKS_NONE });
	stacks_add_labels(s, NULL, 0);
}

static void release_indexes(struct stacks *s)
{
	hidx_release(&s->by_module);
	hidx_release(&s->by_frame);
	hidx_release(&s->by_node);
	hidx_release(&s->by_labels);
	hidx_release(&s->by_stack);
}

void stacks_release(struct stacks *s)
{
	vec_release(&s->event);
	vec_release(&s->text);
	vec_release(&s->module);
	vec_release(&s->frame);
	vec_release(&s->node);
	vec_release(&s->label);
	vec_release(&s->labels);
	vec_release(&s->stack);
	blocks_release(&s->sample);
	vec_release(&s->constant);
	vec_release(&s->comment);
	vec_release(&s->new_frames);
	stacks_order_free(s->order);
	stacks_seen_free(s->seen);
	strtab_release(&s->strings);
	release_indexes(s);
}

/* ---- adding ---- */

u32 stacks_add_text(struct stacks *s, const char *text)
{
	return strtab_add(&s->strings, text);
}

u32 stacks_add_bytes(struct stacks *s, const char *text, size_t len)
{
	return strtab_addn(&s->strings, text, len);
}

int stacks_add_event(struct stacks *s, const struct stacks_event *e, u32 *ret, struct err *err)
{
	const char *name = strtab_get(&s->strings, strtab_add(&s->strings, e->name));

	for (u32 i = 0; i < s->event.nr; i++) {
		struct stacks_event *old = &s->event.v[i];

		if (strcmp(old->name, name))
			continue;
		if (strcmp(old->unit, e->unit))
			return err_set(err, -EINVAL, "event '%s' is in %s in one profile, in %s in another",
				       name, old->unit, e->unit);
		old->no_chains &= e->no_chains;
		old->weights |= e->weights;
		if (old->period != e->period)
			old->period = 0;
		if (old->freq != e->freq)
			old->freq = 0;
		*ret = i;
		return 0;
	}
	*ret = s->event.nr;
	vec_push(&s->event, *e);
	s->event.v[*ret].name = name;
	s->event.v[*ret].unit = strtab_get(&s->strings, strtab_add(&s->strings, e->unit));
	return 0;
}

/* of whole words, inline */
static inline u64 hash_words(const void *p, size_t len)
{
	u64 h = 0, v;

	for (size_t i = 0; i < len; i += sizeof(v)) {
		memcpy(&v, (const char *)p + i, sizeof(v));
		h = hash_mix(h, v);
	}
	return hash_u64(h);
}

/* adds an element that has no padding, unless there is an equal one; its number */
#define ADD_ONCE(vec, idx, key) \
	({ \
		u64 _hash = hash_words(key, sizeof(*(key))); \
		u32 _id; \
		HIDX_FOREACH(idx, _hash, _id) \
			if (!memcmp((vec)->v + _id, key, sizeof(*(key)))) \
				break; \
		if (_id == HIDX_NONE) { \
			_id = (vec)->nr; \
			vec_push(vec, *(key)); \
			hidx_insert(idx, _hash, _id); \
		} \
		_id; \
	})

u32 stacks_add_module(struct stacks *s, const struct stacks_module *m)
{
	return ADD_ONCE(&s->module, &s->by_module, m);
}

u32 stacks_add_frame(struct stacks *s, const struct stacks_frame *f)
{
	return ADD_ONCE(&s->frame, &s->by_frame, f);
}

u32 stacks_add_child(struct stacks *s, u32 parent, u32 frame)
{
	const struct stacks_node n = { parent, frame };

	return ADD_ONCE(&s->node, &s->by_node, &n);
}

static bool labels_equal(const struct stacks *s, u32 id, const struct stacks_label *label, u32 nr)
{
	const struct stacks_labels *l = &s->labels.v[id];

	return l->nr == nr && (!nr || !memcmp(s->label.v + l->first, label, nr * sizeof(*label)));
}

u32 stacks_add_labels(struct stacks *s, const struct stacks_label *label, u32 nr)
{
	u64 hash = nr ? hash_bytes(label, nr * sizeof(*label)) : 0;
	u32 id;

	HIDX_FOREACH(&s->by_labels, hash, id)
		if (labels_equal(s, id, label, nr))
			return id;
	id = s->labels.nr;
	vec_push(&s->labels, (struct stacks_labels){ s->label.nr, nr });
	for (u32 i = 0; i < nr; i++)
		vec_push(&s->label, label[i]);
	hidx_insert(&s->by_labels, hash, id);
	return id;
}

u32 stacks_add(struct stacks *s, const struct stack *k)
{
	u64 hash = hash_u64(hash_mix(hash_mix(hash_u64(k->node), k->labels), k->event));
	u32 id;

	s->added++;
	HIDX_FOREACH(&s->by_stack, hash, id) {
		struct stack *old = &s->stack.v[id];

		if (old->node != k->node || old->labels != k->labels || old->event != k->event)
			continue;
		old->nr += k->nr;
		old->period += k->period;
		old->weight += k->weight;
		return id;
	}
	hidx_insert(&s->by_stack, hash, s->stack.nr);
	vec_push(&s->stack, *k);
	return s->stack.nr - 1;
}

/* ---- order ---- */

/* sorts a table; returns the new number of each element by its old one */
#define SORT_TABLE(s, vec, cmp) \
	({ \
		u32 _nr = (vec)->nr, *_id = stacks_sorted_ids(s, _nr, cmp); \
		u32 *_to = xreallocarray(NULL, _nr + 1, sizeof(*_to)); \
		__typeof__((vec)->v) _sorted = xreallocarray(NULL, _nr + 1, sizeof(*_sorted)); \
		for (u32 _i = 0; _i < _nr; _i++) { \
			_sorted[_i] = (vec)->v[_id[_i]]; \
			_to[_id[_i]] = _i; \
		} \
		free(_id); \
		free((vec)->v); \
		(vec)->v = _sorted; \
		(vec)->alloc = _nr + 1; \
		_to; \
	})

static int cmp_strings(const struct stacks *s, u32 a, u32 b)
{
	return strcmp(s->text.v[a], s->text.v[b]);
}

/* by text: whether something has it. What was replaced (redaction), or is of one input alone, is left out */
static u8 *used_texts(const struct stacks *s)
{
	u8 *used = xcalloc(s->strings.str.nr + 1, 1);

	vec_foreach(&s->module, m)
		used[m->name] = used[m->path] = used[m->buildid] = true;
	vec_foreach(&s->frame, f)
		used[f->function] = used[f->file] = true;
	vec_foreach(&s->label, l)
		used[l->key] = used[l->value] = true;
	vec_foreach(&s->constant, l)
		used[l->key] = used[l->value] = true;
	vec_foreach(&s->comment, c)
		used[*c] = true;
	used[0] = used[s->machine] = used[s->kernel] = used[s->boot] = true;
	return used;
}

/* keeps texts that are used, in order: their new numbers by old ones */
static u32 *sort_texts(struct stacks *s)
{
	u32 nr = s->strings.str.nr, *to = xcalloc(nr + 1, sizeof(u32)), *sorted, at = 0;
	u8 *used = used_texts(s);

	vec_reserve(&s->text, nr);
	for (u32 i = 0; i < nr; i++)
		if (used[i])
			vec_push(&s->text, s->strings.str.v[i]);
	sorted = SORT_TABLE(s, &s->text, cmp_strings);
	for (u32 i = 0; i < nr; i++)
		if (used[i])
			to[i] = sorted[at++];
	free(sorted);
	free(used);
	return to;
}

static void order_texts(struct stacks *s)
{
	u32 *to = sort_texts(s);

	vec_foreach(&s->module, m) {
		m->name = to[m->name];
		m->path = to[m->path];
		m->buildid = to[m->buildid];
	}
	vec_foreach(&s->frame, f) {
		f->function = to[f->function];
		f->file = to[f->file];
	}
	vec_foreach(&s->label, l)
		*l = (struct stacks_label){ to[l->key], to[l->value] };
	vec_foreach(&s->constant, l)
		*l = (struct stacks_label){ to[l->key], to[l->value] };
	vec_foreach(&s->comment, c)
		*c = to[*c];
	s->machine = to[s->machine];
	s->kernel = to[s->kernel];
	s->boot = to[s->boot];
	free(to);
}

static void order_frames(struct stacks *s)
{
	u32 *to = SORT_TABLE(s, &s->module, stacks_cmp_modules);

	vec_foreach(&s->frame, f)
		f->module = f->module == STACKS_NONE ? STACKS_NONE : to[f->module];
	free(to);
	to = SORT_TABLE(s, &s->frame, stacks_cmp_frames);
	for (u32 i = 1; i < s->node.nr; i++)
		s->node.v[i].frame = to[s->node.v[i].frame];
	free(to);
}

/* nodes, each followed by its children in the order of their frames: their new numbers */
static u32 *order_nodes(struct stacks *s)
{
	u32 nr = s->node.nr, *first = xreallocarray(NULL, nr + 1, sizeof(u32)), at = 0;
	u32 *to = xreallocarray(NULL, nr, sizeof(u32));
	struct sort_pair *pair = xreallocarray(NULL, 2 * (size_t)nr, sizeof(*pair));
	struct stacks_node *sorted = xreallocarray(NULL, nr, sizeof(*sorted));
	struct { VEC(u32); } todo = { 0 };

	for (u32 i = 1; i < nr; i++)
		pair[i - 1] = (struct sort_pair){ (u64)s->node.v[i].parent << 32 | s->node.v[i].frame, i };
	sort_pairs(pair, pair + nr, nr - 1);
	for (u32 n = 0, p = 0; n <= nr; n++) {
		while (p < nr - 1 && pair[p].key >> 32 < n)
			p++;
		first[n] = p;
	}
	vec_push(&todo, 0);
	while (todo.nr) {
		u32 old = todo.v[--todo.nr];

		to[old] = at;
		sorted[at] = s->node.v[old];
		if (at)
			sorted[at].parent = to[sorted[at].parent];
		at++;
		for (u32 p = first[old + 1]; p-- > first[old];)
			vec_push(&todo, pair[p].val);	/* the first child is taken first */
	}
	free(s->node.v);
	s->node.v = sorted;
	s->node.alloc = nr;
	vec_release(&todo);
	free(first);
	free(pair);
	return to;
}

/* of several profiles, events are in the order of their names */
static u32 *order_events(struct stacks *s)
{
	u32 nr = s->event.nr, *to = xcalloc(nr + 1, sizeof(u32));
	struct stacks_event *sorted = xcalloc(nr + 1, sizeof(*sorted));

	for (u32 i = 0; i < nr; i++) {
		to[i] = s->nr_profiles > 1 ? 0 : i;
		for (u32 k = 0; k < nr && s->nr_profiles > 1; k++)
			to[i] += strcmp(s->event.v[k].name, s->event.v[i].name) < 0;
		sorted[to[i]] = s->event.v[i];
	}
	free(s->event.v);
	s->event.v = sorted;
	s->event.alloc = nr + 1;
	return to;
}

static u32 *order_stacks(struct stacks *s, const u32 *node, const u32 *labels, const u32 *event)
{
	size_t nr = s->stack.nr;
	u32 *to = xreallocarray(NULL, nr + 1, sizeof(*to));
	struct sort_pair *pair = xreallocarray(NULL, 2 * nr + 1, sizeof(*pair));
	struct stack *sorted = xreallocarray(NULL, nr + 1, sizeof(*sorted));

	for (size_t i = 0; i < nr; i++) {
		struct stack *k = &s->stack.v[i];

		*k = (struct stack){ node[k->node], labels[k->labels], event[k->event], k->nr, k->period,
				      k->weight };
		pair[i] = (struct sort_pair){ k->event, i };
	}
	sort_pairs(pair, pair + nr, nr);
	for (size_t i = 0; i < nr; i++)
		pair[i].key = (u64)s->stack.v[pair[i].val].node << 32 | s->stack.v[pair[i].val].labels;
	sort_pairs(pair, pair + nr, nr);
	for (size_t i = 0; i < nr; i++) {
		sorted[i] = s->stack.v[pair[i].val];
		to[pair[i].val] = i;
	}
	free(pair);
	free(s->stack.v);
	s->stack.v = sorted;
	s->stack.alloc = nr + 1;
	return to;
}

void stacks_finish(struct stacks *s)
{
	u32 *node, *labels, *event, *stack;

	release_indexes(s);
	order_texts(s);
	order_frames(s);
	node = order_nodes(s);
	labels = SORT_TABLE(s, &s->labels, stacks_cmp_labels);
	event = order_events(s);
	stack = order_stacks(s, node, labels, event);
	stacks_order_samples(s, stack);
	free(stack);
	free(node);
	free(labels);
	free(event);
}

/* ---- reading ---- */

bool stacks_has_value(const struct stacks_event *e, enum stacks_value v)
{
	return v != VALUE_WEIGHT || e->weights;
}

u64 stack_value(const struct stack *k, enum stacks_value v)
{
	return v == VALUE_SAMPLES ? k->nr : v == VALUE_WEIGHT ? k->weight : k->period;
}

void stacks_add_value_name(const struct stacks_event *e, enum stacks_value v, struct strbuf *out)
{
	strbuf_addstr(out, e->name);
	strbuf_addstr(out, v == VALUE_SAMPLES ? "-samples" : v == VALUE_WEIGHT ? "-weight" : "");
}

const char *stacks_value_unit(const struct stacks_event *e, enum stacks_value v)
{
	return v == VALUE_SAMPLES || v == VALUE_WEIGHT ? "count" : e->unit;
}

void stacks_path(const struct stacks *s, u32 node, struct stacks_path *ret)
{
	ret->nr = 0;
	for (; node; node = s->node.v[node].parent)
		vec_push(ret, s->node.v[node].frame);
}

const char *stacks_frame_name(const struct stacks *s, const struct stacks_frame *f, struct strbuf *scratch)
{
	const char *module;

	if (f->function)
		return stacks_text(s, f->function);
	module = f->module == STACKS_NONE ? "unknown" : stacks_text(s, s->module.v[f->module].name);
	if (*module == '[')
		return module;
	strbuf_reset(scratch);
	strbuf_addf(scratch, "[%s]", module);
	return strbuf_str(scratch);
}
