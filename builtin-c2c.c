/* perf c2c: cache lines that threads pull from each other's caches. Options and wiring: see util/c2c. */
#include "builtin-mem.h"
#include "builtin-options.h"
#include "builtin-session.h"
#include "ui/format.h"
#include "util/base/log.h"
#include "util/c2c/c2c.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"
#include "util/hist/hist.h"

#include <errno.h>
#include <string.h>

struct c2c_cmd {
	struct session_opts session;
	struct tracing_opts tracing;
	struct text_opts text;
	struct c2c_opts c2c;
	struct mem_record_opts record;
	struct chain_opts chain;
	int node_info;
	bool bare_graph;	/* -g without words: they may follow as an argument */
	bool json, stdio;
};

static const char *const usage[] = {
	"perf c2c record [<options>] [<options of perf record>] [<command>]",
	"perf c2c report [<options>]",
	NULL
};

static int parse_display(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct err err = ERR_INIT;

	return c2c_display_parse(opt->value, arg, &err) ? opt_err(opt, &err) : 0;
}

static int parse_graph_words(struct chain_opts *o, const char *words, struct err *err)
{
	int ret = chain_opts_parse(o, words, err);

	if (!ret && (o->branch || o->key != CHAIN_KEY_FUNCTION))
		return err_set(err, -EINVAL, "call graphs here are those of functions: 'address', 'srcline' "
			       "and 'branch' are words of perf report");
	return ret;
}

/* -g alone: callers first; else as the words say, callees first if they do not */
static int parse_graph(const struct option *opt, const char *arg, bool unset)
{
	struct c2c_cmd *c = opt->value;
	struct err err = ERR_INIT;

	c->bare_graph = c->chain.caller = !unset && !*arg;
	if (unset)
		c->chain.mode = CHAIN_MODE_NONE;
	else if (parse_graph_words(&c->chain, arg, &err))
		return opt_err(opt, &err);
	return 0;
}

/* what options fill */
static struct c2c_cmd c = { .session.sym = SYM_OPTS_INIT, .chain = CHAIN_OPTS_INIT };

static const struct option all_options[] = {
	OPT_GROUP("Options of record:"),
#include "builtin-c2c-record.def"
	OPT_GROUP("Options of report:"),
#include "builtin-c2c.def"
	OPT_END(),
};

static const struct option record_options[] = {
#include "builtin-c2c-record.def"
	OPT_END(),
};

static const struct option report_options[] = {
#include "builtin-c2c.def"
	OPT_END(),
};

static int c2c_record(int argc, const char **argv)
{
	argc = parse_options(argc, argv, record_options, usage,
			     PARSE_STOP_AT_NON_OPTION | PARSE_KEEP_UNKNOWN | PARSE_KEEP_DASHDASH);
	c.record.command = "c2c";
	c.record.phys = c.record.sample_cpu = true;
	return mem_record_run(&c.record, argc, argv);
}

static void take_graph_opts(void)
{
	c.c2c.graph = (struct c2c_graph_opts){ .hide = c.chain.mode == CHAIN_MODE_NONE || c.text.separator,
					       .caller = c.chain.caller,
					       .fractal = c.chain.mode == CHAIN_MODE_FRACTAL,
					       .min_percent = c.chain.min_percent };
	c.text.graph = (enum graph_mode)c.chain.mode;
	c.text.value = (enum graph_value)c.chain.value;
	c.text.graph_limit = c.chain.print_limit;
}

static int analyze(void *cmd UNUSED, struct session *s, struct err *err)
{
	struct c2c k;
	int ret = c2c_init(&k, s, &c.c2c, err);

	c.tracing.ctx = &k;
	c.tracing.other = c2c_sample;
	c.tracing.record = "perf c2c record";
	c.text.pool = s->pool;
	if (!ret)
		ret = tracing_run(s, &c.tracing, err);
	if (!ret)
		ret = format_answer(c2c_view(&k, format_form(c.json, c.text.separator)), c.json, &c.text,
				    err);
	c2c_release(&k);
	return ret;
}

static int c2c_report(int argc, const char **argv)
{
	struct err err = ERR_INIT;

	c.chain.caller = false;
	argc = parse_options(argc, argv, report_options, usage, 0);
	/* -g graph, separated by a blank */
	if (argc && c.bare_graph && !parse_graph_words(&c.chain, argv[0], &err)) {
		c.chain.caller &= c.chain.caller_set;
		argc--, argv++;
	}
	if (argc)
		return opt_usage_error(report_options, NULL, usage, "unexpected argument '%s'", argv[0]);
	if (c2c_by_parse(&c.c2c, &err))
		return opt_usage_error(report_options, NULL, usage, "%s", err.msg);
	c.c2c.nodes = MIN(c.node_info, C2C_NODE_CPUS);
	take_graph_opts();
	/* one sample of each access: the events of caches and TLBs would count it again */
	c.session.itrace = (struct itrace_opts){ .decodes = true, .letters = itrace_letter('M') };
	return session_run(&c.session, false, analyze, &c);
}

int cmd_c2c(int argc, const char **argv)
{
	static const char *const words[] = { "record", "report", NULL };

	argc = parse_options_sub(argc, argv, all_options, words, usage, PARSE_STOP_AT_NON_OPTION);
	if (argc && !strcmp(argv[0], "record"))
		return c2c_record(argc, argv);
	if (argc && !strcmp(argv[0], "report"))
		return c2c_report(argc, argv);
	return opt_no_subcommand(all_options, words, usage, argc ? argv[0] : NULL);
}
