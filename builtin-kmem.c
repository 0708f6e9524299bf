/* perf kmem: what the kernel's memory allocators hand out. Options and wiring; the work is in util/kmem and util/tracing. */
#include "ui/format.h"
#include "util/base/log.h"
#include "util/cli/builtin.h"
#include "util/cli/color.h"
#include "util/cli/pager.h"
#include "util/cli/parse-options.h"
#include "util/cli/progress.h"
#include "util/kernel/tracefs.h"
#include "util/kmem/kmem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct kmem_cmd {
	struct session_opts session;
	struct tracing_opts tracing;
	struct kmem_table_opts table[KMEM_NR_BY];
	struct kmem_table_opts *last;	/* the last table that was requested, to which --sort and --line apply; NULL: to both */
	char separator;
	bool raw_ip;
};

static const char *const usage[] = {
	"perf kmem [<options>] stat [<options>]",
	"perf kmem record [<options of perf record>] [<command>]",
	NULL
};

static int parse_table(struct kmem_cmd *c, enum kmem_by by)
{
	c->last = &c->table[by];
	c->last->shown = true;
	return 0;
}

static int parse_caller(const struct option *opt, const char *arg UNUSED, bool unset UNUSED)
{
	return parse_table(opt->value, KMEM_BY_SITE);
}

static int parse_alloc(const struct option *opt, const char *arg UNUSED, bool unset UNUSED)
{
	return parse_table(opt->value, KMEM_BY_ADDRESS);
}

static int parse_sort(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct kmem_cmd *c = opt->value;
	struct kmem_sort sort;
	struct err err = ERR_INIT;

	if (kmem_sort_parse(&sort, arg, &err))
		return opt_err(opt, &err);
	for (u32 by = 0; by < KMEM_NR_BY; by++)
		if (!c->last || c->last == &c->table[by])
			c->table[by].sort = sort;
	return 0;
}

static int parse_lines(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct kmem_cmd *c = opt->value;
	char *end;
	u64 lines = strtoull(arg, &end, 10);

	if (*arg < '0' || *arg > '9' || *end)
		return opt_error(opt, "'%s' is not a number of lines", arg);
	for (u32 by = 0; by < KMEM_NR_BY; by++)
		if (!c->last || c->last == &c->table[by])
			c->table[by].lines = lines;
	return 0;
}

/* perf record with all events that stat reads, on all CPUs, and the user's additions */
static int kmem_record(int argc, const char **argv)
{
	static const char *const fixed[] = { "record", "-a", "-R", "-c", "1" };
	const char **args = xcalloc(ARRAY_SIZE(fixed) + 2 * KMEM_NR_ROWS + argc + 1, sizeof(*args));
	int nr = ARRAY_SIZE(fixed), ret;
	u64 id;

	memcpy(args, fixed, sizeof(fixed));
	for (u32 i = 0; i < KMEM_NR_ROWS; i++) {
		if (i >= KMEM_FIRST_OLD && tracefs_event_id("kmem", kmem_rows[i].event + strlen("kmem:"), &id, NULL))
			continue;
		args[nr++] = "-e";
		args[nr++] = kmem_rows[i].event;
	}
	memcpy(args + nr, argv + 1, (argc - 1) * sizeof(*args));
	ret = cmd_record(nr + argc - 1, args);
	free(args);
	return ret;
}

static int show(struct kmem_cmd *c, struct kmem *k, struct session *s, struct err *err)
{
	struct text_opts text = { .separator = c->separator, .pool = s->pool };
	struct view *v = kmem_view(k, s, c->table, c->raw_ip, c->separator);
	struct strbuf sum = STRBUF_INIT;
	int ret;

	progress_end();
	pager_start("kmem");
	text.color = color_wanted(STDOUT_FILENO);
	ret = format_find(c->separator ? "separated" : "text")->show(v, &text, stdout);
	kmem_summary(k, s, c->separator ? "# " : "", &sum);
	if (!ret && (fwrite(sum.buf, 1, sum.len, stdout) != sum.len || fflush(stdout)))
		ret = -EIO;
	strbuf_release(&sum);
	view_free(v);
	return ret < 0 && ret != -EPIPE ? err_sys(err, -ret, "cannot write to standard output") : 0;
}

static int kmem_stat(struct kmem_cmd *c)
{
	struct err err = ERR_INIT;
	struct session *s;
	struct kmem k;
	int ret;

	if (!data_from_pipe(&c->session.data))
		progress_begin();
	ret = session_open(&s, &c->session, &err);
	if (!ret) {
		kmem_init(&k, s);
		c->tracing.ctx = &k;
		ret = tracing_run(s, &c->tracing, &err);
		if (!ret)
			ret = show(c, &k, s, &err);
		kmem_release(&k);
		warn_diag(&s->diag);
		session_close(s);
	}
	progress_end();
	return ret ? die_err(&err) : 0;
}

int cmd_kmem(int argc, const char **argv)
{
	static const char *const words[] = { "record", "stat", NULL };
	struct kmem_cmd c = {
		.session = { .sym = SYM_OPTS_INIT }, .table = { { .lines = UINT64_MAX }, { .lines = UINT64_MAX } },
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
		return opt_usage_error(options, NULL, usage, argc ? "'%s' is not record or stat" : "say record or stat", argv[0]);
	argc = parse_options(argc, argv, options, usage, 0);
	if (argc)
		return opt_usage_error(options, NULL, usage, "unexpected argument '%s'", argv[0]);
	return kmem_stat(&c);
}
