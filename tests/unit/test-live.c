/*
 * Live sessions: what is fed is given out in order of time, counts add up and decay, and the machine
 * forgets what has ended.
 */
#include "bytes.h"
#include "side.h"
#include "test.h"
#include "../../util/event/record-type.h"
#include "../../util/hist/branch-history.h"
#include "../../util/hist/carry-fold.h"
#include "../../util/session/feed.h"

#include <string.h>

#define IP 0x1000
#define IDS (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD)

struct live {
	struct evset *set;
	struct features feat;
	struct session *s;
	struct sort_order order;
	struct hist_opts opts;
	struct hist_carry carry;
};

static void live_open_as(struct live *l, const char *sort, u64 sample_type)
{
	struct sort_spec spec = { .sort = sort };
	struct event *ev;
	struct err err = ERR_INIT;

	*l = (struct live){ .set = evset_new() };
	ev = evset_add(l->set, "cpu-clock");
	ev->attr.sample_type = sample_type;
	ev->attr.flags = ATTR_SAMPLE_ID_ALL;
	session_open_fed(&l->s, &(struct session_fed_opts){ .set = l->set, .feat = &l->feat,
							    .sym = SYM_OPTS_INIT, .jobs = 1 });
	CHECK_INT(sort_order_parse(&l->order, &spec, &err), 0);
	CHECK_INT(hist_carry_check(&l->order, &err), 0);
	sort_order_keys(&l->order, &l->opts);
	l->opts.carry = &l->carry;
}

static void live_open(struct live *l, const char *sort)
{
	live_open_as(l, sort, IDS);
}

static void live_close(struct live *l)
{
	hist_carry_release(&l->carry);
	session_close(l->s);
	evset_free(l->set);
}

static void feed(struct live *l, u32 type, u16 misc, struct side_rec *r)
{
	struct rec_header h = { type, misc, r->n };

	memcpy(r->b, &h, sizeof(h));
	session_feed(l->s, (const void *)r->b);
}

static void feed_sample(struct live *l, u64 ip, u32 tid, u64 time, u64 period)
{
	struct side_rec r = { .n = 8 };

	side_put(&r, ip, 8);
	side_put(&r, tid, 4);
	side_put(&r, tid, 4);
	side_put(&r, time, 8);
	side_put(&r, period, 8);
	feed(l, REC_SAMPLE, CPUMODE_USER, &r);
}

static void put_trailer(struct side_rec *r, u32 tid, u64 time)
{
	side_put(r, tid, 4);
	side_put(r, tid, 4);
	side_put(r, time, 8);
}

static void feed_comm(struct live *l, u32 tid, u64 time, const char *comm)
{
	struct side_rec r = { .n = 8 };

	side_put(&r, tid, 4);
	side_put(&r, tid, 4);
	side_str(&r, comm);
	put_trailer(&r, tid, time);
	feed(l, REC_COMM, 0, &r);
}

static u64 total_nr(struct hist *h)
{
	return h->event[0].total.nr;
}

/* sums of the only entry, or of none */
static struct stat_sums only(struct hist *h)
{
	CHECK(h->entry.nr <= 1);
	return h->entry.nr ? hist_entry_sums(h, blocks_at(&h->entry, 0)) : (struct stat_sums){ 0 };
}

static const char *comm_at(struct machine *m, s32 pid, u64 time)
{
	struct sample_ctx ctx = machine_sample_ctx(m, pid, pid, (struct when){ time, 0 });

	return machine_comm(m, &ctx);
}

TEST(samples_wait_for_what_other_rings_may_tell_of_them)
{
	struct live l;
	struct hist *h;

	live_open(&l, "comm");
	/* the sample's ring is read before the ring with the name */
	feed_comm(&l, 7, 10, "old");
	session_feed_round(l.s);
	feed_sample(&l, IP, 7, 9, 1);
	feed_sample(&l, IP, 7, 21, 1);
	session_feed_round(l.s);
	h = hist_carry_fold(&l.carry, l.s, &l.opts, false);
	CHECK_U64(total_nr(h), 1);
	hist_free(h);
	feed_comm(&l, 7, 20, "new");
	session_feed_round(l.s);
	h = hist_carry_fold(&l.carry, l.s, &l.opts, false);
	CHECK_U64(total_nr(h), 2);
	CHECK_INT(h->entry.nr, 2);
	CHECK_STR(comm_at(l.s->machine, 7, 22), "new");
	hist_free(h);
	feed_sample(&l, IP, 7, 30, 1);
	h = hist_carry_fold(&l.carry, l.s, &l.opts, true);	/* the end: no record is held back */
	CHECK_U64(total_nr(h), 3);
	CHECK_INT(h->entry.nr, 2);
	hist_free(h);
	live_close(&l);
}

TEST(counts_decay_at_each_refresh_until_they_are_gone)
{
	struct live l;
	struct hist *h;
	u64 period = 801, nr = 8, rounds = 0;

	live_open(&l, "pid,symbol");
	for (int i = 0; i < 8; i++)
		feed_sample(&l, IP, 7, 10 + i, i ? 100 : 101);
	h = hist_carry_fold(&l.carry, l.s, &l.opts, true);
	CHECK_U64(only(h).nr, 8);
	while (h->entry.nr && ++rounds < 100) {
		CHECK_U64(only(h).nr, nr);
		CHECK_U64(only(h).period, period);
		CHECK_U64(only(h).period_us, period);
		CHECK_U64(h->event[0].total.period, period);
		hist_free(h);
		hist_carry_decay(&l.carry);
		nr = nr * 7 / 8;
		period = period * 7 / 8;
		h = hist_carry_fold(&l.carry, l.s, &l.opts, true);
	}
	CHECK_U64(period, 0);
	CHECK_INT(l.carry.row.nr, 0);
	CHECK_INT(l.carry.key.nr, 0);
	hist_free(h);
	live_close(&l);
}

TEST(new_samples_join_what_is_carried)
{
	struct live l;
	struct hist *h;

	live_open(&l, "pid,symbol");
	for (u32 round = 0; round < 3; round++) {
		for (u32 i = 0; i < 100; i++)
			feed_sample(&l, IP, 7, 1000 * round + i, 10);
		h = hist_carry_fold(&l.carry, l.s, &l.opts, true);
		CHECK_INT(h->entry.nr, 1);
		CHECK_U64(only(h).nr, 100 * (round + 1));
		hist_free(h);
	}
	hist_carry_clear(&l.carry);
	h = hist_carry_fold(&l.carry, l.s, &l.opts, true);
	CHECK_INT(h->entry.nr, 0);
	hist_free(h);
	live_close(&l);
}

/* nr frames, innermost first: IP + depth, below a caller of all */
static void feed_chain(struct live *l, u32 nr, u64 time, u64 period)
{
	struct side_rec r = { .n = 8 };

	side_put(&r, IP, 8);
	side_put(&r, 7, 4);
	side_put(&r, 7, 4);
	side_put(&r, time, 8);
	side_put(&r, period, 8);
	side_put(&r, nr ? nr + 1 : 0, 8);
	if (nr)
		side_put(&r, PERF_CONTEXT_USER, 8);
	for (u32 i = 0; i < nr; i++)
		side_put(&r, i + 1 == nr ? 0x9000 : IP + i, 8);
	feed(l, REC_SAMPLE, CPUMODE_USER, &r);
}

static u64 ends_of(const struct hist *h, u32 depth)
{
	u64 sum = 0;

	vec_foreach(&h->end, e) {
		u32 n = 0;

		for (u32 node = e->node; h->trie.node.v[node].parent; node = h->trie.node.v[node].parent)
			n++;
		sum += n == depth ? e->period : 0;
	}
	return sum;
}

static void check_chains(bool caller)
{
	struct live l;
	struct hist *h;

	live_open_as(&l, "pid,symbol", IDS | PERF_SAMPLE_CALLCHAIN);
	l.opts.chains = l.opts.children = true;
	l.opts.max_stack = 127;
	l.opts.chain = (struct chain_opts)CHAIN_OPTS_INIT;
	l.opts.chain.caller = caller;
	feed_chain(&l, 3, 10, 8000000);
	feed_chain(&l, 2, 11, 800000);
	feed_chain(&l, 0, 12, 80000);
	feed_chain(&l, 4, 13, 8);	/* too small to be carried */
	for (u32 round = 0; round < 3; round++) {
		u64 scale = round == 0 ? 64 : round == 1 ? 56 : 49;

		h = hist_carry_fold(&l.carry, l.s, &l.opts, true);
		CHECK_U64(ends_of(h, 3), 125000 * scale);
		CHECK_U64(ends_of(h, 2), 12500 * scale);
		CHECK_U64(ends_of(h, 0), 1250 * scale);
		CHECK_U64(ends_of(h, 4), round ? 0 : 8);
		CHECK_U64(h->event[0].total.period, 138750 * scale + (round ? 0 : 8));
		hist_free(h);
		hist_carry_decay(&l.carry);
	}
	live_close(&l);
}

TEST(call_chains_are_carried)
{
	check_chains(false);
	check_chains(true);
}

/* a sample with branches from (side IP + from) to IP + to, predicted, that took cycles; the newest first */
struct test_branch {
	u64 from, to, cycles;
};

/* a predicted branch, in the bit field of the kernel of this machine */
static u64 test_branch_flags(u64 cycles)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return 1ull << 62 | cycles << 44;
#else
	return 2 | cycles << 4;
#endif
}

static void feed_branches(struct live *l, u64 time, const struct test_branch *b, u32 nr)
{
	struct side_rec r = { .n = 8 };

	side_put(&r, IP, 8);
	side_put(&r, 7, 4);
	side_put(&r, 7, 4);
	side_put(&r, time, 8);
	side_put(&r, 1000, 8);
	side_put(&r, nr, 8);
	for (u32 i = 0; i < nr; i++) {
		side_put(&r, b[i].from, 8);
		side_put(&r, b[i].to, 8);
		side_put(&r, test_branch_flags(b[i].cycles), 8);
	}
	feed(l, REC_SAMPLE, CPUMODE_USER, &r);
}

static void open_branches(struct live *l, const char *sort, enum count_mode mode)
{
	struct sort_spec spec = { .sort = sort, .has = NEEDS_BRANCH | NEEDS_HISTORY };
	struct err err = ERR_INIT;

	live_open_as(l, "pid", IDS | PERF_SAMPLE_BRANCH_STACK);
	l->opts = (struct hist_opts){ .mode = mode, .carry = &l->carry, .max_stack = 127 };
	CHECK_INT(sort_order_parse(&l->order, &spec, &err), 0);
	CHECK_INT(hist_carry_check(&l->order, &err), 0);
	sort_order_keys(&l->order, &l->opts);
}

TEST(branches_are_carried_with_their_ends)
{
	static const struct test_branch b[] = { { 0x1000, 0x2000, 3 }, { 0x3000, 0x4000, 5 },
						{ 0x1000, 0x2000, 3 } };
	struct live l;
	struct hist *h;

	open_branches(&l, "symbol_from,addr_to", COUNT_BRANCHES);
	l.opts.branch_sums = true;
	for (u32 i = 0; i < 8; i++)
		feed_branches(&l, 10 + i, b, 3);
	for (u32 round = 0; round < 3; round++) {
		u64 scale = round == 0 ? 64 : round == 1 ? 56 : 49;
		u64 nr = 0, cycles = 0, from = 0;

		/* frames of another kind come first, so that frames have other numbers in each count */
		if (round)
			feed_branches(&l, 100 + round,
				      (struct test_branch[]){ { 0x500 + round, 0x600, 0 } }, 1);
		h = hist_carry_fold(&l.carry, l.s, &l.opts, true);
		CHECK_INT(h->entry.nr, 2 + (round > 0));
		for (u32 i = 0; i < h->entry.nr; i++) {
			const struct hist_entry *e = blocks_at(&h->entry, i);
			struct stat_sums s = hist_entry_sums(h, e);
			u64 to = h->names.frame.v[hist_entry_key(h, e, 1)].ip;

			nr += to == 0x2000 ? s.nr : 0;
			cycles += to == 0x4000 ? s.cycles : 0;
			from += to == 0x2000 ? hist_entry_period(h, e) : 0;
		}
		CHECK_U64(nr, scale / 4);
		CHECK_U64(from, scale / 4);
		CHECK_U64(cycles, round == 0 ? 40 : round == 1 ? 35 : 30);
		CHECK(h->event[0].total.nr >= 8 * scale / 64 && h->event[0].total.nr < 12);
		CHECK_U64(h->event[0].total.nr, h->event[0].shown.nr);
		CHECK_U64(h->event[0].total.cycles, h->event[0].shown.cycles);
		hist_free(h);
		hist_carry_decay(&l.carry);
	}
	live_close(&l);
}

static enum filter_verdict keep_one(const void *ctx, const struct names *names, u32 frame)
{
	return names->frame.v[frame].ip == 0x1000 ? FILTER_KEEP : FILTER_HIDE;
}

TEST(carried_branches_stay_where_filters_kept_them)
{
	static const struct test_branch b[] = { { 0x1000, 0x2000, 3 } };
	struct live l;
	struct hist *h;

	open_branches(&l, "symbol_from,symbol_to", COUNT_BRANCHES);
	l.opts.keep_frame = keep_one;
	l.opts.frames = true;
	for (u32 i = 0; i < 8; i++)
		feed_branches(&l, 10 + i, b, 1);
	for (u32 round = 0; round < 3; round++) {
		h = hist_carry_fold(&l.carry, l.s, &l.opts, true);
		CHECK_INT(h->entry.nr, 1);
		CHECK_U64(h->event[0].shown.nr, 8);
		CHECK_U64(h->event[0].total.nr, 8);
		hist_free(h);
	}
	live_close(&l);
}

TEST(branch_histories_are_carried_with_their_marks)
{
	static const struct test_branch b[] = { { 0x1000, 0x2000, 3 }, { 0x3000, 0x1000, 5 },
						{ 0x1000, 0x2000, 7 } };
	struct live l;
	struct hist *h;

	open_branches(&l, "symbol,callchain_branch_cycles", COUNT_SAMPLES);
	l.opts.chains = l.opts.children = l.opts.history = l.opts.branch_sums = true;
	l.opts.chain = (struct chain_opts)CHAIN_OPTS_INIT;
	l.opts.chain.key = CHAIN_KEY_ADDRESS;
	for (u32 i = 0; i < 8; i++)
		feed_branches(&l, 10 + i, b, 3);
	for (u32 round = 0; round < 3; round++) {
		u64 scale = round == 0 ? 64 : round == 1 ? 56 : 49, cycles = 0, marks = 0;

		h = hist_carry_fold(&l.carry, l.s, &l.opts, true);
		CHECK_INT(h->end.nr, 1);
		CHECK_U64(ends_of(h, 6), 125 * scale);
		for (u32 node = h->end.v[0].node; h->trie.node.v[node].parent;
		     node = h->trie.node.v[node].parent)
			marks += BRANCH_MARK_CYCLES(h->label.v[h->trie.node.v[node].label].mark);
		CHECK_U64(marks, 15);
		for (u32 i = 0; i < h->entry.nr; i++) {
			const struct hist_entry *e = blocks_at(&h->entry, i);

			cycles = MAX(cycles, hist_entry_sums(h, e).cycles);
		}
		CHECK_U64(cycles, 15 * 8 * scale / 64);
		hist_free(h);
		hist_carry_decay(&l.carry);
	}
	live_close(&l);
}

/* a sample with the calls first to last, the newest last, each from 0x100 * n */
static void feed_calls(struct live *l, u64 time, u32 first, u32 last)
{
	struct side_rec r = { .n = 8 };

	side_put(&r, IP, 8);
	side_put(&r, 7, 4);
	side_put(&r, 7, 4);
	side_put(&r, time, 8);
	side_put(&r, 1000, 8);
	side_put(&r, 2, 8);
	side_put(&r, PERF_CONTEXT_USER, 8);
	side_put(&r, IP, 8);
	side_put(&r, last - first + 1, 8);
	for (u32 i = last; i >= first; i--) {
		side_put(&r, 0x10000 + 0x100 * i, 8);
		side_put(&r, 0x10000 + 0x100 * (i + 1) - 8, 8);
		side_put(&r, 0, 8);
	}
	feed(l, REC_SAMPLE, CPUMODE_USER, &r);
}

TEST(calls_of_the_processor_are_stitched_across_refreshes)
{
	struct live l;
	struct hist *h;

	live_open_as(&l, "pid", IDS | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK);
	evset_at(l.set, 0)->attr.branch_sample_type = PERF_SAMPLE_BRANCH_CALL_STACK | PERF_SAMPLE_BRANCH_USER;
	session_close(l.s);
	session_open_fed(&l.s, &(struct session_fed_opts){ .set = l.set, .feat = &l.feat,
							    .sym = SYM_OPTS_INIT, .jobs = 1,
							    .stitch_lbr = true });
	l.opts.chains = true;
	l.opts.max_stack = 127;
	l.opts.chain = (struct chain_opts)CHAIN_OPTS_INIT;
	l.opts.chain.key = CHAIN_KEY_ADDRESS;
	feed_comm(&l, 7, 1, "seven");
	feed_calls(&l, 10, 1, 7);	/* all calls that there are */
	h = hist_carry_fold(&l.carry, l.s, &l.opts, true);
	CHECK_U64(ends_of(h, 8), 1000);
	hist_free(h);
	hist_carry_clear(&l.carry);
	/* the ring before this one came later */
	feed_calls(&l, 30, 4, 11);
	feed_calls(&l, 20, 2, 9);
	h = hist_carry_fold(&l.carry, l.s, &l.opts, true);
	CHECK_U64(ends_of(h, 10), 1000);
	CHECK_U64(ends_of(h, 12), 1000);
	hist_free(h);
	live_close(&l);
}

TEST(weights_are_carried)
{
	struct live l;
	struct hist *h;

	live_open_as(&l, "pid", IDS | PERF_SAMPLE_WEIGHT);
	l.opts.weights = true;
	for (u32 i = 0; i < 8; i++) {
		struct side_rec r = { .n = 8 };

		side_put(&r, IP, 8);
		side_put(&r, 7, 4);
		side_put(&r, 7, 4);
		side_put(&r, 10 + i, 8);
		side_put(&r, 1000, 8);
		side_put(&r, 16, 8);
		feed(&l, REC_SAMPLE, CPUMODE_USER, &r);
	}
	for (u32 round = 0; round < 3; round++) {
		h = hist_carry_fold(&l.carry, l.s, &l.opts, true);
		CHECK_U64(only(h).weight[0], round == 0 ? 128 : round == 1 ? 112 : 98);
		hist_free(h);
		hist_carry_decay(&l.carry);
	}
	live_close(&l);
}

TEST(keys_that_are_not_carried_are_refused)
{
	struct sort_spec spec = { .sort = "parallelism" };
	struct sort_order order;
	struct err err = ERR_INIT;

	CHECK_INT(sort_order_parse(&order, &spec, &err), 0);
	CHECK(hist_carry_check(&order, &err) < 0);
	CHECK_STR(err.msg, "the sort key 'parallelism' is not available in live tables yet");
}

/* "dso+addr" where that process has ip, or "-" */
static const char *at(struct machine *m, s32 pid, u64 ip, u64 time)
{
	static char buf[256];
	struct sample_ctx ctx = machine_sample_ctx(m, pid, pid, (struct when){ time, 0 });
	struct loc loc = machine_locate(m, &ctx, CPUMODE_USER, ip);

	if (loc.dso == ID_NONE)
		return "-";
	snprintf(buf, sizeof(buf), "%s+%lx", dsos_at(machine_dsos(m), loc.dso)->long_name, loc.dso_addr);
	return buf;
}

static void append(struct machine *m, struct side *s, struct diag *diag)
{
	machine_append(m, &s->sb, diag);
	vec_release(&s->sb.recs);
	vec_release(&s->sb.times);
	arena_release(&s->arena);
}

TEST(a_machine_forgets_what_has_ended)
{
	struct machine_opts opts = { .grows = true };
	struct sideband none = { .has_time = true };
	struct diag diag = { 0 };
	struct machine *m = machine_build(&none, &opts, &diag);
	struct side s = { 0 };
	u64 time = 1000;
	u32 most = 0;

	side_comm(&s, 10, 100, 100, "shell", true);
	side_mmap2(&s, 20, CPUMODE_USER, 100, 100, 0x10000, 0x4000, 0, "/bin/sh");
	/* a child that outlives its parent, and has its maps from it */
	side_comm(&s, 30, 200, 200, "parent", true);
	side_mmap2(&s, 40, CPUMODE_USER, 200, 200, 0x10000, 0x1000, 0, "/bin/parent");
	side_fork(&s, 50, 201, 200, 201, 200);
	side_mmap2(&s, 60, CPUMODE_USER, 200, 200, 0x20000, 0x1000, 0, "/lib/later");
	side_exit(&s, 70, 200, 200);
	/* covered in part */
	side_mmap2(&s, 80, CPUMODE_USER, 100, 100, 0x11000, 0x1000, 0x5000, "/lib/over");
	append(m, &s, &diag);
	for (u32 round = 0; round < 50; round++) {
		for (s32 pid = 1000; pid < 1100; pid++, time += 10) {
			side_fork(&s, time, pid, 100, pid, 100);
			side_comm(&s, time + 1, pid, pid, "true", true);
			side_mmap2(&s, time + 2, CPUMODE_USER, pid, pid, 0x10000, 0x1000, 0, "/bin/true");
			side_exit(&s, time + 3, pid, pid);
		}
		append(m, &s, &diag);
		machine_compact(m, time - 50);
		most = MAX(most, machine_nr_threads(m));
		/* the last ones are still known */
		CHECK_STR(comm_at(m, 1099, time), "true");
		CHECK_STR(at(m, 1099, 0x10000, time), "/bin/true+0");
	}
	CHECK(most < 2000);
	CHECK_STR(comm_at(m, 100, time), "shell");
	CHECK_STR(comm_at(m, 201, time), "parent");
	CHECK_STR(at(m, 100, 0x10800, time), "/bin/sh+800");
	CHECK_STR(at(m, 100, 0x11800, time), "/lib/over+5800");
	CHECK_STR(at(m, 100, 0x12800, time), "/bin/sh+2800");
	CHECK_STR(at(m, 201, 0x10800, time), "/bin/parent+800");
	CHECK_STR(at(m, 201, 0x20000, time), "-");
	/* and it goes on */
	side_fork(&s, time + 10, 300, 201, 300, 201);
	side_mmap2(&s, time + 20, CPUMODE_USER, 201, 201, 0x10000, 0x1000, 0, "/bin/new");
	append(m, &s, &diag);
	CHECK_STR(at(m, 300, 0x10800, time + 30), "/bin/parent+800");
	CHECK_STR(at(m, 201, 0x10800, time + 30), "/bin/new+800");
	CHECK_STR(comm_at(m, 300, time + 30), "parent");
	machine_free(m);
}
