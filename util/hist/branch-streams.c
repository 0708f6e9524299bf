/* Branch streams: see branch-streams.h. */
#include "branch-streams.h"

#include <stdlib.h>
#include <string.h>
#include "branch-history.h"
#include "chain-tree.h"

void branch_streams_opts(struct hist_opts *o)
{
	o->chains = true;
	o->chain = (struct chain_opts){ .mode = CHAIN_MODE_FOLDED, .key = CHAIN_KEY_SRCLINE };
	o->max_stack = 127;
	o->every_branch = true;
}

/* paths lead from the node to the root, whose child stands for the sample's keys */
static u64 add_path(const struct hist *h, u32 node, struct strbuf *out)
{
	const struct trie_node *v = h->trie.node.v;
	u64 cycles = 0;

	for (; node && v[node].parent; node = v[node].parent) {
		u64 mark = h->label.v[v[node].label].mark;

		chain_node_text(h, node, out);
		strbuf_addch(out, '\n');
		cycles += mark & BRANCH_MARK_SOURCE ? BRANCH_MARK_CYCLES(mark) : 0;
	}
	return cycles;
}

static void take_item(struct branch_streams *s, const struct hist *h, const struct hist_item *it,
		      struct strbuf *text)
{
	u64 cycles;
	u32 id;

	strbuf_reset(text);
	cycles = add_path(h, it->node, text);
	if (!text->len)
		return;		/* a sample without branches */
	id = strtab_add(&s->texts, strbuf_str(text));
	while (s->stream.nr <= id)
		vec_push(&s->stream, (struct branch_stream){ .text = NULL });
	s->stream.v[id].nr += it->nr;
	s->stream.v[id].cycles += cycles * it->nr;
}

static int most_first(const void *pa, const void *pb)
{
	const struct branch_stream *a = pa, *b = pb;

	if (a->nr != b->nr)
		return a->nr < b->nr ? 1 : -1;
	return strcmp(a->text, b->text);
}

void branch_streams_take(const struct hist *h, u32 event, struct branch_streams *ret)
{
	const struct hist_event *ev = &h->event[event];
	struct strbuf text = STRBUF_INIT;
	u32 nr = 0;

	*ret = (struct branch_streams){ .nr = ev->shown.nr };
	for (size_t i = ev->first; i < ev->first + ev->nr_entries; i++) {
		const struct hist_entry *e = blocks_at(&h->entry, i);

		for (u32 k = e->first_item; k < e->first_item + e->nr_items; k++)
			take_item(ret, h, &h->item.v[k], &text);
	}
	strbuf_release(&text);
	/* texts stay where they are now; ids that have none are holes */
	for (u32 i = 0; i < ret->stream.nr; i++)
		if (ret->stream.v[i].nr) {
			ret->stream.v[nr] = ret->stream.v[i];
			ret->stream.v[nr++].text = strtab_get(&ret->texts, i);
		}
	ret->stream.nr = nr;
	if (nr)
		qsort(ret->stream.v, nr, sizeof(*ret->stream.v), most_first);
}

void branch_streams_release(struct branch_streams *s)
{
	vec_release(&s->stream);
	strtab_release(&s->texts);
}
