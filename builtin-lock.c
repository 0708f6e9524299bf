/* perf lock: who waits for which lock. Options and wiring; the work is in util/lock and util/tracing. */
#include "builtin-lock.h"
#include "builtin-options.h"
#include "builtin-session.h"
#include "ui/format.h"
#include "util/base/log.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"
#include "util/lock/lockdep.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = { "record", "report", "script", "info", "contention", NULL };

static const char *const usage[] = {
	"perf lock [<options>] {report|info|contention} [<options>]",
	"perf lock contention {-b|--live} [<options>] [<command>]",
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

int lock_show(struct lock_cmd *c, struct view *v, const struct session *s, struct err *err)
{
	struct text_opts text = { .separator = c->separator, .pool = s->pool, .quiet = c->quiet };

	if (v && c->output && !freopen(c->output, "w", stdout)) {
		view_free(v);
		return err_sys(err, errno, "cannot write %s", c->output);
	}
	return format_answer(v, c->json, &text, err);
}

u32 lock_form(const struct lock_cmd *c)
{
	return format_form(c->json, c->separator);
}

void lock_set_rows(struct lock_cmd *c, const struct tracing_row *row, u32 nr, void *ctx, const char *record)
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
	lock_set_rows(c, lockdep_rows, LOCKDEP_NR_ROWS, &l, "perf lock record");
	if (!ret)
		ret = tracing_run(s, &c->tracing, err);
	if (!ret)
		ret = lock_show(c, c->word == LOCK_INFO ? lockdep_info(&l) :
						     lockdep_report(&l, lock_form(c), err), s, err);
	lockdep_release(&l);
	return ret;
}

int lock_contention_opts(struct lock_cmd *c, struct err *err)
{
	struct contention_opts *o = &c->contention;

	o->by = c->threads ? CONTENTION_BY_THREAD : c->by_lock ? CONTENTION_BY_LOCK :
		c->by_owner ? CONTENTION_BY_OWNER : c->by_cgroup ? CONTENTION_BY_CGROUP :
								   CONTENTION_BY_CALLER;
	o->max_stack = c->max_stack ? c->max_stack : 8;
	o->fields = c->fields;
	o->entries = c->entries;
	o->stacks = log_level > 0;
	return c->key ? contention_sort_parse(&o->sort, c->key, err) : 0;
}

static int run_contention(struct lock_cmd *c, struct session *s, struct err *err)
{
	struct contention_opts *o = &c->contention;
	struct contention k;
	int ret = lock_contention_opts(c, err);

	o->cpus = c->cpus;
	if (ret)
		return ret;
	ret = contention_init(&k, s, o, err);
	lock_set_rows(c, contention_rows, CONTENTION_NR_ROWS, &k, "perf lock record");
	if (!ret)
		ret = tracing_run(s, &c->tracing, err);
	if (!ret)
		ret = lock_show(c, contention_view(&k, lock_form(c), err), s, err);
	contention_release(&k);
	return ret;
}

int lock_futex_opts(const struct lock_cmd *c, struct futex_opts *o, struct err *err)
{
	*o = (struct futex_opts){ .by = c->threads ? FUTEX_BY_THREAD : c->by_lock ? FUTEX_BY_LOCK :
										    FUTEX_BY_CALLER,
				  .max_stack = c->max_stack ? c->max_stack : RESOLVE_MAX_STACK,
				  .fields = c->fields, .entries = c->entries };
	return c->key ? futex_sort_parse(&o->sort, c->key, err) : 0;
}

static int run_futex(struct lock_cmd *c, struct session *s, struct err *err)
{
	struct futex_opts o;
	struct futex f;
	int ret = lock_futex_opts(c, &o, err);

	c->tracing.filter.cpu_list = c->cpus;
	futex_init(&f, s, &o);
	lock_set_rows(c, futex_rows, FUTEX_NR_ROWS, &f, "perf lock record --user");
	if (!ret)
		ret = tracing_run(s, &c->tracing, err);
	if (!ret)
		ret = lock_show(c, futex_view(&f, lock_form(c), err), s, err);
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

/* where events come from: an option can have a meaning for some of them */
enum source { SOURCE_FILE = 1, SOURCE_RINGS = 2, SOURCE_BPF = 4, SOURCE_ANY = 7 };

static enum source source_of(const struct lock_cmd *c)
{
	return c->bpf ? SOURCE_BPF : c->live ? SOURCE_RINGS : SOURCE_FILE;
}

struct use {
	bool given;
	const char *name;
	u32 words, sources;
};

static int stray(const struct lock_cmd *c, const struct use *use, const struct option *options)
{
	if (!(use->words & c->word))
		return opt_usage_error(options, NULL, usage, "%s has no meaning here%s", use->name,
				       c->user ? ", with --user" : "");
	if (use->sources == SOURCE_BPF)
		return opt_usage_error(options, NULL, usage, "%s needs -b: BPF programs find it out",
				       use->name);
	return opt_usage_error(options, NULL, usage, "%s has no meaning with %s", use->name,
			       c->bpf ? "-b" : "what runs now");
}

/* an option that was given has no meaning for the word, or for where events come from: says so; 0: none */
static int check_uses(const struct lock_cmd *c, const struct option *options)
{
	const enum lock_word tables = LOCK_REPORT | LOCK_CONTENTION;
	const enum lock_word kernel = c->user ? 0 : LOCK_CONTENTION;
	const struct contention_opts *o = &c->contention;
	const struct use uses[] = {
		{ c->key, "-k", tables, SOURCE_ANY }, { c->fields, "-F", tables, SOURCE_ANY },
		{ c->entries, "-E", tables, SOURCE_ANY }, { c->map, "-m", LOCK_INFO, SOURCE_ANY },
		{ c->combine, "-c", LOCK_REPORT, SOURCE_ANY },
		{ c->by_lock, "-l", LOCK_CONTENTION, SOURCE_ANY },
		{ c->user, "--user", LOCK_CONTENTION, SOURCE_FILE | SOURCE_RINGS },
		{ c->max_stack, "--max-stack", LOCK_CONTENTION, SOURCE_ANY },
		{ o->types, "-Y", kernel, SOURCE_ANY }, { o->locks, "-L", kernel, SOURCE_ANY },
		{ o->functions, "-S", kernel, SOURCE_ANY },
		{ c->skip_given, "--stack-skip", kernel, SOURCE_ANY },
		{ c->by_owner, "-o", kernel, SOURCE_BPF },
		{ c->by_cgroup, "--lock-cgroup", kernel, SOURCE_BPF },
		{ o->delays, "-J", kernel, SOURCE_BPF },
		{ o->cgroups, "-G", kernel, SOURCE_BPF }, { o->entries_of_maps, "-M", kernel, SOURCE_BPF },
		{ c->live, "-b or --live", LOCK_CONTENTION, SOURCE_ANY },
		{ c->session.data.path, "-i", ~0u, SOURCE_FILE }, { c->dump, "-D", ~0u, SOURCE_FILE },
		{ c->tracing.filter.time_spec, "--time", ~0u, SOURCE_FILE },
		{ c->tracing.filter.comm_list, "--comm", ~0u, SOURCE_FILE | SOURCE_RINGS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(uses); i++)
		if (uses[i].given && (!(uses[i].words & c->word) || !(uses[i].sources & source_of(c))))
			return stray(c, &uses[i], options);
	return 0;
}

/* what the table is by: two of these are one too many */
static int check_options(struct lock_cmd *c, const struct option *options)
{
	int ret = check_uses(c, options);

	if (ret)
		return ret;
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
		return opt_no_subcommand(options, words, usage, argc ? argv[0] : NULL);
	if (c.word == LOCK_RECORD)
		return lock_record(&c, argc, argv);
	if (c.word == LOCK_SCRIPT)
		return lock_script(&c, argc, argv);
	argc = parse_options(argc, argv, options, usage, PARSE_STOP_AT_NON_OPTION);
	if (argc && c.word != LOCK_CONTENTION)
		return opt_usage_error(options, NULL, usage, "unexpected argument '%s'", argv[0]);
	c.live |= c.bpf || argc;
	c.argv = argc ? argv : NULL;
	ret = check_options(&c, options);
	if (ret)
		return ret;
	c.session.kernel_names = c.word == LOCK_CONTENTION && !c.user;
	return c.live ? lock_live(&c) : session_run(&c.session, c.dump, analyze, &c);
}
