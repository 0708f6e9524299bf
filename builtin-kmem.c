/*
 * perf kmem: what the kernel's memory allocators hand out. Options and wiring; the work is in util/kmem
 * and util/tracing.
 */
#include "builtin-session.h"
#include "ui/format.h"
#include "util/base/log.h"
#include "util/cli/builtin.h"
#include "util/cli/config.h"
#include "util/cli/parse-options.h"
#include "util/kmem/kmem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct kmem_cmd {
	struct session_opts session;
	struct tracing_opts tracing;
	struct kmem_opts kmem;
	struct kmem_table_opts *last;	/* --sort and --line apply to it; NULL: to all */
	enum kmem_mode last_mode;	/* --sort applies to it; KMEM_NR_MODES: to all */
	char separator;
	bool json;
};

static const char *const usage[] = {
	"perf kmem [<options>] stat [<options>]",
	"perf kmem record [--slab] [--page] [<options of perf record>] [<command>]",
	NULL
};

/* --caller, --alloc, --stacks */
static int parse_table(const struct option *opt, const char *arg UNUSED, bool unset UNUSED)
{
	struct kmem_cmd *c = opt->value;

	c->last = &c->kmem.table[*opt->long_name == 'c' ? KMEM_BY_SITE :
				 *opt->long_name == 'a' ? KMEM_BY_ADDRESS : KMEM_BY_STACK];
	c->last->shown = true;
	return 0;
}

/* --slab, --page */
static int parse_mode(const struct option *opt, const char *arg UNUSED, bool unset UNUSED)
{
	struct kmem_cmd *c = opt->value;

	c->last_mode = strcmp(opt->long_name, "page") ? KMEM_SLAB : KMEM_PAGE;
	c->kmem.mode[c->last_mode] = true;
	return 0;
}

/* without --slab and --page: what the configuration says */
static int choose_mode(struct kmem_cmd *c, struct err *err)
{
	const char *usual = config_get("kmem.default");

	if (c->kmem.mode[KMEM_SLAB] || c->kmem.mode[KMEM_PAGE])
		return 0;
	if (usual && strcmp(usual, "slab") && strcmp(usual, "page"))
		return err_set(err, -EINVAL, "kmem.default: '%s' is not slab or page", usual);
	c->kmem.mode[usual && !strcmp(usual, "page") ? KMEM_PAGE : KMEM_SLAB] = true;
	return 0;
}

/* the tables to which --sort and --line apply: those before *ret_end */
static struct kmem_table_opts *tables_meant(struct kmem_cmd *c, struct kmem_table_opts **ret_end)
{
	*ret_end = c->last ? c->last + 1 : c->kmem.table + KMEM_NR_BY;
	return c->last ? c->last : c->kmem.table;
}

/* the keys are parsed when the allocators are known */
static int parse_sort(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct kmem_cmd *c = opt->value;
	struct kmem_table_opts *end, *t = tables_meant(c, &end);

	for (; t < end; t++)
		for (u32 m = 0; m < KMEM_NR_MODES; m++)
			if (c->last_mode == KMEM_NR_MODES || c->last_mode == m)
				t->keys[m] = arg;
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

/* --slab and --page may follow the word record, too: they are not options of perf record */
static int take_modes(struct kmem_cmd *c, int argc, const char ***argv)
{
	for (; argc > 1; argc--) {
		bool page = !strcmp((*argv)[1], "--page");

		if (!page && strcmp((*argv)[1], "--slab"))
			break;
		c->kmem.mode[page ? KMEM_PAGE : KMEM_SLAB] = true;
		++*argv;
	}
	return argc;
}

static int kmem_record(const struct kmem_cmd *c, int argc, const char **argv)
{
	/* the call site of a page is in its call chain */
	static const char *const slab[] = { "record", "-a", "-R", "-c", "1", NULL };
	static const char *const pages[] = { "record", "-a", "-R", "-c", "1", "-g", NULL };
	struct tracing_row rows[KMEM_NR_ROWS];
	u32 nr_rows;
	int nr, ret;
	const char **args;

	kmem_rows_of(c->kmem.mode, rows, &nr_rows);
	args = tracing_record_args_of(c->kmem.mode[KMEM_PAGE] ? pages : slab, rows, nr_rows, argc, argv, &nr);
	ret = cmd_record(nr, args);
	free(args);
	return ret;
}

static int show(struct kmem_cmd *c, struct kmem *k, struct session *s, struct err *err)
{
	struct text_opts text = { .separator = c->separator, .pool = s->pool };
	u32 form = format_form(c->json, c->separator);

	return format_answer(kmem_view(k, s, form), c->json, &text, err);
}

static int analyze(void *cmd, struct session *s, struct err *err)
{
	struct tracing_row rows[KMEM_NR_ROWS];
	struct kmem_cmd *c = cmd;
	struct kmem k;
	int ret;

	kmem_rows_of(c->kmem.mode, rows, &c->tracing.nr_rows);
	kmem_init(&k, s, &c->kmem);
	c->tracing.row = rows;
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
		.kmem.table = { { .lines = UINT64_MAX }, { .lines = UINT64_MAX }, { .lines = UINT64_MAX } },
		.last_mode = KMEM_NR_MODES,
	};
	const struct option options[] = {
#include "builtin-kmem.def"
		OPT_END(),
	};

	struct err err = ERR_INIT;

	argc = parse_options_sub(argc, argv, options, words, usage, PARSE_STOP_AT_NON_OPTION);
	if (argc && !strcmp(argv[0], "record")) {
		argc = take_modes(&c, argc, &argv);
		return choose_mode(&c, &err) ? die_err(&err) : kmem_record(&c, argc, argv);
	}
	if (!argc || strcmp(argv[0], "stat"))
		return opt_no_subcommand(options, words, usage, argc ? argv[0] : NULL);
	argc = parse_options(argc, argv, options, usage, 0);
	if (argc)
		return opt_usage_error(options, NULL, usage, "unexpected argument '%s'", argv[0]);
	if (choose_mode(&c, &err))
		return die_err(&err);
	if (kmem_opts_parse_keys(&c.kmem, &err))
		return opt_usage_error(options, NULL, usage, "%s", err.msg);
	c.tracing.record = c.kmem.mode[KMEM_PAGE] ? "perf kmem --page record" : "perf kmem record";
	c.session.scan_late = true;
	c.session.kernel_names = !c.kmem.raw_ip;
	return session_run(&c.session, false, analyze, &c);
}
