/*
 * Tests of the observer: the order of operations, and what ends a run. No event is opened: the set is empty.
 */
#include "test.h"
#include "../../util/base/alloc.h"
#include "../../util/observe/observer.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static struct {
	char calls[256];
	u32 stop_at_tick, fail_at_tick;
	u32 ticks;
	int failed;
	bool raise_in_begin, enabled_in_begin;
} run;

static void call(const char *name)
{
	strncat(run.calls, name, sizeof(run.calls) - strlen(run.calls) - 1);
	strncat(run.calls, " ", sizeof(run.calls) - strlen(run.calls) - 1);
}

static int before(void *ctx, struct observer *o, struct err *err)
{
	call("before");
	return 0;
}

static int start(void *ctx, struct observer *o, struct err *err)
{
	call("start");
	return 0;
}

static int begin(void *ctx, struct observer *o, struct err *err)
{
	call("begin");
	run.enabled_in_begin = o->enabled;
	if (run.raise_in_begin)
		kill(getpid(), SIGTERM);
	return 0;
}

static int tick(void *ctx, struct observer *o, struct err *err)
{
	run.ticks++;
	if (run.ticks == run.stop_at_tick)
		observer_stop(o);
	return run.ticks == run.fail_at_tick ? err_set(err, -EIO, "no paper") : 0;
}

static int own_event(void *ctx, struct observer *o, const struct loop_event *e, struct err *err)
{
	call(e->kind == LOOP_TIMER && e->id == OBSERVE_OWN ? "event" : "unknown");
	observer_stop(o);
	return 0;
}

static int end(void *ctx, struct observer *o, int failed, struct err *err)
{
	run.failed = failed;
	CHECK(!failed == !!err);
	observer_end_command(o);
	call("end");
	return 0;
}

static const struct observer_ops ops = {
	.before = before, .start = start, .begin = begin, .tick = tick, .event = own_event, .end = end,
};

static struct observer ob;
static struct err err;

/* the calls of a run; what it returned in *ret */
static const char *observe(struct observe_opts *o, const struct observer_ops *with, int *ret)
{
	o->set = evset_new();
	o->target.has_workload = o->argv;
	if (!o->argv)
		o->target.pids = xasprintf("%d", getpid());
	err_clear(&err);
	memset(&ob, 0, sizeof(ob));
	REQUIRE(!observer_resolve(&ob, o, &err));
	*ret = observer_run(&ob, with, NULL, &err);
	CHECK_INT(ob.loop.epfd, -1);
	CHECK_INT(ob.work.pidfd, -1);
	return run.calls;
}

TEST(a_command_runs_to_its_end)
{
	const char *const argv[] = { "sh", "-c", "exit 3", NULL };
	struct observe_opts o = { .argv = argv, .grace_ms = 500 };
	int ret;

	CHECK_STR(observe(&o, &ops, &ret), "before start begin end ");
	CHECK_INT(ret, 0);
	CHECK(ob.command_over && !ob.signal);
	CHECK_INT(workload_exit_status(&ob.work), 3);
	/* again, as for stat -r */
	CHECK_INT(observer_run(&ob, &ops, NULL, &err), 0);
	CHECK_STR(run.calls, "before start begin end before start begin end ");
	observer_release(&ob);
}

/* an interrupt that the parent ignores, as a shell's background commands do, is not lost either */
TEST(a_signal_between_two_runs_ends_the_second_before_it_starts)
{
	const char *const argv[] = { "true", NULL };
	struct observe_opts o = { .argv = argv, .repeats = true };
	int ret;

	signal(SIGINT, SIG_IGN);
	memset(&ob, 0, sizeof(ob));
	o.set = evset_new();
	o.target.has_workload = true;
	REQUIRE(!observer_resolve(&ob, &o, &err));
	CHECK_INT(observer_run(&ob, &ops, NULL, &err), 0);
	raise(SIGINT);
	ret = observer_run(&ob, &ops, NULL, &err);
	CHECK_INT(ret, 0);
	CHECK_INT(ob.signal, SIGINT);
	CHECK_STR(run.calls, "before start begin end ");
	observer_release(&ob);
	CHECK_INT(ob.loop.sigfd, -1);
	signal(SIGINT, SIG_DFL);
}

TEST(a_command_that_cannot_be_run)
{
	const char *const argv[] = { "./no-such-program", NULL };
	struct observe_opts o = { .argv = argv };
	int ret;

	CHECK_STR(observe(&o, &ops, &ret), "before start begin ");
	CHECK_INT(ret, -ENOENT);
	CHECK(ob.exec_failed && strstr(err.msg, "no-such-program"));
}

TEST(intervals_are_counted)
{
	/* the last one is that of the end */
	struct observe_opts o = { .interval_ms = 1, .interval_count = 3 };
	int ret;

	CHECK_STR(observe(&o, &ops, &ret), "before start begin end ");
	CHECK_INT(ret, 0);
	CHECK_INT(run.ticks, 2);
}

TEST(an_operation_ends_the_run)
{
	struct observe_opts o = { .interval_ms = 1 }, late = { .interval_ms = 1, .delay = { 0 } };
	int ret;

	run.stop_at_tick = 2;
	observe(&o, &ops, &ret);
	CHECK_INT(ret, 0);
	CHECK_INT(run.failed, 0);
	run.stop_at_tick = run.ticks = 0;
	run.fail_at_tick = 1;
	observe(&o, &ops, &ret);
	CHECK_INT(ret, -EIO);
	CHECK_INT(run.failed, -EIO);
	CHECK_STR(err.msg, "no paper");
	/* -D: ticks begin with the events; the clock was set before, too */
	memset(&run, 0, sizeof(run));
	run.stop_at_tick = 1;
	vec_push(&late.delay, (struct delay_range){ .on_ns = 1 });
	CHECK_STR(observe(&late, &ops, &ret), "before start begin begin end ");
	CHECK_INT(ret, 0);
	CHECK(run.enabled_in_begin);
}

static int set_own_timer(void *ctx, struct observer *o, struct err *err)
{
	return loop_set_timer(&o->loop, OBSERVE_OWN, 1, 0, err);
}

TEST(timers_of_a_commands_own)
{
	const struct observer_ops with = { .begin = set_own_timer, .event = own_event, .end = end };
	struct observe_opts o = { .timeout_ms = 60000 };
	int ret;

	CHECK_STR(observe(&o, &with, &ret), "event end ");
	CHECK_INT(ret, 0);
}

TEST(signals_and_dry_runs)
{
	const char *const argv[] = { "sleep", "60", NULL };
	struct observe_opts o = { .argv = argv }, with_grace = { .argv = argv, .grace_ms = 1 },
			dry = { .argv = argv, .dry_run = true };
	int ret;

	run.raise_in_begin = true;
	CHECK_STR(observe(&o, &ops, &ret), "before start begin end ");
	CHECK_INT(ret, 0);
	CHECK_INT(ob.signal, SIGTERM);
	CHECK(!ob.command_over && ob.work.reaped);
	/* the command may end by itself, until the time for that is over */
	run.calls[0] = '\0';
	CHECK_STR(observe(&with_grace, &ops, &ret), "before start begin end ");
	CHECK_INT(ob.signal, SIGTERM);
	run.calls[0] = '\0';
	CHECK_STR(observe(&dry, &ops, &ret), "before start ");
	CHECK_INT(ret, 0);
	CHECK(!ob.signal && !ob.work.started);
}
