/* Tracing: system calls, the scheduler, locks, functions in which perf sets a probe. */
#include "machine.h"

#include <unistd.h>

#include "../../util/base/strbuf.h"

TEST(system_calls)
{
	need("rights");
	need("tracepoints");
	perf("trace -o /dev/stdout @ test -w noploop 0.01");
	shows("exit_group");
}

TEST(summary_of_system_calls)
{
	need("rights");
	need("tracepoints");
	perf("trace -s -o /dev/stdout @ test -w noploop 0.01");
	shows("mmap");
}

TEST(scheduler)
{
	need("rights");
	need("tracepoints");
	perf("sched record -o x.data @ test -w context_switch_loop 50");
	perf("sched latency -i x.data");
	shows("perf");
}

TEST(locks_by_bpf)
{
	need("rights");
	need("bpf");
	need("tracepoints");
	perf("lock contention -a -b @ test -w context_switch_loop 20");
}

/* the probe has a name of its own, so that nobody else's is touched */
TEST(user_probe)
{
	struct strbuf words = STRBUF_INIT, event = STRBUF_INIT;
	int own = getpid();

	need("rights");
	need("user-probes");
	strbuf_addf(&event, "selftest%d:loop", own);
	strbuf_addf(&words, "probe -q -x @ --add %s=noploop", strbuf_str(&event));
	perf(strbuf_str(&words));
	strbuf_reset(&words);
	strbuf_addf(&words, "stat -x, -o /dev/stdout -e %s @ test -w noploop 0.01", strbuf_str(&event));
	CHECK(count_of(perf(strbuf_str(&words)), "loop") >= 1);
	strbuf_reset(&words);
	strbuf_addf(&words, "probe -q -d %s", strbuf_str(&event));
	perf(strbuf_str(&words));
	strbuf_release(&words);
	strbuf_release(&event);
}
