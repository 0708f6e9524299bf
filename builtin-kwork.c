/* perf kwork: work that the kernel does beside tasks. Options and wiring; the work is in util/kwork. */
#include "builtin-session.h"
#include "builtin-status.h"
#include "ui/format.h"
#include "util/base/log.h"
#include "util/base/units.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"
#include "util/kwork/kernel-work.h"
#include "util/tracing/observe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TIMED (1u << KWORK_IRQ | 1u << KWORK_SOFTIRQ | 1u << KWORK_WORKQUEUE)

struct kwork_cmd {
	struct session_opts session;
	struct tracing_opts tracing;
	struct kwork_opts kwork;
	const char *keys;
	char separator;
	bool json, dump, bpf, live;
	const char *const *argv;	/* with -b and --live: a command; or NULL */
};

static const char *const words[] = { "record", "report", "latency", "timehist", "top", NULL };
static const char *const usage[] = {
	"perf kwork [<options>] {report|latency|timehist|top} [<options>]",
	"perf kwork {report|latency|top} {-b|--live} [<options>] [<command>]",
	"perf kwork [-k <classes>] record [<options of perf record>] [<command>]",
	NULL
};

static int parse_classes(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct kwork_cmd *c = opt->value;
	struct err err = ERR_INIT;

	return kwork_classes_parse(arg, &c->kwork.classes, &err) ? opt_err(opt, &err) : 0;
}

static int kwork_record(const struct kwork_cmd *c, int argc, const char **argv)
{
	static const char *const fixed[] = { "record", "-a", "-R", "-c", "1", "-m", "1024", NULL };
	struct tracing_row rows[KWORK_NR_ROWS];
	u32 nr_rows = kwork_rows_of(c->kwork.classes ? c->kwork.classes : TIMED, rows);
	int nr;
	const char **args = tracing_record_args_of(fixed, rows, nr_rows, argc, argv, &nr);
	int ret = cmd_record(nr, args);

	free(args);
	return ret;
}

static int show(struct kwork_cmd *c, struct kwork *k, struct session *s, struct err *err)
{
	struct text_opts text = { .separator = c->separator, .pool = s->pool };

	return format_answer(kwork_view(k, format_form(c->json, c->separator)), c->json, &text, err);
}

static int analyze(void *cmd, struct session *s, struct err *err)
{
	struct kwork_cmd *c = cmd;
	struct tracing_row rows[KWORK_NR_ROWS];
	struct kwork k;
	int ret = kwork_init(&k, s, &c->kwork, err);

	c->tracing.row = rows;
	c->tracing.nr_rows = kwork_rows_of(c->kwork.classes, rows);
	c->tracing.ctx = &k;
	c->tracing.needs = c->kwork.kind == KWORK_TOP ? "sched:sched_switch" : NULL;
	if (!ret)
		ret = tracing_run(s, &c->tracing, err);
	if (!ret)
		ret = show(c, &k, s, err);
	kwork_release(&k);
	return ret;
}

/* ---- what runs now: by BPF programs, or by the events in rings ---- */

struct kwork_live {
	struct kwork_cmd *c;
	struct kwork kwork;
	struct kernel_work kernel;
	bool opened;
};

static int open_kernel(void *ctx, struct session *s, struct err *err)
{
	struct kwork_live *l = ctx;
	int ret = kwork_init(&l->kwork, s, &l->c->kwork, err);

	l->opened = true;
	return ret || !l->c->bpf ? ret : kernel_work_open(&l->kernel, &l->c->kwork, err);
}

static int begin_kernel(void *ctx, const struct target *t UNUSED, struct err *err)
{
	struct kwork_live *l = ctx;

	l->kwork.first = clock_ns(CLOCK_MONOTONIC);
	return kernel_work_attach(&l->kernel, err);
}

static void stop_kernel(void *ctx)
{
	struct kwork_live *l = ctx;

	kernel_work_detach(&l->kernel);
	l->kwork.last = clock_ns(CLOCK_MONOTONIC);
}

static int show_kernel(void *ctx, struct session *s, struct err *err)
{
	struct kwork_live *l = ctx;

	if (l->c->bpf)
		kernel_work_add(&l->kernel, &l->kwork);
	return show(l->c, &l->kwork, s, err);
}

static void ignore(void *ctx UNUSED, const struct tracing_sample *ts UNUSED)
{
}

/* work of the whole system, until the command has ended or Ctrl-C */
static int run_live(struct kwork_cmd *c)
{
	static const struct tracing_observe_ops sums = {
		.ready = open_kernel, .begin = begin_kernel, .stop = stop_kernel, .end = show_kernel,
	}, events = { .ready = open_kernel, .end = show_kernel };
	struct kwork_live l = { .c = c };
	struct tracing_row rows[KWORK_NR_ROWS];
	struct tracing_observe t;
	struct err err = ERR_INIT;
	int ret;

	c->tracing.other = ignore;
	tracing_observe_init(&t, &c->tracing);
	t.ops = c->bpf ? &sums : &events;
	t.ctx = &l;
	c->tracing.row = rows;
	c->tracing.nr_rows = c->bpf ? 0 : kwork_rows_of(c->kwork.classes, rows);
	c->tracing.ctx = &l.kwork;
	t.observe.ring_pages = 1024;
	t.sym = c->session.sym;
	t.kernel = true;
	t.observe.argv = c->argv;
	t.observe.target.all_cpus = true;
	t.observe.stdout_is_data = true;
	ret = tracing_observe(&t, &err);
	kernel_work_close(&l.kernel);
	if (l.opened)
		kwork_release(&l.kwork);
	tracing_observe_release(&t);
	return command_status(ret, &err, &t.command);
}

/* what only makes sense for one word */
static int check_options(struct kwork_cmd *c, const struct option *options)
{
	enum kwork_view_kind kind = c->kwork.kind;
	const char *stray = c->kwork.summary && kind != KWORK_REPORT ? "-S" :
			    c->kwork.chains && kind != KWORK_TIMEHIST ? "-g" :
			    c->keys && kind == KWORK_TIMEHIST ? "-s" : NULL;
	const char *of_file = c->session.data.path ? "-i" : c->dump ? "-D" :
			      c->tracing.filter.time_spec ? "--time" : NULL;
	struct err err = ERR_INIT;

	if (stray)
		return opt_usage_error(options, NULL, usage, "%s has no meaning here", stray);
	if (c->bpf && kind == KWORK_TIMEHIST)
		return opt_usage_error(options, NULL, usage, "timehist shows each work, and -b only sums: "
				       "record the works by 'perf kwork record'");
	if (c->live && kind == KWORK_TIMEHIST)
		return opt_usage_error(options, NULL, usage, "timehist shows each work of a recording: make "
				       "one by 'perf kwork record'");
	if ((c->bpf || c->live) && of_file)
		return opt_usage_error(options, NULL, usage, "%s has no meaning with %s", of_file,
				       c->bpf ? "-b" : "--live");
	if (c->bpf && sample_filter_given(&c->kwork.tasks))
		return opt_usage_error(options, NULL, usage, "BPF programs do not filter tasks: use --live "
				       "instead of -b");
	if (kind == KWORK_TOP && c->kwork.classes && !(c->kwork.classes & 1u << KWORK_SCHED))
		return opt_usage_error(options, NULL, usage, "top needs the class sched");
	if (kind != KWORK_TOP && c->kwork.classes == 1u << KWORK_SCHED)
		return opt_usage_error(options, NULL, usage, "only top shows the class sched");
	if (!c->kwork.classes)
		c->kwork.classes = kind == KWORK_TOP ? 1u << KWORK_SCHED | 1u << KWORK_IRQ |
						       1u << KWORK_SOFTIRQ : TIMED;
	if (c->keys && kwork_sort_parse(&c->kwork.sort, kind, c->keys, &err))
		return opt_usage_error(options, NULL, usage, "%s", err.msg);
	return 0;
}

int cmd_kwork(int argc, const char **argv)
{
	struct kwork_cmd c = { .session.sym = SYM_OPTS_INIT, .kwork.max_stack = 5,
			       .tracing.record = "perf kwork record" };
	const struct option options[] = {
#include "builtin-kwork.def"
		OPT_END(),
	};
	u32 word = 0;
	int ret;

	argc = parse_options_sub(argc, argv, options, words, usage, PARSE_STOP_AT_NON_OPTION);
	while (argc && words[word] && strcmp(argv[0], words[word]))
		word++;
	if (!argc || !words[word])
		return opt_no_subcommand(options, words, usage, argc ? argv[0] : NULL);
	if (!word)
		return kwork_record(&c, argc, argv);
	c.kwork.kind = word - 1;
	if (c.kwork.kind == KWORK_TOP)
		c.tracing.record = "perf kwork -k sched,irq,softirq record";
	argc = parse_options(argc, argv, options, usage, PARSE_STOP_AT_NON_OPTION);
	c.argv = argc ? argv : NULL;
	if (argc && !c.bpf && !c.live)
		return opt_usage_error(options, NULL, usage, "unexpected argument '%s'", argv[0]);
	c.session.scan_late = true;
	c.session.kernel_names = true;
	ret = check_options(&c, options);
	return ret ? ret : c.bpf || c.live ? run_live(&c) : session_run(&c.session, c.dump, analyze, &c);
}
