/* Streams: writing into a directory in parallel. */
#include "streams.h"
#include "../observe/affinity.h"
#include "../observe/loop.h"
#include "../observe/observer.h"
#include "../kernel/target.h"

#include <errno.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* the buffer grows to the size of a ring and is kept */
static void copy_spans(struct strbuf *copy, const struct iovec *iov, int nr)
{
	strbuf_reset(copy);
	for (int i = 0; i < nr; i++)
		strbuf_add(copy, iov[i].iov_base, iov[i].iov_len);
}

/* cuts the spans to their first len bytes; returns how many are left */
static int iov_head(struct iovec *iov, int nr, size_t len)
{
	int i;

	for (i = 0; i < nr && len; i++) {
		iov[i].iov_len = MIN(iov[i].iov_len, len);
		len -= iov[i].iov_len;
	}
	return i;
}

/*
 * one write per frame: if one fails, the frames before it are in the file. *ret_done: the number of bytes of
 * the spans in the file
 */
static int write_packed(struct writer *out, struct packer *packer, const struct iovec *iov, int nr,
			size_t *ret_done)
{
	s64 n;

	*ret_done = 0;
	while ((n = packer_frame(packer, iov, nr, *ret_done)) > 0) {
		int ret = writer_write(out, packer->out.buf, packer->out.len);

		if (ret < 0)
			return ret;
		*ret_done += n;
	}
	return n;
}

s64 ring_write_out(struct ring *ring, struct writer *out, struct packer *packer, struct ring_counts *c,
		   const struct ring_plan *plan, u64 at_least)
{
	struct iovec iov[2];
	int nr = ring_peek(ring, iov), ret;
	u64 bytes = iov_bytes(iov, nr);
	size_t done = bytes;

	if (!bytes || bytes < at_least)
		return 0;
	if (plan->no_build_ids) {
		copy_spans(&packer->copy, iov, nr);
		iov[0] = (struct iovec){ packer->copy.buf, packer->copy.len };
		nr = 1;
		ring_clear_build_id_bit(iov, nr);
	}
	if (packer->ctx) {
		ret = write_packed(out, packer, iov, nr, &done);
	} else {
		ret = writer_writev(out, iov, nr);
		if (ret < 0)
			done = out->kept;
	}
	/* samples that were not written do not count */
	nr = iov_head(iov, nr, done);
	ring_count(c, plan, iov, nr);
	ring_consume(ring);
	return ret < 0 ? ret : (s64)bytes;
}

struct stream_group {
	struct cpulist cpus, near;
};

struct stream_groups {
	struct { VEC(struct stream_group); } v;
};

/* rings of threads: as many streams as there are CPUs to run them */
static int ring_group_cpu(const struct rings *rs, const struct ring *r, long online)
{
	return r->cpu >= 0 ? r->cpu : (int)((r - rs->r.v) % online);
}

/* the CPUs that are in the same stream as cpu, according to word; only cpu if the machine does not tell */
static void cpus_beside(struct cpulist *ret, const char *word, int cpu)
{
	struct strbuf path = STRBUF_INIT;

	if (!strcmp(word, "numa")) {
		affinity_node_cpus(cpu, ret);
	} else if (strcmp(word, "cpu")) {
		strbuf_addf(&path, "/sys/devices/system/cpu/cpu%d/topology/%s", cpu,
			    !strcmp(word, "core") ? "core_cpus_list" : "package_cpus_list");
		cpulist_read(ret, path.buf);
	}
	cpulist_add(ret, cpu);
	strbuf_release(&path);
}

static bool is_word(const char *spec)
{
	return !strcmp(spec, "cpu") || !strcmp(spec, "core") || !strcmp(spec, "package") ||
	       !strcmp(spec, "numa");
}

/* adds a stream for the CPUs, whose thread runs on near; takes ownership of both */
static void add_group(struct stream_groups *g, struct cpulist cpus, struct cpulist near)
{
	struct stream_group *new = vec_add(&g->v);

	new->cpus = cpus;
	new->near = near;
}

static void groups_release(struct stream_groups *g)
{
	vec_foreach(&g->v, one) {
		vec_release(&one->cpus);
		vec_release(&one->near);
	}
	vec_release(&g->v);
}

/* -1 if no stream has this CPU */
static int group_of(const struct stream_groups *g, int cpu)
{
	for (size_t i = 0; i < g->v.nr; i++)
		if (cpulist_has(&g->v.v[i].cpus, cpu))
			return i;
	return -1;
}

/* "0-1/4": two lists, or one that is used for both */
static int parse_group(struct stream_groups *g, const char *one, const struct cpulist *online,
		       struct err *err)
{
	const char *slash = strchr(one, '/');
	char *cpus_word = xstrndup(one, slash ? (size_t)(slash - one) : strlen(one));
	struct cpulist cpus = { 0 }, near = { 0 };
	int ret = cpulist_parse(&cpus, cpus_word, err);

	if (!ret)
		ret = cpulist_parse(&near, slash ? slash + 1 : cpus_word, err);
	if (!ret && (!cpus.nr || !near.nr))
		ret = err_set(err, -EINVAL, "'%s' names no CPUs", one);
	vec_foreach(&cpus, c) {
		if (!ret && group_of(g, *c) >= 0)
			ret = err_set(err, -EINVAL, "CPU %d is in two lists", *c);
	}
	vec_foreach(&near, c) {
		if (!ret && !cpulist_has(online, *c))
			ret = err_set(err, -EINVAL, "CPU %d is not online", *c);
	}
	free(cpus_word);
	add_group(g, cpus, near);
	return ret;
}

static int parse_groups(struct stream_groups *g, const char *spec, struct err *err)
{
	struct cpulist online = { 0 };
	int ret = cpus_online(&online, err);

	for (const char *p = spec; !ret && *p;) {
		size_t len = strcspn(p, ":");
		char *one = xstrndup(p, len);

		ret = parse_group(g, one, &online, err);
		free(one);
		p += len + (p[len] == ':');
	}
	vec_release(&online);
	return ret ? err_prefix(err, "--threads takes cpu, core, package, numa, or lists of CPUs "
				"(0-1:2-3, 0/1:1/0): ") : 0;
}

/*
 * a word makes a group of each CPU's neighbours; lists are used as they are, and CPUs in no list go to the
 * first group
 */
static int find_groups(struct stream_groups *g, const struct rings *rs, const char *spec, struct err *err)
{
	long online = MAX(sysconf(_SC_NPROCESSORS_ONLN), 1);

	if (!is_word(spec))
		return parse_groups(g, spec, err);
	vec_foreach(&rs->r, r) {
		struct cpulist cpus = { 0 }, near = { 0 };
		int cpu = ring_group_cpu(rs, r, online);

		if (group_of(g, cpu) >= 0)
			continue;
		cpus_beside(&cpus, spec, cpu);
		if (r->cpu >= 0)
			cpus_beside(&near, spec, cpu);
		add_group(g, cpus, near);
	}
	return 0;
}

int streams_init(struct streams *st, const struct rings *rs, const char *spec, int comp_level,
		 const struct ring_plan *plan, struct err *err)
{
	struct stream_groups groups = { 0 };
	long online = MAX(sysconf(_SC_NPROCESSORS_ONLN), 1);
	int ret;

	*st = (struct streams){ .stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
				.failed_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), .plan = *plan };
	ret = find_groups(&groups, rs, spec && *spec ? spec : "cpu", err);
	vec_foreach(&groups.v, g) {
		struct stream *s = vec_add(&st->s);

		s->out.fd = -1;
		s->counts.first_time = UINT64_MAX;
		s->near = g->near;
		g->near = (struct cpulist){ 0 };
		if (!ret && comp_level)
			ret = packer_init(&s->packer, comp_level, err);
	}
	vec_foreach(&rs->r, r)
		if (!ret)
			vec_push(&st->s.v[MAX(group_of(&groups, ring_group_cpu(rs, r, online)), 0)].rings, r);
	groups_release(&groups);
	return ret;
}

void streams_add_aux(struct streams *st, struct observer *ob)
{
	st->ob = ob;
	vec_foreach(&st->s, s)
		vec_foreach(&s->rings, r)
			vec_foreach(&ob->rings.aux, a)
				if (&ob->rings.r.v[a->idx] == *r)
					vec_push(&s->aux, a);
}

int streams_open(struct streams *st, const char *dir, struct err *err)
{
	for (size_t i = 0; i < st->s.nr; i++) {
		char *path = xasprintf("%s/data.%zu", dir, i);
		int ret = writer_open_plain(&st->s.v[i].out, path, err);

		free(path);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int drain_stream(struct streams *st, struct stream *s)
{
	vec_foreach(&s->rings, r) {
		s64 n = ring_write_out(*r, &s->out, &s->packer, &s->counts, &st->plan, 0);

		if (n < 0)
			return s->failed = n;
	}
	vec_foreach(&s->aux, a) {
		s64 n = aux_write_new(&s->aux_out, *a, &s->out);

		if (n < 0)
			return s->failed = n;
		if (n)
			open_resume(&st->ob->fds, st->ob->opts->set, (*a)->fd);
	}
	return 0;
}

/* even if the rings fill slowly, older data is in the file */
#define DRAIN_NS 1000000000ull

/* wakes whoever waits for fd; where this fails, timers wake them later */
static void raise_fd(int fd)
{
	u64 one = 1;

	while (write(fd, &one, sizeof(one)) < 0 && errno == EINTR)
		;
}

static void stream_loop(struct streams *st, struct stream *s)
{
	struct loop_event ev[16];
	struct loop loop;
	struct err err = ERR_INIT;

	affinity_set(&s->near);
	if (loop_init(&loop, &err) < 0)
		goto out;
	vec_foreach(&s->rings, r)
		if (loop_add_ring(&loop, (*r)->fd, 0, &err) < 0)
			goto out;
	if (loop_add_fd(&loop, st->stop_fd, 0, &err) < 0 ||
	    loop_set_timer(&loop, 0, DRAIN_NS, DRAIN_NS, &err) < 0)
		goto out;
	/* a ring that filled up before it was watched wakes nobody */
	drain_stream(st, s);
	for (bool stop = false; !stop && !s->failed;) {
		int n = loop_wait(&loop, ev, ARRAY_SIZE(ev));

		for (int i = 0; i < n; i++)
			stop |= ev[i].kind == LOOP_FD;
		stop |= __atomic_load_n(&st->ended, __ATOMIC_ACQUIRE);
		s->wakeups += n > 0 && !stop;
		drain_stream(st, s);
	}
out:
	if (err.code)
		s->failed = err.code;
	/* the others go on until the recording ends, which happens now */
	if (s->failed)
		raise_fd(st->failed_fd);
	loop_release(&loop);
}

struct streams_job {
	struct streams *st;
	void (*run)(void *ctx);
	void *ctx;
};

static void job(void *ctx, unsigned int worker, size_t i)
{
	struct streams_job *j = ctx;

	if (i) {
		stream_loop(j->st, &j->st->s.v[i - 1]);
		return;
	}
	j->run(j->ctx);
	__atomic_store_n(&j->st->ended, true, __ATOMIC_RELEASE);
	raise_fd(j->st->stop_fd);
}

void streams_run(struct streams *st, void (*run)(void *ctx), void *ctx)
{
	struct streams_job j = { st, run, ctx };
	unsigned int nr = st->s.nr + 1;

	/* as many workers as tasks: each sleeps in its own task until the end */
	st->pool = pool_new(nr);
	pool_run(st->pool, nr, job, &j);
	pool_free(st->pool);
	st->pool = NULL;
}

int streams_finish(struct streams *st, struct ring_counts *c, u64 *wakeups, u64 *bytes, u64 *raw_bytes,
		   struct aux_writer *aux)
{
	int ret = 0;

	vec_foreach(&st->s, s) {
		if (!s->failed)
			drain_stream(st, s);
		if (s->failed && !ret)
			ret = s->failed;
		c->samples += s->counts.samples;
		c->lost += s->counts.lost;
		c->lost_samples += s->counts.lost_samples;
		c->throttled += s->counts.throttled;
		c->aux.truncated += s->counts.aux.truncated;
		c->aux.partial += s->counts.aux.partial;
		c->aux.collision += s->counts.aux.collision;
		aux->bytes += s->aux_out.bytes;
		aux->lost += s->aux_out.lost;
		c->records += s->counts.records;
		c->first_time = MIN(c->first_time, s->counts.first_time);
		c->last_time = MAX(c->last_time, s->counts.last_time);
		*wakeups += s->wakeups;
		*bytes += s->out.size;
		*raw_bytes += s->packer.in_bytes;
	}
	return ret;
}

void streams_release(struct streams *st)
{
	vec_foreach(&st->s, s) {
		writer_close(&s->out);
		packer_release(&s->packer);
		vec_release(&s->rings);
		vec_release(&s->aux);
		aux_writer_release(&s->aux_out);
		vec_release(&s->near);
	}
	vec_release(&st->s);
	if (st->stop_fd > 0)
		close(st->stop_fd);
	if (st->failed_fd > 0)
		close(st->failed_fd);
	st->stop_fd = st->failed_fd = -1;
}
