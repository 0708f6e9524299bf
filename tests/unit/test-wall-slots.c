/* Sums of slots: what switches become in a recorder, and what readers make of the sums. */
#include "test.h"

#include <linux/perf_event.h>
#include <string.h>
#include "../../util/base/strbuf.h"
#include "../../util/event/abi.h"
#include "../../util/inject/wall-slot-sums.h"
#include "../../util/record/wall-slots.h"

#define MS ((u64)1000000)

static struct strbuf text;

/* tid 5 leaves cpu 0 with these frames, and nobody comes */
static void leaves(struct wall_slots *w, u64 ms, u32 letter, u64 kernel, u64 user)
{
	struct wall_switch s = { .time = ms * MS, .pid = 5, .tid = 5, .nr_kernel = 1, .nr_user = 1,
				 .ip = { kernel, user } };
	const struct wall_switch_raw raw = { .flags = WALL_RAW_HAS_LEFT, .letter = letter, .arg = { 7, 0 } };

	wall_slots_add(w, &s, s.ip, &raw, NULL);
}

/* tid 5 gets cpu 0; who woke it then: 0: an interrupt; -1: nobody did */
static void comes(struct wall_slots *w, u64 ms, u64 woken, s32 waker)
{
	struct wall_switch s = { .time = ms * MS };
	const struct wall_switch_raw raw = { .next_pid = 5, .next_tid = 5,
		.flags = waker ? 0 : WALL_RAW_BY_INTERRUPT, .waker_tid = MAX(waker, 0),
		.woken = { waker < 0 ? 0 : woken * MS } };

	wall_slots_add(w, &s, s.ip, &raw, NULL);
}

/* "STATE LETTER BEGIN NS/MS xNR WAKER FRAMES\n" of each sample */
static const char *samples(const struct strbuf *out)
{
	const struct rec_header *h;

	strbuf_reset(&text);
	for (size_t off = 0; off < out->len; off += h->size) {
		u64 word[7], nr;
		struct wall_slot_raw raw;
		const char *p = out->buf + off;

		h = (const void *)p;
		memcpy(word, p + 8, sizeof(word));
		nr = word[6];
		memcpy(&raw, p + 8 + sizeof(word) + nr * 8 + 4, sizeof(raw));
		CHECK_INT(word[0], 99);
		CHECK_INT(h->size % 8, 0);
		strbuf_addf(&text, "%s %c %lu %lu x%u %d frames %lu\n", wall_state_word(raw.state),
			    raw.letter ? (int)raw.letter : '-', (raw.begin[0] | (u64)raw.begin[1] << 32) / MS,
			    (raw.ns[0] | (u64)raw.ns[1] << 32) / MS, raw.nr,
			    raw.flags & WALL_SLOT_HAS_WAKER ? raw.waker_tid : -1, nr);
	}
	return strbuf_str(&text);
}

TEST(wall_slots_add_up_what_is_alike)
{
	struct wall_slots *w = wall_slots_new(10 * MS, 0);
	struct strbuf out = STRBUF_INIT;

	/* two waits of one kind in the first slot; another one and one of 25 ms that begin in the second */
	leaves(w, 1, 'S', 0x100, 0x10);
	comes(w, 3, 2, 8);
	leaves(w, 4, 'S', 0x100, 0x10);
	comes(w, 7, 6, 8);
	leaves(w, 11, 'D', 0x200, 0x10);
	comes(w, 13, 12, 0);
	leaves(w, 14, 'S', 0x100, 0x10);
	comes(w, 40, 39, 8);
	leaves(w, 41, 'X', 0x100, 0x10);
	/* the first slot is over */
	wall_slots_put(w, 12 * MS, false, 99, &out);
	CHECK_STR(samples(&out), "on - 0 6 x3 -1 frames 0\nblocked S 1 3 x2 8 frames 4\n"
		  "run - 2 2 x2 -1 frames 4\n");
	strbuf_reset(&out);
	wall_slots_put(w, 50 * MS, true, 99, &out);
	CHECK_STR(samples(&out), "blocked D 11 1 x1 0 frames 4\nrun - 12 1 x1 -1 frames 4\n"
		  "on - 13 1 x1 -1 frames 0\nblocked S 14 25 x1 8 frames 4\nrun - 39 1 x1 -1 frames 4\n"
		  "on - 40 1 x1 -1 frames 0\n");
	wall_slots_free(w);
	strbuf_release(&out);
}

TEST(wall_slots_of_switches_in_any_order)
{
	struct wall_slots *w = wall_slots_new(10 * MS, 0);
	struct strbuf out = STRBUF_INIT;

	/* rings are read one after the other; what is newer than "until" waits */
	comes(w, 25, 22, 8);
	leaves(w, 5, 'S', 0x100, 0x10);
	wall_slots_put(w, 20 * MS, false, 99, &out);
	CHECK_STR(samples(&out), "on - 0 5 x1 -1 frames 0\n");
	/* records were lost: what it does is not known until it is seen again */
	wall_slots_lost(w);
	strbuf_reset(&out);
	wall_slots_put(w, 30 * MS, true, 99, &out);
	CHECK_STR(samples(&out), "unknown - 5 17 x1 -1 frames 0\nrun - 22 3 x1 -1 frames 4\n"
		  "on - 25 5 x1 -1 frames 0\n");
	wall_slots_free(w);
	strbuf_release(&out);
}

TEST(wall_slots_of_switches_that_were_not_seen)
{
	struct wall_slots *w = wall_slots_new(10 * MS, 0);
	struct strbuf out = STRBUF_INIT;
	struct wall_switch s = { .time = 4 * MS, .pid = 5, .tid = 5 };
	struct wall_switch_raw raw = { .flags = WALL_RAW_HERE | WALL_RAW_UNSEEN };

	leaves(w, 1, 'S', 0x100, 0x10);
	/* a sample, and then a thread that comes */
	wall_slots_add(w, &s, s.ip, &raw, NULL);
	leaves(w, 6, 'S', 0x100, 0x10);
	s = (struct wall_switch){ .time = 9 * MS };
	raw = (struct wall_switch_raw){ .flags = WALL_RAW_NEXT_UNSEEN, .next_pid = 5, .next_tid = 5 };
	wall_slots_add(w, &s, s.ip, &raw, NULL);
	wall_slots_put(w, 10 * MS, true, 99, &out);
	CHECK_STR(samples(&out), "on - 0 4 x3 -1 frames 0\nunknown - 1 6 x2 -1 frames 0\n");
	wall_slots_free(w);
	strbuf_release(&out);
}

/* turns of tid 5, told at that time; nr 0: where it is */
static void turns(struct wall_slots *w, u64 ms, u32 nr, u64 begin, u64 on, u64 wait, u64 run, u64 hash)
{
	const struct wall_turns t = { .time = ms * MS, .begin = begin * MS, .flags = WALL_TURNS, .pid = 5,
				      .tid = 5, .nr = nr, .waker = 8, .on = on * MS,
				      .wait = wait * MS, .run = run * MS, .hash = hash, .arg = 7 };

	wall_slots_add_turns(w, &t, 'S');
}

static void stack(struct wall_slots *w, u64 hash)
{
	const struct wall_switch s = { .nr_kernel = 1, .nr_user = 1, .ip = { 0x100, hash } };

	wall_slots_add_stack(w, hash, &s, s.ip, NULL);
}

TEST(wall_slots_of_turns)
{
	struct wall_slots *w = wall_slots_new(10 * MS, 0);
	struct strbuf out = STRBUF_INIT;

	comes(w, 1, 0, -1);
	/* two in the first slot, whose stack another ring tells; one that is longer; it leaves, and comes */
	turns(w, 11, 2, 1, 2, 4, 2, 77);
	stack(w, 77);
	turns(w, 40, 1, 9, 1, 25, 3, 77);
	turns(w, 42, 0, 38, 2, 0, 0, 77);
	comes(w, 42, 41, 8);
	wall_slots_put(w, 12 * MS, false, 99, &out);
	CHECK_STR(samples(&out), "unknown - 0 1 x1 -1 frames 0\non - 1 2 x2 -1 frames 0\n"
		  "blocked S 2 4 x2 8 frames 4\nrun - 4 2 x2 -1 frames 4\n");
	strbuf_reset(&out);
	wall_slots_put(w, 50 * MS, true, 99, &out);
	CHECK_STR(samples(&out), "on - 9 1 x1 -1 frames 0\nblocked S 10 25 x1 8 frames 4\n"
		  "run - 35 3 x1 -1 frames 4\non - 38 2 x1 -1 frames 0\nblocked S 40 1 x1 8 frames 4\n"
		  "run - 41 1 x1 -1 frames 4\non - 42 8 x1 -1 frames 0\n");
	wall_slots_free(w);
	strbuf_release(&out);
}

TEST(wall_slots_of_turns_that_were_lost)
{
	struct wall_slots *w = wall_slots_new(10 * MS, 0);
	struct strbuf out = STRBUF_INIT;
	struct wall_switch other = { .time = 8 * MS };
	const struct wall_switch_raw raw = { .next_pid = 6, .next_tid = 6 };

	comes(w, 1, 0, -1);
	/* 2 ms are missing, and its stack; that another one gets its CPU says nothing */
	wall_slots_add(w, &other, other.ip, &raw, NULL);
	turns(w, 9, 1, 1, 1, 2, 1, 77);
	turns(w, 9, 0, 7, 0, 0, 0, 0);
	wall_slots_put(w, 10 * MS, true, 99, &out);
	CHECK_STR(samples(&out), "unknown - 0 3 x2 -1 frames 0\nunknown - 0 8 x1 -1 frames 0\n"
		  "on - 1 4 x2 -1 frames 0\nblocked S 2 2 x1 8 frames 0\nrun - 4 1 x1 -1 frames 0\n"
		  "on - 8 2 x1 -1 frames 0\n");
	wall_slots_free(w);
	strbuf_release(&out);
}

TEST(wall_slots_of_threads_that_left_unseen)
{
	struct wall_slots *w = wall_slots_new(10 * MS, 0);
	struct strbuf out = STRBUF_INIT;
	const struct wall_turns gone = { .time = 5 * MS, .begin = 2 * MS, .pid = 5, .tid = 5,
					 .flags = WALL_TURNS | WALL_UNSEEN };

	comes(w, 2, 0, -1);
	wall_slots_add_turns(w, &gone, 'R');
	wall_slots_put(w, 9 * MS, true, 99, &out);
	CHECK_STR(samples(&out), "unknown - 0 9 x3 -1 frames 0\n");
	wall_slots_free(w);
	strbuf_release(&out);
}

TEST(wall_slots_forget_stacks_of_turns)
{
	struct wall_slots *w = wall_slots_new(10 * MS, 0);
	struct strbuf out = STRBUF_INIT;
	const u64 keep = 3;
	u64 nr = 0;

	comes(w, 0, 0, -1);
	while (!wall_slots_is_full(w) && nr < 100000)
		stack(w, ++nr);
	CHECK_INT(nr, 65537);
	wall_slots_forget(w, &keep, 1);		/* all of them are new */
	CHECK(!wall_slots_is_full(w));
	turns(w, 4, 1, 0, 1, 2, 1, 2);
	wall_slots_forget(w, &keep, 1);
	turns(w, 5, 1, 4, 0, 1, 0, 3);
	turns(w, 6, 1, 5, 0, 1, 0, 4);
	wall_slots_put(w, 6 * MS, true, 99, &out);
	CHECK_STR(samples(&out), "on - 0 1 x1 -1 frames 0\nblocked S 1 2 x1 8 frames 4\n"
		  "run - 3 1 x1 -1 frames 4\nblocked S 4 1 x1 8 frames 4\nblocked S 5 1 x1 8 frames 0\n");
	wall_slots_free(w);
	strbuf_release(&out);
}

static void on_slice(void *ctx UNUSED, const struct wall_slice *s)
{
	strbuf_addf(&text, "%s %lu-%lu", wall_state_word(s->state), s->begin, s->end);
	if (s->waker > 0)
		strbuf_addf(&text, " by %d", s->waker);
	strbuf_addch(&text, '\n');
}
static void on_run(void *ctx UNUSED, const struct wall_run *r)
{
	strbuf_addf(&text, "ran %lu at %lu stack %d\n", r->ns, r->time, (int)r->stack);
}

static struct wall_slice slice_of(enum wall_state state, u64 begin, u64 ns)
{
	struct wall_slot_raw raw = { .state = state, .begin = { begin }, .ns = { ns } };
	struct wall_event e = { .tid = 5, .pid = 5, .stack = state == WALL_ON ? WALL_NO_STACK : 3 };

	return wall_slot_sums_slice(&raw, &e, WALL_WAIT_PIPE);
}

TEST(wall_slot_sums_follow_one_another)
{
	static const struct wall_ops ops = { .slice = on_slice, .run = on_run };
	struct wall_slot_sums sums = { .from = 100 };
	struct wall_slice s;
	struct wall w;

	strbuf_reset(&text);
	wall_init(&w, &(struct wall_source){ true, true }, &ops, NULL);
	wall_slot_sums_sample(&sums, &(struct wall_event){ .tid = 5, .time = 130, .stack = 1 });
	wall_slot_sums_sample(&sums, &(struct wall_event){ .tid = 5, .time = 140, .stack = 2 });
	s = slice_of(WALL_BLOCKED, 40, 50);	/* before the command began */
	wall_slot_sums_give(&sums, &w, &s);
	s = slice_of(WALL_ON, 90, 30);
	wall_slot_sums_give(&sums, &w, &s);
	s = slice_of(WALL_BLOCKED, 110, 25);
	wall_slot_sums_give(&sums, &w, &s);
	s = slice_of(WALL_RUNNABLE, 200, 5);
	wall_slot_sums_give(&sums, &w, &s);
	CHECK_STR(strbuf_str(&text), "ran 10 at 140 stack 2\nran 10 at 130 stack 1\non 100-120\n"
		  "blocked 120-145\nrun 200-205\n");
	CHECK_INT(w.totals.ns[WALL_ON] + w.totals.ns[WALL_BLOCKED] + w.totals.ns[WALL_RUNNABLE], 50);
	CHECK_INT(w.totals.nr_threads, 1);
	/* a new thread with that tid, which another one began; it is not older than that */
	wall_slot_sums_fork(&sums, 5, 4, 207);
	strbuf_reset(&text);
	s = slice_of(WALL_RUNNABLE, 206, 4);
	wall_slot_sums_give(&sums, &w, &s);
	CHECK_STR(strbuf_str(&text), "run 207-210 by 4\n");
	s = slice_of(WALL_BLOCKED, 210, 0);
	wall_slot_sums_give(&sums, &w, &s);
	s = slice_of(WALL_BLOCKED, 210, 1);
	wall_slot_sums_give(&sums, &w, &s);
	/* without a sample, CPU time is where it waited last */
	strbuf_reset(&text);
	s = slice_of(WALL_ON, 211, 5);
	wall_slot_sums_give(&sums, &w, &s);
	CHECK_STR(strbuf_str(&text), "ran 5 at 216 stack 3\non 211-216\n");
	/* samples count for the slot that they are in, whenever its sum was written */
	sums.slot_ns = 100;
	wall_slot_sums_sample(&sums, &(struct wall_event){ .tid = 5, .time = 250, .stack = 1 });
	wall_slot_sums_sample(&sums, &(struct wall_event){ .tid = 5, .time = 350, .stack = 2 });
	wall_slot_sums_sample(&sums, &(struct wall_event){ .tid = 5, .time = 420, .stack = 4 });
	strbuf_reset(&text);
	s = slice_of(WALL_ON, 240, 20);
	wall_slot_sums_give(&sums, &w, &s);
	s = slice_of(WALL_ON, 310, 150);
	wall_slot_sums_give(&sums, &w, &s);
	CHECK_STR(strbuf_str(&text), "ran 20 at 250 stack 1\non 240-260\nran 75 at 420 stack 4\n"
		  "ran 75 at 350 stack 2\non 310-460\n");
	wall_slot_sums_release(&sums);
	wall_release(&w);
	strbuf_release(&text);
}
