/* perf record --fold: see builtin-fold.h. */
#include "builtin-fold.h"
#include "builtin-data.h"
#include "builtin-inject.h"
#include "util/base/alloc.h"
#include "util/base/log.h"
#include "util/base/units.h"
#include "util/observe/loop.h"
#include "util/sym/store.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATH_BYTES 4096u	/* of the name of a file */
#define TMP ".tmp"
/* what is not converted then, after a signal ended the recorder, is kept; perf daemon waits for a minute */
#define END_NS (30 * 1000000000ull)
#define QUIET_NS 1000000000ull	/* nobody is told of a shorter end */
/* of symbols: less than for commands that run once, because it runs all the time */
#define STORE_BYTES (16u << 20)

/* of the process that converts */
struct fold_job {
	const struct fold_opts *o;
	struct data_cmd cmd;
	struct kept_outputs kept;
};

struct fold_format {
	const char *name, *suffix;
	int (*convert)(struct fold_job *j, const char *from, const char *to, struct err *err);
};

struct fold_process {
	const struct fold_opts *o;
	int fd;
	pid_t pid;
	struct { VEC(char *); } given;	/* files that it has not answered yet, oldest first */
	bool told;			/* a file could not be given */
};

/* ---- formats ---- */

static int convert_stacks(struct fold_job *j, const char *from, const char *to, struct err *err)
{
	return data_convert_file(&j->cmd, from, to, err);
}

static int convert_pack(struct fold_job *j, const char *from, const char *to, struct err *err)
{
	struct session_opts so = j->cmd.session;
	struct inject_opts inject = { .output = to };
	struct session *s;
	int ret;

	so.data.path = from;
	ret = session_open(&s, &so, err);
	if (ret)
		return ret;
	inject_pack_opts(&inject, s);
	ret = inject_run(s, &inject, err);
	session_close(s);
	return ret;
}

static const struct fold_format formats[] = {
	{ "pprof", ".pb.gz", convert_stacks },
	{ "rows", ".rows", convert_stacks },
	{ "pack", ".pack", convert_pack },
};

/* ---- options ---- */

int opt_fold(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct fold_opts *o = opt->value;

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (!strcmp(formats[i].name, arg)) {
			o->format = &formats[i];
			return 0;
		}
	return opt_error(opt, "takes pprof, rows or pack, not '%s'", arg);
}

int opt_fold_label(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct fold_opts *o = opt->value;
	const char *equals = strchr(arg, '=');

	if (!equals || equals == arg)
		return opt_error(opt, "'%s' is not a label: key=value", arg);
	vec_push(&o->label, arg);
	return 0;
}

int fold_parse_keep(const char *arg, u64 *ret_ns, u64 *ret_bytes, struct err *err)
{
	char *copy = xstrdup(arg), *save = NULL;
	int ret = *arg ? 0 : -EINVAL;

	for (char *p = strtok_r(copy, ",", &save); p && !ret; p = strtok_r(NULL, ",", &save)) {
		bool size = strchr("BKMGT", p[strlen(p) - 1]);
		u64 *to = size ? ret_bytes : ret_ns;

		ret = strchr("BKMGTsmhd", p[strlen(p) - 1]) ? 0 : -EINVAL;
		if (!ret)
			ret = size ? parse_size(p, to) : parse_duration(p, 1000000000, to);
		if (!ret && !*to)
			ret = -EINVAL;
	}
	free(copy);
	if (!ret)
		return 0;
	return err_set(err, -EINVAL, "'%s' is neither a time (7d), a size (2G), nor both (7d,2G)", arg);
}

int opt_fold_keep(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct fold_opts *o = opt->value;
	struct err err = ERR_INIT;

	o->keep_given = arg;
	return fold_parse_keep(arg, &o->keep.ns, &o->keep.bytes, &err) ? opt_error(opt, "%s", err.msg) : 0;
}

int fold_check(const struct fold_opts *o, struct err *err)
{
	const char *alone = o->keep_given ? "--fold-keep" : o->label.nr ? "--fold-label" :
			    o->lock ? "--fold-lock" : NULL;

	if (!o->format && alone)
		return err_set(err, -EINVAL, "%s needs --fold", alone);
	if (o->format && o->format->convert == convert_pack && o->label.nr)
		return err_set(err, -EINVAL, "--fold-label needs --fold pprof or rows: packed recordings "
			       "have no labels");
	return 0;
}

/* ---- the process ---- */

static void lower_priority(void)
{
	setpriority(PRIO_PROCESS, 0, 19);
	umask(077);	/* profiles tell as much as recordings, which others cannot read */
	prctl(PR_SET_NAME, "perf-fold");
	/* the recorder ends by them, and then this process, when all is converted */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGUSR1, SIG_IGN);
	signal(SIGUSR2, SIG_IGN);
}

/* waits until no other process converts. -1: no lock was asked for, or it failed; then several may convert */
static int take_lock(const struct fold_opts *o)
{
	int fd = o->lock ? open(o->lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;

	if (o->lock && (fd < 0 || flock(fd, LOCK_EX)))
		log_warn("cannot lock %s: %s", o->lock, strerror(errno));
	return fd;
}

static void fold_one(struct fold_job *j, const char *path)
{
	char *to = xasprintf("%s%s", path, j->o->format->suffix), *tmp = xasprintf("%s" TMP, to);
	struct err err = ERR_INIT;
	int lock = take_lock(j->o), ret;

	output_remove(tmp);
	ret = j->o->format->convert(j, path, tmp, &err);
	if (lock >= 0)
		close(lock);
	if (!ret && rename(tmp, to))
		ret = err_sys(&err, errno, "cannot rename %s to %s", tmp, to);
	if (ret) {
		log_warn("%s is kept as it is: %s", path, err.msg);
		output_remove(tmp);
	} else {
		log_v("[ perf record: Folded %s ]", to);
		unlink(path);
		kept_outputs_add(&j->kept, to);
	}
	free(tmp);
	free(to);
}

static void job_init(struct fold_job *j, const struct fold_opts *o, const char *output)
{
	*j = (struct fold_job){ .o = o, .cmd = { .session = { .sym = SYM_OPTS_INIT, .jobs = 1,
				.itrace.decodes = true }, .inlines = true, .quiet = true } };
	j->cmd.session.data.force = true;
	j->cmd.session.sym.store = sym_store_new(STORE_BYTES);
	j->cmd.to = format_find_stacks(o->format->name);
	kept_outputs_init(&j->kept, &o->keep, output, o->format->suffix);
	vec_foreach(&o->label, l)
		vec_push(&j->cmd.label, *l);
}

/* never returns */
static void serve(const struct fold_opts *o, const char *output, int fd)
{
	char path[PATH_BYTES];
	struct fold_job j;
	ssize_t len;

	lower_priority();
	job_init(&j, o, output);
	while ((len = recv(fd, path, sizeof(path), 0)) > 0 || (len < 0 && errno == EINTR))
		if (len > 0 && !path[len - 1]) {
			fold_one(&j, path);
			send(fd, "", 1, MSG_NOSIGNAL);	/* the answer */
			alloc_give_back();	/* it may wait long for the next one */
		}
	_exit(0);
}

struct fold_process *folder_new(const struct fold_opts *o, const char *output, struct err *err)
{
	struct fold_process *f = xcalloc(1, sizeof(*f));
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd)) {
		err_sys(err, errno, "cannot create a socket");
		free(f);
		return NULL;
	}
	f->pid = fork();
	if (!f->pid) {
		close(fd[0]);
		serve(o, output, fd[1]);
	}
	close(fd[1]);
	f->o = o;
	f->fd = fd[0];
	if (f->pid < 0) {
		err_sys(err, errno, "cannot create the process that converts");
		close(f->fd);
		free(f);
		return NULL;
	}
	return f;
}

static void drop_first(struct fold_process *f)
{
	if (!f->given.nr)
		return;
	free(f->given.v[0]);
	memmove(f->given.v, f->given.v + 1, --f->given.nr * sizeof(*f->given.v));
}

/* false: it has ended */
static bool take_answers(struct fold_process *f)
{
	ssize_t ret;
	char byte;

	while ((ret = recv(f->fd, &byte, 1, MSG_DONTWAIT)) > 0)
		drop_first(f);
	return ret < 0 && (errno == EAGAIN || errno == EINTR);
}

void folder_give(void *ctx, const char *path)
{
	struct fold_process *f = ctx;
	size_t len = strlen(path) + 1;

	take_answers(f);
	if (len <= PATH_BYTES && send(f->fd, path, len, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)len) {
		vec_push(&f->given, xstrdup(path));
		return;
	}
	if (!f->told)
		log_warn("%s and maybe later files are kept as they are: the process that converts them %s",
			 path, errno == EAGAIN ? "is too slow" : "has ended");
	f->told = true;
}

/* ---- the end ---- */

static void tell_wait(const struct fold_process *f, bool by_signal)
{
	char until[32] = "";

	if (by_signal)
		snprintf(until, sizeof(until), " for at most %llu s", END_NS / 1000000000);
	log_note("[ perf record: Converting the last %zu file%s%s (Ctrl-C leaves files unconverted) ]",
		 f->given.nr, plural(f->given.nr), until);
}

/* waits until all files are converted and the process has ended; false: it is to be stopped */
static bool wait_end(struct fold_process *f, bool by_signal)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	u64 start = clock_ns(CLOCK_MONOTONIC), waited = 0;
	struct loop loop = LOOP_NONE;
	struct err err = ERR_INIT;
	bool told = false, signalled = false, ended;

	if (!loop_init(&loop, &err))
		loop_add_signals(&loop, signals, ARRAY_SIZE(signals), &err);
	while (!(ended = !take_answers(f)) && !signalled && (!by_signal || waited < END_NS)) {
		if (!told && waited >= QUIET_NS && f->given.nr) {
			tell_wait(f, by_signal);
			told = true;
		}
		loop_wait_fd(&loop, f->fd, QUIET_NS / 1000000);
		signalled = loop_take_signal(&loop);
		waited = clock_ns(CLOCK_MONOTONIC) - start;
	}
	loop_release(&loop);
	return ended;
}

/* of the file that it was at when it was killed */
static void clean_up(struct fold_process *f)
{
	char *to = xasprintf("%s%s", f->given.v[0], f->o->format->suffix), *tmp = xasprintf("%s" TMP, to);

	output_remove(tmp);
	if (!access(to, F_OK)) {	/* it was converted, and maybe not removed */
		unlink(f->given.v[0]);
		drop_first(f);
	}
	free(tmp);
	free(to);
}

static void tell_kept(const struct fold_process *f)
{
	u32 nr = f->given.nr;

	if (nr)
		log_warn("%s%s%s %s kept as %s, because there was no time to convert %s: 'perf %s' does",
			 f->given.v[0], nr > 1 ? " to " : "", nr > 1 ? f->given.v[nr - 1] : "",
			 nr > 1 ? "are" : "is", nr > 1 ? "they are" : "it is", nr > 1 ? "them" : "it",
			 f->o->format->convert == convert_pack ? "pack" : "data convert");
}

void folder_free(struct fold_process *f, bool by_signal)
{
	bool told, ended;
	int status = 0;

	if (!f)
		return;
	told = !shutdown(f->fd, SHUT_WR);	/* else it would wait for files for ever */
	/* now somebody waits for it; without privileges it stays as it is */
	setpriority(PRIO_PROCESS, f->pid, getpriority(PRIO_PROCESS, 0));
	ended = told && wait_end(f, by_signal);
	if (!ended)
		kill(f->pid, SIGKILL);
	while (waitpid(f->pid, &status, 0) < 0 && errno == EINTR)
		;
	take_answers(f);
	if (!ended && f->given.nr) {
		clean_up(f);
		tell_kept(f);
	}
	/* it can have ended with files in its hands, or before it took the last ones */
	if (ended && !f->told && !(WIFEXITED(status) && !WEXITSTATUS(status)))
		log_warn("the last files are kept as they are: the process that converts them has ended");
	vec_foreach(&f->given, path)
		free(*path);
	vec_release(&f->given);
	close(f->fd);
	free(f);
}
