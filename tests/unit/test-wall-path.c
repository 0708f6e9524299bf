/* Wall time: the critical path through threads, and speeds of calls. */
#include "test.h"

#include <stdio.h>
#include <string.h>
#include "../../util/base/strbuf.h"
#include "../../util/wall/path.h"
#include "../../util/wall/spans.h"
#include "../../util/wall/wall.h"
#include "wall-text.h"

static struct wall_path path;

static void keep_slice(void *ctx UNUSED, const struct wall_slice *s)
{
	wall_path_add(&path, s);
}

static const struct wall_ops keeps = { .slice = keep_slice };

/* its parts, the last one first; they add up to the elapsed time */
static const char *path_of(struct wall *w)
{
	u64 begin = UINT64_MAX, end = 0;

	wall_finish(w);
	strbuf_reset(&text);
	path.first = w->totals.first;
	wall_path_walk(&path, on_slice, NULL);
	for (const char *p = strbuf_str(&text); *p; p = strchr(p, '\n') + 1) {
		unsigned long from, to;

		REQUIRE(sscanf(p, "%*d %*s %lu-%lu", &from, &to) == 2);
		CHECK(from < to);
		CHECK(begin == UINT64_MAX || to == begin);
		end = MAX(end, to);
		begin = from;
	}
	CHECK_U64(begin, w->totals.first);
	CHECK_U64(end, w->totals.last);
	wall_path_release(&path);
	wall_release(w);
	return strbuf_str(&text);
}

TEST(wall_path_through_wakers)
{
	struct wall w;

	/* 1 begins 2 and waits for it; 2 waits for 3, which waits for a disk, and computes */
	start(&w, &all, &keeps);
	wall_seen(&w, AT(100, 1));
	wall_seen(&w, AT(100, 3));
	wall_begin(&w, AT(110, 2), 1);
	wall_leave(&w, AT(120, 1), 'S', WALL_WAIT_CHILD, false);
	wall_arrive(&w, AT(125, 2));
	wall_leave(&w, AT(130, 3), 'D', WALL_WAIT_DISK, false);
	wall_leave(&w, AT(150, 2), 'S', WALL_WAIT_FUTEX, false);
	wall_wake(&w, AT(180, 3), 0);
	wall_arrive(&w, AT(185, 3));
	wall_wake(&w, AT(200, 2), 3);
	wall_arrive(&w, AT(210, 2));
	wall_wake(&w, AT(250, 1), 2);
	wall_arrive(&w, AT(260, 1));
	wall_end(&w, AT(300, 1));
	wall_end(&w, AT(255, 2));	/* time going backwards */
	CHECK_STR(path_of(&w), "1 on 260-300\n1 run 250-260\n2 on 210-250\n2 run 200-210\n"
		  "3 on 185-200\n3 run 180-185\n3 blocked 130-180 disk by 0\n3 on 100-130\n");
}

TEST(wall_path_where_slices_are_sums)
{
	static const struct wall_slice slice[] = {
		{ .pid = 1, .tid = 1, .state = WALL_ON, .begin = 0, .end = 10, .waker = -1 },
		{ .pid = 1, .tid = 1, .state = WALL_BLOCKED, .begin = 10, .end = 100, .waker = 2 },
		{ .pid = 1, .tid = 1, .state = WALL_ON, .begin = 100, .end = 120, .waker = -1 },
		/* it woke 1 at 100, but its CPU time is told a little later */
		{ .pid = 1, .tid = 2, .state = WALL_BLOCKED, .begin = 0, .end = 90, .waker = 0 },
		{ .pid = 1, .tid = 2, .state = WALL_RUNNABLE, .begin = 90, .end = 104, .waker = -1 },
		{ .pid = 1, .tid = 2, .state = WALL_ON, .begin = 104, .end = 110, .waker = -1 },
		/* 3 and 4 wait for each other for ever */
		{ .pid = 3, .tid = 3, .state = WALL_BLOCKED, .begin = 0, .end = 300, .waker = 4 },
		{ .pid = 3, .tid = 3, .state = WALL_ON, .begin = 301, .end = 302, .waker = -1 },
		{ .pid = 3, .tid = 4, .state = WALL_BLOCKED, .begin = 0, .end = 300, .waker = 3 },
		{ .pid = 3, .tid = 4, .state = WALL_ON, .begin = 301, .end = 302, .waker = -1 },
	};
	const char *want[] = {
		"1 on 100-120\n1 blocked 10-100 by 2\n1 on 0-10\n",
		"1 on 100-120\n2 run 90-100\n2 blocked 0-90 by 0\n",
	};

	for (u32 slack = 0; slack < 2; slack++) {
		path = (struct wall_path){ .tid = 1, .last = 120, .slack = slack * 10 };
		for (size_t i = 0; i < ARRAY_SIZE(slice); i++)
			wall_path_add(&path, &slice[i]);
		strbuf_reset(&text);
		wall_path_walk(&path, on_slice, NULL);
		CHECK_STR(strbuf_str(&text), want[slack]);
		path.tid = 3;
		path.last = 300;
		strbuf_reset(&text);
		wall_path_walk(&path, on_slice, NULL);
		/* it ends, at the beginning */
		CHECK(strstr(strbuf_str(&text), " blocked 0-300 by "));
		wall_path_release(&path);
	}
	path = (struct wall_path){ 0 };
}

TEST(wall_path_begins_with_who_began_the_thread)
{
	struct wall w;

	start(&w, &all, &keeps);
	wall_seen(&w, AT(100, 1));
	wall_begin(&w, AT(150, 2), 1);
	wall_arrive(&w, AT(160, 2));
	wall_leave(&w, AT(170, 2), 'S', WALL_WAIT_TIMER, false);
	wall_end(&w, AT(180, 1));
	wall_wake(&w, AT(300, 2), 77);	/* nobody knows 77 */
	wall_arrive(&w, AT(310, 2));
	wall_end(&w, AT(320, 2));
	CHECK_STR(path_of(&w), "2 on 310-320\n2 run 300-310\n2 blocked 170-300 timer by 77\n2 on 160-170\n"
		  "2 run 150-160 by 1\n1 on 100-150\n");
}

TEST(wall_path_through_the_end_of_a_child)
{
	struct wall w;

	start(&w, &all, &keeps);
	wall_seen(&w, AT(100, 1));
	wall_begin(&w, AT(110, 2), 1);
	wall_leave(&w, AT(120, 1), 'S', WALL_WAIT_CHILD, false);
	wall_arrive(&w, AT(130, 2));
	wall_end(&w, AT(200, 2));
	wall_wake(&w, AT(205, 1), 2);	/* it ends after it said so */
	wall_arrive(&w, AT(210, 1));
	wall_end(&w, AT(220, 1));
	/* a second thread with that tid, whose parent nobody knows */
	wall_begin(&w, AT(230, 2), -1);
	wall_arrive(&w, AT(240, 2));
	wall_end(&w, AT(250, 2));
	CHECK_STR(path_of(&w), "2 on 240-250\n2 run 230-240\n2 unknown 200-230\n2 on 130-200\n"
		  "2 run 110-130 by 1\n1 on 100-110\n");
}

TEST(wall_path_ends_with_the_process)
{
	struct wall_slice s = { .pid = 5, .tid = 5, .state = WALL_ON, .begin = 100, .end = 200, .waker = -1 };
	struct wall_path p = { .first = 100 };

	wall_path_add(&p, &s);
	s.tid = 6;
	s.end = 205;	/* the kernel ended it afterwards */
	wall_path_add(&p, &s);
	strbuf_reset(&text);
	wall_path_walk(&p, on_slice, NULL);
	CHECK_STR(strbuf_str(&text), "5 on 100-200\n");
	wall_path_release(&p);
}

TEST(wall_parent_is_known_where_the_arrival_is_not)
{
	struct wall w;

	start(&w, &all, &slices);
	wall_seen(&w, AT(100, 7));
	wall_begin(&w, AT(120, 8), 7);
	wall_leave(&w, AT(150, 8), 'S', WALL_WAIT_PIPE, false);
	CHECK_STR(finish(&w, 80), "8 unknown 120-150 by 7\n7 on 100-150\n");
}

TEST(wall_path_leads_through_unknown_time)
{
	struct wall_slice s = { .pid = 5, .tid = 5, .state = WALL_ON, .begin = 100, .end = 150, .waker = -1 };
	struct wall_path p = { .first = 100 };

	/* when 5 got its CPU, on which it began 6, was not recorded */
	wall_path_add(&p, &s);
	s.state = WALL_UNKNOWN;
	s.begin = 150;
	s.end = 200;
	wall_path_add(&p, &s);
	s = (struct wall_slice){ .pid = 6, .tid = 6, .state = WALL_RUNNABLE, .begin = 180, .end = 300,
				 .waker = 5 };
	wall_path_add(&p, &s);
	strbuf_reset(&text);
	wall_path_walk(&p, on_slice, NULL);
	CHECK_STR(strbuf_str(&text), "6 run 180-300 by 5\n5 unknown 150-180\n5 on 100-150\n");
	wall_path_release(&p);
}

TEST(wall_path_of_a_part_of_the_time)
{
	struct wall_slice s = { .pid = 5, .tid = 5, .state = WALL_ON, .begin = 100, .end = 200, .waker = -1 };
	struct wall_path p = { .first = 150, .last = 230 };

	wall_path_add(&p, &s);
	s.state = WALL_RUNNABLE;
	s.begin = 200;
	s.end = 300;
	wall_path_add(&p, &s);
	/* of another process, and after it */
	s.pid = s.tid = 6;
	s.begin = 240;
	s.end = 900;
	wall_path_add(&p, &s);
	strbuf_reset(&text);
	wall_path_walk(&p, on_slice, NULL);
	CHECK_STR(strbuf_str(&text), "5 run 200-230\n5 on 150-200\n");
	wall_path_release(&p);
}

/* 5 waits for 6 until after that part */
TEST(wall_path_of_a_part_in_a_wait)
{
	struct wall_slice s = { .pid = 5, .tid = 5, .state = WALL_BLOCKED, .begin = 100, .end = 300,
				.waker = 6 };
	struct wall_path p = { .first = 150, .last = 230 };

	wall_path_add(&p, &s);
	s = (struct wall_slice){ .pid = 5, .tid = 6, .state = WALL_BLOCKED, .begin = 100, .end = 200 };
	wall_path_add(&p, &s);
	s.state = WALL_RUNNABLE;
	s.begin = 200;
	s.end = 250;
	s.waker = -1;
	wall_path_add(&p, &s);
	s.state = WALL_ON;
	s.begin = 250;
	s.end = 400;
	wall_path_add(&p, &s);
	strbuf_reset(&text);
	wall_path_walk(&p, on_slice, NULL);
	CHECK_STR(strbuf_str(&text), "6 run 200-230\n6 blocked 150-200 by 0\n");
	wall_path_release(&p);
}

TEST(wall_path_of_nothing)
{
	struct wall_path none = { 0 };

	strbuf_reset(&text);
	wall_path_walk(&none, on_slice, NULL);
	CHECK_STR(strbuf_str(&text), "");
}

static void add_span(struct wall_spans *s, u64 begin, u64 ns)
{
	vec_push(&s->call, (struct wall_span){ .tid = 1, .begin = begin, .end = begin + ns });
}

TEST(wall_speeds_of_calls)
{
	struct wall_slice on = { .state = WALL_ON, .begin = 100, .end = 110 };
	struct wall_slice wait = { .state = WALL_BLOCKED, .wait = WALL_WAIT_PIPE, .begin = 100, .end = 180 };
	struct wall_spans s = { 0 };

	for (u64 i = 0; i < 20; i++)
		add_span(&s, i * 1000, i < 12 ? 10 : i < 18 ? 20 : 100);
	wall_spans_rank(&s);
	CHECK_U64(s.nr_fast, 12);
	CHECK_U64(s.nr_slow, 2);
	CHECK_U64(s.slow_from, 100);
	CHECK_INT(wall_spans_speed(&s, 20), WALL_SPEED_MIDDLE);
	CHECK_U64(s.call.v[0].begin, 18000);
	CHECK_U64(wall_spans_percentile(&s, 50), 10);
	CHECK_U64(wall_spans_percentile(&s, 90), 20);
	CHECK_U64(wall_spans_percentile(&s, 91), 100);
	CHECK_U64(wall_spans_percentile(&s, 100), 100);
	CHECK_U64(wall_spans_percentile(&s, 0), 10);
	for (int i = 0; i < 12; i++)
		wall_spans_add_part(&s, WALL_SPEED_FAST, &on);
	wall_spans_add_part(&s, WALL_SPEED_MIDDLE, &wait);
	wall_spans_add_part(&s, WALL_SPEED_SLOW, &on);
	wall_spans_add_part(&s, WALL_SPEED_SLOW, &wait);
	wall_spans_sort_parts(&s);
	REQUIRE(s.part.nr == 2);
	CHECK_INT(s.part.v[0].state, WALL_BLOCKED);
	CHECK(wall_span_part_extra(&s, &s.part.v[0]) == 40);
	CHECK(wall_span_part_extra(&s, &s.part.v[1]) == -5);
	wall_spans_release(&s);
	/* all are alike: none is slow */
	s = (struct wall_spans){ 0 };
	for (u64 i = 0; i < 3; i++)
		add_span(&s, i, 10);
	wall_spans_rank(&s);
	CHECK_U64(s.nr_slow, 0);
	CHECK_U64(s.nr_fast, 3);
	wall_spans_release(&s);
	s = (struct wall_spans){ 0 };
	wall_spans_rank(&s);
	CHECK_U64(wall_spans_percentile(&s, 50), 0);
}
