/*
 * perf kmem: what the kernel's memory allocators hand out. Options and wiring; the work is in util/kmem
 * and util/tracing.
 */
#include "builtin-session.h"
#include "ui/format.h"
#include "util/base/log.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"
#include "util/kmem/kmem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct kmem_cmd {
	struct session_opts session;
	struct tracing_opts tracing;
	struct kmem_view_opts view;
	struct kmem_table_opts *last;	/* --sort and --line apply to it; NULL: to both */
	char separator;
	bool json;
};

static const char *const usage[] = {
	"perf kmem [<options>] stat [<options>]",
	"perf kmem record [<options of perf record>] [<command>]",
	NULL
};

/* --caller, --alloc */
static int parse_table(const struct option *opt, const char *arg UNUSED, bool unset UNUSED)
{
	struct kmem_cmd *c = opt->value;

	c->last = &c->view.table[strcmp(opt->long_name, "alloc") ? KMEM_BY_SITE : KMEM_BY_ADDRESS];
	c->last->shown = true;
	return 0;
}

/* the tables to which --sort and --line apply: those before *ret_end */
static struct kmem_table_opts *tables_meant(struct kmem_cmd *c, struct kmem_table_opts **ret_end)
{
	*ret_end = c->last ? c->last + 1 : c->view.table + KMEM_NR_BY;
	return c->last ? c->last : c->view.table;
}

static int parse_sort(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct kmem_table_opts *end, *t = tables_meant(opt->value, &end);
	struct err err = ERR_INIT;

	for (; t < end; t++)
		if (kmem_sort_parse(&t->sort, arg, &err))
			return opt_err(opt, &err);
	return 0;
}

static int parse_lines(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct kmem_table_opts *end, *t = tables_meant(opt->value, &end);
	char *rest;
	u64 lines = strtoull(arg, &rest, 10);

	if (*arg < '0' || *arg > '9' || *rest)
		return opt_error(opt, "'%s' is not a number of lines", arg);
	for (; t < end; t++)
		t->lines = lines;
	return 0;
}

static int kmem_record(int argc, const char **argv)
{
	int nr;
	const char **args = tracing_record_args(kmem_rows, KMEM_NR_ROWS, argc, argv, &nr);
	int ret = cmd_record(nr, args);

	free(args);
	return ret;
}

static int show(struct kmem_cmd *c, struct kmem *k, struct session *s, struct err *err)
{
	struct text_opts text = { .separator = c->separator, .pool = s->pool };
	u32 form = format_form(c->json, c->separator);

	return format_answer(kmem_view(k, s, &c->view, form), c->json, &text, err);
}

static int analyze(void *cmd, struct session *s, struct err *err)
{
	struct kmem_cmd *c = cmd;
	struct kmem k;
	int ret;

	kmem_init(&k, s);
	c->tracing.ctx = &k;
	ret = tracing_run(s, &c->tracing, err);
	if (!ret)
		ret = show(c, &k, s, err);
	kmem_release(&k);
	return ret;
}

int cmd_kmem(int argc, const char **argv)
{
	static const char *const words[] = { "record", "stat", NULL };
	struct kmem_cmd c = {
		.session.sym = SYM_OPTS_INIT,
		.view.table = { { .lines = UINT64_MAX }, { .lines = UINT64_MAX } },
		.tracing = { .row = kmem_rows, .nr_rows = KMEM_NR_ROWS, .record = "perf kmem record" },
	};
	const struct option options[] = {
#include "builtin-kmem.def"
		OPT_END(),
	};

	argc = parse_options_sub(argc, argv, options, words, usage, PARSE_STOP_AT_NON_OPTION);
	if (argc && !strcmp(argv[0], "record"))
		return kmem_record(argc, argv);
	if (!argc || strcmp(argv[0], "stat"))
		return opt_usage_error(options, NULL, usage,
				       argc ? "'%s' is not record or stat" : "say record or stat", argv[0]);
	argc = parse_options(argc, argv, options, usage, 0);
	if (argc)
		return opt_usage_error(options, NULL, usage, "unexpected argument '%s'", argv[0]);
	if (c.json && c.separator)
		return opt_usage_error(options, NULL, usage, "--json and -x exclude each other");
	return session_run(&c.session, false, analyze, &c);
}
