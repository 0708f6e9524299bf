/* Wall time: the state machine of threads, on recordings as they should be and as they are. */
#include "test.h"

#include <string.h>
#include "../../util/base/strbuf.h"
#include "../../util/wall/wall.h"
#include "wall-text.h"

static void on_run(void *ctx UNUSED, const struct wall_run *r)
{
	strbuf_addf(&text, "%d ran %lu stack %d\n", r->tid, r->ns, (int)r->stack);
}

static void on_target(void *ctx UNUSED, const struct wall_slice *s)
{
	strbuf_addf(&text, "%s %u\n", wall_state_word(s->state), s->target);
}

static const struct wall_ops targets = { .slice = on_target };
static const struct wall_ops runs = { .run = on_run };

TEST(wall_sleep_wake_run)
{
	struct wall w;

	start(&w, &all, &slices);
	wall_seen(&w, AT(100, 7));
	wall_leave(&w, AT(150, 7), 'S', WALL_WAIT_TIMER, false);
	wall_leave(&w, AT(151, 7), 'S', WALL_WAIT_OTHER, true);	/* the same, by another record */
	wall_wake(&w, AT(400, 7), 9);
	wall_wake(&w, AT(410, 7), 8);	/* already awake */
	wall_arrive(&w, AT(450, 7));
	wall_leave(&w, AT(460, 7), 'R', WALL_WAIT_OTHER, false);
	wall_arrive(&w, AT(500, 7));
	wall_leave(&w, AT(510, 7), 'S', WALL_WAIT_EPOLL, false);
	wall_wake(&w, AT(600, 7), 0);
	wall_arrive(&w, AT(610, 7));
	wall_end(&w, AT(700, 7));
	CHECK_U64(w.totals.nr_threads, 1);
	CHECK_STR(finish(&w, 600),
		  "7 on 100-150\n7 blocked 150-400 timer by 9\n7 run 400-450\n7 on 450-460\n"
		  "7 run 460-500\n7 on 500-510\n7 idle 510-600 epoll by 0\n7 run 600-610\n7 on 610-700\n");
}

TEST(wall_who_wakes_says_what_it_was_for)
{
	struct wall w;

	start(&w, &all, &targets);
	wall_seen(&w, AT(100, 7));
	wall_wait_was(&w, 7, WALL_WAIT_JOIN, 3);	/* it does not wait */
	wall_leave(&w, AT(150, 7), 'S', WALL_WAIT_FUTEX, false);
	CHECK_INT(wall_asleep(&w, 7)->wait, WALL_WAIT_FUTEX);
	wall_wait_was(&w, 7, WALL_WAIT_JOIN, 4);
	CHECK_INT(wall_asleep(&w, 7)->wait, WALL_WAIT_JOIN);
	wall_wake(&w, AT(400, 7), 9);
	CHECK(!wall_asleep(&w, 7) && !wall_asleep(&w, 8));
	CHECK_STR(finish(&w, 300), "on 0\nblocked 4\n");
}

TEST(wall_wake_is_told_on_arrival)
{
	struct wall w;

	start(&w, &all, &slices);
	/* 8 sleeps when the recording begins */
	wall_seen(&w, AT(100, 7));
	wall_leave(&w, AT(150, 7), 'S', WALL_WAIT_TIMER, false);
	wall_woken(&w, AT(300, 8), 200, 7);
	wall_arrive(&w, AT(300, 8));
	wall_leave(&w, AT(350, 8), 'R', WALL_WAIT_NONE, false);
	wall_woken(&w, AT(450, 7), 250, 8);
	wall_arrive(&w, AT(450, 7));
	/* preempted, so it was not woken; nor does it count where the time is too early or too late */
	wall_woken(&w, AT(460, 8), 455, 7);
	wall_arrive(&w, AT(460, 8));
	wall_leave(&w, AT(500, 7), 'S', WALL_WAIT_PIPE, false);
	wall_woken(&w, AT(600, 7), 20, 9);
	wall_arrive(&w, AT(600, 7));
	wall_leave(&w, AT(610, 7), 'S', WALL_WAIT_PIPE, false);
	wall_woken(&w, AT(700, 7), 900, 0);
	wall_arrive(&w, AT(700, 7));
	/* when it got a CPU is not told */
	wall_leave(&w, AT(710, 7), 'S', WALL_WAIT_PIPE, false);
	wall_woken(&w, AT(800, 7), 750, 8);
	wall_leave(&w, AT(800, 7), 'S', WALL_WAIT_PIPE, false);
	CHECK_STR(finish(&w, 1400),
		  "7 on 100-150\n8 blocked 100-200 earlier by 7\n8 run 200-300\n8 on 300-350\n"
		  "7 blocked 150-250 timer by 8\n7 run 250-450\n8 run 350-460\n7 on 450-500\n"
		  "7 run 500-600\n7 on 600-610\n7 blocked 610-700 pipe by 0\n7 on 700-710\n"
		  "7 blocked 710-750 pipe by 8\n7 unknown 750-800\n8 on 460-800\n");
}

TEST(wall_cpu_time_goes_to_samples)
{
	struct wall w;
	struct wall_event e;

	start(&w, &all, &runs);
	wall_seen(&w, AT(100, 7));
	wall_leave(&w, AT(150, 7), 'S', WALL_WAIT_PIPE, false);
	wall_arrive(&w, AT(200, 7));
	e = at(230, 7, 5);
	wall_sample(&w, &e);	/* stands for the 50 ns before the wait as well */
	wall_end(&w, AT(240, 7));	/* without a sample: the newest stack */
	CHECK_STR(finish(&w, 140), "7 ran 80 stack 5\n7 ran 10 stack 5\n");
}

TEST(wall_without_samples_stacks_are_of_switches)
{
	static const struct wall_source no_samples = { true, false };
	struct wall_event e = at(150, 7, 3);
	struct wall w;

	start(&w, &no_samples, &runs);
	wall_seen(&w, AT(100, 7));
	wall_leave(&w, &e, 'S', WALL_WAIT_PIPE, false);
	wall_arrive(&w, AT(200, 7));
	CHECK_STR(finish(&w, 100), "7 ran 50 stack 3\n");
}

TEST(wall_missing_wakeup_is_counted)
{
	struct wall w;

	start(&w, &all, &slices);
	wall_seen(&w, AT(100, 7));
	wall_leave(&w, AT(110, 7), 'D', WALL_WAIT_DISK, false);
	wall_arrive(&w, AT(200, 7));
	CHECK_U64(w.totals.nr_without_wakeup, 1);
	CHECK_STR(finish(&w, 100), "7 on 100-110\n7 blocked 110-200 disk\n");
}

TEST(wall_lost_records_are_unknown)
{
	struct wall w;

	start(&w, &all, &slices);
	wall_seen(&w, AT(100, 7));
	wall_leave(&w, AT(110, 7), 'S', WALL_WAIT_PIPE, false);
	wall_lost(&w, 150);
	wall_wake(&w, AT(200, 7), 1);
	wall_arrive(&w, AT(210, 7));
	CHECK_STR(finish(&w, 110), "7 on 100-110\n7 unknown 110-200\n7 run 200-210\n");
}

TEST(wall_unseen_switches_are_unknown)
{
	struct wall w;

	start(&w, &all, &slices);
	wall_seen(&w, AT(100, 7));
	wall_seen(&w, AT(100, 8));
	/* while it seems to run, and while it seems to wait: what a sample says before that is sure */
	wall_sample(&w, AT(120, 7));
	wall_unseen(&w, AT(150, 7));
	wall_leave(&w, AT(150, 7), 'S', WALL_WAIT_PIPE, false);
	wall_unseen(&w, AT(200, 7));
	wall_arrive(&w, AT(200, 7));
	/* that it was woken is known */
	wall_leave(&w, AT(210, 7), 'S', WALL_WAIT_PIPE, false);
	wall_woken(&w, AT(300, 7), 250, 9);
	wall_unseen(&w, AT(300, 7));
	wall_arrive(&w, AT(300, 7));
	/* of a thread on its way out, nothing more is known */
	wall_end(&w, AT(320, 8));
	wall_unseen(&w, AT(330, 8));
	CHECK_STR(finish(&w, 230 + 220),
		  "7 on 100-120\n7 unknown 120-150\n7 unknown 150-200\n7 on 200-210\n"
		  "7 blocked 210-250 pipe by 9\n7 unknown 250-300\n8 on 100-320\n7 on 300-330\n");
}

TEST(wall_switch_without_its_stack)
{
	static const struct wall_source stacks = { .has_arrivals = true, .has_stacks = true };
	struct wall_event e = at(150, 7, 3);
	struct wall w;

	/* the second wait is told by a record without stack only, and does not have the first stack */
	start(&w, &stacks, &runs);
	wall_seen(&w, AT(100, 7));
	wall_leave(&w, &e, 'S', WALL_WAIT_PIPE, false);
	wall_leave(&w, AT(151, 7), 'S', WALL_WAIT_OTHER, true);
	wall_arrive(&w, AT(200, 7));
	wall_leave(&w, AT(230, 7), 'S', WALL_WAIT_OTHER, true);
	CHECK_STR(finish(&w, 130), "7 ran 50 stack 3\n7 ran 30 stack -1\n");
}

TEST(wall_missing_arrival_is_unknown)
{
	static const struct wall_source no_arrivals = { false, true };
	struct wall w;
	struct wall_event e;

	/* on its way out a thread is still sampled: it has left */
	start(&w, &all, &slices);
	wall_seen(&w, AT(100, 7));
	wall_leave(&w, AT(110, 7), 'S', WALL_WAIT_PIPE, false);
	e = at(111, 7, 1);
	wall_sample(&w, &e);
	wall_leave(&w, AT(200, 7), 'S', WALL_WAIT_FUTEX, false);
	CHECK_STR(finish(&w, 100), "7 on 100-110\n7 unknown 110-200\n");

	start(&w, &no_arrivals, &slices);
	wall_seen(&w, AT(100, 7));
	wall_leave(&w, AT(110, 7), 'S', WALL_WAIT_PIPE, false);
	wall_wake(&w, AT(150, 7), 2);
	e = at(180, 7, 1);
	wall_sample(&w, &e);
	wall_end(&w, AT(200, 7));
	CHECK_STR(finish(&w, 100),
		  "7 on 100-110\n7 blocked 110-150 pipe by 2\n7 unknown 150-180\n7 on 180-200\n");
}

TEST(wall_time_going_backwards)
{
	struct wall w;

	start(&w, &all, &slices);
	wall_seen(&w, AT(100, 7));
	wall_leave(&w, AT(200, 7), 'S', WALL_WAIT_PIPE, false);
	wall_wake(&w, AT(150, 7), 1);
	wall_arrive(&w, AT(120, 7));
	wall_end(&w, AT(300, 7));
	CHECK_STR(finish(&w, 200), "7 on 100-200\n7 on 200-300\n");
}

TEST(wall_tids_are_used_again)
{
	struct wall w;

	start(&w, &all, &slices);
	wall_seen(&w, AT(100, 7));
	wall_leave(&w, AT(120, 7), 'X', WALL_WAIT_OTHER, false);
	wall_leave(&w, AT(121, 7), 'X', WALL_WAIT_OTHER, false);
	wall_begin(&w, AT(200, 7), 1);
	wall_arrive(&w, AT(210, 7));
	/* its end is missing */
	wall_begin(&w, AT(300, 7), 1);
	wall_arrive(&w, AT(320, 7));
	CHECK_U64(w.totals.nr_threads, 3);
	CHECK_STR(finish(&w, 140),
		  "7 on 100-120\n7 run 200-210 by 1\n7 unknown 210-300\n7 run 300-320 by 1\n");
}

TEST(wall_first_records_of_threads)
{
	struct wall w;

	start(&w, &all, &slices);
	wall_seen(&w, AT(100, 7));
	wall_wake(&w, AT(150, 8), 7);	/* slept since the beginning */
	wall_arrive(&w, AT(160, 9));	/* slept, or waited for a CPU */
	wall_leave(&w, AT(170, 10), 'S', WALL_WAIT_PIPE, false);	/* ran */
	wall_seen(&w, AT(180, 0));	/* idle tasks are nobody */
	CHECK_STR(finish(&w, 4 * 80),
		  "8 blocked 100-150 earlier by 7\n9 unknown 100-160\n10 on 100-170\n"
		  "7 on 100-180\n8 run 150-180\n9 on 160-180\n10 blocked 170-180 pipe\n");
}

TEST(wall_records_after_the_end)
{
	struct wall w;

	start(&w, &all, &slices);
	wall_seen(&w, AT(100, 7));
	wall_end(&w, AT(120, 7));
	wall_leave(&w, AT(121, 7), 'R', WALL_WAIT_OTHER, false);
	wall_arrive(&w, AT(125, 7));
	wall_seen(&w, AT(200, 8));
	/* it ran on, and waited for its CPU; how long it ran then is not recorded */
	CHECK_STR(finish(&w, 125), "7 on 100-120\n7 on 120-121\n7 run 121-125\n8 on 100-200\n");
}

/* kernels free memory and files of a task after the record of its end */
TEST(wall_work_after_the_end)
{
	struct wall_event e = at(130, 7, 3);
	struct wall w;

	start(&w, &all, &slices);
	wall_seen(&w, AT(100, 7));
	wall_end(&w, AT(120, 7));
	wall_sample(&w, &e);
	wall_leave(&w, AT(140, 7), 'D', WALL_WAIT_DISK, false);
	wall_wake(&w, AT(150, 7), 0);
	wall_arrive(&w, AT(160, 7));
	wall_leave(&w, AT(170, 7), 'X', WALL_WAIT_NONE, false);
	wall_seen(&w, AT(200, 8));
	CHECK_STR(finish(&w, 170), "7 on 100-120\n7 on 120-130\n7 on 130-140\n7 blocked 140-150 disk by 0\n"
		  "7 run 150-160\n7 on 160-170\n8 on 100-200\n");
	/* its tid is used again, and its last switch was lost */
	start(&w, &all, &slices);
	wall_seen(&w, AT(100, 7));
	wall_end(&w, AT(120, 7));
	wall_leave(&w, AT(130, 7), 'D', WALL_WAIT_DISK, false);
	wall_begin(&w, AT(180, 7), 1);
	wall_arrive(&w, AT(190, 7));
	wall_leave(&w, AT(200, 7), 'Z', WALL_WAIT_NONE, false);
	CHECK_STR(finish(&w, 50), "7 on 100-120\n7 on 120-130\n7 run 180-190 by 1\n7 on 190-200\n");
}

/* before the first switch of a CPU is recorded, several threads may end there: only one was there first */
TEST(wall_ends_before_switches)
{
	struct wall_event e = at(120, 7, 1);
	struct wall w;

	start(&w, &all, &slices);
	wall_seen(&w, AT(100, 9));
	wall_end(&w, &e);
	e = at(150, 8, 1);
	wall_end(&w, &e);
	CHECK_STR(finish(&w, 120), "7 on 100-120\n8 unknown 100-150\n9 on 100-150\n");
}

/* nobody has run since the recording began on a CPU that another thread had before */
TEST(wall_cpu_had_others)
{
	struct wall_event e = at(100, 8, 1);
	struct wall w;

	start(&w, &all, &slices);
	wall_seen(&w, AT(100, 9));
	wall_take_cpu(&w, &e);
	/* that 7 got this CPU is not recorded; it wakes another thread, and leaves */
	e = at(150, 7, 1);
	wall_take_cpu(&w, &e);
	e.time = 160;
	wall_leave(&w, &e, 'S', WALL_WAIT_PIPE, false);
	CHECK_STR(finish(&w, 2 * 60), "7 unknown 100-160\n9 on 100-160\n");
}

/* events of a control group, beside wake-ups, beginnings and ends of all threads */
TEST(wall_only_watched_threads)
{
	static const struct wall_source group = { true, true, .has_others = true };
	struct wall w;

	start(&w, &group, &slices);
	/* 7 is in the group: its wake-up counts, as it runs then. 8 is woken, and ends elsewhere */
	wall_wake(&w, AT(100, 8), 3);
	wall_wake(&w, AT(120, 7), 8);
	wall_seen(&w, AT(120, 8));
	wall_arrive(&w, AT(130, 7));
	wall_begin(&w, AT(130, 9), 8);
	wall_begin(&w, AT(140, 10), 7);
	wall_end(&w, AT(150, 8));
	wall_wake(&w, AT(150, 8), 3);
	wall_leave(&w, AT(150, 7), 'S', WALL_WAIT_PIPE, false);
	/* 9 entered the group after it had begun, 11 while it ran: it was woken twice */
	wall_arrive(&w, AT(160, 9));
	wall_wake(&w, AT(160, 11), 8);
	wall_wake(&w, AT(170, 11), 8);
	wall_arrive(&w, AT(180, 11));
	wall_arrive(&w, AT(200, 7));
	CHECK_STR(finish(&w, 100 + 70 + 60 + 100),
		  "7 blocked 100-120 earlier by 8\n7 run 120-130\n7 on 130-150\n9 unknown 130-160 by 8\n"
		  "11 unknown 100-180\n7 blocked 150-200 pipe\n9 on 160-200\n10 run 140-200 by 7\n"
		  "11 on 180-200\n");
}

TEST(wall_one_thread_a_cpu)
{
	struct wall_event e = at(100, 7, 1);
	struct wall w;

	start(&w, &all, &slices);
	wall_arrive(&w, &e);
	e = at(150, 0, 1);
	wall_arrive(&w, &e);	/* the CPU is idle: 7 has left it */
	e = at(200, 7, 1);
	wall_wake(&w, &e, 1);
	e = at(220, 7, 1);
	wall_arrive(&w, &e);
	/* 9 got the CPU of which nobody knew that 8 has it: when it came is not known either */
	e = at(220, 9, 1);
	e.cpu = 3;
	wall_take_cpu(&w, &e);
	e = at(220, 8, 1);
	e.cpu = 3;
	wall_leave(&w, &e, 'S', WALL_WAIT_PIPE, false);
	/* 8 has not come again: this is late; and 9 is seen first */
	e.time = 240;
	wall_sample(&w, &e);
	e = at(250, 9, 1);
	e.cpu = 3;
	wall_sample(&w, &e);
	CHECK_STR(finish(&w, 3 * 150), "7 unknown 100-150\n7 unknown 150-200\n7 run 200-220\n"
		  "8 unknown 100-220\n9 unknown 100-250\n7 on 220-250\n8 blocked 220-250 pipe\n");
	/* a record that only a running thread makes, and then one of another thread on its CPU */
	start(&w, &all, &slices);
	e = at(100, 7, 1);
	wall_seen(&w, &e);
	wall_leave(&w, &e, 'S', WALL_WAIT_PIPE, false);
	e.time = 150;
	wall_seen(&w, &e);
	e = at(180, 8, 1);
	wall_take_cpu(&w, &e);
	CHECK_STR(finish(&w, 80), "7 unknown 100-150\n7 unknown 150-180\n");
}

TEST(wall_threads_that_begin_without_a_record)
{
	struct wall_event e = at(200, 7, 1);
	struct wall w;

	start(&w, &all, &slices);
	wall_seen(&w, AT(100, 5));
	wall_began(&w, &e, 150);
	wall_arrive(&w, AT(200, 7));
	wall_end(&w, AT(220, 7));
	/* on its way out it gets a CPU once more */
	e.time = 230;
	wall_began(&w, &e, 150);
	/* it is known already */
	wall_began(&w, AT(240, 5), 140);
	/* another one has its tid */
	e.time = 300;
	wall_began(&w, &e, 260);
	wall_arrive(&w, AT(300, 7));
	wall_end(&w, AT(310, 7));
	CHECK_STR(finish(&w, 210 + 70 + 50), "7 run 150-200\n7 on 200-220\n7 run 260-300\n7 on 300-310\n"
		  "5 on 100-310\n");
}

TEST(wall_throttled_threads)
{
	struct wall_event e = at(400, 7, 1);
	struct wall w;

	start(&w, &all, &slices);
	wall_seen(&w, AT(100, 7));
	wall_leave(&w, AT(120, 7), 'Q', WALL_WAIT_THROTTLED, false);
	/* its end is told: from then on it waits for a CPU */
	wall_woken(&w, AT(200, 7), 180, 0);
	wall_arrive(&w, AT(200, 7));
	wall_leave(&w, AT(220, 7), 'Q', WALL_WAIT_THROTTLED, false);
	wall_arrive(&w, &e);
	CHECK(w.totals.nr_without_wakeup == 0);
	CHECK_STR(finish(&w, 300), "7 on 100-120\n7 blocked 120-180 throttled by 0\n7 run 180-200\n"
		  "7 on 200-220\n7 blocked 220-400 throttled\n");
}

TEST(wall_time_up_to_now)
{
	struct wall w;

	start(&w, &all, &slices);
	wall_flush(&w, 50);	/* nobody is known yet */
	wall_seen(&w, AT(100, 7));
	wall_leave(&w, AT(120, 7), 'S', WALL_WAIT_PIPE, false);
	wall_flush(&w, 150);
	wall_flush(&w, 180);
	wall_wake(&w, AT(200, 7), 8);
	CHECK_STR(finish(&w, 100), "7 on 100-120\n7 blocked 120-150 pipe\n7 blocked 150-180 pipe\n"
		  "7 blocked 180-200 pipe by 8\n");
}

TEST(wall_cpu_time_up_to_now)
{
	struct wall_event e = at(110, 7, 1);
	struct wall w;

	start(&w, &all, &runs);
	wall_sample(&w, &e);
	wall_flush(&w, 150);
	e.time = 170;
	e.stack = 2;
	wall_sample(&w, &e);
	CHECK_STR(finish(&w, 60), "7 ran 40 stack 1\n7 ran 20 stack 2\n");
}

TEST(wall_nothing_happened)
{
	struct wall w;

	start(&w, &all, &slices);
	CHECK_STR(finish(&w, 0), "");
}

/* what came is arbitrary: no slice is negative, and each thread's slices follow each other */
static u64 last_end[4], elapsed;
static void check_slice(void *ctx UNUSED, const struct wall_slice *s)
{
	CHECK(s->begin < s->end);
	CHECK(s->begin >= last_end[s->tid]);
	last_end[s->tid] = s->end;
	elapsed += s->end - s->begin;
}

TEST(wall_any_order)
{
	static const struct wall_ops checks = { .slice = check_slice };
	u64 seed = 1, sum = 0;
	struct wall w;

	wall_init(&w, &all, &checks, NULL);
	for (int i = 0; i < 20000; i++) {
		struct wall_event e;

		seed = seed * 6364136223846793005 + 1442695040888963407;
		e = at(1000 + i * 3 - (seed >> 40) % 8, (seed >> 33) % 4, 1);
		switch (seed >> 60) {
		case 0: case 1: case 2:
			wall_leave(&w, &e, "RSDTXZI"[(seed >> 50) % 7], WALL_WAIT_PIPE, seed >> 59 & 1);
			break;
		case 3: case 4: case 5:
			wall_arrive(&w, &e);
			break;
		case 6: case 7:
			wall_wake(&w, &e, 1);
			break;
		case 8: case 9:
			wall_sample(&w, &e);
			break;
		case 10:
			wall_begin(&w, &e, 1);
			break;
		case 11:
			wall_end(&w, &e);
			break;
		case 12:
			wall_lost(&w, e.time);
			break;
		default:
			wall_seen(&w, &e);
		}
	}
	wall_finish(&w);
	for (u32 i = 0; i < WALL_NR_STATES; i++)
		sum += w.totals.ns[i];
	CHECK_U64(sum, elapsed);
	CHECK(elapsed > 10000);
	wall_release(&w);
}

TEST(wall_targets_belong_to_their_waits)
{
	struct wall_event e = at(150, 7, 3);
	struct wall w;

	start(&w, &all, &targets);
	wall_seen(&w, AT(100, 7));
	e.target = 4;
	wall_leave(&w, &e, 'S', WALL_WAIT_PIPE, false);
	wall_wake(&w, AT(200, 7), 1);
	wall_arrive(&w, AT(210, 7));
	wall_leave(&w, AT(220, 7), 'S', WALL_WAIT_TIMER, false);
	wall_lost(&w, 230);
	e.time = 240;
	wall_wake(&w, AT(250, 7), 1);
	CHECK_STR(finish(&w, 150), "on 0\nblocked 4\nrun 0\non 0\nunknown 0\n");
}

TEST(wall_threads_that_were_seen_asleep)
{
	struct wall w;

	start(&w, &all, &slices);
	/* 7 sleeps to the end, 8 until it is woken, 9 has run; 10 is seen at the end alone */
	wall_seen_asleep(&w, AT(100, 7), WALL_WAIT_EPOLL);
	wall_seen_asleep(&w, AT(100, 8), WALL_WAIT_PIPE);
	wall_seen(&w, AT(150, 9));
	wall_seen_asleep(&w, AT(160, 9), WALL_WAIT_TIMER);
	wall_wake(&w, AT(200, 8), 9);
	wall_arrive(&w, AT(210, 8));
	wall_leave(&w, AT(250, 8), 'S', WALL_WAIT_TIMER, false);
	wall_end(&w, AT(260, 9));
	wall_seen_asleep(&w, AT(270, 9), WALL_WAIT_TIMER);
	wall_seen_asleep(&w, AT(300, 10), WALL_WAIT_CHILD);
	wall_seen_asleep(&w, AT(300, 7), WALL_WAIT_EPOLL);
	CHECK_U64(w.totals.last, 300);
	CHECK_STR(finish(&w, 760),
		  "8 blocked 100-200 pipe by 9\n8 run 200-210\n8 on 210-250\n9 on 100-260\n"
		  "7 idle 100-300 epoll\n8 blocked 250-300 timer\n10 blocked 100-300 child\n");
}
