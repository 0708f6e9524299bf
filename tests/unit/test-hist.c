/* The parts of counting that need no file: rows, tries, what -g and --sort mean, call graphs as text. */
#include "test.h"

#include <errno.h>
#include <string.h>
#include "../../ui/text.h"
#include "../../util/base/strbuf.h"
#include "../../util/hist/hist.h"
#include "../../util/hist/sort-order.h"
#include "../../util/hist/bucket.h"

TEST(rows_add_up_by_key)
{
	struct key_table r;
	u64 a[2] = { 1, 2 }, b[2] = { 2, 1 };

	key_table_init(&r, 2, 1);
	key_table_sums(&r, key_table_get(&r, a))[0] += 5;
	key_table_sums(&r, key_table_get(&r, b))[0] += 7;
	key_table_sums(&r, key_table_get(&r, a))[0] += 1;
	CHECK_INT(r.nr, 2);
	CHECK_U64(key_table_sums(&r, 0)[0], 6);
	CHECK_U64(key_table_sums(&r, 1)[0], 7);
	key_table_release(&r);
}

TEST(rows_without_key_are_one)
{
	struct key_table r;

	key_table_init(&r, 0, 0);
	CHECK_INT(key_table_get(&r, NULL), 0);
	CHECK_INT(key_table_get(&r, NULL), 0);
	CHECK_INT(r.nr, 1);
	key_table_release(&r);
}

TEST(trie_shares_prefixes)
{
	struct trie t = { 0 };
	u32 a, b;

	trie_init(&t);
	a = trie_child(&t, 0, 7);
	b = trie_child(&t, a, 8);
	CHECK_INT(trie_child(&t, 0, 7), a);
	CHECK_INT(trie_child(&t, a, 8), b);
	CHECK(trie_child(&t, b, 7) != a);
	CHECK_INT(t.node.nr, 4);
	trie_release(&t);
}

static void add_bucket(struct buckets *ts, u32 sample_key, u32 leaf, u8 mode, const u32 *frames, u32 nr,
		       u64 period)
{
	struct bucket key = { .sample_key = sample_key, .leaf = leaf, .shape = BUCKET_SHAPE(nr, mode) };
	struct bucket *t = buckets_get(ts, bucket_hash(&key, frames), &key, frames);

	t->nr++;
	t->period += period;
	for (u32 i = 0; i < ts->nr_weights; i++)
		bucket_weights(t)[i] += i + 1;
}

static void check_buckets(u32 nr_weights)
{
	struct buckets ts = { .nr_weights = nr_weights };
	u32 frames[3] = { 7, 8, 9 }, n = 0;
	u64 sum = 0;

	for (int round = 0; round < 2; round++) {
		add_bucket(&ts, 1, 7, 1, frames, 3, 10);
		/* the beginning of another is another one */
		add_bucket(&ts, 1, 7, 1, frames, 2, 10);
		add_bucket(&ts, 1, 7, 2, frames, 3, 10);
		add_bucket(&ts, 1, 8, 1, frames, 3, 10);
		add_bucket(&ts, 2, 7, 1, frames, 3, 10);
		add_bucket(&ts, 2, 7, 1, NULL, 0, 10);
		for (u32 i = 0; i < 1000; i++)
			add_bucket(&ts, 3, i, 1, frames, i % 4, 1);
	}
	CHECK_INT(ts.nr, 1006);
	BUCKETS_FOREACH(&ts, pos) {
		struct bucket *t = buckets_at(&ts, pos);

		CHECK_INT(t->nr, 2);
		CHECK(!BUCKET_FRAMES(t) || bucket_frames(&ts, t)[0] == 7);
		for (u32 i = 0; i < nr_weights; i++)
			CHECK_INT(bucket_weights(t)[i], 2 * (i + 1));
		sum += t->period;
		n++;
	}
	CHECK_INT(n, 1006);
	CHECK_INT(sum, 6 * 20 + 2000);
	buckets_release(&ts);
}

TEST(buckets_are_one_for_each_key)
{
	check_buckets(0);
	check_buckets(3);
}

/* the rest of a block is too short for the next bucket, or for any bucket */
TEST(buckets_lie_in_one_block_each)
{
	for (u32 nr = 0; nr < 12; nr++) {
		struct buckets ts = { 0 };
		u32 frames[12] = { 0 }, n = 0;

		for (u32 i = 0; i < 30000; i++)
			add_bucket(&ts, i, 1, 1, frames, i % (nr + 1), 1);
		CHECK(ts.word.nr_blocks > 3);
		BUCKETS_FOREACH(&ts, pos) {
			REQUIRE(buckets_at(&ts, pos)->sample_key == n);
			REQUIRE(pos / BLOCK_ITEMS ==
				(pos + bucket_words(&ts, buckets_at(&ts, pos)) - 1) / BLOCK_ITEMS);
			n++;
		}
		CHECK_INT(n, 30000);
		buckets_release(&ts);
	}
}

TEST(kstacks_are_known_by_address_and_time)
{
	u64 a[2] = { 0xffffffff81000000, 0xffffffff81000010 },
			b[2] = { 0xffffffff81000000, 0xffffffff81000020 };
	const struct chain_run run = { a, 2, 1, CPUMODE_KERNEL }, shorter = { a, 1, 1, CPUMODE_KERNEL },
			other = { b, 2, 1, CPUMODE_KERNEL }, callers = { a, 2, 0, CPUMODE_KERNEL };
	struct kstacks k = { 0 };
	struct kstack *s;

	kstacks_init(&k);
	CHECK_INT(kstacks_find(&k, 5, &run, 100), 0);
	s = kstacks_add(&k, 5, &run);
	s->from = 50;
	s->to = 150;
	CHECK_INT(kstacks_find(&k, 5, &run, 100), 1);
	CHECK_INT(kstacks_find(&k, 5, &run, 150), 0);	/* another map may be there by then */
	CHECK_INT(kstacks_find(&k, 5, &shorter, 100), 0);
	CHECK_INT(kstacks_find(&k, 5, &other, 100), 0);
	/* --max-stack cut off the function that it called */
	CHECK_INT(kstacks_find(&k, 5, &callers, 100), 0);
	kstacks_add(&k, 5, &run)->from = 150;
	CHECK_INT(kstacks_find(&k, 5, &run, 151), 2);
	CHECK_INT(k.frame.nr, 4);
	kstacks_release(&k);
}

TEST(kstacks_keep_their_innermost_frame)
{
	u64 a[2] = { 0xffffffff81000000, 0xffffffff81000010 };
	const struct chain_run run = { a, 2, 1, CPUMODE_KERNEL };
	struct kstacks k = { 0 };

	kstacks_init(&k);
	for (u32 id = 1; id <= 2; id++) {	/* the equal frames of the second are dropped */
		kstacks_add(&k, id, &run);
		k.frame.v[k.frame.nr - 2] = 7;
		k.frame.v[k.frame.nr - 1] = 8;
		kstacks_added(&k);
		CHECK_INT(k.stack.v[id].leaf, 7);
		CHECK_INT(k.stack.v[id].same, 1);
	}
	CHECK_INT(k.frame.nr, 2);
	CHECK_INT(k.stack.v[0].leaf, 0);
	kstacks_release(&k);
}

TEST(kstacks_of_any_addresses)
{
	u64 a[3] = { 0xffffffff81000000, 0xffff800081000010, 0x10 };
	u64 b[3] = { a[0], 0xffffffff81000010, a[2] };
	const struct chain_run run = { a, 3, 1, CPUMODE_KERNEL }, other = { b, 3, 1, CPUMODE_KERNEL },
			low = { a + 2, 1, 1, CPUMODE_KERNEL }, high = { b + 1, 1, 1, CPUMODE_KERNEL };
	const struct chain_run *all[] = { &run, &other, &low, &high };
	struct kstacks k = { 0 };

	kstacks_init(&k);
	for (u32 i = 0; i < ARRAY_SIZE(all); i++) {
		CHECK_INT(kstacks_find(&k, 5, all[i], 100), 0);
		kstacks_add(&k, 5, all[i]);
	}
	for (u32 i = 0; i < ARRAY_SIZE(all); i++)
		CHECK_INT(kstacks_find(&k, 5, all[i], 100), i + 1);
	kstacks_release(&k);
}

TEST(chain_opts_words_in_any_order)
{
	struct chain_opts o = CHAIN_OPTS_INIT;
	struct err err = ERR_INIT;

	CHECK_INT(chain_opts_parse(&o, "callee,2.5,fractal,10,address,count", &err), 0);
	CHECK(!o.caller && o.caller_set);
	CHECK_INT(o.mode, CHAIN_MODE_FRACTAL);
	CHECK(o.min_percent == 2.5);
	CHECK_INT(o.print_limit, 10);
	CHECK_INT(o.key, CHAIN_KEY_ADDRESS);
	CHECK_INT(o.value, CHAIN_VALUE_COUNT);
	CHECK_INT(chain_opts_parse(&o, "grahp", &err), -EINVAL);
	CHECK(strstr(err.msg, "'grahp'"));
}

static void check_spec(struct sort_spec spec, const char *want)
{
	struct sort_order o;
	struct err err = ERR_INIT;
	struct strbuf sb = STRBUF_INIT;

	CHECK_INT(sort_order_parse(&o, &spec, &err), 0);
	for (u32 i = 0; i < o.nr_columns; i++)
		strbuf_addf(&sb, "%s%s", i ? "," : "", o.column[i]->name);
	strbuf_addstr(&sb, " by ");
	for (u32 i = 0; i < o.nr_by; i++)
		strbuf_addf(&sb, "%s%s", i ? "," : "", o.by[i]->name);
	CHECK_STR(strbuf_str(&sb), want);
	strbuf_release(&sb);
}

static void check_order(const char *sort, const char *fields, bool children, const char *want)
{
	check_spec((struct sort_spec){ .sort = sort, .fields = fields, .default_sort = "comm,dso,symbol",
				       .children = children }, want);
}

TEST(sort_order_columns)
{
	check_order(NULL, NULL, false, "overhead,comm,dso,symbol by overhead,comm,dso,symbol");
	check_order("sym", NULL, true,
		    "overhead_children,overhead,symbol by overhead_children,overhead,symbol");
	check_order("sym", NULL, false, "overhead,symbol by overhead,symbol");
	check_order("+cpu", NULL, false, "overhead,comm,dso,symbol,cpu by overhead,comm,dso,symbol,cpu");
	check_order(NULL, "overhead,sample,sym", false, "overhead,sample,symbol by overhead,sample,symbol");
}

TEST(sort_order_with_numbers_among_the_keys)
{
	check_order("comm,sample", NULL, false, "overhead,comm,sample by overhead,comm,sample");
	check_order("comm,overhead", NULL, false, "overhead,comm by comm,overhead");
	check_order("overhead,sym", NULL, true, "overhead,symbol by overhead,symbol");
	check_order("sym,overhead,overhead_children", NULL, true,
		    "overhead_children,overhead,symbol by symbol,overhead,overhead_children");
	check_order("+overhead", NULL, false, "overhead,comm,dso,symbol by comm,dso,symbol,overhead");
	check_order("comm,sym", "period,sym", false, "period,symbol,comm by comm,symbol");
	check_order("overhead", "comm,sample", false, "comm,sample,overhead by overhead");
	check_order("sym", "+sample", false, "overhead,sample,symbol by overhead,symbol,sample");
}

static void check_latency(const char *sort, const char *fields, bool first, const char *want)
{
	check_spec((struct sort_spec){ .sort = sort, .fields = fields, .default_sort = "comm",
				       .has_latency = true, .latency_first = first }, want);
}

static bool names_rows(const char *sort, const char *fields)
{
	struct sort_spec spec = { .sort = sort, .fields = fields, .default_sort = "comm", .children = true };
	struct sort_order o;
	struct err err = ERR_INIT;

	CHECK_INT(sort_order_parse(&o, &spec, &err), 0);
	return o.names_rows;
}

TEST(sort_order_names_rows_where_the_function_is_first)
{
	CHECK(names_rows("sym", NULL));
	CHECK(names_rows("sym,comm,sample", NULL));
	CHECK(!names_rows("comm,sym", NULL));
	CHECK(!names_rows("sample,sym", NULL));
	CHECK(!names_rows("overhead,sym", NULL));
	CHECK(!names_rows("sym", "sample,sym"));
	CHECK(!names_rows(NULL, "sym"));
}

TEST(sort_order_with_latency)
{
	check_latency(NULL, NULL, false, "overhead,latency,comm by overhead,latency,comm");
	check_latency("sym", NULL, true, "latency,overhead,symbol by latency,overhead,symbol");
	check_latency("latency,sym", NULL, false, "latency,symbol by latency,symbol");
	check_latency("sym,latency", NULL, false, "latency,symbol by symbol,latency");
	check_latency("latency,overhead,sym", NULL, false,
		      "overhead,latency,symbol by latency,overhead,symbol");
	check_latency("sym,overhead", NULL, true, "latency,overhead,symbol by latency,overhead,symbol");
	check_latency("sym,overhead,latency", NULL, true,
		      "latency,overhead,symbol by symbol,overhead,latency");
	check_spec((struct sort_spec){ .sort = "latency,overhead,comm", .has_latency = true,
				       .hierarchy = true }, "latency,overhead,comm by latency,overhead,comm");
	check_latency(NULL, "sample,comm", true, "sample,comm by sample,comm");
	check_latency("latency", "sample,comm", false, "sample,comm,latency by latency");
	check_spec((struct sort_spec){ .default_sort = "sym", .has_latency = true, .children = true },
		   "overhead_children,latency_children,overhead,latency,symbol by "
		   "overhead_children,latency_children,overhead,latency,symbol");
	check_spec((struct sort_spec){ .default_sort = "sym", .has_latency = true, .latency_first = true,
				       .children = true },
		   "latency_children,overhead_children,latency,overhead,symbol by "
		   "latency_children,overhead_children,latency,overhead,symbol");
}

TEST(sort_order_names_the_nearest_key)
{
	struct sort_spec spec = { .sort = "symobl", .default_sort = "comm" };
	struct sort_order o;
	struct err err = ERR_INIT;

	CHECK_INT(sort_order_parse(&o, &spec, &err), -EINVAL);
	CHECK(strstr(err.msg, "did you mean 'symbol'"));
}

static struct view_node *node(const char *label, u64 nr, u64 self, struct view_node *a, struct view_node *b)
{
	struct view_node *n = xcalloc(1, sizeof(*n));

	*n = (struct view_node){ .label = label, .nr = nr, .period = nr, .self_nr = self,
				 .self_period = self };
	if (a)
		vec_push(&n->child, a);
	if (b)
		vec_push(&n->child, b);
	return n;
}

static void check_graph(const struct view_node *root, enum graph_mode mode, const char *want)
{
	struct text_opts o = { .graph = mode };
	struct strbuf sb = STRBUF_INIT;

	graph_text(root, &o, 10, 0.5, &sb);
	CHECK_STR(strbuf_str(&sb), want);
	strbuf_release(&sb);
}

TEST(graph_layouts)
{
	struct view_node *c = node("leaf", 6, 6, NULL, NULL), *d = node("other", 3, 3, NULL, NULL);
	struct view_node *b = node("mid", 10, 1, c, d), *a = node("main", 10, 0, b, NULL);
	struct view_node *root = node(NULL, 10, 0, a, NULL);

	check_graph(root, GRAPH_TREE,
		    "            |\n"
		    "            ---main\n"
		    "               mid\n"
		    "               |          \n"
		    "               |--60.00%--leaf\n"
		    "               |          \n"
		    "                --30.00%--other\n"
		    "\n");
	check_graph(root, GRAPH_FOLDED, "60.00% main;mid;leaf\n30.00% main;mid;other\n10.00% main;mid\n");
	check_graph(root, GRAPH_NONE, "");
	root->nr = 11;	/* something else is below the threshold: no single root */
	check_graph(root, GRAPH_TREE,
		    "            |          \n"
		    "             --100.00%--main\n"
		    "                       mid\n"
		    "                       |          \n"
		    "                       |--60.00%--leaf\n"
		    "                       |          \n"
		    "                        --30.00%--other\n"
		    "\n");
}
