/* Unit tests of the formats of lines, on blocks put together by hand. */
#include "test.h"
#include "../../ui/lines.h"
#include "../../util/stat/metric-table.h"
#include "../../util/stat/places.h"

#include <math.h>
#include <stdlib.h>

/* a block with two aggregates; the test fills in the lines */
struct fixture {
	struct aggr aggr;
	struct view_places places;
	struct view_block b;
	struct lines_opts o;
	struct lines_state st;
	struct strbuf out;
};

static void setup(struct fixture *f, enum aggr_mode mode)
{
	*f = (struct fixture){ .aggr.mode = mode, .o.separator = "," };
	for (int i = 0; i < 2; i++) {
		struct aggr_id id = { .place = { .cpu = i, .socket = 0, .die = 1, .cluster = 2, .core = i,
						 .node = i, .cache = 4, .cache_level = 3 }, .tid = 100 + i,
				      .comm = i ? "two, \"2\"" : "one" };

		vec_push(&f->aggr.id, id);
	}
	stat_places_init(&f->places, &f->aggr);
	f->b.places = &f->places;
	f->b.title = "'true'";
	f->b.nr_runs = 1;
	f->b.elapsed_sec = 1.5;
	f->b.user_sec = f->b.sys_sec = -1;
}

static struct view_line *add_line(struct fixture *f, u32 id, const char *event, double value)
{
	vec_push(&f->b.line,
		 (struct view_line){ .place = id, .nr = 2, .value = { .type = VIEW_REAL, .real = value },
				     .name = event, .unit = "", .deviation = -1, .run_ns = 1000,
				     .running_percent = 100, .derived = f->b.derived.nr });
	return &f->b.line.v[f->b.line.nr - 1];
}

static void add_metric(struct fixture *f, double value, const char *unit, const char *name)
{
	struct view_value v = { .type = isnan(value) ? VIEW_ABSENT : VIEW_REAL, .decimals = 2 };

	if (!isnan(value))
		v.real = value;
	vec_push(&f->b.derived, (struct view_derived){ .name = name, .unit = unit, .value = v, .width = 8 });
	f->b.line.v[f->b.line.nr - 1].nr_derived++;
}

static void teardown(struct fixture *f)
{
	vec_release(&f->aggr.id);
	view_places_release(&f->places);
	view_block_release(&f->b);
	lines_state_release(&f->st);
	strbuf_release(&f->out);
}

/* CHECK_STR reports the line of its caller, so this stays a macro; what was printed is forgotten */
#define CHECK_OUT(f, fn, want) \
	do { \
		fn(&(f)->b, &(f)->o, &(f)->st, &(f)->out); \
		CHECK_STR(strbuf_str(&(f)->out), want); \
		strbuf_reset(&(f)->out); \
	} while (0)

/* the same of the table that --metric-only makes of the block */
#define CHECK_TABLE(f, fn, want) \
	do { \
		struct view_block plain = (f)->b; \
		struct metric_table table; \
		(f)->b.line.v = xmemdup(plain.line.v, (plain.line.nr + 1) * sizeof(*plain.line.v)); \
		metric_table_make(&table, &(f)->b); \
		CHECK_OUT(f, fn, want); \
		metric_table_release(&table); \
		free((f)->b.line.v); \
		plain.arena = (f)->b.arena; \
		(f)->b = plain; \
	} while (0)

TEST(csv_columns)
{
	struct fixture f;
	struct view_line *l;

	setup(&f, AGGR_GLOBAL);
	l = add_line(&f, 0, "task-clock", 1.2345);
	l->unit = "msec";
	l->value.decimals = 2;
	add_metric(&f, 0.5512, "CPUs", "utilized");
	l = add_line(&f, 0, "cycles", 0);
	l->state = VIEW_NOT_SUPPORTED;
	add_metric(&f, NAN, "GHz", "");
	l = add_line(&f, 0, "faults", 12345678);
	l->running_percent = 33.333;
	l = add_line(&f, 0, "dummy", 0);
	l->state = VIEW_NOT_COUNTED;
	CHECK_OUT(&f, separated_lines, "1.23,msec,task-clock,1000,100.00,0.55,CPUs utilized\n"
				    "<not supported>,,cycles,1000,100.00,,GHz\n"
				    "12345678,,faults,1000,33.33,,\n"
				    "<not counted>,,dummy,1000,100.00,,\n");
	teardown(&f);
}

/* the columns after the groups are aligned, whatever was counted */
TEST(text_column_of_cgroups)
{
	struct fixture f;
	struct view_line *l;

	setup(&f, AGGR_GLOBAL);
	l = add_line(&f, 0, "cs", 10);
	l->group = "/";
	add_metric(&f, 2, "/sec", "");
	add_metric(&f, 3, "", "more");
	l = add_line(&f, 0, "cycles", 0);
	l->group = "a/group/of/a/long/name";
	l->state = VIEW_NOT_SUPPORTED;
	l = add_line(&f, 0, "faults", 1);
	add_metric(&f, 4, "/sec", "");
	f.b.kind = VIEW_INTERVAL;
	f.st.nr_blocks = 1;	/* no heading */
	CHECK_OUT(&f, text_lines,
		  "     0.000000000                 10      cs                               "
		  "/                      #     2.00 /sec                   \n"
		  "     "
		  "0.000000000                                                                               "
		  "  #     3.00 more                   \n"
		  "     0.000000000    <not supported>      cycles                           "
		  "a/group/of/a/long/name                                   \n"
		  "     0.000000000                  1      "
		  "faults                                                  #     4.00 "
		  "/sec                   \n");
	teardown(&f);
}

/* every line has as many columns as the header */
TEST(csv_is_rectangular)
{
	struct fixture f;
	struct view_line *l;

	setup(&f, AGGR_CORE);
	f.o.titles = true;
	f.b.kind = VIEW_INTERVAL;
	f.b.time_ns = 1000000002;
	l = add_line(&f, 0, "instructions", 10);
	l->group = "/a";
	l->deviation = 1.5;
	add_metric(&f, 2, "", "insn per cycle");
	add_metric(&f, 3, "", "stalls per insn");
	l = add_line(&f, 1, "cycles", 20);
	l->deviation = 0;
	l = add_line(&f, 1, NULL, 0);
	add_metric(&f, 4, "%", "of all");
	CHECK_OUT(&f, separated_lines,
		  "time,core,counters,value,unit,event,cgroup,deviation,run-ns,running-percent,metric-value,"
		  "metric-unit\n"
		  "1.000000002,S0-D1-C0,2,10,,instructions,/a,1.50%,1000,100.00,2.00,insn per cycle\n"
		  "1.000000002,S0-D1-C0,2,,,,,,,,3.00,stalls per insn\n"
		  "1.000000002,S0-D1-C1,2,20,,cycles,,0.00%,1000,100.00,,\n"
		  "1.000000002,S0-D1-C1,2,,,,,,,,4.00,of all\n");
	f.b.line.nr = 0;
	f.b.kind = VIEW_SUMMARY;
	l = add_line(&f, 0, "cycles", 20);
	CHECK_OUT(&f, separated_lines, "summary,S0-D1-C0,2,20,,cycles,1000,100.00,,\n");
	f.o.plain_summary = true;
	CHECK_OUT(&f, separated_lines, "S0-D1-C0,2,20,,cycles,1000,100.00,,\n");
	teardown(&f);
}

TEST(csv_names_with_separators)
{
	struct fixture f;

	setup(&f, AGGR_THREAD);
	add_line(&f, 1, "cpu/a=1,b=2/", 1);
	add_line(&f, 0, "x\033[1m", 1);
	CHECK_OUT(&f, separated_lines, "\"two, \"\"2\"\"-101\",1,,\"cpu/a=1,b=2/\",1000,100.00,,\n"
				    "one-100,1,,x\\x1b[1m,1000,100.00,,\n");
	f.o.separator = "\t";
	CHECK_OUT(&f, separated_lines, "\"two, \"\"2\"\"-101\"\t1\t\tcpu/a=1,b=2/\t1000\t100.00\t\t\n"
				    "one-100\t1\t\tx\\x1b[1m\t1000\t100.00\t\t\n");
	teardown(&f);
}

TEST(places_of_every_mode)
{
	static const struct { enum aggr_mode mode; const char *text; } want[] = {
		{ AGGR_GLOBAL, "" }, { AGGR_NONE, "CPU1" }, { AGGR_SOCKET, "S0" }, { AGGR_DIE, "S0-D1" },
		{ AGGR_CLUSTER, "S0-D1-CLS2" }, { AGGR_CACHE, "S0-D1-L3-ID4" }, { AGGR_CORE, "S0-D1-C1" },
		{ AGGR_NODE, "N1" }, { AGGR_THREAD, "two, \"2\"-101" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		struct fixture f;

		setup(&f, want[i].mode);
		CHECK_STR(f.places.v[1].name, want[i].text);
		teardown(&f);
	}
}

TEST(json_lines_as_upstream)
{
	struct fixture f;
	struct view_line *l;

	setup(&f, AGGR_SOCKET);
	l = add_line(&f, 0, "a\"b", 1.25);
	l->unit = "msec";
	l->deviation = 3;
	add_metric(&f, 7, "K/sec", "");
	add_metric(&f, NAN, "", "ratio");
	f.b.derived.v[1].grade = VIEW_BAD;
	l = add_line(&f, 0, "cycles", 0);
	l->state = VIEW_NOT_COUNTED;
	CHECK_OUT(&f, json_line_objects,
		  "{\"socket\" : \"S0\", \"counters\" : 2, \"counter-value\" : \"1.250000\", \"unit\" : "
		  "\"msec\", \"event\" : \"a\\\"b\", \"variance\" : 3.00, \"event-runtime\" : 1000, "
		  "\"pcnt-running\" : 100.00, \"metric-value\" : \"7.000000\", \"metric-unit\" : \"K/sec\"}\n"
		  "{\"socket\" : \"S0\", \"counters\" : 2, \"metric-value\" : null, \"metric-unit\" : "
		  "\"ratio\", \"metric-threshold\" : \"bad\"}\n"
		  "{\"socket\" : \"S0\", \"counters\" : 2, \"counter-value\" : \"<not counted>\", \"unit\" : "
		  "\"\", \"event\" : \"cycles\", \"variance\" : 0.00, \"event-runtime\" : 1000, "
		  "\"pcnt-running\" : 100.00}\n");
	teardown(&f);
}

TEST(json_lines_of_intervals_and_cpus)
{
	struct fixture f;

	setup(&f, AGGR_NONE);
	f.b.kind = VIEW_INTERVAL;
	f.b.time_ns = 50000001;
	add_line(&f, 1, "dummy", 0)->group = "/";
	CHECK_OUT(&f, json_line_objects,
		  "{\"interval\" : 0.050000001, \"cpu\" : \"1\", \"counter-value\" : \"0.000000\", "
		  "\"unit\" : \"\", \"event\" : \"dummy\", \"cgroup\" : \"/\", \"event-runtime\" : 1000, "
		  "\"pcnt-running\" : 100.00}\n");
	/* the term percore: a sum of a core among CPUs */
	f.b.kind = VIEW_RUN;
	f.aggr.id.v[1].place.cpu = -1;
	view_places_release(&f.places);
	stat_places_init(&f.places, &f.aggr);
	CHECK_OUT(&f, json_line_objects,
		  "{\"core\" : \"S0-D1-C1\", \"counter-value\" : \"0.000000\", \"unit\" : \"\", "
		  "\"event\" : \"dummy\", \"cgroup\" : \"/\", \"event-runtime\" : 1000, "
		  "\"pcnt-running\" : 100.00}\n");
	teardown(&f);
}

TEST(json_document)
{
	struct fixture f;
	struct view_line *l;

	setup(&f, AGGR_CACHE);
	l = add_line(&f, 1, "cycles", 0);
	l->state = VIEW_NOT_SUPPORTED;
	l->value = (struct view_value){ .type = VIEW_ABSENT, .text = "no PMU" };
	l = add_line(&f, 0, "faults", 3);
	l->deviation = 1.5;
	add_metric(&f, NAN, "/sec", "");
	vec_push(&f.b.note, "a \"note\"");
	CHECK_OUT(&f, json_lines,
		  "{\n  \"version\": 1,\n  \"target\": \"'true'\",\n  \"per\": \"cache\",\n  \"blocks\": [\n"
		  "    {\"kind\": \"run\", \"elapsed-sec\": 1.5,\n"
		  "      \"counts\": [\n"
		  "        {\"event\": \"cycles\", \"place\": \"S0-D1-L3-ID4\", \"socket\": 0, \"die\": 1, "
		  "\"cluster\": 2, \"core\": 1, \"node\": 1, \"cpu\": 1, \"cache-level\": 3, \"cache\": 4, "
		  "\"counters\": 2, \"state\": \"not supported\", \"value\": null, \"reason\": \"no PMU\", "
		  "\"unit\": \"\", \"run-ns\": 1000, \"running-percent\": 100},\n"
		  "        {\"event\": \"faults\", \"place\": \"S0-D1-L3-ID4\", \"socket\": 0, \"die\": 1, "
		  "\"cluster\": 2, \"core\": 0, \"node\": 0, \"cpu\": 0, \"cache-level\": 3, \"cache\": 4, "
		  "\"counters\": 2, \"state\": \"counted\", \"value\": 3, \"unit\": \"\", "
		  "\"deviation-percent\": 1.5, \"run-ns\": 1000, \"running-percent\": 100, "
		  "\"metrics\": [{\"name\": null, \"value\": null, "
		  "\"reason\": \"the events it is derived from were not counted\", \"unit\": \"/sec\"}]}],\n"
		  "      \"notes\": [\"a \\\"note\\\"\"]}");
	f.b.kind = VIEW_INTERVAL;
	f.b.time_ns = 2500000000;
	f.b.line.nr = f.b.note.nr = 0;
	CHECK_OUT(&f, json_lines,
		  ",\n    {\"kind\": \"interval\", \"time-sec\": 2.5,\n      \"counts\": []}");
	json_lines_end(&f.st, &f.out);
	CHECK_STR(strbuf_str(&f.out), "]\n}\n");
	strbuf_reset(&f.out);
	f.st.nr_blocks = 0;
	json_lines_end(&f.st, &f.out);
	CHECK_STR(strbuf_str(&f.out), "{\n  \"version\": 1,\n  \"blocks\": []\n}\n");
	teardown(&f);
}

TEST(json_strings_and_numbers)
{
	static const struct { double v; const char *text; } number[] = {
		{ 0, "0" }, { 1234567890123, "1234567890123" }, { 0.1, "0.1" },
		{ 1.0 / 3, "0.3333333333333333" }, { -2.5, "-2.5" }, { INFINITY, "null" }, { NAN, "null" },
		{ 1e30, "1e+30" },
	};
	static const struct { const char *s, *text; } string[] = {
		{ NULL, "null" }, { "", "\"\"" }, { "a\"\\b\n\x7f", "\"a\\\"\\\\b\\u000a\\u007f\"" },
		{ "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
		  "\"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"" }, { "\xc3", "\"\xef\xbf\xbd\"" },
		{ "\xc2\x9b", "\"\\u009b\"" }, { "\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
		{ "\xc0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\"" }, { "\xf5x", "\"\xef\xbf\xbdx\"" },
	};
	struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(number); i++) {
		strbuf_reset(&out);
		json_add_double(&out, number[i].v);
		CHECK_STR(strbuf_str(&out), number[i].text);
	}
	for (size_t i = 0; i < ARRAY_SIZE(string); i++) {
		strbuf_reset(&out);
		json_add_string(&out, string[i].s);
		CHECK_STR(strbuf_str(&out), string[i].text);
	}
	strbuf_release(&out);
}

/* columns are events' metrics in the order of their first appearance; a hole stays a hole */
static void fill_metrics(struct fixture *f)
{
	add_line(f, 0, "cycles", 5);
	add_metric(f, 1.5, "GHz", "");
	add_line(f, 1, "cycles", 5);
	add_metric(f, NAN, "GHz", "");
	add_line(f, 0, "faults", 5);
	add_line(f, 1, "instructions", 5);
	add_metric(f, 2, "", "insn, per cycle");
}

/* a rate belongs to its event and has one unit for all rows; the same metric of two events is two columns */
TEST(metric_only_names_what_would_be_mixed_up)
{
	struct fixture f;

	setup(&f, AGGR_NONE);
	add_line(&f, 0, "faults", 5);
	add_metric(&f, 1.5, "K/sec", "");
	add_line(&f, 1, "faults", 5);
	add_metric(&f, 20, "/sec", "");
	add_line(&f, 0, "cycles:u", 5);
	add_metric(&f, 50, "MHz", "");
	add_line(&f, 0, "cycles:k", 5);
	add_metric(&f, 2, "GHz", "");
	add_line(&f, 1, "cycles:k", 5);
	add_metric(&f, 3, "GHz", "");
	add_line(&f, 1, "branch-misses", 5);
	add_metric(&f, 4, "%", "of all branches");
	CHECK_TABLE(&f, separated_lines, "cpu,faults/sec,cycles:u GHz,cycles:k GHz,branch-misses of "
				     "all branches,\n"
				     "CPU0,1500.00,0.05,2.00,,\nCPU1,20.00,,3.00,4.00,\n");
	teardown(&f);
}

TEST(metric_only_csv)
{
	struct fixture f;

	setup(&f, AGGR_NODE);
	fill_metrics(&f);
	CHECK_TABLE(&f, separated_lines, "node,ctrs,GHz,\"insn, per cycle\",\nN0,2,1.50,,\nN1,2,,2.00,\n");
	CHECK_TABLE(&f, separated_lines, "N0,2,1.50,,\nN1,2,,2.00,\n");
	f.b.kind = VIEW_INTERVAL;
	f.b.time_ns = 1;
	f.b.line.nr = 1;
	f.b.derived.nr = 1;
	CHECK_TABLE(&f, separated_lines, "time,node,ctrs,GHz,\n0.000000001,N0,2,1.50,\n");
	f.b.kind = VIEW_SUMMARY;
	CHECK_TABLE(&f, separated_lines, "summary,N0,2,1.50,\n");
	f.b.line.nr = 0;
	CHECK_TABLE(&f, separated_lines, "");
	teardown(&f);
}

TEST(metric_only_text)
{
	struct fixture f;

	setup(&f, AGGR_NONE);
	fill_metrics(&f);
	CHECK_TABLE(&f, text_lines, "\n Performance counter stats for 'true':\n\n"
				      "                      GHz      insn, per cycle\n"
				      "CPU0                 1.50                    -\n"
				      "CPU1                    -                 2.00\n"
				      "\n       1.500000000 seconds time elapsed\n\n");
	f.b.kind = VIEW_INTERVAL;
	f.b.time_ns = 1500000000;
	f.o.column_width = 5;
	CHECK_TABLE(&f, text_lines, "#           time cpu    GHz insn, per cycle\n"
				      "     1.500000000 CPU0  1.50               -\n"
				      "     1.500000000 CPU1     -            2.00\n");
	teardown(&f);
}

TEST(metric_only_json)
{
	struct fixture f;

	setup(&f, AGGR_NONE);
	fill_metrics(&f);
	f.b.line.v[0].group = "/x";
	CHECK_TABLE(&f, json_line_objects, "{\"cpu\" : \"0\", \"cgroup\" : \"/x\", \"GHz\" : \"1.50\", "
				      "\"insn, per cycle\" : null}\n"
				      "{\"cpu\" : \"1\", \"cgroup\" : \"\", \"GHz\" : null, \"insn, "
				      "per cycle\" : \"2.00\"}\n");
	teardown(&f);
}
