/* Tests of the control of tracers: values of files, the journal, what is left alone. */
#include "fake-root.h"
#include "test.h"
#include "../../util/base/fs.h"
#include "../../util/kernel/trace-files.h"
#include "../../util/kernel/trace-instance.h"
#include "../../util/kernel/tracefs.h"

#include <errno.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define T "/sys/kernel/tracing/"
#define ROOT "root" T

static struct err err;

static void make_root(void)
{
	fake_file(T "events/enable", "0\n");
	fake_file(T "available_tracers", "function_graph nop\n");
	fake_file(T "current_tracer", "nop\n");
	fake_file(T "set_event", "");
	fake_file(T "trace", "# tracer: nop\n#\n\n");
	fake_file(T "trace_pipe", "one\n");
	fake_file(T "tracing_on", "1\n");
	fake_file(T "set_ftrace_filter", "a\nb [mod]\nc:traceon:unlimited\n");
	fake_file(T "set_graph_function", "#### all functions enabled ####\n");
	fake_file(T "buffer_size_kb", "7 (expanded: 1408)\n");
	fake_file(T "options/funcgraph-tail", "0\n");
	fake_file("/run/other", "");
	mkdir(ROOT "instances", 0755);
}

static const char *text(const char *path)
{
	static struct strbuf value;

	trace_file_read(path, &value, NULL);
	return strbuf_str(&value);
}

TEST(values)
{
	struct strbuf v = STRBUF_INIT;

	make_root();
	trace_file_value("set_ftrace_filter", &v, &err);
	CHECK_STR(strbuf_str(&v), "a\nb:mod:mod");
	trace_file_value("set_graph_function", &v, &err);
	CHECK_STR(strbuf_str(&v), "");
	trace_file_value("buffer_size_kb", &v, &err);
	CHECK_STR(strbuf_str(&v), "1408");
	CHECK(trace_file_has_word("available_tracers", "nop"));
	CHECK(!trace_file_has_word("available_tracers", "function"));
	CHECK_INT(trace_file_read("no_such_file", &v, &err), -ENOENT);
	strbuf_release(&v);
}

TEST(everything_is_put_back)
{
	struct trace_instance t;

	make_root();
	REQUIRE(!trace_instance_open(&t, "function_graph", &err));
	CHECK(!t.own);
	CHECK_STR(text("tracing_on"), "0");
	CHECK_INT(trace_instance_set(&t, "set_ftrace_filter", "x\ny", NULL, &err), 0);
	CHECK_INT(trace_instance_set(&t, "set_graph_function", "f", NULL, &err), 0);
	CHECK_INT(trace_instance_set(&t, "options/funcgraph-tail", "1", NULL, &err), 0);
	CHECK_INT(trace_instance_set(&t, "buffer_size_kb", "64", NULL, &err), 0);
	CHECK_INT(trace_instance_set_tracer(&t, &err), 0);
	CHECK_STR(text("set_ftrace_filter"), "x\ny");
	CHECK_STR(text("current_tracer"), "function_graph");
	CHECK_INT(trace_instance_switch(&t, true, &err), 0);
	CHECK_INT(trace_instance_close(&t, &err), 0);
	CHECK_STR(text("set_ftrace_filter"), "a\nb:mod:mod");
	CHECK_STR(text("set_graph_function"), "");
	CHECK_STR(text("options/funcgraph-tail"), "0");
	CHECK_STR(text("buffer_size_kb"), "1408");
	CHECK_STR(text("current_tracer"), "nop");
	CHECK_STR(text("tracing_on"), "1");
	CHECK_STR(text("trace"), "");
}

/* the process ends without closing, as after SIGKILL: its lock is gone, the journal is there */
TEST(the_next_run_cleans_up)
{
	struct trace_instance t, next;

	make_root();
	mkdir(ROOT "instances/perf-2000000000-77", 0755);
	mkdir(ROOT "instances/perf-mine", 0755);
	REQUIRE(!trace_instance_open(&t, "function_graph", &err));
	CHECK(access(ROOT "instances/perf-2000000000-77", F_OK));
	CHECK(!access(ROOT "instances/perf-mine", F_OK));
	CHECK_INT(trace_instance_set(&t, "set_graph_function", "f\ng", NULL, &err), 0);
	CHECK_INT(trace_instance_set_tracer(&t, &err), 0);
	/* while it lives, nobody else changes what it has changed */
	CHECK_INT(trace_instance_open(&next, "function_graph", &err), -EBUSY);
	CHECK_INT(trace_instance_close(&next, &err), 0);
	CHECK_STR(text("current_tracer"), "function_graph");
	close(t.journal.fd);
	close(t.pipe);
	REQUIRE(!trace_instance_open(&next, "function_graph", &err));
	CHECK_STR(text("set_graph_function"), "");
	CHECK_STR(text("current_tracer"), "nop");
	CHECK_INT(trace_instance_close(&next, &err), 0);
	CHECK_STR(text("tracing_on"), "1");
}

TEST(others_are_left_alone)
{
	struct trace_instance t;

	make_root();
	fake_file(T "current_tracer", "function_graph\n");
	CHECK_INT(trace_instance_open(&t, "function_graph", &err), -EBUSY);
	trace_instance_close(&t, &err);
	CHECK_STR(text("current_tracer"), "function_graph");
	CHECK_STR(text("tracing_on"), "1");
	fake_file(T "current_tracer", "nop\n");
	fake_file(T "set_event", "sched:sched_switch\n");
	CHECK_INT(trace_instance_open(&t, "function_graph", &err), -EBUSY);
	trace_instance_close(&t, &err);
	fake_file(T "set_event", "");
	fake_file(T "trace", "# tracer: nop\n#\n bash-1 [000] 1.0: tracing_mark_write: x\n");
	CHECK_INT(trace_instance_open(&t, "function_graph", &err), -EBUSY);
	trace_instance_close(&t, &err);
	fake_file(T "trace", "# tracer: nop\n");
	fake_file(T "set_graph_function", "their_function\n");
	REQUIRE(!trace_instance_open(&t, "function_graph", &err));
	CHECK_INT(trace_instance_set(&t, "set_graph_function", "f", NULL, &err), -EBUSY);
	CHECK_INT(trace_instance_close(&t, &err), 0);
	CHECK_STR(text("set_graph_function"), "their_function");
	CHECK_INT(trace_instance_open(&t, "function", &err), -ENODEV);
	CHECK_STR(err.msg, "this kernel has no tracer 'function'");
	trace_instance_close(&t, &err);
	CHECK_INT(trace_instance_open(&t, "function_grap", &err), -EINVAL);
	CHECK(strstr(err.msg, "did you mean 'function_graph'"));
	trace_instance_close(&t, &err);
}

/* no line of a journal makes perf write outside of tracefs */
TEST(journal_is_not_trusted)
{
	make_root();
	fake_file("/outside", "safe");
	fake_file("/run/perf-ftrace", "../../../outside=bad\n/outside=bad\nnothing\n=x\ntracing_on=0\\\\\n"
		  "tracing_on=0\ncut=");
	trace_journal_recover();
	CHECK_STR(text("tracing_on"), "0\\");
	CHECK_STR(text("../../../outside"), "safe");
	unlink("root/run/perf-ftrace");
	REQUIRE(!symlink("../outside", "root/run/perf-ftrace"));
	CHECK_INT(trace_journal_open(&(struct trace_journal)TRACE_JOURNAL_INIT, &err), -ELOOP);
}
