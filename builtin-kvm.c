/* perf kvm: what guests cost their host. Options and wiring; the work is in util/kvm. */
#include "builtin-options.h"
#include "builtin-session.h"
#include "builtin-status.h"
#include "ui/format.h"
#include "util/base/alloc.h"
#include "util/base/log.h"
#include "util/base/vec.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"
#include "util/kvm/kvm.h"
#include "util/tracing/observe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct kvm_cmd {
	struct session_opts session;
	struct tracing_opts tracing;
	struct kvm_opts kvm;
	const char *keys, *output;
	u64 ring_pages;
	unsigned int refresh_ms;
	char separator;
	bool json, host, guest;
	struct guest_files files;
};

static const char *const words[] = { "stat", "top", "record", "report", "diff", "buildid-list", NULL };
static const char *const stat_words[] = { "record", "report", "live", NULL };
static const char *const usage[] = {
	"perf kvm stat record [<options of perf record>] [<command>]",
	"perf kvm [<options>] stat report [<options>]",
	"perf kvm stat live [<options>] [<command>]",
	"perf kvm [--host] [--no-guest] stat [<options of perf stat>] <command>",
	"perf kvm [--host] [--no-guest] {record|report|top|diff|buildid-list} [<options>]",
	NULL
};

/* as upstream: host and guest are perf.data.kvm */
static const char *default_file(const struct kvm_cmd *c)
{
	return !c->host ? "perf.data.guest" : c->guest ? "perf.data.kvm" : "perf.data.host";
}

static int parse_event(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct kvm_cmd *c = opt->value;
	struct err err = ERR_INIT;

	return kvm_event_parse(arg, &c->kvm.event, &err) ? opt_err(opt, &err) : 0;
}

static int parse_vcpu(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct kvm_cmd *c = opt->value;
	char *rest;
	u64 vcpu = strtoull(arg, &rest, 10);

	if (*arg < '0' || *arg > '9' || *rest || vcpu >= KVM_ALL_VCPUS)
		return opt_error(opt, "'%s' is not the number of a virtual CPU", arg);
	c->kvm.vcpu = (u32)vcpu;
	return 0;
}

/* the events of all virtual CPUs, also while a command runs, which is rarely the hypervisor */
static int stat_record(const struct kvm_cmd *c, int argc, const char **argv)
{
	const char *fixed[] = { "record", "-a", "-R", "-c", "1", "-m", "1024", "-o",
				c->output ? c->output : default_file(c), NULL };
	struct err err = ERR_INIT;
	const char **args;
	int nr, ret;

	if (!tracing_has_event(kvm_rows[0].event)) {
		err_set(&err, -ENOENT, "the event '%s' is not there, or not readable", kvm_rows[0].event);
		err_hint(&err, "load a module of KVM (kvm_intel, kvm_amd) to have it; tracefs needs root");
		return die_err(&err);
	}
	args = tracing_record_args_of(fixed, kvm_rows, KVM_NR_ROWS, argc, argv, &nr);
	ret = cmd_record(nr, args);
	free(args);
	return ret;
}

static int show(struct kvm_cmd *c, struct kvm *k, struct session *s, struct err *err)
{
	struct text_opts text = { .separator = c->separator, .pool = s->pool };

	return format_answer(kvm_view(k, format_form(c->json, c->separator)), c->json, &text, err);
}

static int analyze(void *cmd, struct session *s, struct err *err)
{
	struct kvm_cmd *c = cmd;
	struct tracing_row rows[KVM_REPORT_ROWS];
	struct kvm k;
	int ret;

	kvm_init(&k, s, &c->kvm);
	c->tracing.row = rows;
	c->tracing.nr_rows = kvm_rows_of(c->kvm.event, rows);
	c->tracing.needs = kvm_needs(c->kvm.event);
	c->tracing.ctx = &k;
	ret = tracing_run(s, &c->tracing, err);
	if (!ret)
		ret = kvm_check(&k, err);
	if (!ret)
		ret = show(c, &k, s, err);
	kvm_release(&k);
	return ret;
}

/* an option about files of a guest, which stat does not read */
static const char *guest_option(const struct kvm_cmd *c)
{
	return c->files.kallsyms ? "--guestkallsyms" : c->files.modules ? "--guestmodules" :
	       c->files.vmlinux ? "--guestvmlinux" : NULL;
}

/* an option of report before the word record would have no effect */
static const char *stray_option(const struct kvm_cmd *c)
{
	return c->tracing.filter.pid_list ? "-p" : c->keys ? "-k" : c->session.data.path ? "-i" :
	       c->kvm.vcpu != KVM_ALL_VCPUS ? "--vcpu" : c->kvm.event ? "--event" :
	       c->tracing.filter.time_spec ? "--time" : c->json ? "--json" : c->separator ? "-x" :
	       c->refresh_ms ? "-d" : c->ring_pages ? "-m" : c->session.data.force ? "-f" : guest_option(c);
}

static int stat_report(struct kvm_cmd *c, const struct option *options)
{
	const char *stray = c->output ? "-o" : c->refresh_ms ? "-d" : c->ring_pages ? "-m" : guest_option(c);
	struct err err = ERR_INIT;

	if (stray)
		return opt_usage_error(options, NULL, usage, "%s has no meaning with report", stray);
	if (c->keys && kvm_sort_parse(&c->kvm.sort, c->keys, &err))
		return opt_usage_error(options, NULL, usage, "%s", err.msg);
	c->kvm.pids = c->tracing.filter.pid_list;
	if (!c->session.data.path)
		c->session.data.path = default_file(c);
	c->session.scan_late = true;
	return session_run(&c->session, false, analyze, c);
}

/* --- live */

struct kvm_live {
	struct kvm_cmd *c;
	struct kvm kvm;
	bool opened;
};

static int open_live(void *ctx, struct session *s, struct err *err UNUSED)
{
	struct kvm_live *l = ctx;

	kvm_init(&l->kvm, s, &l->c->kvm);
	l->opened = true;
	return 0;
}

static int show_live(void *ctx, struct session *s, struct err *err)
{
	struct kvm_live *l = ctx;
	int ret;

	if (isatty(STDOUT_FILENO))
		fputs("\033[H\033[J", stdout);
	ret = show(l->c, &l->kvm, s, err);
	kvm_begin_table(&l->kvm);
	return ret;
}

static int show_last(void *ctx, struct session *s, struct err *err)
{
	struct kvm_live *l = ctx;
	int ret = kvm_check(&l->kvm, err);

	l->c->kvm.live = false;
	return ret ? ret : show(l->c, &l->kvm, s, err);
}

/* tables of what happens now, until the command has ended or Ctrl-C */
static int stat_live(struct kvm_cmd *c, const char *const *argv)
{
	static const struct tracing_observe_ops ops = {
		.ready = open_live, .refresh = show_live, .end = show_last,
	};
	struct tracing_row rows[KVM_REPORT_ROWS];
	struct kvm_live l = { .c = c };
	struct tracing_observe t;
	struct err err = ERR_INIT;
	int ret;

	c->kvm.live = true;
	tracing_observe_init(&t, &c->tracing);
	t.ops = &ops;
	t.ctx = &l;
	t.refresh_ms = c->refresh_ms ? c->refresh_ms : 1000;
	t.sym = c->session.sym;
	t.observe.ring_pages = c->ring_pages ? c->ring_pages : 1024;
	t.observe.argv = argv;
	t.observe.stdout_is_data = true;
	t.observe.target = (struct target_opts){ .pids = c->tracing.filter.pid_list,
						 .all_cpus = !c->tracing.filter.pid_list };
	c->tracing.filter.pid_list = NULL;
	c->tracing.row = rows;
	c->tracing.nr_rows = kvm_rows_of(c->kvm.event, rows);
	c->tracing.ctx = &l.kvm;
	ret = tracing_observe(&t, &err);
	if (l.opened)
		kvm_release(&l.kvm);
	tracing_observe_release(&t);
	return command_status(ret, &err, &t.command);
}

static int check_live(struct kvm_cmd *c, const struct option *options)
{
	const char *of_file = c->session.data.path ? "-i" : c->output ? "-o" :
			      c->tracing.filter.time_spec ? "--time" : c->session.data.force ? "-f" :
			      c->json ? "--json" : guest_option(c);
	struct err err = ERR_INIT;

	if (of_file)
		return opt_usage_error(options, NULL, usage, "%s has no meaning with live", of_file);
	if (c->keys && kvm_sort_parse(&c->kvm.sort, c->keys, &err))
		return opt_usage_error(options, NULL, usage, "%s", err.msg);
	c->kvm.pids = c->tracing.filter.pid_list;
	return 0;
}

/* --- profiles of guests: other commands, with the files and samples that --guest and --host select */

/* words that read symbols of guests */
static bool reads_guests(const char *word)
{
	return !strcmp(word, "record") || !strcmp(word, "top") || !strcmp(word, "report");
}

static bool reads_file(const char *word)
{
	return strcmp(word, "record") && strcmp(word, "top") && strcmp(word, "stat");
}

/* the command `word` with arguments of its own after those that perf kvm adds */
static int run_command(const struct kvm_cmd *c, int argc, const char **argv)
{
	const char *word = argv[0], *file = c->session.data.path ? c->session.data.path : default_file(c);
	bool diff = !strcmp(word, "diff");
	const struct { const char *option, *path; } guest_file[] = {
		{ "--guestkallsyms", c->files.kallsyms }, { "--guestmodules", c->files.modules },
		{ "--guestvmlinux", c->files.vmlinux },
	};
	struct { VEC(const char *); } args = { 0 };
	char *old = xasprintf("%s.old", file);
	int ret;

	vec_push(&args, word);
	if (!strcmp(word, "record")) {
		vec_push(&args, "-o");
		vec_push(&args, c->output ? c->output : file);
	} else if (reads_file(word) && !diff) {
		vec_push(&args, "-i");
		vec_push(&args, file);
	}
	if (c->session.data.force && reads_file(word))
		vec_push(&args, "-f");
	/* diff and buildid-list show all samples and files */
	if (c->guest && (reads_guests(word) || !reads_file(word)))
		vec_push(&args, "--guest");
	if (c->host && (reads_guests(word) || !reads_file(word)))
		vec_push(&args, "--host");
	for (size_t i = 0; reads_guests(word) && i < ARRAY_SIZE(guest_file); i++)
		if (guest_file[i].path) {
			vec_push(&args, guest_file[i].option);
			vec_push(&args, guest_file[i].path);
		}
	for (int i = 1; i < argc; i++)
		vec_push(&args, argv[i]);
	if (diff && argc == 1) {
		vec_push(&args, old);
		vec_push(&args, file);
	}
	vec_push(&args, NULL);
	ret = command_find(word)->run(args.nr - 1, args.v);
	vec_release(&args);
	free(old);
	return ret;
}

/* options that a command does not have before its word */
static int check_command(const struct kvm_cmd *c, const char *word, const struct option *options)
{
	bool record = !strcmp(word, "record"), reads = reads_file(word);
	const char *stray = c->session.data.path && !reads ? "-i" :
			    c->output && !record ? "-o" : c->session.data.force && !reads ? "-f" :
			    c->keys || c->kvm.event || c->kvm.vcpu != KVM_ALL_VCPUS || c->refresh_ms ||
			    c->ring_pages || c->json || c->separator || c->tracing.filter.time_spec ||
			    c->tracing.filter.pid_list ? "an option of stat" :
			    reads_guests(word) ? NULL : guest_option(c);

	if (stray)
		return opt_usage_error(options, NULL, usage, "%s has no meaning before '%s'", stray, word);
	if (!c->guest && !c->host)
		return opt_usage_error(options, NULL, usage,
				       "nothing would be left: --no-guest needs --host");
	return 0;
}

static bool is_word(const char *const *list, const char *word)
{
	while (*list && strcmp(*list, word))
		list++;
	return *list;
}

/*
 * perf kvm stat is perf stat if it names a command or options of perf stat, and no word of perf kvm stat
 * (whose options may come first)
 */
static bool is_plain_stat(int argc, const char **argv)
{
	if (strcmp(argv[0], "stat") || argc == 1 || !strcmp(argv[1], "-h") || !strcmp(argv[1], "--help"))
		return false;
	for (int i = 1; i < argc && (i == 1 || *argv[1] == '-') && strcmp(argv[i], "--"); i++)
		if (is_word(stat_words, argv[i]))
			return false;
	return true;
}

int cmd_kvm(int argc, const char **argv)
{
	struct kvm_cmd c = { .session.sym = SYM_OPTS_INIT, .kvm.vcpu = KVM_ALL_VCPUS, .guest = true,
			     .tracing.record = "perf kvm stat record" };
	const struct option options[] = {
#include "builtin-kvm.def"
		OPT_END(),
	};
	int ret;

	argc = parse_options_sub(argc, argv, options, words, usage, PARSE_STOP_AT_NON_OPTION);
	if (!argc || !is_word(words, argv[0]))
		return opt_no_subcommand(options, words, usage, argc ? argv[0] : NULL);
	if (strcmp(argv[0], "stat") || is_plain_stat(argc, argv)) {
		ret = check_command(&c, argv[0], options);
		return ret ? ret : run_command(&c, argc, argv);
	}
	argc = parse_options(argc, argv, options, usage, PARSE_STOP_AT_NON_OPTION);
	if (!argc || !is_word(stat_words, argv[0]))
		return opt_no_subcommand(options, stat_words, usage, argc ? argv[0] : NULL);
	if (!strcmp(argv[0], "record") && stray_option(&c))
		return opt_usage_error(options, NULL, usage, "options of perf record follow the word record; "
				       "%s before it has no meaning", stray_option(&c));
	if (!strcmp(argv[0], "record"))
		return stat_record(&c, argc, argv);
	if (!strcmp(argv[0], "live")) {
		argc = parse_options(argc, argv, options, usage, PARSE_STOP_AT_NON_OPTION);
		ret = check_live(&c, options);
		return ret ? ret : stat_live(&c, argc ? argv : NULL);
	}
	argc = parse_options(argc, argv, options, usage, 0);
	if (argc)
		return opt_usage_error(options, NULL, usage, "unexpected argument '%s'", argv[0]);
	return stat_report(&c, options);
}
