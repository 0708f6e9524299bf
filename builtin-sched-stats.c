/* perf sched stats: readings of /proc/schedstat: record, report, diff, or at once around a command. */
#include "builtin-sched.h"
#include "builtin-status.h"
#include "ui/format.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "util/base/fs.h"
#include "util/base/log.h"
#include "util/cli/build-features.h"
#include "util/cli/builtin.h"
#include "util/data/features-write.h"
#include "util/data/writer.h"
#include "util/host/hostinfo.h"
#include "util/observe/workload.h"
#include "util/sched/schedstat.h"

static int show(struct sched_cmd *c, const struct schedstat_span *span, u32 nr, const struct id_filter *cpus,
		struct err *err)
{
	struct text_opts text = { .separator = c->separator };
	struct view *v = schedstat_view(span, nr, cpus, log_level > 0, sched_cmd_form(c));

	return format_answer(v, c->json, &text, err);
}

static void release(struct schedstat_span *span)
{
	schedstat_release(&span->first);
	schedstat_release(&span->last);
}

static void on_signal(int sig UNUSED)
{
}

/* until the command ends or, without one, until Ctrl-C */
static int wait_for(const char *const *argv, struct workload_result *command, struct err *err)
{
	struct workload w = WORKLOAD_INIT;
	struct sigaction old[2], catch = { .sa_handler = on_signal };
	sigset_t set, mask;
	int sig, ret = 0;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	if (!*argv) {
		sigprocmask(SIG_BLOCK, &set, &mask);
		sigwait(&set, &sig);
		sigprocmask(SIG_SETMASK, &mask, NULL);
		return 0;
	}
	ret = workload_fork(&w, argv, &(struct workload_opts){ 0 }, err);
	sigaction(SIGINT, &catch, &old[0]);	/* the command gets it, too */
	sigaction(SIGTERM, &catch, &old[1]);
	if (!ret)
		ret = workload_start(&w, err);
	if (!ret) {
		siginfo_t info;

		while (waitid(P_PID, w.pid, &info, WEXITED | WNOWAIT) && errno == EINTR)
			;
		ret = workload_exec_error(&w, err);
		*command = (struct workload_result){ ret != 0, workload_exit_status(&w) };
	}
	workload_end(&w);
	workload_release(&w);
	sigaction(SIGINT, &old[0], NULL);
	sigaction(SIGTERM, &old[1], NULL);
	return ret;
}

#define SETTING "/proc/sys/kernel/sched_schedstats"

/* without this setting, which is off when a kernel starts, most counters stay as they are */
static int set_counting(char c)
{
	int fd = fs_open(SETTING, O_WRONLY | O_TRUNC), ret = MIN(fd, 0);

	if (fd < 0)
		return ret;
	ret = fd_write_all(fd, (char[]){ c, '\n' }, 2);
	close(fd);
	return ret;
}

/* true: it was off, and is on now */
static bool begin_counting(void)
{
	u64 on = 1;

	if (fs_read_u64(SETTING, &on) || on)
		return false;
	if (!set_counting('1'))
		return true;
	log_warn("most numbers will be 0, because kernel.sched_schedstats is 0 (as root: sysctl "
		 "kernel.sched_schedstats=1)");
	return false;
}

static int read_around(struct sched_cmd *c, struct schedstat_span *span, const char *const *argv,
		       struct err *err)
{
	bool begun = begin_counting();
	int ret = schedstat_read(&span->first, err);

	if (!ret)
		ret = wait_for(argv, &c->command, err);
	if (!ret)
		ret = schedstat_read(&span->last, err);
	if (begun && set_counting('0'))
		log_warn("kernel.sched_schedstats cannot be set back to 0");
	return ret;
}

/* a file with an event that never counts, as upstream's */
static struct evset *no_events(void)
{
	struct evset *set = evset_new();
	struct event *ev = evset_add(set, "dummy:u");

	ev->attr.type = PERF_TYPE_SOFTWARE;
	ev->attr.config = PERF_COUNT_SW_DUMMY;
	ev->attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME;
	return set;
}

static int write_file(struct sched_cmd *c, const struct schedstat_span *span, const struct id_filter *cpus,
		      int argc, const char **argv, struct err *err)
{
	static const char *const words[] = { "perf", "sched", "stats", "record" };
	const char **args = xcalloc(ARRAY_SIZE(words) + argc + 1, sizeof(*args));
	struct writer w = { .fd = -1 };
	struct strbuf out = STRBUF_INIT;
	struct evset *set = no_events();
	struct features f = { 0 };
	int ret;

	hostinfo_gather(&f, build_version());
	memcpy(args, words, sizeof(words));
	memcpy(args + ARRAY_SIZE(words), argv, argc * sizeof(*args));
	hostinfo_cmdline(&f, ARRAY_SIZE(words) + argc, args);
	free(args);
	feature_set(&f, FEAT_EVENT_DESC);
	schedstat_put(&span->first, cpus, &out);
	schedstat_put(&span->last, cpus, &out);
	ret = writer_open(&w, c->stats_output ? c->stats_output : "perf.data", set, &f, err);
	if (!ret) {
		ret = writer_write(&w, out.buf, out.len);
		if (ret)
			err_sys(err, -ret, "cannot write the recording");
	}
	if (!ret)
		ret = writer_finish(&w, set, &f, err);
	writer_close(&w);
	strbuf_release(&out);
	features_release(&f);
	evset_free(set);
	return ret;
}

static int load(struct sched_cmd *c, const char *path, struct schedstat_span *span, struct err *err)
{
	struct session_opts o = c->session;
	struct session *s;
	int ret;

	o.data.path = path;
	ret = session_open(&s, &o, err);
	if (ret)
		return ret;
	ret = schedstat_load(&span->first, &span->last, s, err);
	warn_diag(&s->diag);
	session_close(s);
	return ret;
}

/* word: record, report, diff; NULL: count around a command and show that */
static int run_stats(struct sched_cmd *c, const char *word, int argc, const char **argv,
		     const struct id_filter *cpus, struct err *err)
{
	struct schedstat_span span[2] = { 0 };
	bool diff = word && !strcmp(word, "diff");
	int ret;

	if (diff) {
		ret = load(c, argc > 1 ? argv[0] : "perf.data.old", &span[0], err);
		if (!ret)
			ret = load(c, argc ? argv[argc - 1] : "perf.data", &span[1], err);
	} else if (word && !strcmp(word, "report")) {
		ret = load(c, c->session.data.path, &span[0], err);
	} else {
		ret = read_around(c, &span[0], argv, err);
	}
	if (!ret && word && !strcmp(word, "record"))
		ret = write_file(c, &span[0], cpus, argc, argv, err);
	else if (!ret)
		ret = show(c, span, diff ? 2 : 1, cpus, err);
	release(&span[0]);
	release(&span[1]);
	return ret;
}

int sched_stats(struct sched_cmd *c, const struct option *options, int argc, const char **argv)
{
	static const char *const words[] = { "record", "report", "diff" };
	const char *word = NULL;
	struct id_filter cpus = { 0 };
	struct err err = ERR_INIT;
	int most, ret = 0;

	for (u32 i = 0; argc && i < ARRAY_SIZE(words); i++)
		if (!strcmp(argv[0], words[i]))
			word = words[i];
	if (word)
		argc = parse_options(argc, argv, options, sched_stats_usage,
				     strcmp(word, "record") ? 0 : PARSE_STOP_AT_NON_OPTION);
	most = !word || !strcmp(word, "record") ? argc : !strcmp(word, "diff") ? 2 : 0;
	if (argc > most)
		return opt_usage_error(options, NULL, sched_stats_usage, "unexpected argument '%s'",
				       argv[most]);
	if (c->filter.cpu_list)
		ret = id_filter_parse_cpus(&cpus, c->filter.cpu_list, &err);
	if (!ret)
		ret = run_stats(c, word, argc, argv, &cpus, &err);
	id_filter_release(&cpus);
	return command_status(ret, &err, &c->command);
}
