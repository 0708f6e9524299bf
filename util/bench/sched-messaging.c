/*
 * sched messaging: groups of 20 senders and 20 receivers. Each sender of a group sends messages of 100 bytes
 * to each of its receivers, through a socket or a pipe per receiver.
 */
#include "bench.h"
#include "team.h"
#include "../base/alloc.h"
#include "../base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define GROUP_SIDE 20u
#define MESSAGE_BYTES 100

struct channel { int out, in; };	/* where receivers read, and senders write */

struct messaging {
	struct channel *channel;	/* of receiver r of group g: [g * GROUP_SIDE + r] */
	u32 nr_channels;
	u64 loops;
};

static int send_message(int fd, const char *message)
{
	for (size_t done = 0; done < MESSAGE_BYTES;) {
		ssize_t n = write(fd, message + done, MESSAGE_BYTES - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		done += n;
	}
	return 0;
}

static int send_all(const struct messaging *ms, u32 group)
{
	static const char message[MESSAGE_BYTES];
	int ret = 0;

	for (u64 i = 0; !ret && i < ms->loops; i++)
		for (u32 r = 0; !ret && r < GROUP_SIDE; r++)
			ret = send_message(ms->channel[group * GROUP_SIDE + r].in, message);
	return ret;
}

static int receive_all(const struct messaging *ms, u32 channel)
{
	u64 want = ms->loops * GROUP_SIDE * MESSAGE_BYTES;
	char buf[MESSAGE_BYTES];

	while (want) {
		ssize_t n = read(ms->channel[channel].out, buf, MIN(want, sizeof(buf)));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EPIPE;
		want -= n;
	}
	return 0;
}

/* of the 40 members of a group, the first 20 receive */
static int work(struct bench_member *m)
{
	const struct messaging *ms = m->team->ctx;
	u32 group = m->nr / (2 * GROUP_SIDE), place = m->nr % (2 * GROUP_SIDE);

	return place < GROUP_SIDE ? receive_all(ms, group * GROUP_SIDE + place) : send_all(ms, group);
}

static void close_channels(struct messaging *ms)
{
	for (u32 i = 0; i < ms->nr_channels; i++) {
		close(ms->channel[i].out);
		close(ms->channel[i].in);
	}
	free(ms->channel);
}

static int open_channels(struct messaging *ms, u32 nr, bool pipes, struct err *err)
{
	struct rlimit files;
	int fds[2];

	if (!getrlimit(RLIMIT_NOFILE, &files) && files.rlim_cur < files.rlim_max) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	ms->channel = xcalloc(nr, sizeof(*ms->channel));
	for (; ms->nr_channels < nr; ms->nr_channels++) {
		if ((pipes ? pipe(fds) : socketpair(AF_UNIX, SOCK_STREAM, 0, fds)) < 0) {
			err_sys(err, errno, "cannot open channel %u of %u", ms->nr_channels + 1, nr);
			err_hint(err,
				 "choose fewer groups with -g, or raise the limit of open files (ulimit -n)");
			return err->code;
		}
		ms->channel[ms->nr_channels] = (struct channel){ fds[0], fds[1] };
	}
	return 0;
}

int bench_sched_messaging(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	u32 groups = o->groups ? o->groups : 10;
	struct messaging ms = { .loops = o->loops ? o->loops : 100 };
	struct bench_team team = {
		.size = groups * 2 * GROUP_SIDE, .processes = !o->use_threads, .work = work, .ctx = &ms
	};
	const char *tasks = o->use_threads ? "threads" : "processes";
	u64 begin = 0;
	int ret;

	if (groups > 10000)
		return err_set(err, -EINVAL, "%u groups are too many: 10000 is the limit", groups);
	ret = open_channels(&ms, groups * GROUP_SIDE, o->use_pipe, err);
	if (!ret)
		ret = bench_team_start(&team, &begin, err);
	if (!ret) {
		ret = bench_team_join(&team);
		if (ret)
			err_sys(err, -ret, "a task of the benchmark failed");
	}
	begin = clock_ns(CLOCK_MONOTONIC) - begin;
	bench_team_release(&team);
	close_channels(&ms);
	if (ret)
		return ret;
	bench_say(sink, "# %u sender and receiver %s per group", GROUP_SIDE, tasks);
	bench_say(sink, "# %u groups == %u %s run", groups, team.size, tasks);
	bench_say(sink, "%s", "");
	bench_put_total(sink, begin);
	return 0;
}
