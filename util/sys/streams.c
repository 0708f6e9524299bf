/* Streams: parallel writing into a directory. */
#include "streams.h"
#include "loop.h"
#include "../base/cpulist.h"
#include "../base/fs.h"
#include "../base/strtab.h"

#include <errno.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* the buffer grows to the size of a ring and stays */
static void copy_spans(struct strbuf *copy, const struct iovec *iov, int nr)
{
	strbuf_reset(copy);
	for (int i = 0; i < nr; i++)
		strbuf_add(copy, iov[i].iov_base, iov[i].iov_len);
}

s64 ring_write_out(struct ring *ring, struct writer *out, struct packer *packer, struct ring_counts *c,
		   const struct ring_plan *plan, u64 at_least)
{
	struct iovec iov[2];
	int nr = ring_peek(ring, iov), ret;
	u64 bytes = iov_bytes(iov, nr);

	if (!bytes || bytes < at_least)
		return 0;
	if (plan->no_build_ids) {
		copy_spans(&packer->copy, iov, nr);
		iov[0] = (struct iovec){ packer->copy.buf, packer->copy.len };
		nr = 1;
		ring_clear_build_id_bit(iov, nr);
	}
	if (packer->ctx) {
		ret = packer_pack(packer, iov, nr);
		if (!ret)
			ret = writer_write(out, packer->out.buf, packer->out.len);
	} else {
		ret = writer_writev(out, iov, nr);
	}
	/* what was not written does not count */
	if (!ret)
		ring_count(c, plan, iov, nr);
	ring_consume(ring);
	return ret < 0 ? ret : (s64)bytes;
}

/* what CPUs of one stream have in common: a line of sysfs, or their own number */
static void group_key(struct strbuf *key, const char *spec, int cpu)
{
	struct strbuf path = STRBUF_INIT, line = STRBUF_INIT;

	strbuf_reset(key);
	strbuf_addf(key, "%d", cpu);
	if (!strcmp(spec, "numa")) {
		for (int node = 0; node < 1024; node++) {
			strbuf_reset(&path);
			strbuf_addf(&path, "/sys/devices/system/cpu/cpu%d/node%d", cpu, node);
			if (!fs_exists(path.buf))
				continue;
			strbuf_reset(key);
			strbuf_addf(key, "node%d", node);
			break;
		}
	} else if (strcmp(spec, "cpu")) {
		strbuf_addf(&path, "/sys/devices/system/cpu/cpu%d/topology/%s", cpu,
			    !strcmp(spec, "core") ? "core_cpus_list" : "package_cpus_list");
		if (!fs_read_line(path.buf, &line)) {
			strbuf_reset(key);
			strbuf_addf(key, "cpus %s", strbuf_str(&line));
		}
	}
	strbuf_release(&path);
	strbuf_release(&line);
}

/* "0-1:2-3": which of the lists has this CPU; those of none go to the first */
static int list_of(const char *spec, int cpu, u32 *ret, struct err *err)
{
	u32 i = 0;

	*ret = 0;
	for (const char *p = spec; *p; i++) {
		size_t len = strcspn(p, ":"), mask = strcspn(p, ":/");
		char *one = xstrndup(p, mask);	/* "mask/affinity": the streams run where the scheduler likes */
		struct cpulist list = { 0 };
		int code = cpulist_parse(&list, one, err);

		if (!code && !list.nr)
			code = err_set(err, -EINVAL, "--threads: '%s' names no CPUs", spec);
		if (!code && cpulist_has(&list, cpu))
			*ret = i;
		vec_release(&list);
		free(one);
		if (code < 0)
			return err_prefix(err, "--threads takes cpu, core, package, numa, or lists of CPUs (0-1:2-3): ");
		p += len + (p[len] == ':');
	}
	return 0;
}

static bool is_word(const char *spec)
{
	return !strcmp(spec, "cpu") || !strcmp(spec, "core") || !strcmp(spec, "package") || !strcmp(spec, "numa");
}

int streams_init(struct streams *st, const struct rings *rs, const char *spec, int comp_level, const struct ring_plan *plan,
		 struct err *err)
{
	struct strtab groups = { 0 };
	struct strbuf key = STRBUF_INIT;
	int ret = 0;

	*st = (struct streams){ .stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), .plan = *plan };
	if (!spec || !*spec)
		spec = "cpu";
	strtab_add(&groups, "");
	vec_foreach(&rs->r, r) {
		u32 group = 0;

		if (is_word(spec)) {
			/* rings of threads: as many streams as there may be CPUs to run them */
			group_key(&key, spec, r->cpu >= 0 ? r->cpu : (int)((r - rs->r.v) % MAX(sysconf(_SC_NPROCESSORS_ONLN), 1)));
			group = strtab_add(&groups, key.buf) - 1;
		} else {
			ret = list_of(spec, r->cpu, &group, err);
			if (ret < 0)
				break;
		}
		while (st->s.nr <= group) {
			struct stream *s = vec_add(&st->s);

			s->out.fd = -1;
			s->counts.first_time = UINT64_MAX;
		}
		vec_push(&st->s.v[group].rings, r);
	}
	vec_foreach(&st->s, s)
		if (!ret && comp_level)
			ret = packer_init(&s->packer, comp_level, err);
	strtab_release(&groups);
	strbuf_release(&key);
	return ret;
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
	return 0;
}

/* however slowly the rings fill: what is older is in the file */
#define DRAIN_NS 1000000000ull

static void stream_loop(struct streams *st, struct stream *s)
{
	struct loop_event ev[16];
	struct loop loop;
	struct err err = ERR_INIT;

	if (loop_init(&loop, &err) < 0)
		goto out;
	vec_foreach(&s->rings, r)
		if (loop_add_ring(&loop, (*r)->fd, 0, &err) < 0)
			goto out;
	if (loop_add_fd(&loop, st->stop_fd, 0, &err) < 0 || loop_set_timer(&loop, 0, DRAIN_NS, DRAIN_NS, &err) < 0)
		goto out;
	/* what filled up before it was watched wakes nobody */
	drain_stream(st, s);
	for (bool stop = false; !stop && !s->failed;) {
		int n = loop_wait(&loop, ev, ARRAY_SIZE(ev));

		for (int i = 0; i < n; i++)
			stop |= ev[i].kind == LOOP_FD;
		s->wakeups += n > 0 && !stop;
		drain_stream(st, s);
	}
out:
	if (err.code)
		s->failed = err.code;
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
	u64 one = 1;

	if (i) {
		stream_loop(j->st, &j->st->s.v[i - 1]);
		return;
	}
	j->run(j->ctx);
	if (write(j->st->stop_fd, &one, sizeof(one)) < 0)
		return;		/* cannot happen: the counter is far from its end */
}

void streams_run(struct streams *st, void (*run)(void *ctx), void *ctx)
{
	struct streams_job j = { st, run, ctx };
	unsigned int nr = st->s.nr + 1;

	/* as many workers as tasks: each sleeps in its own until the end */
	st->pool = pool_new(nr);
	pool_run(st->pool, nr, job, &j);
	pool_free(st->pool);
	st->pool = NULL;
}

int streams_finish(struct streams *st, struct ring_counts *c, u64 *wakeups, u64 *bytes, u64 *raw_bytes)
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
	}
	vec_release(&st->s);
	if (st->stop_fd > 0)
		close(st->stop_fd);
	st->stop_fd = -1;
}
