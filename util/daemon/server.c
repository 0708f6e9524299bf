/* Server of perf daemon: its loop, its sessions and their configuration. */
#include "server-private.h"
#include "../base/alloc.h"
#include "../base/fs.h"
#include "../base/log.h"
#include "../base/units.h"
#include "../cli/config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000ull
#define GRACE_NS (60 * NS_PER_S)	/* to finish a file: build-ids, compression, a slow disk */
#define DIVISOR_MAX 64u			/* of frequencies that budgets lower */
#define CONFIG_NS (NS_PER_S / 5)	/* an editor writes a file in several steps */

enum daemon_timer { TIMER_CONFIG, TIMER_DEADLINE };

void server_log(struct server *s, const char *fmt, ...)
{
	struct strbuf line = STRBUF_INIT;
	struct timespec now;
	struct tm tm;
	char date[32];
	va_list ap;

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &tm);
	strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm);
	strbuf_addf(&line, "[%s.%06ld] ", date, now.tv_nsec / 1000);
	va_start(ap, fmt);
	strbuf_vaddf(&line, fmt, ap);
	va_end(ap);
	text_sanitize(line.buf, line.len);
	strbuf_addch(&line, '\n');
	/* a full disk must not end the sessions that write to others */
	fd_write_all(s->log_fd, line.buf, line.len);
	if (s->o->foreground)
		fd_write_all(STDERR_FILENO, line.buf, line.len);
	strbuf_release(&line);
}

/* --- sessions */

static void start_session(struct server *s, struct daemon_session *d)
{
	struct err err = ERR_INIT;
	int ret = daemon_session_start(d, &s->base, &s->loop.old_mask, &err);

	if (!ret && loop_add_fd(&s->loop, d->pidfd, WATCH_ID(d->id, WATCH_RECORDER), &err)) {
		/* nothing will tell that it has ended */
		daemon_session_kill(d);
		d->kill_ns = clock_ns(CLOCK_MONOTONIC) + NS_PER_S;
		ret = err.code;
	}
	if (ret)
		server_log(s, "session '%s' could not be started: %s", d->name, err.msg);
	else
		server_log(s, "reconfig: running session [%s:%d]: %s", d->name, d->pid, d->run);
}

static void forget_session(struct server *s, u32 at)
{
	daemon_session_free(s->session.v[at]);
	memmove(&s->session.v[at], &s->session.v[at + 1],
		(--s->session.nr - at) * sizeof(s->session.v[0]));
}

/* ends the recorder; then another one starts, with these arguments */
static void restart_session(struct daemon_session *d, const char *run)
{
	char *next = xstrdup(run);

	free(d->next_run);
	d->next_run = next;
	daemon_session_end(d, GRACE_NS);
}

/* the new run and budget of a session; it starts when the recorder of the old one has ended */
static void change_session(struct server *s, struct daemon_session *d, const struct daemon_setting *want)
{
	bool equal = !strcmp(d->run, want->run) && budget_equal(&d->budget, &want->budget);

	d->removed = false;
	if (d->pid && equal && !d->kill_ns)
		return;
	/* other arguments may cost less, and so may others that are not known here */
	if (!equal || !d->pid)
		d->divisor = 1;
	d->budget = want->budget;
	if (d->pid) {
		restart_session(d, want->run);
		return;
	}
	free(d->run);
	d->run = xstrdup(want->run);
	start_session(s, d);
}

static void apply_settings(struct server *s, const struct daemon_settings *settings)
{
	vec_foreach(&settings->session, want) {
		struct daemon_session *found = NULL;

		vec_foreach(&s->session, d)
			if (!strcmp((*d)->name, want->name))
				found = *d;
		if (found) {
			change_session(s, found, want);
			continue;
		}
		found = daemon_session_new(want, s->next_id++);
		vec_push(&s->session, found);
		start_session(s, found);
	}
	for (u32 i = s->session.nr; i-- > 0;) {
		struct daemon_session *d = s->session.v[i];

		if (daemon_setting_find(settings, d->name))
			continue;
		d->removed = true;
		free(d->next_run);
		d->next_run = NULL;
		if (d->pid)
			daemon_session_end(d, GRACE_NS);
		else
			forget_session(s, i);
	}
}

static void read_settings(struct server *s)
{
	struct daemon_settings settings;
	struct err err = ERR_INIT;

	if (s->stopping)
		return;
	if (daemon_settings_read(&settings, s->o->config, &err)) {
		server_log(s, "reconfig: sessions are left as they are: %s", err.msg);
		return;
	}
	if (!s->o->base && settings.base && strcmp(settings.base, s->base_word))
		server_log(s, "reconfig: the base directory changes when the daemon is started again");
	apply_settings(s, &settings);
	daemon_settings_release(&settings);
}

static void session_ended(struct server *s, u32 at)
{
	struct daemon_session *d = s->session.v[at];
	bool asked = d->kill_ns;

	if (d->pinged)
		loop_del_fd(&s->loop, d->ack_fd);
	loop_del_fd(&s->loop, d->pidfd);
	if (!daemon_session_reap(d)) {
		loop_add_fd(&s->loop, d->pidfd, WATCH_ID(d->id, WATCH_RECORDER), NULL);
		return;
	}
	if (WIFSIGNALED(d->status))
		server_log(s, "session '%s' killed (signal %d)", d->name, WTERMSIG(d->status));
	else
		server_log(s, "session '%s' exited, status=%d%s", d->name, WEXITSTATUS(d->status),
			   d->status && !asked ? ": see its output" : "");
	server_settle(s, d, DAEMON_ENDED);
	if (d->removed) {
		forget_session(s, at);
	} else if (d->next_run && !s->stopping) {
		free(d->run);
		d->run = d->next_run;
		d->next_run = NULL;
		start_session(s, d);
	}
}

static void session_event(struct server *s, u32 id, enum watched what)
{
	for (u32 i = 0; i < s->session.nr; i++) {
		struct daemon_session *d = s->session.v[i];

		if (d->id != id || !d->pid)
			continue;
		if (what == WATCH_RECORDER) {
			session_ended(s, i);
		} else if (d->pinged && daemon_session_answered(d)) {
			loop_del_fd(&s->loop, d->ack_fd);
			server_settle(s, d, DAEMON_RUNS);
		}
		return;
	}
}

/* --- the loop */

void server_stop(struct server *s)
{
	/* asked twice, it does not wait for files to be finished */
	u64 grace = s->stopping ? 0 : GRACE_NS;

	s->stopping = true;
	vec_foreach(&s->session, d)
		daemon_session_end(*d, grace);
}

static void on_signal(struct server *s, int sig)
{
	if (sig == SIGHUP && !s->o->foreground) {
		read_settings(s);
		return;
	}
	server_log(s, "got signal %d", sig);
	server_stop(s);
}

static void on_event(struct server *s, const struct loop_event *e)
{
	enum watched what = e->id % WATCHED;
	u32 id = e->id / WATCHED;

	if (e->kind == LOOP_SIGNAL) {
		on_signal(s, e->id);
	} else if (e->kind == LOOP_TIMER) {
		if (e->id == TIMER_CONFIG)
			read_settings(s);
	} else if (what == WATCH_LISTEN) {
		server_accept(s);
	} else if (what == WATCH_CONFIG) {
		if (config_watch_changed(&s->watch))
			loop_set_timer(&s->loop, TIMER_CONFIG, CONFIG_NS, 0, NULL);
	} else if (what == WATCH_CLIENT) {
		server_read_client(s, id);
	} else {
		session_event(s, id, what);
	}
}

/* a session that used more than its budget samples half as often; its file of now is finished before */
static void check_budget(struct server *s, struct daemon_session *d, u64 now_ns)
{
	enum budget_kind kind = budget_check(&d->meter, &d->budget, d->pid, now_ns);
	struct strbuf text = STRBUF_INIT;

	if (kind == BUDGET_KINDS)
		return;
	budget_text(&text, &d->budget, kind);
	d->exceeded = kind;
	if (d->divisor < DIVISOR_MAX) {
		d->divisor *= 2;
		server_log(s, "session '%s' exceeded %s: frequency divided by %u", d->name,
			   strbuf_str(&text), d->divisor);
		restart_session(d, d->run);
	} else {
		server_log(s, "session '%s' exceeded %s with the lowest frequency", d->name,
			   strbuf_str(&text));
	}
	strbuf_release(&text);
}

/* the next time at which the budget is measured; 0: never */
static u64 watch_budget(struct server *s, struct daemon_session *d, u64 now_ns)
{
	if (!d->pid || d->kill_ns)
		return 0;
	check_budget(s, d, now_ns);
	return d->kill_ns ? 0 : budget_next(&d->meter);
}

static u64 earlier(u64 a_ns, u64 b_ns)
{
	return a_ns && b_ns ? MIN(a_ns, b_ns) : a_ns ? a_ns : b_ns;
}

/* kills a recorder whose time is over, unless it has ended unnoticed */
static void check_deadline(struct server *s, u32 at, u64 now_ns)
{
	struct daemon_session *d = s->session.v[at];

	if (!d->pid || !d->kill_ns || d->kill_ns > now_ns)
		return;
	if (daemon_session_has_ended(d)) {
		session_ended(s, at);
		return;
	}
	server_log(s, "session '%s' does not end: killed", d->name);
	daemon_session_kill(d);
	d->kill_ns = now_ns + NS_PER_S;
}

/* looks after all sessions, and sets the timer for the next time; false: no recorder runs */
static bool check_deadlines(struct server *s)
{
	u64 now = clock_ns(CLOCK_MONOTONIC), next = server_check_waits(s, now);
	bool running = false;

	for (u32 i = s->session.nr; i-- > 0;)	/* one that has ended can leave the list */
		check_deadline(s, i, now);
	vec_foreach(&s->session, d) {
		next = earlier(next, watch_budget(s, *d, now));
		if ((*d)->pid)
			next = earlier(next, (*d)->kill_ns);
		running |= (*d)->pid != 0;
	}
	loop_set_timer(&s->loop, TIMER_DEADLINE, next ? MAX(next - now, 1) : 0, 0, NULL);
	return running;
}

static int run_loop(struct server *s, struct err *err)
{
	while (check_deadlines(s) || !s->stopping) {
		struct loop_event e[16];
		int n = loop_wait(&s->loop, e, ARRAY_SIZE(e));

		if (n < 0)
			return err_sys(err, -n, "cannot wait for events");
		for (int i = 0; i < n; i++)
			on_event(s, &e[i]);
	}
	return 0;
}

/* --- start and end */

char *daemon_base(const struct daemon_opts *o, struct err *err)
{
	return o->base ? xstrdup(o->base) : daemon_settings_base(o->config, err);
}

static int open_log(struct server *s, struct err *err)
{
	int null;

	s->log_fd = base_dir_output(s->base.fd, s->base.path, err);
	if (s->log_fd < 0)
		return s->log_fd;
	null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		close(null);
	}
	if (s->o->foreground)
		return 0;
	dup2(s->log_fd, STDOUT_FILENO);
	dup2(s->log_fd, STDERR_FILENO);
	return 0;
}

static int open_all(struct server *s, struct err *err)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	int ret;

	s->base_word = daemon_base(s->o, err);
	ret = s->base_word ? base_dir_open(&s->base, s->base_word, false, err) : err->code;
	if (!ret)
		ret = base_dir_lock(&s->base, err);
	if (!ret)
		ret = loop_init(&s->loop, err);
	if (!ret)
		ret = loop_add_signals(&s->loop, signals, ARRAY_SIZE(signals), err);
	if (!ret) {
		s->listen_fd = base_dir_listen(&s->base, err);
		ret = MIN(s->listen_fd, 0);
	}
	if (!ret)
		ret = loop_add_fd(&s->loop, s->listen_fd, WATCH_ID(0, WATCH_LISTEN), err);
	if (!ret)
		ret = config_watch_open(&s->watch, s->o->config, err);
	if (!ret)
		ret = loop_add_fd(&s->loop, s->watch.fd, WATCH_ID(0, WATCH_CONFIG), err);
	return ret ? ret : open_log(s, err);
}

static void release(struct server *s)
{
	vec_foreach(&s->session, d)
		daemon_session_free(*d);
	vec_release(&s->session);
	if (s->listen_fd >= 0)
		close(s->listen_fd);
	base_dir_unlock(&s->base);
	server_release_clients(s);
	config_watch_close(&s->watch);
	loop_release(&s->loop);
	if (s->log_fd >= 0)
		close(s->log_fd);
	base_dir_release(&s->base);
	free(s->base_word);
}

/* whose file system could not be unmounted; but a relative path of the configuration needs it */
static void leave_directory(const struct daemon_opts *o)
{
	const char *path[2] = { o->config };
	u32 nr = o->config ? 1 : config_paths(path);

	for (u32 i = 0; i < nr; i++)
		if (*path[i] != '/')
			return;
	if (!o->foreground && chdir("/"))
		log_warn("cannot change to the directory /: %s", strerror(errno));
}

int daemon_serve(const struct daemon_opts *o, void (*ready)(void *ctx), void *ctx, struct err *err)
{
	struct server s = { .o = o, .base = BASE_DIR_NONE, .loop = LOOP_NONE, .watch = CONFIG_WATCH_NONE,
			    .listen_fd = -1, .log_fd = -1, .next_id = 1,
			    .start_ns = clock_ns(CLOCK_MONOTONIC) };
	struct daemon_settings settings;
	int ret = daemon_settings_read(&settings, o->config, err);

	if (ret)
		return ret;
	/* a reader of its messages that ends, and a limit of file sizes, must not end it */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	ret = open_all(&s, err);
	if (!ret) {
		leave_directory(o);
		server_log(&s, "daemon started (pid %d)", getpid());
		apply_settings(&s, &settings);
		ready(ctx);
		ret = run_loop(&s, err);
		server_log(&s, "daemon exited");
	}
	daemon_settings_release(&settings);
	release(&s);
	return ret;
}

/* --- apart */

_Static_assert(sizeof(struct err) <= 4096, "an error is written to a pipe at once");

/* an error or, if it went well, an empty one */
static void tell_parent(int fd, const struct err *err)
{
	fd_write_all(fd, err, sizeof(*err));
	close(fd);
}

static void ready_apart(void *ctx)
{
	struct err none = ERR_INIT;

	tell_parent(*(int *)ctx, &none);
	*(int *)ctx = -1;
}

/* runs in the child: never returns */
static void serve_child(const struct daemon_opts *o, int fd)
{
	struct err err = ERR_INIT;
	int ret;

	setsid();
	ret = daemon_serve(o, ready_apart, &fd, &err);
	if (fd >= 0)
		tell_parent(fd, &err);
	_exit(ret ? 1 : 0);
}

int daemon_serve_apart(const struct daemon_opts *o, struct err *err)
{
	struct err said = ERR_INIT;
	int fds[2];
	ssize_t n;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return err_sys(err, errno, "cannot create a pipe");
	pid = fork();
	if (!pid) {
		close(fds[0]);
		serve_child(o, fds[1]);
	}
	close(fds[1]);
	if (pid < 0) {
		int code = errno;

		close(fds[0]);
		return err_sys(err, code, "cannot create the daemon's process");
	}
	do
		n = read(fds[0], &said, sizeof(said));
	while (n < 0 && errno == EINTR);
	close(fds[0]);
	if (n != sizeof(said))
		return err_set(err, -EIO, "the daemon ended before it was ready");
	return said.code ? err_copy(err, &said) : 0;
}
