/* Tests of util/ftrace: lines of function_graph, histograms, profiles, options. */
#include "fake-root.h"
#include "test.h"
#include "../../util/ftrace/functions.h"
#include "../../util/ftrace/gaps.h"
#include "../../util/ftrace/histogram.h"
#include "../../util/ftrace/lines.h"
#include "../../util/ftrace/profile.h"
#include "../../util/ftrace/setup.h"
#include "../../util/view/view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct graph_line g;
static const char *name(const char *line)
{
	static char text[128];

	graph_line_parse(line, strlen(line), &g);
	snprintf(text, sizeof(text), "%.*s", (int)g.name_len, g.name ? g.name : "");
	return text;
}

TEST(graph_calls)
{
	CHECK_STR(name(" 0)               |  vfs_read() {"), "vfs_read");
	CHECK_INT(g.kind, GRAPH_CALL);
	CHECK(!g.timed);
	CHECK_U64(g.depth, 0);
	CHECK_STR(name(" 12)   1.884 us    |    ovl_d_real [overlay]();"), "ovl_d_real [overlay]");
	CHECK_INT(g.kind, GRAPH_LEAF);
	CHECK_U64(g.cpu, 12);
	CHECK_U64(g.duration, 1884);
	CHECK_U64(g.depth, 1);
	CHECK_INT(g.overhead, 0);
	/* of newer kernels: values */
	CHECK_STR(name(" 0)   0.5 us    |      f(a=0x1, b=2); /* ret=0x0 */"), "f");
	CHECK_INT(g.kind, GRAPH_LEAF);
	CHECK_U64(g.duration, 500);
	CHECK_U64(g.depth, 2);
}

TEST(graph_returns)
{
	CHECK_STR(name(" 0) + 32.430 us   |  }"), "");
	CHECK_INT(g.kind, GRAPH_RETURN);
	CHECK_INT(g.overhead, '+');
	CHECK_U64(g.duration, 32430);
	CHECK(!g.name);
	CHECK_STR(name(" 1) # 2495.421 us |    } /* ovl_read_iter [overlay] */"), "ovl_read_iter [overlay]");
	CHECK_U64(g.depth, 1);
	/* 7 digits at most: a long time has fewer after the point */
	CHECK_STR(name(" 1) $ 3977182 us  |  } /* schedule ret=0x1 */"), "schedule");
	CHECK_U64(g.duration, 3977182000ull);
	CHECK_STR(name(" 1) * 13846.03 us |  } /* f = 0x0 */"), "f");
	CHECK_U64(g.duration, 13846030);
	CHECK_STR(name(" 1)   0.1 us      |  } /* = 0x0 */"), "");
	CHECK(!g.name);
	CHECK_STR(name(" 1)   0.1 us      |  } /* ret=0x0 */"), "");
	CHECK(!g.name);
}

TEST(graph_other_lines)
{
	CHECK_STR(name(" 0)   ==========> |"), "");
	CHECK_INT(g.kind, GRAPH_IRQ);
	name(" 0)   <========== |");
	CHECK_INT(g.kind, GRAPH_IRQ);
	name(" 0)    cat-150    =>   bash-99   ");
	CHECK_INT(g.kind, GRAPH_SWITCH);
	/* a task whose name looks like a duration */
	name(" 0)    5 us-150    =>   bash-99   ");
	CHECK(g.kind != GRAPH_LEAF && g.kind != GRAPH_RETURN);
	name("CPU:3 [LOST 360 EVENTS]");
	CHECK_INT(g.kind, GRAPH_LOST);
	CHECK_U64(g.cpu, 3);
	CHECK_U64(g.lost, 360);
	name(" 0)               |    /* sched_switch: prev_comm=a(); */");
	CHECK_INT(g.kind, GRAPH_COMMENT);
	CHECK(!g.name);
	name(" ------------------------------------------");
	CHECK_INT(g.kind, GRAPH_OTHER);
	name("# tracer: function_graph");
	CHECK_INT(g.kind, GRAPH_OTHER);
	name("");
	CHECK_INT(g.kind, GRAPH_OTHER);
	name(" 0) ");
	CHECK_INT(g.kind, GRAPH_OTHER);
	name(" 99999999999999999999) 1 us | f();");
	CHECK_INT(g.kind, GRAPH_OTHER);
	name(" 0) 9999999999999999999 us | f();");
	CHECK(!g.timed);
}

static struct strbuf got;
static void collect(void *ctx UNUSED, const char *line, size_t len)
{
	trace_line_add_safe(&got, line, len);
}

TEST(lines_from_pieces)
{
	struct trace_lines l = { 0 };
	static char big[TRACE_LINE_MAX + 10];

	trace_lines_feed(&l, "ab", 2, collect, NULL);
	trace_lines_feed(&l, "c\n\nd\nlast", 9, collect, NULL);
	CHECK_STR(strbuf_str(&got), "abc\n\nd\n");
	trace_lines_end(&l, collect, NULL);
	trace_lines_end(&l, collect, NULL);
	CHECK_STR(strbuf_str(&got), "abc\n\nd\nlast\n");
	strbuf_reset(&got);
	/* one without an end does not take all memory */
	memset(big, 'x', sizeof(big));
	trace_lines_feed(&l, big, sizeof(big), collect, NULL);
	CHECK_U64(got.len, TRACE_LINE_MAX + 1);
	trace_lines_release(&l);
}

TEST(lines_are_safe)
{
	trace_line_add_safe(&got, "a\033[2J\tb\0c\r", 10);
	CHECK_STR(strbuf_str(&got), "a\\x1b[2J\tb\\x00c\\x0d\n");
}

static struct ftrace_histogram h;
static struct err err;

static const char *range(u32 i)
{
	static char text[64];
	u64 from, to;

	ftrace_histogram_range(&h, i, &from, &to);
	snprintf(text, sizeof(text), "%lld-%lld", (long long)from, (long long)to);
	return text;
}

TEST(histogram_powers)
{
	struct ftrace_histogram_opts o = { 0 };

	CHECK_INT(ftrace_histogram_init(&h, &o, &err), 0);
	CHECK_U64(h.nr_buckets, 22);
	CHECK_STR(range(0), "0-1000");
	CHECK_STR(range(1), "1000-2000");
	CHECK_STR(range(11), "1024000-2048000");
	CHECK_STR(range(21), "1048576000--1");
	ftrace_histogram_add(&h, 999);
	ftrace_histogram_add(&h, 1000);
	ftrace_histogram_add(&h, 1999);
	ftrace_histogram_add(&h, 2000);
	ftrace_histogram_add(&h, UINT64_MAX / 2);
	CHECK_U64(h.bucket[0], 1);
	CHECK_U64(h.bucket[1], 2);
	CHECK_U64(h.bucket[2], 1);
	CHECK_U64(h.bucket[21], 1);
	CHECK_U64(h.min, 999);
	CHECK_U64(h.max, UINT64_MAX / 2);
	ftrace_histogram_release(&h);
}

TEST(histogram_steps)
{
	struct ftrace_histogram_opts o = { .nsec = true, .range = 10, .min = 20, .max = 45 };

	CHECK_INT(ftrace_histogram_init(&h, &o, &err), 0);
	CHECK_U64(h.nr_buckets, 5);
	CHECK_STR(range(0), "0-20");
	CHECK_STR(range(1), "20-30");
	CHECK_STR(range(3), "40-45");
	CHECK_STR(range(4), "45--1");
	for (u64 v = 0; v < 60; v++)
		ftrace_histogram_add(&h, v);
	CHECK_U64(h.bucket[0], 20);
	CHECK_U64(h.bucket[1], 10);
	CHECK_U64(h.bucket[3], 5);
	CHECK_U64(h.bucket[4], 15);
	ftrace_histogram_release(&h);
	o = (struct ftrace_histogram_opts){ .range = 10 };
	CHECK_INT(ftrace_histogram_init(&h, &o, &err), 0);
	CHECK_STR(range(0), "0-10000");
	CHECK_STR(range(20), "200000-210000");
	CHECK_STR(range(21), "210000--1");
	ftrace_histogram_add(&h, 210000);
	ftrace_histogram_add(&h, 209999);
	CHECK_U64(h.bucket[21], 1);
	CHECK_U64(h.bucket[20], 1);
	ftrace_histogram_release(&h);
	o = (struct ftrace_histogram_opts){ .min = 10 };
	CHECK_INT(ftrace_histogram_init(&h, &o, &err), -EINVAL);
	o = (struct ftrace_histogram_opts){ .range = 1, .max = 100000 };
	CHECK_INT(ftrace_histogram_init(&h, &o, &err), -EINVAL);
	o = (struct ftrace_histogram_opts){ .range = 1, .min = 5, .max = 5 };
	CHECK_INT(ftrace_histogram_init(&h, &o, &err), -EINVAL);
}

TEST(histogram_percentiles)
{
	struct ftrace_histogram_opts o = { 0 };

	CHECK_INT(ftrace_histogram_init(&h, &o, &err), 0);
	CHECK_U64(ftrace_histogram_percentile(&h, 50), 0);
	for (u64 v = 1; v <= 100; v++)
		ftrace_histogram_add(&h, v * 1000);
	/* to 1.6 percent */
	for (u32 p = 1; p <= 100; p++) {
		u64 v = ftrace_histogram_percentile(&h, p);

		CHECK(v >= p * 984ull && v <= p * 1016ull);
	}
	ftrace_histogram_release(&h);
	CHECK_INT(ftrace_histogram_init(&h, &o, &err), 0);
	ftrace_histogram_add(&h, UINT64_MAX);
	CHECK_U64(ftrace_histogram_percentile(&h, 99), UINT64_MAX);
	ftrace_histogram_release(&h);
}

static void add_line(struct ftrace_profile *p, const char *line)
{
	graph_line_parse(line, strlen(line), &g);
	ftrace_profile_add(p, &g);
}

TEST(profile_sums)
{
	struct ftrace_profile p = { 0 };
	struct view_sort sort = { 0 };

	add_line(&p, " 0)               |  f() {");
	add_line(&p, " 0)   1.000 us    |    g();");
	add_line(&p, " 0)   3.000 us    |    g();");
	add_line(&p, " 0)   9.000 us    |  } /* f */");
	add_line(&p, " 0)   9.000 us    |  }");
	CHECK_U64(p.row.nr, 2);
	CHECK_U64(p.nr_unnamed, 1);
	CHECK_INT(ftrace_profile_sort_parse(&sort, "name", &err), 0);
	view_free(ftrace_profile_view(&p, &sort, 0, VIEW_FORM_TEXT));
	CHECK_STR(p.row.v[0].name, "f");
	CHECK_INT(ftrace_profile_sort_parse(&sort, "count", &err), 0);
	view_free(ftrace_profile_view(&p, &sort, 0, VIEW_FORM_TEXT));
	CHECK_STR(p.row.v[0].name, "g");
	CHECK_U64(p.row.v[0].total, 4000);
	CHECK_U64(p.row.v[0].max, 3000);
	CHECK_U64(p.row.v[0].count, 2);
	CHECK_INT(ftrace_profile_sort_parse(&sort, "speed", &err), -EINVAL);
	ftrace_profile_release(&p);
}

TEST(gaps_by_thread)
{
	struct ftrace_histogram_opts o = { .nsec = true };
	struct ftrace_gaps gaps = { .histogram = &h };

	CHECK_INT(ftrace_histogram_init(&h, &o, &err), 0);
	ftrace_gaps_end(&gaps, 1, 0, 5);		/* without a beginning */
	ftrace_gaps_begin(&gaps, 1, 0, 10);
	ftrace_gaps_begin(&gaps, 2, 0, 11);
	ftrace_gaps_begin(&gaps, 1, 0, 20);		/* anew */
	ftrace_gaps_end(&gaps, 1, 1, 23);
	ftrace_gaps_end(&gaps, 1, 1, 40);		/* has ended */
	CHECK_U64(h.count, 1);
	CHECK_U64(h.total, 3);
	/* idle tasks */
	ftrace_gaps_begin(&gaps, 0, 0, 100);
	ftrace_gaps_end(&gaps, 0, 1, 101);
	CHECK_U64(h.count, 1);
	ftrace_gaps_end(&gaps, 0, 0, 107);
	CHECK_U64(h.total, 10);
	ftrace_gaps_release(&gaps);
	ftrace_histogram_release(&h);
}

TEST(words_of_options)
{
	struct ftrace_opts o = { 0 };

	CHECK_INT(ftrace_graph_opts_parse(&o, "retval-hex,depth=3,noirqs", &err), 0);
	CHECK_U64(o.graph_opts, 1u << GRAPH_RETVAL | 1u << GRAPH_RETVAL_HEX | 1u << GRAPH_NOIRQS);
	CHECK_U64(o.depth, 3);
	CHECK_INT(ftrace_graph_opts_parse(&o, "thresh=x", &err), -EINVAL);
	CHECK_INT(ftrace_graph_opts_parse(&o, "depth", &err), -EINVAL);
	CHECK_INT(ftrace_graph_opts_parse(&o, "fast", &err), -EINVAL);
	CHECK_INT(ftrace_func_opts_parse(&o, "irq-info", &err), 0);
	CHECK_INT(ftrace_func_opts_parse(&o, "depth=3", &err), -EINVAL);
}

TEST(choice_of_tracer)
{
	struct ftrace_opts o = { 0 };

	CHECK_STR(ftrace_tracer(&o, &err), "function_graph");
	o.tracer = "function";
	CHECK_STR(ftrace_tracer(&o, &err), "function");
	vec_push(&o.graph, "f");
	CHECK_STR(ftrace_tracer(&o, &err), "function_graph");
	o.tracer_given = true;
	CHECK(!ftrace_tracer(&o, &err));
	o.graph.nr = 0;
	vec_push(&o.only, "f");
	CHECK_STR(ftrace_tracer(&o, &err), "function");
	o.tracer = "function_graph";
	CHECK_STR(ftrace_tracer(&o, &err), "function_graph");
	o.tracer_given = false;
	CHECK_STR(ftrace_tracer(&o, &err), "function");
	o.parsed = true;
	CHECK_STR(ftrace_tracer(&o, &err), "function_graph");
	o.parsed = false;
	o.func_opts = 1u << FUNC_CALL_GRAPH;
	CHECK_STR(ftrace_tracer(&o, &err), "function");
	o.only.nr = 0;
	o.tracer = "function";
	CHECK(!ftrace_tracer(&o, &err));
	vec_release(&o.graph);
	vec_release(&o.only);
}

TEST(functions_and_nearest)
{
	static const char *const globs[] = { "vfs_*" }, *const wrong[] = { "vfs_raed" };
	struct strbuf out = STRBUF_INIT;

	fake_file("/sys/kernel/tracing/events/enable", "0\n");
	fake_file("/sys/kernel/tracing/available_filter_functions", "ksys_read\nvfs_read\nvfs_x [mod]\n");
	CHECK_INT(ftrace_functions_list(globs, 1, &out, &err), 0);
	CHECK_STR(strbuf_str(&out), "vfs_read\nvfs_x [mod]\n");
	CHECK_INT(ftrace_functions_list(wrong, 1, &out, &err), -EINVAL);
	CHECK_STR(err.msg, "no function that can be traced is named 'vfs_raed' (did you mean 'vfs_read'?)");
	strbuf_release(&out);
}

/* the time grows with the length of the list, not with its square */
TEST(functions_of_a_large_kernel)
{
	const u32 nr = unit_amount(200000);
	char name[32], want[64];
	const char *const wrong[] = { name };
	struct strbuf list = STRBUF_INIT, out = STRBUF_INIT;

	snprintf(name, sizeof(name), "function_%06ux", nr - 1);
	snprintf(want, sizeof(want), "did you mean 'function_%06u'", nr - 1);
	for (u32 i = 0; i < nr; i++)
		strbuf_addf(&list, "function_%06u\n", i);
	fake_file("/sys/kernel/tracing/events/enable", "0\n");
	fake_file("/sys/kernel/tracing/available_filter_functions", list.buf);
	CHECK_INT(ftrace_functions_list(wrong, 1, &out, &err), -EINVAL);
	CHECK(strstr(err.msg, want));
	strbuf_release(&list);
	strbuf_release(&out);
}
