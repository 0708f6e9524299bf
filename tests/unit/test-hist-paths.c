/* Call chains from buckets to graphs: entries, paths, what the threshold cuts, in both orders. */
#include "test.h"

#include <string.h>
#include "../../util/base/pool.h"
#include "../../util/hist/chain-tree.h"
#include "../../util/hist/entry.h"
#include "../../util/hist/paths.h"

#define NR_LABELS 5

/* one event, one sample_key, labels that are frames without names: label i is address i + 1 */
struct path_fixture {
	struct session session;
	struct hist h;
	struct worker_results results;
	struct hist_event event;
};

static void fixture_init(struct path_fixture *f, bool caller, double min_percent, u32 nr_results)
{
	*f = (struct path_fixture){ .results = { .v = xcalloc(nr_results, sizeof(*f->results.v)),
						 .nr = nr_results } };
	f->session.pool = pool_new(1);
	f->h.session = &f->session;
	f->h.opts = (struct hist_opts){ .chains = true, .children = true,
		.chain = { .mode = CHAIN_MODE_GRAPH, .caller = caller, .min_percent = min_percent } };
	f->h.event = &f->event;
	f->h.nr_events = 1;
	key_table_init(&f->h.sample_keys, 1, 0);
	key_table_get(&f->h.sample_keys, (u64[]){ 0 });
	key_table_init(&f->h.frame_keys, 1, 0);
	for (u32 i = 0; i < NR_LABELS; i++) {
		vec_push(&f->h.label, (struct hist_label){ i, i });
		key_table_append(&f->h.frame_keys, (u64[]){ i });
		vec_push(&f->h.names.named, (struct named){ .dso = ID_NONE, .sym = ID_NONE, .frame = i });
		vec_push(&f->h.names.frame, (struct frame){ .dso = ID_NONE, .addr = i + 1, .ip = i + 1 });
	}
	for (u32 i = 0; i < nr_results; i++)
		kstacks_init(&f->results.v[i].kstacks);
	f->results.sample_key = xcalloc(1, sizeof(u32));
}

/* stack: labels as digits, innermost first; those before a '/' are the kernel's */
static void add_stack(struct path_fixture *f, u32 result, const char *stack, u64 period)
{
	struct worker_result *s = &f->results.v[result];
	struct bucket key = { .leaf = stack[0] - '0' }, *t;
	const char *slash = strchr(stack, '/');
	u32 frames[16], nr = 0;

	if (slash) {
		const struct chain_run run = { .ip = (u64[16]){ 0 }, .nr = slash - stack };
		u32 first = s->kstacks.frame.nr;

		kstacks_add(&s->kstacks, s->kstacks.stack.nr, &run);
		for (u32 i = 0; i < run.nr; i++)
			s->kstacks.frame.v[first + i] = stack[i] - '0';
		key.kstack = s->kstacks.stack.nr - 1;
		stack = slash + 1;
	}
	for (; *stack; stack++)
		frames[nr++] = *stack - '0';
	key.shape = BUCKET_SHAPE(nr, CPUMODE_USER);
	t = buckets_get(&s->buckets, bucket_hash(&key, frames), &key, frames);
	t->nr++;
	t->period += period;
	f->event.total.nr++;
	f->event.total.period += period;
	f->event.shown = f->event.total;
}

static void run(struct path_fixture *f)
{
	for (u32 i = 0; i < f->results.nr; i++) {
		struct worker_result *s = &f->results.v[i];
		u32 n = 0;

		s->pos = xcalloc(s->buckets.nr + 1, sizeof(u32));
		s->first = xcalloc(2, sizeof(u32));
		BUCKETS_FOREACH(&s->buckets, pos)
			s->pos[n++] = pos;
		s->first[1] = n;
	}
	entries_make(&f->h, &f->results);
	paths_make(&f->h, &f->results);
}

static void fixture_release(struct path_fixture *f)
{
	worker_results_release(&f->results);
	pool_free(f->session.pool);
	names_release(&f->h.names);
	key_table_release(&f->h.sample_keys);
	key_table_release(&f->h.frame_keys);
	vec_release(&f->h.label);
	blocks_release(&f->h.entry);
	vec_release(&f->h.own);
	vec_release(&f->h.item);
	trie_release(&f->h.trie);
}

static const struct hist_entry *entry_of(const struct path_fixture *f, u32 label)
{
	for (size_t i = 0; i < f->h.entry.nr; i++)
		if (blocks_at(&f->h.entry, i)->frame_key == label)
			return blocks_at(&f->h.entry, i);
	return NULL;
}

static void add_text(const struct view_node *n, struct strbuf *sb)
{
	vec_foreach(&n->child, c) {
		strbuf_addf(sb, "(%s %lu/%lu", (*c)->label + 2, (*c)->period, (*c)->self_period);
		add_text(*c, sb);
		strbuf_addch(sb, ')');
	}
}

/* the graph of an entry as "(label period/own ...children)" */
static void check_tree(const struct path_fixture *f, u32 label, const char *want)
{
	struct chain_builder *b = chain_builder_new(&f->h);
	struct view_node *root = chain_tree(b, entry_of(f, label), f->event.total.period);
	struct view *v = xcalloc(1, sizeof(*v));
	struct strbuf sb = STRBUF_INIT;

	if (root)
		add_text(root, &sb);
	CHECK_STR(strbuf_str(&sb), want);
	strbuf_release(&sb);
	chain_builder_finish(b, v);
	view_free(v);
}

TEST(entries_count_each_name_of_a_chain_once)
{
	struct path_fixture f;

	fixture_init(&f, true, 0.5, 2);
	add_stack(&f, 0, "0/101", 10);		/* 1 calls 0 calls 1 calls 0 */
	add_stack(&f, 1, "201", 5);
	run(&f);
	CHECK_INT(entry_of(&f, 0)->period_children, 15);
	CHECK_INT(hist_entry_period(&f.h, entry_of(&f, 0)), 10);
	CHECK_INT(entry_of(&f, 1)->period_children, 15);
	CHECK_INT(hist_entry_period(&f.h, entry_of(&f, 1)), 0);
	CHECK_INT(entry_of(&f, 1)->max_depth, 4);
	CHECK_INT(entry_of(&f, 0)->max_depth, 4);	/* its own samples' whole chain */
	CHECK_INT(entry_of(&f, 2)->period_children, 5);
	CHECK(!entry_of(&f, 3));
	fixture_release(&f);
}

TEST(paths_from_the_caller)
{
	struct path_fixture f;

	fixture_init(&f, true, 20, 2);
	add_stack(&f, 0, "2/10", 40);		/* 0 calls 1 calls 2 */
	add_stack(&f, 1, "210", 20);
	add_stack(&f, 1, "310", 10);		/* below the threshold */
	add_stack(&f, 1, "14", 30);
	run(&f);
	check_tree(&f, 0, "(1 70/0(2 70/0(3 60/60)))");
	/* a caller that is called starts with itself, its own samples with their outermost caller */
	check_tree(&f, 1, "(2 70/0(3 60/60))(5 30/0(2 30/30))");
	check_tree(&f, 3, "");
	fixture_release(&f);
}

TEST(paths_from_the_callee)
{
	struct path_fixture f;

	fixture_init(&f, false, 20, 2);
	add_stack(&f, 0, "210", 40);
	add_stack(&f, 1, "2/10", 20);
	add_stack(&f, 1, "310", 10);
	add_stack(&f, 0, "14", 30);
	run(&f);
	check_tree(&f, 2, "(3 60/0(2 60/0(1 60/60)))");
	check_tree(&f, 1, "(2 100/0(1 70/70)(5 30/30))");
	check_tree(&f, 0, "(1 70/70)");
	fixture_release(&f);
}

TEST(paths_end_where_a_name_is_below_the_threshold)
{
	struct path_fixture f;

	fixture_init(&f, true, 20, 1);
	for (u32 i = 0; i < 4; i++)
		add_stack(&f, 0, (const char *[]){ "210", "2130", "2140", "2/1430" }[i], 10);
	add_stack(&f, 0, "2", 110);
	run(&f);
	/* 3 and 4 have less than 20 % of 150: what they call is not shown below 0 */
	check_tree(&f, 0, "(1 40/0)");
	check_tree(&f, 1, "(2 40/0(3 40/40))");
	CHECK(f.h.trie.node.nr < 8);
	fixture_release(&f);
	/* no threshold: all is shown */
	fixture_init(&f, true, 0, 1);
	add_stack(&f, 0, "2130", 10);
	add_stack(&f, 0, "2", 110);
	run(&f);
	check_tree(&f, 0, "(1 10/0(4 10/0(2 10/0(3 10/10))))");
	fixture_release(&f);
}
