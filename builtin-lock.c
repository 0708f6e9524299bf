/* perf lock: who waits for which lock. Options and wiring; the work is in util/lock and util/tracing. */
#include "builtin-session.h"
#include "ui/format.h"
#include "util/base/log.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"
#include "util/lock/contention.h"
#include "util/lock/futex.h"
#include "util/lock/lockdep.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum lock_word { LOCK_RECORD = 1, LOCK_REPORT = 2, LOCK_SCRIPT = 4, LOCK_INFO = 8, LOCK_CONTENTION = 16 };
static const char *const words[] = { "record", "report", "script", "info", "contention", NULL };

struct lock_cmd {
	enum lock_word word;
	struct session_opts session;
	struct tracing_opts tracing;
	struct contention_opts contention;
	const char *output, *key, *fields, *cpus;
	u64 entries;
	unsigned int max_stack;
	char separator;
	bool json, quiet, dump, user, threads, map, combine, by_lock;
};

static const char *const usage[] = {
	"perf lock [<options>] {report|info|contention} [<options>]",
	"perf lock record [--user] [<options of perf record>] [<command>]",
	"perf lock script [<options of perf script>]",
	NULL
};

/* ---- record, script ---- */

/* contention events are few beside lockdep's, and contention needs them, so they are always recorded */
static int record_kernel_locks(int argc, const char **argv)
{
	static const char *const fixed[] = { "record", "-R", "-c", "1", "-m", "1024", "-g", "--max-stack",
					     "8", NULL };
	int nr, ret;
	const char **args = tracing_record_args_of(fixed, lockdep_rows, LOCKDEP_NR_ROWS, argc, argv, &nr);

	if (!tracing_has_event("lock:contention_begin") && !tracing_has_event("lock:lock_acquire")) {
		struct err err = ERR_INIT;

		err_set(&err, -ENOENT, "the events of locks are not there, or you may not read them");
		err_hint(&err, "kernels from 5.19 on have them; reading tracefs needs root");
		ret = die_err(&err);
	} else {
		ret = cmd_record(nr, args);
	}
	free(args);
	return ret;
}

/* records the futex calls; all calls (raw_syscalls) where the kernel has no events of single calls */
static int record_futexes(int argc, const char **argv)
{
	static const char *const fixed[] = { "record", "-R", "-c", "1", "-m", "1024", "-g", NULL };
	bool raw = !tracing_has_event("syscalls:sys_enter_futex");
	int nr, ret;
	const char **args = tracing_record_args_of(fixed, futex_rows,
						   raw ? FUTEX_NR_ROWS : FUTEX_NR_WITHOUT_RAW, argc, argv,
						   &nr);

	ret = cmd_record(nr, args);
	free(args);
	return ret;
}

static int lock_record(const struct lock_cmd *c, int argc, const char **argv)
{
	bool user = argc > 1 && (!strcmp(argv[1], "--user") || !strcmp(argv[1], "-u"));

	if (user)
		argv++, argc--;
	return user || c->user ? record_futexes(argc, argv) : record_kernel_locks(argc, argv);
}

static int lock_script(const struct lock_cmd *c, int argc, const char **argv)
{
	const char **args = xcalloc(argc + 3, sizeof(*args));
	int nr = 0, ret;

	args[nr++] = "script";
	if (c->session.data.path) {
		args[nr++] = "-i";
		args[nr++] = c->session.data.path;
	}
	memcpy(args + nr, argv + 1, (argc - 1) * sizeof(*args));
	ret = cmd_script(nr + argc - 1, args);
	free(args);
	return ret;
}

/* ---- report, info, contention ---- */

static int show(struct lock_cmd *c, struct view *v, const struct session *s, struct err *err)
{
	struct text_opts text = { .separator = c->separator, .pool = s->pool, .quiet = c->quiet };

	if (v && c->output && !freopen(c->output, "w", stdout)) {
		view_free(v);
		return err_sys(err, errno, "cannot write %s", c->output);
	}
	return format_answer(v, c->json, &text, err);
}

static u32 form_of(const struct lock_cmd *c)
{
	return format_form(c->json, c->separator);
}

static void set_rows(struct lock_cmd *c, const struct tracing_row *row, u32 nr, void *ctx, const char *record)
{
	c->tracing.row = row;
	c->tracing.nr_rows = nr;
	c->tracing.ctx = ctx;
	c->tracing.record = record;
}

static int run_lockdep(struct lock_cmd *c, struct session *s, struct err *err)
{
	struct lockdep_opts o = { .threads = c->threads && c->word == LOCK_REPORT, .combine = c->combine,
				  .fields = c->fields, .entries = c->entries, .show_threads = c->threads,
				  .show_locks = c->map };
	struct lockdep l;
	int ret = c->key ? lockdep_sort_parse(&o.sort, c->key, err) : 0;

	c->tracing.filter.cpu_list = c->cpus;
	lockdep_init(&l, s, &o);
	set_rows(c, lockdep_rows, LOCKDEP_NR_ROWS, &l, "perf lock record");
	if (!ret)
		ret = tracing_run(s, &c->tracing, err);
	if (!ret)
		ret = show(c, c->word == LOCK_INFO ? lockdep_info(&l) :
						     lockdep_report(&l, form_of(c), err), s, err);
	lockdep_release(&l);
	return ret;
}

static int run_contention(struct lock_cmd *c, struct session *s, struct err *err)
{
	struct contention_opts *o = &c->contention;
	struct contention k;
	int ret = c->key ? contention_sort_parse(&o->sort, c->key, err) : 0;

	o->by = c->threads ? CONTENTION_BY_THREAD : c->by_lock ? CONTENTION_BY_LOCK : CONTENTION_BY_CALLER;
	o->max_stack = c->max_stack ? c->max_stack : 8;
	o->cpus = c->cpus;
	o->fields = c->fields;
	o->entries = c->entries;
	o->stacks = log_level > 0;
	if (ret)
		return ret;
	ret = contention_init(&k, s, o, err);
	set_rows(c, contention_rows, CONTENTION_NR_ROWS, &k, "perf lock record");
	if (!ret)
		ret = tracing_run(s, &c->tracing, err);
	if (!ret)
		ret = show(c, contention_view(&k, form_of(c), err), s, err);
	contention_release(&k);
	return ret;
}

static int run_futex(struct lock_cmd *c, struct session *s, struct err *err)
{
	struct futex_opts o = { .by = c->threads ? FUTEX_BY_THREAD : c->by_lock ? FUTEX_BY_LOCK :
										  FUTEX_BY_CALLER,
				.max_stack = c->max_stack ? c->max_stack : RESOLVE_MAX_STACK,
				.fields = c->fields, .entries = c->entries };
	struct futex f;
	int ret = c->key ? futex_sort_parse(&o.sort, c->key, err) : 0;

	c->tracing.filter.cpu_list = c->cpus;
	futex_init(&f, s, &o);
	set_rows(c, futex_rows, FUTEX_NR_ROWS, &f, "perf lock record --user");
	if (!ret)
		ret = tracing_run(s, &c->tracing, err);
	if (!ret)
		ret = show(c, futex_view(&f, form_of(c), err), s, err);
	futex_release(&f);
	return ret;
}

static int analyze(void *cmd, struct session *s, struct err *err)
{
	struct lock_cmd *c = cmd;

	if (c->word != LOCK_CONTENTION)
		return run_lockdep(c, s, err);
	return c->user ? run_futex(c, s, err) : run_contention(c, s, err);
}

/* the option that was given and has no meaning for the word; NULL: none */
static const char *stray_option(const struct lock_cmd *c)
{
	const enum lock_word tables = LOCK_REPORT | LOCK_CONTENTION;
	const enum lock_word kernel = c->user ? 0 : LOCK_CONTENTION;
	const struct {
		bool given;
		const char *name;
		u32 words;
	} options[] = {
		{ c->key, "-k", tables }, { c->fields, "-F", tables }, { c->entries, "-E", tables },
		{ c->map, "-m", LOCK_INFO }, { c->combine, "-c", LOCK_REPORT },
		{ c->by_lock, "-l", LOCK_CONTENTION }, { c->user, "--user", LOCK_CONTENTION },
		{ c->max_stack, "--max-stack", LOCK_CONTENTION },
		{ c->contention.types, "-Y", kernel }, { c->contention.locks, "-L", kernel },
		{ c->contention.functions, "-S", kernel },
		{ c->contention.stack_skip != 4, "--stack-skip", kernel },
	};

	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (options[i].given && !(options[i].words & c->word))
			return options[i].name;
	return NULL;
}

static int check_options(struct lock_cmd *c, const struct option *options)
{
	const char *stray = stray_option(c);

	if (stray)
		return opt_usage_error(options, NULL, usage, "%s has no meaning here%s", stray,
				       c->user ? ", with --user" : "");
	if (c->json && c->separator)
		return opt_usage_error(options, NULL, usage, "--json and -x exclude each other");
	if (c->threads && (c->by_lock || c->combine))
		return opt_usage_error(options, NULL, usage, "-t and %s exclude each other",
				       c->by_lock ? "-l" : "-c");
	if (!c->entries)
		c->entries = UINT64_MAX;
	return 0;
}

int cmd_lock(int argc, const char **argv)
{
	struct lock_cmd c = { .session.sym = SYM_OPTS_INIT, .contention.stack_skip = 4 };
	const struct option options[] = {
#include "builtin-lock.def"
		OPT_END(),
	};
	int ret;

	argc = parse_options_sub(argc, argv, options, words, usage, PARSE_STOP_AT_NON_OPTION);
	for (u32 i = 0; argc && words[i]; i++)
		if (!strcmp(argv[0], words[i]))
			c.word = 1u << i;
	if (!c.word)
		return opt_usage_error(options, NULL, usage, argc ? "'%s' is not a word of perf lock" :
				       "say record, report, script, info or contention", argv[0]);
	if (c.word == LOCK_RECORD)
		return lock_record(&c, argc, argv);
	if (c.word == LOCK_SCRIPT)
		return lock_script(&c, argc, argv);
	argc = parse_options(argc, argv, options, usage, 0);
	if (argc)
		return opt_usage_error(options, NULL, usage, "unexpected argument '%s'", argv[0]);
	ret = check_options(&c, options);
	c.session.kernel_names = c.word == LOCK_CONTENTION && !c.user;
	return ret ? ret : session_run(&c.session, c.dump, analyze, &c);
}
