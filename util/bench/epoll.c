/* epoll: threads that wait for events of many descriptors, or change which ones are watched. */
#include "bench.h"
#include "team.h"
#include "../base/alloc.h"
#include "../base/units.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#define NESTED_MAX 4u	/* deeper ones are refused by the kernel */

/* of one thread */
struct watcher {
	int *fd;		/* eventfds */
	int epoll;
	u64 ops[3];		/* of ctl: added, changed, removed */
};

struct epoll_bench {
	const struct bench_opts *o;
	u32 nr_fds, nr_threads;
	struct watcher *watcher;
	int shared;		/* the epoll of all threads, or -1 */
	int outer[NESTED_MAX];	/* epolls around the first one */
	u32 nr_outer;
	u32 events;		/* for epoll_ctl */
};

/* xorshift: which descriptor is next */
static u32 next_random(u32 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static u32 pick(const struct epoll_bench *b, u32 at, u32 *state)
{
	return b->o->random ? next_random(state) % b->nr_fds : at;
}

/* ---- wait ---- */

static int wait_one(const struct epoll_bench *b, int epoll, u64 *ops)
{
	struct epoll_event ev;
	u64 count;
	int nr = epoll_wait(epoll, &ev, 1, b->o->nonblocking ? 0 : 50);

	if (nr < 0)
		return errno == EINTR ? 0 : -errno;
	if (!nr)
		return 0;
	/* another thread may have been faster */
	if (read(ev.data.fd, &count, sizeof(count)) < 0 && errno != EAGAIN)
		return -errno;
	if (b->o->oneshot) {
		ev.events = b->events;
		if (epoll_ctl(epoll, EPOLL_CTL_MOD, ev.data.fd, &ev) < 0)
			return -errno;
	}
	++*ops;
	return 0;
}

/* the last member writes to all descriptors, the others wait for them */
static int write_all(struct bench_member *m)
{
	const struct epoll_bench *b = m->team->ctx;
	u32 state = 12345;
	u64 one = 1;

	while (!m->team->done)
		for (u32 t = 0; t < b->nr_threads; t++)
			for (u32 i = 0; i < b->nr_fds && !m->team->done; i++)
				if (write(b->watcher[t].fd[pick(b, i, &state)], &one, sizeof(one)) < 0 &&
				    errno != EAGAIN)
					return -errno;
	return 0;
}

static int wait_work(struct bench_member *m)
{
	const struct epoll_bench *b = m->team->ctx;
	u64 ops = 0;
	int ret = 0, epoll;

	if (m->nr == b->nr_threads)
		return write_all(m);
	epoll = b->shared >= 0 ? b->shared : b->watcher[m->nr].epoll;
	while (!ret && !m->team->done)
		ret = wait_one(b, epoll, &ops);
	m->ops = ops;
	return ret;
}

/* ---- ctl ---- */

static int change(int epoll, int op, int fd, u32 events, u64 *ops)
{
	struct epoll_event ev = { .events = events, .data.fd = fd };

	if (!epoll_ctl(epoll, op, fd, &ev))
		++*ops;
	else if (errno != EEXIST && errno != ENOENT)	/* of random ones */
		return -errno;
	return 0;
}

static int ctl_work(struct bench_member *m)
{
	static const int ops[] = { EPOLL_CTL_ADD, EPOLL_CTL_MOD, EPOLL_CTL_DEL };
	const struct epoll_bench *b = m->team->ctx;
	struct watcher *w = &b->watcher[m->nr];
	u32 state = m->nr + 1;
	u64 done[3] = { 0 };
	int ret = 0;

	while (!ret && !m->team->done)
		for (u32 i = 0; !ret && i < b->nr_fds; i++)
			for (u32 k = 0; !ret && k < ARRAY_SIZE(ops); k++)
				ret = change(w->epoll, ops[k], w->fd[pick(b, i, &state)],
					     ops[k] == EPOLL_CTL_MOD ? EPOLLIN | EPOLLOUT : EPOLLIN,
					     &done[k]);
	for (u32 k = 0; k < ARRAY_SIZE(ops); k++)
		w->ops[k] = done[k];
	return ret;
}

/* ---- both ---- */

static int make_watcher(struct epoll_bench *b, struct watcher *w, bool watch)
{
	int epoll;

	if (b->shared < 0) {
		w->epoll = epoll_create1(EPOLL_CLOEXEC);
		if (w->epoll < 0)
			return -errno;
	}
	epoll = b->shared >= 0 ? b->shared : w->epoll;
	for (u32 i = 0; i < b->nr_fds; i++) {
		struct epoll_event ev = { .events = b->events };

		w->fd[i] = ev.data.fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
		if (w->fd[i] < 0 || (watch && epoll_ctl(epoll, EPOLL_CTL_ADD, w->fd[i], &ev) < 0))
			return -errno;
	}
	return 0;
}

/* each level watches the one before it */
static int nest(struct epoll_bench *b)
{
	int inner = b->shared >= 0 ? b->shared : b->watcher[0].epoll;

	for (u32 i = 0; i < b->o->nested; i++) {
		struct epoll_event ev = { .events = EPOLLIN };
		int outer = epoll_create1(EPOLL_CLOEXEC);

		if (outer < 0)
			return -errno;
		b->outer[b->nr_outer++] = outer;
		ev.data.fd = inner;
		if (epoll_ctl(outer, EPOLL_CTL_ADD, inner, &ev) < 0)
			return -errno;
		inner = outer;
	}
	return 0;
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

static void release(struct epoll_bench *b)
{
	for (u32 t = 0; t < b->nr_threads; t++) {
		for (u32 i = 0; i < b->nr_fds; i++)
			close_fd(b->watcher[t].fd[i]);
		close_fd(b->watcher[t].epoll);
		free(b->watcher[t].fd);
	}
	for (u32 i = 0; i < b->nr_outer; i++)
		close_fd(b->outer[i]);
	close_fd(b->shared);
	free(b->watcher);
}

static void allow_files(void)
{
	struct rlimit files;

	if (!getrlimit(RLIMIT_NOFILE, &files) && files.rlim_cur < files.rlim_max) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
}

static int prepare(struct epoll_bench *b, bool wait, struct err *err)
{
	int ret = 0;

	if (b->o->nested > NESTED_MAX)
		return err_set(err, -EINVAL, "the kernel nests epolls %u deep at most", NESTED_MAX);
	if ((u64)b->nr_fds * b->nr_threads > 1 << 20)
		return err_set(err, -EINVAL, "%u descriptors for each of %u threads are too many", b->nr_fds,
			       b->nr_threads);
	allow_files();
	b->watcher = xcalloc(b->nr_threads, sizeof(*b->watcher));
	for (u32 t = 0; t < b->nr_threads; t++) {
		b->watcher[t].epoll = -1;
		b->watcher[t].fd = xcalloc(b->nr_fds, sizeof(int));
		for (u32 i = 0; i < b->nr_fds; i++)
			b->watcher[t].fd[i] = -1;
	}
	if (wait && !b->o->multi) {
		b->shared = epoll_create1(EPOLL_CLOEXEC);
		ret = b->shared < 0 ? -errno : 0;
	}
	for (u32 t = 0; !ret && t < b->nr_threads; t++)
		ret = make_watcher(b, &b->watcher[t], wait);
	if (!ret)
		ret = nest(b);
	if (!ret)
		return 0;
	err_sys(err, -ret, "cannot watch %u descriptors for each of %u threads", b->nr_fds, b->nr_threads);
	err_hint(err, "choose fewer with -f and -t, or raise the limit of open files (ulimit -n)");
	return ret;
}

int bench_epoll_wait(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	u32 cpus = bench_team_size(0), seconds = o->runtime ? o->runtime : 8;
	struct epoll_bench b = { .o = o, .nr_fds = o->nfds ? o->nfds : 64, .shared = -1,
				 .nr_threads = o->threads ? o->threads : MAX(cpus - 1, 1u) };
	struct bench_team team = {
		.size = b.nr_threads + 1, .pin = !o->no_affinity, .work = wait_work, .ctx = &b
	};
	struct bench_mean mean = { 0 };
	u64 ns = 0;
	int ret;

	b.events = EPOLLIN | (o->oneshot ? EPOLLONESHOT : 0) | (o->edge ? EPOLLET : 0);
	ret = prepare(&b, true, err);
	if (!ret) {
		bench_say(sink,
			  "Run summary [PID %d]: %u threads monitoring%s on %u file-descriptors for %u secs.",
			  getpid(), b.nr_threads, o->edge ? " (edge-triggered)" : "", b.nr_fds, seconds);
		bench_say(sink, "%s", "");
		ret = bench_team_run(&team, seconds, &ns, err);
	}
	for (u32 i = 0; !ret && i < b.nr_threads; i++) {
		u64 rate = team.member[i].ops * 1e9 / ns;

		bench_mean_add(&mean, rate);
		bench_say(sink, "[thread %2u] descriptors: %u [ %" PRIu64 " ops/sec ]", i, b.nr_fds, rate);
	}
	if (!ret) {
		bench_say(sink, "%s", "");
		bench_put(sink, "operations", bench_mean(&mean), "1/s", 0,
			  "Averaged %.0f operations/sec (+- %.2f%%), total secs = %u",
			  bench_mean(&mean), bench_mean_percent(&mean), seconds);
	}
	bench_team_release(&team);
	release(&b);
	return ret;
}

static void put_ctl(const struct bench_sink *sink, const struct epoll_bench *b)
{
	static const char *const words[] = { "ADD", "MOD", "DEL" }, *const keys[] = { "add", "mod", "del" };

	for (u32 t = 0; t < b->nr_threads; t++) {
		const u64 *ops = b->watcher[t].ops;

		bench_say(sink,
			  "[thread %2u] descriptors: %u [ add: %" PRIu64 " ops; mod: %" PRIu64
			  " ops; del: %" PRIu64 " ops ]",
			  t, b->nr_fds, ops[0], ops[1], ops[2]);
	}
	bench_say(sink, "%s", "");
	for (u32 k = 0; k < ARRAY_SIZE(words); k++) {
		struct bench_mean mean = { 0 };

		for (u32 t = 0; t < b->nr_threads; t++)
			bench_mean_add(&mean, b->watcher[t].ops[k]);
		bench_put(sink, keys[k], bench_mean(&mean), "", 0, "Averaged %.0f %s operations (+- %.2f%%)",
			  bench_mean(&mean), words[k], bench_mean_percent(&mean));
	}
}

int bench_epoll_ctl(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	u32 seconds = o->runtime ? o->runtime : 8;
	struct epoll_bench b = { .o = o, .nr_fds = o->nfds ? o->nfds : 64, .shared = -1, .events = EPOLLIN,
				 .nr_threads = bench_team_size(o->threads) };
	struct bench_team team = {
		.size = b.nr_threads, .pin = !o->no_affinity, .work = ctl_work, .ctx = &b
	};
	u64 ns = 0;
	int ret = prepare(&b, false, err);

	if (!ret) {
		bench_say(sink,
			  "Run summary [PID %d]: %u threads doing epoll_ctl ops %u file-descriptors for %u "
			  "secs.",
			  getpid(), b.nr_threads, b.nr_fds, seconds);
		bench_say(sink, "%s", "");
		ret = bench_team_run(&team, seconds, &ns, err);
	}
	if (!ret)
		put_ctl(sink, &b);
	bench_team_release(&team);
	release(&b);
	return ret;
}
