/* perf record: options and wiring. */
#include "util/base/alloc.h"
#include "util/base/log.h"
#include "util/base/units.h"
#include "util/cli/build-features.h"
#include "util/cli/builtin.h"
#include "util/cli/config.h"
#include "util/cli/parse-options.h"
#include "util/cli/progress.h"
#include "util/pmu/parse-events.h"
#include "util/probe/once.h"
#include "util/record/record-run.h"
#include "util/record/rewrite.h"
#include "util/resolve/live-chains.h"
#include "util/resolve/plain-chain.h"
#include "util/kernel/rings.h"
#include "util/observe/workload.h"
#include "builtin-options.h"
#include "builtin-record.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const usage[] = {
	"perf record [<options>] [<command>]",
	"perf record [<options>] -- <command> [<options>]",
	NULL
};

static int cb_switch_events(const struct option *opt, const char *arg, bool unset)
{
	struct record_args *a = opt->value;
	const struct parse_events_opts o = { .option = "--switch-output-event", .tables = &a->events.tables };
	struct err err = ERR_INIT;

	if (!a->o.switch_events)
		a->o.switch_events = evset_new();
	if (a->o.switch_mode == SWITCH_NONE)
		a->o.switch_mode = SWITCH_SIGNAL;
	return parse_events(a->o.switch_events, arg, &o, &err) < 0 ? opt_err(opt, &err) : 0;
}

/* leaves out tracepoints that this program itself causes; report can separate other events */
static int cb_exclude_perf(const struct option *opt, const char *arg, bool unset)
{
	struct record_args *a = opt->value;
	struct err err = ERR_INIT;

	if (parse_filter_exclude_pid(a->events.set, a->events.last_event, getpid(), &err) < 0)
		return opt_err(opt, &err);
	return 0;
}

/* a size that was not given stays 0: the configuration may set one */
static int callgraph_words(const char *s, struct callgraph_opts *cg, struct err *err)
{
	int ret = parse_callgraph(s, cg, err);

	if (!ret && cg->mode == CALLGRAPH_DWARF && !strchr(s, ','))
		cg->dump_size = 0;
	return ret;
}

/* for perf daemon: exec forgets such a wish if the file of the program has capabilities */
static int cb_end_with_parent(const struct option *opt, const char *arg, bool unset UNUSED)
{
	u64 pid;

	if (parse_u64(arg, &pid))
		return opt_error(opt, "takes the PID of the parent process");
	/* after the call the kernel tells of its end; before, it has another parent already */
	if (prctl(PR_SET_PDEATHSIG, SIGTERM) || (u64)getppid() != pid)
		return opt_error(opt, "process %s is not the parent of this one", arg);
	return 0;
}

static int cb_callgraph(const struct option *opt, const char *arg, bool unset)
{
	struct callgraph_opts *cg = opt->value;
	struct err err = ERR_INIT;

	if (unset) {
		cg->mode = CALLGRAPH_NONE;
		return 0;
	}
	if (!arg) {	/* -g does not change what --call-graph set */
		if (cg->mode == CALLGRAPH_NONE)
			cg->mode = CALLGRAPH_FP;
		return 0;
	}
	if (callgraph_words(arg, cg, &err) < 0)
		return opt_err(opt, &err);
	return 0;
}

static int cb_regs(const struct option *opt, const char *arg, bool unset)
{
	struct err err = ERR_INIT;
	int ret;

	if (unset) {
		*(u64 *)opt->value = 0;
		return 0;
	}
	ret = parse_sample_regs(arg, opt->short_name == 'I', opt->value, &err);

	if (ret == -ECANCELED) {
		printf("%s\n", err.msg);
		exit(0);
	}
	return ret < 0 ? opt_err(opt, &err) : 0;
}

static int cb_clockid(const struct option *opt, const char *arg, bool unset)
{
	struct sample_attr_opts *a = opt->value;
	struct err err = ERR_INIT;

	if (parse_clockid(arg, &a->clockid, &err) < 0)
		return opt_err(opt, &err);
	a->use_clockid = true;
	return 0;
}

static int cb_size(const struct option *opt, const char *arg, bool unset)
{
	if (parse_size(arg, opt->value) < 0 || !*(u64 *)opt->value)
		return opt_error(opt, "'%s' is not a size such as 64K or 100M", arg);
	return 0;
}

/* the words that record-opts.c parses; NULL: none, "no": the option with no- before it */
static int cb_spec(const struct option *opt, const char *arg, bool unset)
{
	static const struct {
		const char *option;
		int (*parse)(struct record_opts *o, const char *s, struct err *err);
	} specs[] = {
		{ "delay", record_parse_delay }, { "aio", record_parse_aio },
		{ "affinity", record_parse_affinity }, { "synth", record_parse_synth },
		{ "switch-output", record_parse_switch_output }, { "snapshot", record_parse_snapshot },
		{ "aux-sample", record_parse_aux_sample },
	};
	struct err err = ERR_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(specs); i++)
		if (!strcmp(opt->long_name, specs[i].option) &&
		    specs[i].parse(opt->value, unset ? "no" : arg, &err) < 0)
			return opt_err(opt, &err);
	return 0;
}

static int cb_compress(const struct option *opt, const char *arg, bool unset)
{
	int *level = opt->value;
	u64 v;

	if (unset) {
		*level = 0;
		return 0;
	}
	if (parse_u64(arg, &v) < 0 || v > 22)
		return opt_error(opt, "'%s' is not a level from 1 (fastest) to 22 (smallest)", arg);
	*level = v;
	return 0;
}

/* "-g dwarf CMD": the mode after a bare -g, if no program has that name */
static bool is_mode_word(struct record_args *a, const char *word)
{
	struct err err = ERR_INIT;
	struct callgraph_opts cg = a->o.attr.callgraph;

	if (cg.mode == CALLGRAPH_NONE || !a->g_given)
		return false;
	if (strncmp(word, "dwarf", 5) && strncmp(word, "fp", 2) && strncmp(word, "lbr", 3))
		return false;
	if (workload_exists(word) || callgraph_words(word, &cg, &err) < 0)
		return false;
	log_warn("taking '%s' as the mode of -g; the full spelling is --call-graph %s", word, word);
	if (a->o.attr.callgraph.mode == CALLGRAPH_FP)
		a->o.attr.callgraph = cg;
	return true;
}

static const char *default_output(void)
{
	struct stat st;

	return !fstat(STDOUT_FILENO, &st) && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}

/* call-graph.record-mode and .dump-size define a bare -g; record.build-id=skip is -B, no-cache is -N */
static int apply_config(struct record_args *a, struct err *err)
{
	struct callgraph_opts *cg = &a->o.attr.callgraph;
	const char *mode = config_get("call-graph.record-mode"), *size = config_get("call-graph.dump-size");
	const char *build_id = config_get("record.build-id");
	u64 bytes;

	if (mode && a->g_given && !a->callgraph_given && cg->mode == CALLGRAPH_FP &&
	    callgraph_words(mode, cg, err) < 0)
		return err_prefix(err, "%sconfiguration key call-graph.record-mode: ",
				  config_origin("call-graph.record-mode"));
	if (size && cg->mode == CALLGRAPH_DWARF && !cg->dump_size) {
		if (parse_size(size, &bytes) < 0 || !bytes || bytes > 65528)
			return err_set(err, -EINVAL, "%sconfiguration key call-graph.dump-size: '%s' is not "
				       "a size up to 65528", config_origin("call-graph.dump-size"), size);
		cg->dump_size = ALIGN_UP(bytes, 8);
	}
	a->o.no_buildid |= build_id && !strcmp(build_id, "skip");
	a->o.no_buildid_cache |= build_id && !strcmp(build_id, "no-cache");
	return 0;
}

/* ---- --unwind-live ---- */

static void *unwind_begin(struct evset *set, const struct features *feat)
{
	return live_chains_new(set, feat, 0);
}

static void unwind_state(void *ctx, const struct strbuf *records)
{
	live_chains_state(ctx, records);
}

static void unwind_record(void *ctx, const struct rec_header *h)
{
	live_chains_record(ctx, h);
}

static void unwind_pass(void *ctx, bool all, struct strbuf *out)
{
	live_chains_pass(ctx, all, out);
}

static u64 unwind_finish(void *ctx)
{
	u64 dropped = live_chains_dropped(ctx);

	live_chains_free(ctx);
	return dropped;
}

static const struct record_rewrite unwind_live = {
	.begin = unwind_begin, .attr = plain_chain_attr, .state = unwind_state, .record = unwind_record,
	.pass = unwind_pass, .end = unwind_finish,
};

/* what follows from several options together */
static void settle(struct record_args *a)
{
	struct record_opts *o = &a->o;
	struct observe_opts *w = &o->observe;

	o->attr.switch_events |= a->latency;
	if (a->unwind_live) {
		o->rewrite = &unwind_live;
		o->attr.callgraph.user_chain = true;	/* for samples whose stacks end early */
	}
	o->attr.no_buildid_mmap = !o->buildid_mmap || o->no_buildid;
	if (!o->output)
		o->output = default_output();
	w->stdout_is_data = !strcmp(o->output, "-");
	record_settle_names(a);
	if (!w->set->ev.nr)
		parse_default_event(w->set);
	if (w->start_disabled && !w->control)
		log_warn("-D -1 waits for the command 'enable', but --control is not given: "
			 "nothing will be recorded");
	if (o->switch_max_files && o->switch_mode == SWITCH_NONE)
		log_warn("--switch-max-files has no effect without --switch-output");
	w->target.has_workload = w->argv != NULL;
}

/* if the whole system is recorded, including idle tasks, the number of running tasks is not known */
static int check_latency(const struct record_args *a, struct err *err)
{
	const struct target_opts *t = &a->o.observe.target;
	bool tasks = t->pids || t->tids || t->user;

	if (!a->latency || tasks || (!t->all_cpus && (t->cpus || t->has_workload)))
		return 0;
	return err_set(err, -EINVAL,
		       "--latency needs tasks to observe (a command, -p, -t or -u), not the whole system");
}

/* the process that converts finished files, before there are threads; NULL: none is wanted, or err */
static struct fold_process *start_folder(struct record_args *a, struct err *err)
{
	struct record_opts *o = &a->o;
	const char *without = o->switch_mode == SWITCH_NONE ? "needs --switch-output: it converts its files" :
			      o->kcore ? "reads files, and --kcore writes directories" :
			      a->debuginfod ? "excludes --debuginfod" : NULL;
	struct fold_process *f;

	if (fold_check(&a->fold, err) || !a->fold.format)
		return NULL;
	if (without) {
		err_set(err, -EINVAL, "--fold %s", without);
		return NULL;
	}
	if (record_opts_check(o, err) || o->observe.dry_run)
		return NULL;
	a->fold.keep.files = o->switch_max_files;
	o->switch_max_files = 0;
	f = folder_new(&a->fold, o->output, err);
	o->finished = folder_give;
	o->finished_ctx = f;
	return f;
}

static int take_options(struct record_args *a, struct probe_once *once, int argc, const char **argv,
			struct err *err)
{
	struct record_opts *o = &a->o;
	struct sample_attr_opts *at = &o->attr;
	struct observe_opts *w = &o->observe;
	struct target_opts *t = &w->target;
	const struct option opts[] = {
#include "builtin-record.def"
		OPT_END()
	};
	int left, ret = probe_once_args(once, argc, argv, options_end(argc, argv, opts), err);

	if (ret)
		return ret;
	left = parse_options(argc, argv, opts, usage, PARSE_STOP_AT_NON_OPTION);
	/* the word is at the position of the command's name: options may follow */
	if (left > 0 && is_mode_word(a, argv[0]))
		left = parse_options(left, argv, opts, usage, PARSE_STOP_AT_NON_OPTION);
	if (left > 0)
		a->o.observe.argv = argv;
	return 0;
}

int cmd_record(int argc, const char **argv)
{
	struct fold_process *folder = NULL;
	struct record_args a = RECORD_ARGS_INIT;
	struct record_result res = { 0 };
	struct probe_once once = PROBE_ONCE_INIT;
	struct err err = ERR_INIT;
	int ret;

	a.o.observe.set = a.events.set = evset_new();
	a.o.version = build_version();
	a.o.argc = argc;
	a.o.cmdline = xmemdup(argv, argc * sizeof(*argv));
	if (take_options(&a, &once, argc, argv, &err))
		return die_err(&err);
	ret = apply_config(&a, &err);
	settle(&a);
	if (!ret)
		ret = check_latency(&a, &err);
	if (!ret && (a.wall.on || a.wall.source.wakers || a.wall.span))
		ret = record_settle_wall(&a, &err);
	if (!ret)
		ret = guest_maps_read(&a.guest, &a.guest_maps, &err);
	a.o.guest = &a.guest_maps;
	a.o.progress_begin = progress_begin;
	a.o.progress_end = progress_end;
	a.o.status = record_status;
	if (!ret)
		folder = start_folder(&a, &err);
	if (!ret && !err.code)
		ret = record_run(&a.o, &res, &err);
	else if (!ret)
		ret = err.code;
	record_status_end(&a.o);
	if (res.path && res.start_ok)
		record_closing_lines(&a.o, &res);
	if (a.debuginfod && res.path && res.start_ok && ret >= 0)
		record_fetch_debug_files(&a, res.path);
	folder_free(folder, res.signal);
	ret = record_exit_status(&a, &res, ret, &err);
	probe_once_end(&once);
	probe_once_end(&a.wall.once);
	free(res.path);
	free((void *)a.o.cmdline);
	guest_maps_release(&a.guest_maps);
	wall_source_release(&a.wall.source);
	vec_release(&a.o.observe.delay);
	table_source_release(&a.events.tables);
	evset_free(a.o.observe.set);
	evset_free(a.o.switch_events);
	return ret;
}
