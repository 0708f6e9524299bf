/* Slices of elapsed time on their way to a page: spans, CPU time by slice, and what is added up. */
#include "test.h"

#include <string.h>
#include "../../ui/flame.h"
#include "../../util/base/strbuf.h"
#include "../../util/hist/places.h"
#include "../../util/inject/wall-lanes.h"

static const struct hist_time ticks = { .start = 1000, .end = 1000 + 64 * 10, .step = 10, .nr_columns = 1,
					.spans = true, .grain = 8 };

static void spread(struct places *v, u64 *head, u64 from, u64 to, s32 waker)
{
	const struct place at = { .tid = 7, .cpu = PLACE_NO_CPU, .waker = waker, .state = 2, .wait = 4 };

	places_spread(&ticks, v, head, &at, &(struct place_span){ from, to }, to - from);
}

TEST(spans_shorter_than_a_grain_are_added_up)
{
	struct places v = { 0 };
	u64 head = 0;

	spread(&v, &head, 1000, 1020, 3);
	spread(&v, &head, 1030, 1035, 4);	/* within a tick */
	spread(&v, &head, 1200, 1300, 5);	/* ten ticks */
	spread(&v, &head, 1089, 1101, 6);	/* in the window in which it begins */
	CHECK_INT(v.nr, 3);
	CHECK_INT(v.v[0].slot, 0);
	CHECK_INT(v.v[0].length, 8);
	CHECK_INT(v.v[0].nr, 2);
	CHECK_INT(v.v[0].period, 25);
	CHECK_INT(v.v[0].waker, -1);
	CHECK_INT(v.v[1].slot, 20);
	CHECK_INT(v.v[1].length, 10);
	CHECK_INT(v.v[1].waker, 5);
	CHECK_INT(v.v[2].slot, 8);
	CHECK_INT(v.v[2].length, 8);
	CHECK_INT(v.v[2].period, 12);
	vec_release(&v);
}

TEST(spans_end_with_their_file)
{
	struct places v = { 0 };
	u64 head = 0;

	spread(&v, &head, 1600, 5000, 3);
	spread(&v, &head, 9000, 9500, 3);
	CHECK_INT(v.v[0].slot, 56);
	CHECK_INT(v.v[0].length, 8);
	CHECK_INT(v.v[0].period, 25 + 3375);
	CHECK_INT(v.v[v.nr - 1].slot, 64);
	vec_release(&v);
}

static struct strbuf text;

static void put_run(void *ctx UNUSED, const struct wall_run *r)
{
	strbuf_addf(&text, "%d/%d %lu-%lu stack %u; ", r->pid, r->tid, r->time - r->ns, r->time, r->stack);
}

static void keep(struct wall_runs *r, s32 tid, u64 begin, u64 end)
{
	wall_runs_keep(r, &(struct wall_slice){ .pid = 1, .tid = tid, .begin = begin, .end = end });
}

TEST(a_sample_is_given_slice_by_slice)
{
	struct wall_runs r = { 0 };

	strbuf_reset(&text);
	keep(&r, 5, 0, 10);
	keep(&r, 6, 0, 7);
	keep(&r, 5, 20, 25);
	wall_runs_give(&r, &(struct wall_run){ .pid = 1, .tid = 5, .time = 25, .ns = 15, .stack = 3 },
		       put_run, NULL);
	CHECK_STR(strbuf_str(&text), "1/5 0-10 stack 3; 1/5 20-25 stack 3; ");
	strbuf_reset(&text);
	wall_runs_give(&r, &(struct wall_run){ .tid = 5, .time = 30, .ns = 1 }, put_run, NULL);
	CHECK_STR(strbuf_str(&text), "");
	/* places are used again */
	keep(&r, 5, 30, 31);
	keep(&r, 6, 30, 32);
	keep(&r, 6, 40, 41);
	CHECK_INT(r.kept.nr, 4);
	wall_runs_give(&r, &(struct wall_run){ .tid = 6, .time = 41, .ns = 10, .stack = 9 }, put_run, NULL);
	CHECK_STR(strbuf_str(&text), "1/6 0-7 stack 9; 1/6 30-32 stack 9; 1/6 40-41 stack 9; ");
	wall_runs_release(&r);
	strbuf_release(&text);
}

TEST(parts_of_a_thread_are_one_mark)
{
	struct view_marks m = { 0 };

	wall_lanes_mark(&m, &(struct wall_slice){ .tid = 5, .begin = 80, .end = 100 });
	wall_lanes_mark(&m, &(struct wall_slice){ .tid = 5, .begin = 70, .end = 80 });
	wall_lanes_mark(&m, &(struct wall_slice){ .tid = 6, .begin = 10, .end = 70 });
	wall_lanes_mark(&m, &(struct wall_slice){ .tid = 5, .begin = 0, .end = 10 });
	CHECK_INT(m.nr, 3);
	CHECK_INT(m.v[0].from, 70);
	CHECK_INT(m.v[0].to, 100);
	CHECK_INT(m.v[1].tid, 6);
	vec_release(&m);
}

static void add_span(struct flame *f, u32 slot, u32 length, u8 state)
{
	vec_push(&f->slot, (struct flame_slot){ .slot = slot, .length = length, .state = state,
						.period = length * 1000ul, .nr = 1, .other = 5,
						.detail = 1 });
}

static u64 periods(const struct flame *f)
{
	u64 sum = 0;

	vec_foreach(&f->slot, s)
		sum += s->period;
	return sum;
}

static struct flame made_of(const struct view_time *t, size_t max)
{
	struct flame f;

	flame_begin(&f);
	/* in turns on a CPU and blocked; then blocked for long */
	for (u32 i = 0; i < 100; i++)
		add_span(&f, i * 10, i % 2 ? 8 : 10, i % 2 ? 2 : 0);
	add_span(&f, 1000, 1000, 2);
	flame_fit_spans(&f, max, t);
	return f;
}

/* a lane waits in turn in 50 functions below one, each a tick, and each tenth time in another one */
static struct flame stacks_of(const struct view_time *t, size_t max)
{
	struct flame f;
	u32 outer;

	flame_begin(&f);
	outer = flame_child(&f, flame_child(&f, 0, "state", ""), "outer", "");
	f.depth = 3;
	for (u32 i = 0; i < 5000; i++) {
		char name[16];
		u32 often = i % 10;

		snprintf(name, sizeof(name), "f%u", often ? i % 50 : 100);
		add_span(&f, i, 1, 2);
		f.slot.v[i].node = flame_child(&f, outer, name, "");
	}
	flame_fit_spans(&f, max, t);
	return f;
}

TEST(pages_fold_stacks_rather_than_have_long_windows)
{
	struct view_time t = { .step = 1000, .end = 5000000, .spans = true };
	struct flame f = stacks_of(&t, 400);
	u32 nr_often = 0, nr_outer = 0;

	/* what a tenth of each window is keeps its stack */
	CHECK_INT(f.grain, 32);
	CHECK(f.folded);
	CHECK(f.slot.nr <= 400);
	CHECK_INT(periods(&f), 5000 * 1000);
	vec_foreach(&f.slot, s) {
		const char *name = strtab_get(&f.text, f.node.v[s->node].name);

		nr_often += !strcmp(name, "f100");
		nr_outer += !strcmp(name, "outer");
		CHECK(f.node.v[s->node].depth >= 2);
	}
	CHECK(nr_often > 150 && nr_outer > 150);
	/* all of the time has all stacks */
	CHECK_INT(f.whole.nr, 46);
	CHECK_INT(f.whole.v[0].period, 500 * 1000);
	flame_release(&f);
	/* there is room for all of them */
	f = stacks_of(&t, 5000);
	CHECK_INT(f.grain, 0);
	CHECK(!f.folded);
	flame_release(&f);
}

TEST(pages_keep_spans_until_there_are_too_many)
{
	struct view_time t = { .step = 1000, .end = 2000000, .spans = true };
	struct flame f = made_of(&t, 101);

	CHECK_INT(f.slot.nr, 101);
	CHECK_INT(f.grain, 0);
	CHECK(!f.cell);
	CHECK_INT(f.slot.v[100].other, 5);
	flame_release(&f);
	vec_push(&t.lane, (struct view_lane){ .kind = "thread", .name = "a 1", .id = 1 });
	f = made_of(&t, 30);
	CHECK(f.slot.nr <= 30);
	CHECK(f.grain >= 16);
	CHECK_INT(periods(&f), (50 * 10 + 50 * 8 + 1000) * 1000);
	/* the long one is as it was */
	CHECK_INT(f.slot.v[f.slot.nr - 1].length, 1000);
	CHECK_INT(f.slot.v[f.slot.nr - 1].other, 5);
	CHECK(f.slot.v[0].window && !f.slot.v[f.slot.nr - 1].window);
	/* the picture has what is short: a cell is about a tick */
	CHECK_INT(f.nr_cells, FLAME_LANE_CELLS);
	CHECK_INT(f.cell[0], 10);
	CHECK_INT(f.cell[15 * FLAME_STATES + 2], 10);
	CHECK_INT(f.cell[1500 * FLAME_STATES + 2], 0);
	flame_release(&f);
	vec_release(&t.lane);
}
