/* Unit tests of targets, on a fake /proc. */
#include "test.h"
#include "fake-root.h"

#include <errno.h>
#include <string.h>
#include "../../util/base/strbuf.h"
#include "../../util/kernel/target.h"

static struct target t;
static struct err err;
static struct strbuf notes;

static void machine(void)
{
	fake_file("/sys/devices/system/cpu/online", "0-3,8\n");
	fake_file("/proc/100/status", "Name:\tbash\nUid:\t1000\t4242\t1000\t1000\n");
	fake_file("/proc/100/task/100/comm", "bash\n");
	fake_file("/proc/200/status", "Name:\tserver\nUid:\t0\t0\t0\t0\n");
	fake_file("/proc/200/task/202/comm", "worker\n");
	fake_file("/proc/200/task/200/comm", "server\n");
	fake_file("/proc/300/status", "Name:\tx\nUid:\t4242\t4242\t0\t0\n");
	fake_file("/proc/300/task/300/comm", "x\n");
}

/* "tids / cpus" */
static const char *resolve(struct target_opts o)
{
	static char out[1100];
	struct strbuf sb = STRBUF_INIT;

	machine();
	strbuf_reset(&notes);
	target_release(&t);
	if (target_resolve(&t, &o, &notes, &err)) {
		snprintf(out, sizeof(out), "error: %s", err.msg);
		return out;
	}
	for (size_t i = 0; i < t.tids.nr; i++)
		strbuf_addf(&sb, "%s%d", i ? "," : "", t.tids.v[i]);
	strbuf_addstr(&sb, " / ");
	if (t.cpus.v[0] < 0)
		strbuf_addstr(&sb, "any");
	else
		cpulist_format(&t.cpus, &sb);
	snprintf(out, sizeof(out), "%s", sb.buf);
	strbuf_release(&sb);
	return out;
}

#define RESOLVE(...) resolve((struct target_opts){ __VA_ARGS__ })

TEST(lists)
{
	CHECK_STR(RESOLVE(.pids = "200"), "200,202 / 0-3,8");
	CHECK_INT(t.kind, TARGET_TASKS);
	CHECK_INT(t.pids.v[1], 200);
	CHECK_STR(RESOLVE(.pids = "200,100,200"), "200,202,100 / 0-3,8");
	CHECK_STR(RESOLVE(.tids = "100,300", .has_workload = true), "100,300 / 0-3,8");
	CHECK(t.by_tid && t.workload_is_timer);
	CHECK_STR(RESOLVE(.user = "4242"), "100,300 / 0-3,8");
	CHECK_STR(RESOLVE(.pids = "200, 100"), "200,202,100 / 0-3,8");
	CHECK_STR(RESOLVE(.tids = " 100 ,300 "), "100,300 / 0-3,8");
	CHECK_STR(RESOLVE(.pids = "100", .per_thread = true), "100 / any");
	CHECK_STR(RESOLVE(.all_cpus = true), "-1 / 0-3,8");
	CHECK_STR(RESOLVE(.cpus = "8,1-2", .has_workload = true), "-1 / 1-2,8");
	CHECK(t.workload_is_timer && t.kind == TARGET_SYSTEM);
	CHECK_STR(RESOLVE(.has_workload = true), "0 / 0-3,8");
	CHECK(t.kind == TARGET_WORKLOAD && !t.workload_is_timer);
	target_set_workload(&t, 77);
	CHECK_INT(t.tids.v[0], 77);
	CHECK_STR(RESOLVE(.has_workload = false), "-1 / 0-3,8");
	CHECK_STR(strbuf_str(&notes), "");
}

TEST(conflicts)
{
	CHECK_STR(RESOLVE(.pids = "100", .all_cpus = true, .cpus = "0"), "100 / 0-3,8");
	CHECK_STR(strbuf_str(&notes), "-p selects the tasks, on all CPUs: -C is ignored\n"
		  "-p selects the tasks: -a is ignored\n");
	CHECK_STR(RESOLVE(.pids = "100", .tids = "200", .user = "0"), "100 / 0-3,8");
	CHECK_STR(strbuf_str(&notes), "-p selects the tasks: -t is ignored\n"
		  "-p selects the tasks: -u is ignored\n");
	CHECK_STR(RESOLVE(.all_cpus = true, .per_thread = true), "-1 / 0-3,8");
	CHECK_STR(strbuf_str(&notes), "-a selects whole CPUs: --per-thread is ignored\n");
}

TEST(cpus_that_are_not_there)
{
	CHECK_STR(RESOLVE(.cpus = "3-9", .all_cpus = true), "-1 / 3,8");
	CHECK_STR(strbuf_str(&notes), "CPU 4-7,9 of -C is not online, left out (online: 0-3,8)\n");
	CHECK_STR(RESOLVE(.cpus = "4,6"), "error: CPU 4,6 is not online (online: 0-3,8)");
}

/* where samples are filtered, a user is of whole CPUs, and need not run anything yet */
TEST(filtered_user)
{
	CHECK_STR(RESOLVE(.user = "777", .user_is_filtered = true, .all_cpus = true), "-1 / 0-3,8");
	CHECK(t.kind == TARGET_SYSTEM && t.by_user && t.uid == 777);
	CHECK_STR(RESOLVE(.user = "4242", .user_is_filtered = true, .cpus = "1", .has_workload = true),
		  "-1 / 1");
	CHECK(t.by_user && t.workload_is_timer);
	CHECK_STR(strbuf_str(&notes), "");
	CHECK_STR(RESOLVE(.user = "no such user", .user_is_filtered = true),
		  "error: there is no user 'no such user'");
	CHECK_STR(RESOLVE(.user = "4242", .all_cpus = true), "100,300 / 0-3,8");
	CHECK_STR(strbuf_str(&notes), "-u selects the tasks: -a is ignored\n");
	CHECK(!t.by_user);
}

TEST(tasks_that_have_ended)
{
	CHECK_STR(RESOLVE(.pids = "999,100"), "100 / 0-3,8");
	CHECK_STR(strbuf_str(&notes), "process 999 of -p does not exist, left out\n");
	CHECK_STR(RESOLVE(.pids = "999,100,998"), "100 / 0-3,8");
	CHECK_STR(strbuf_str(&notes), "processes 999, 998 of -p do not exist, left out\n");
	CHECK_STR(RESOLVE(.tids = "100,999,300"), "100,300 / 0-3,8");
	CHECK_STR(strbuf_str(&notes), "thread 999 of -t does not exist, left out\n");
}

TEST(mistakes)
{
	CHECK_STR(RESOLVE(.pids = "999"), "error: process 999 does not exist");
	CHECK_STR(RESOLVE(.pids = "999,998"), "error: processes 999, 998 do not exist");
	CHECK_STR(RESOLVE(.tids = "999"), "error: thread 999 does not exist");
	CHECK_STR(RESOLVE(.pids = "1x"), "error: '1x' is not a process ID");
	CHECK_STR(RESOLVE(.pids = "100 200"), "error: '100 200' is not a process ID");
	CHECK_STR(RESOLVE(.pids = "100, "), "100 / 0-3,8");
	CHECK_STR(RESOLVE(.pids = ""), "error: -p needs process IDs");
	CHECK_STR(RESOLVE(.tids = "99999999999"), "error: '99999999999' is not a thread ID");
	CHECK_STR(RESOLVE(.user = "no such user"), "error: there is no user 'no such user'");
	CHECK_STR(RESOLVE(.user = "777"), "error: user '777' has no running process");
	CHECK_STR(RESOLVE(.cpus = "4"), "error: CPU 4 is not online (online: 0-3,8)");
	CHECK_STR(RESOLVE(.cpus = "0-x"),
		  "error: '0-x' is not a number or range (like 0-3,8) below 65536");
	CHECK_STR(RESOLVE(.cpus = "2,1-0"), "error: '1-0' ends before it begins: write '0-1'");
	CHECK_STR(RESOLVE(.cpus = ""), "error: -C needs CPU numbers, like 0-3,8");
}

TEST(cpulists)
{
	struct cpulist l = { 0 };
	struct strbuf sb = STRBUF_INIT;

	CHECK_INT(cpulist_parse(&l, "9,3-5,4,0\n", &err), 0);
	cpulist_format(&l, &sb);
	CHECK_STR(strbuf_str(&sb), "0,3-5,9");
	CHECK_INT(cpulist_index(&l, 5), 3);
	CHECK_INT(cpulist_index(&l, 6), -1);
	CHECK(cpulist_has(&l, 9));
	CHECK(cpulist_parse(&l, "5-3", &err) < 0);
	CHECK(cpulist_parse(&l, "99999999999999999999", &err) < 0);
	CHECK(cpulist_parse(&l, "1,,2", &err) < 0);
	CHECK_INT(cpulist_parse(&l, "", &err), 0);
	vec_release(&l);
	strbuf_release(&sb);
}
