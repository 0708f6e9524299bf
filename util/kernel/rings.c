/* Rings: mapping the rings of a whole matrix of events. */
#include "rings.h"
#include "../base/fs.h"
#include "../base/units.h"
#include "../event/abi.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define DEFAULT_RING_KB 512u
#define MANY_RINGS_KB (256u << 10)
#define SMALL_RING_KB 64u

static u64 pow2_at_most(u64 v)
{
	return v ? 1ull << (63 - __builtin_clzll(v)) : 0;
}

u64 rings_mlock_pages(void)
{
	u64 kb = DEFAULT_RING_KB, sysctl;

	/* the sysctl includes the control page */
	if (!fs_read_u64("/proc/sys/kernel/perf_event_mlock_kb", &sysctl) && sysctl > page_size() / 1024)
		kb = sysctl - page_size() / 1024;
	return MAX(pow2_at_most(kb * 1024 / page_size()), 1);
}

u64 rings_default_pages(u64 nr_rings)
{
	u64 share = 32768 / MAX(sysconf(_SC_NPROCESSORS_ONLN), 1),
			most = MAX(MANY_RINGS_KB / MAX(nr_rings, 1), (u64)SMALL_RING_KB);

	if (geteuid())
		return rings_mlock_pages();
	/*
	 * root has no limit: 32 MB for all CPUs, enough for a recorder that must wait for a CPU on a busy
	 * machine
	 */
	share = MIN(MAX(share, DEFAULT_RING_KB), 2048);
	/* rings of thousands of threads must not need gigabytes */
	return MAX(pow2_at_most(MIN(share, most) * 1024 / page_size()), 1);
}

int rings_parse_pages(const char *s, u64 *ret, bool *rounded)
{
	u64 v, up;

	if (!*s)
		return -EINVAL;
	if (s[strspn(s, "0123456789")]) {
		if (parse_size(s, &v) < 0)
			return -EINVAL;
		v = v / page_size() + !!(v % page_size());
	} else if (parse_u64(s, &v) < 0) {
		return -EINVAL;
	}
	/* more than mmap() accepts */
	if (!v || v > (1ull << 31))
		return -EINVAL;
	up = pow2_at_most(v);
	*rounded = up != v;
	*ret = up == v ? v : up * 2;
	return 0;
}

static struct ring *ring_of(struct rings *rs, int cpu, s32 tid, bool backward)
{
	vec_foreach(&rs->r, r)
		if (r->cpu == cpu && (cpu >= 0 || r->tid == tid) && r->backward == backward)
			return r;
	return NULL;
}

/* the caller explains an -errno of the mapping itself: err is empty then */
static int add_fd(struct rings *rs, int fd, int cpu, s32 tid, bool backward, struct err *err)
{
	struct ring *r = ring_of(rs, cpu, tid, backward);
	int ret;

	if (r) {
		if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, r->fd) < 0)
			return err_sys(err, errno,
				       "cannot let an event write to the ring buffer of another one");
		return 0;
	}
	r = vec_add(&rs->r);
	ret = ring_map(r, fd, rs->pages, backward);
	r->cpu = cpu;
	r->tid = tid;
	rs->any_backward |= backward;
	if (ret < 0) {
		rs->r.nr--;
		return ret;
	}
	return 0;
}

static int add_event(struct rings *rs, const struct open_fds *fds, const struct event *ev, struct err *err)
{
	bool backward = ev->attr.flags & ATTR_WRITE_BACKWARD;
	int ret = 0;

	for (u32 cpu = 0; cpu < fds->nr_cpus; cpu++)
		for (u32 th = 0; !ret && th < fds->nr_threads; th++) {
			int fd = fds->fd[open_at(fds, ev->idx, cpu, th)];

			if (fd >= 0)
				ret = add_fd(rs, fd, fds->cpu[cpu], fds->tid[th], backward, err);
		}
	return ret;
}

int rings_map(struct rings *rs, const struct open_fds *fds, const struct evset *set, u64 pages,
	      struct err *err)
{
	int ret = 0;

	*rs = (struct rings){ .pages = pages };
	/* an AUX area is mapped through the descriptor to which the ring belongs: that of the trace PMU */
	for (int pass = 0; pass < 2; pass++)
		for (u32 ev = 0; !ret && ev < fds->nr_events; ev++)
			if (evset_at(set, ev)->trace == !pass)
				ret = add_event(rs, fds, evset_at(set, ev), err);
	if (ret && !err->code)
		open_explain_mmap(&(struct map_sizes){ .nr_rings = (u64)fds->nr_cpus * fds->nr_threads,
						       .pages = pages }, -ret, err);
	if (ret)
		rings_unmap(rs);
	return ret;
}

/* a ring whose descriptor is that of a trace PMU's event */
static bool is_of_trace(const struct open_fds *fds, const struct evset *set, const struct ring *r)
{
	size_t nr = (size_t)fds->nr_cpus * fds->nr_threads;

	vec_foreach(&set->ev, ev) {
		const int *fd = &fds->fd[open_at(fds, (*ev)->idx, 0, 0)];

		for (size_t i = 0; (*ev)->trace && i < nr; i++)
			if (fd[i] == r->fd)
				return true;
	}
	return false;
}

int rings_map_aux(struct rings *rs, const struct open_fds *fds, const struct evset *set, u64 nr_pages,
		  bool overwrite, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < rs->r.nr; i++) {
		struct aux_ring a;

		if (!is_of_trace(fds, set, &rs->r.v[i]))
			continue;
		ret = aux_ring_map(&a, &rs->r.v[i], nr_pages, overwrite);
		if (ret)
			break;
		a.idx = i;
		vec_push(&rs->aux, a);
	}
	if (ret)
		open_explain_mmap(&(struct map_sizes){ .nr_rings = rs->r.nr, .pages = rs->pages,
						       .aux_pages = nr_pages }, -ret, err);
	return ret;
}

/* the record at off: in place, or a copy if it wraps; NULL if it is invalid */
static const struct rec_header *record_at(const struct iovec iov[2], u64 off, u64 total, void *copy)
{
	bool second = off >= iov[0].iov_len;
	const u8 *p = (const u8 *)iov[second].iov_base + (second ? off - iov[0].iov_len : off);
	const struct rec_header *h = (const void *)p;
	u64 here = iov[0].iov_len - off;

	/* records are aligned to 8: a header never wraps */
	if (total - off < sizeof(*h) || h->size < sizeof(*h) || h->size > total - off)
		return NULL;
	if (second || h->size <= here)
		return h;
	memcpy(copy, p, here);
	memcpy((u8 *)copy + here, iov[1].iov_base, h->size - here);
	return copy;
}

int rings_read(struct rings *rs, struct ring_counts *c, ring_record_fn fn, void *ctx)
{
	static const struct ring_plan no_times = { 0 };
	u64 copy[(UINT16_MAX + 1) / sizeof(u64)];
	int ret = 0;

	vec_foreach(&rs->r, r) {
		const struct rec_header *h;
		struct iovec iov[2];
		int nr = r->backward ? 0 : ring_peek(r, iov);
		u64 total = iov_bytes(iov, nr);

		if (!nr)
			continue;
		ring_count(c, &no_times, iov, nr);
		for (u64 off = 0; !ret && off < total && (h = record_at(iov, off, total, copy));
		     off += h->size)
			ret = fn(ctx, r, h);
		ring_consume(r);
		if (ret)
			break;
	}
	return ret;
}

static int read_backward(struct ring *r, struct ring_counts *c, ring_record_fn fn, void *ctx)
{
	static const struct ring_plan no_times = { 0 };
	u64 copy[(UINT16_MAX + 1) / sizeof(u64)];
	struct { VEC(u64); } start = { 0 };
	const struct rec_header *h;
	struct iovec iov[2];
	int nr = ring_peek(r, iov), ret = 0;
	u64 total = iov_bytes(iov, nr);

	if (nr)
		ring_count(c, &no_times, iov, nr);
	for (u64 off = 0; off < total && (h = record_at(iov, off, total, copy)); off += h->size)
		vec_push(&start, off);
	while (start.nr && !ret)
		ret = fn(ctx, r, record_at(iov, start.v[--start.nr], total, copy));
	ring_consume(r);
	vec_release(&start);
	return ret;
}

int rings_read_backward(struct rings *rs, struct ring_counts *c, ring_record_fn fn, void *ctx)
{
	int ret = 0;

	rings_pause(rs, true);
	vec_foreach(&rs->r, r)
		if (r->backward && !ret)
			ret = read_backward(r, c, fn, ctx);
	rings_pause(rs, false);
	return ret;
}

void rings_pause(const struct rings *rs, bool pause)
{
	vec_foreach(&rs->r, r)
		if (r->backward)
			ioctl(r->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, pause);
}

void rings_unmap(struct rings *rs)
{
	vec_foreach(&rs->aux, a)
		aux_ring_unmap(a);
	vec_release(&rs->aux);
	vec_foreach(&rs->r, r)
		ring_unmap(r);
	vec_release(&rs->r);
}
