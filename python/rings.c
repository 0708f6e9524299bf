/* Live rings: see rings.h. */
#include "opened.h"
#include "rings.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void live_free(struct origin *o)
{
	struct live_rings *l = (struct live_rings *)o;	/* its first member */

	origin_forget_formats(o);
	sample_plan_free((struct sample_plan *)l->origin.plan);
	evset_free(l->set);
	free(l->fds.fd);
	free(l->fds.cpu);
	free(l->fds.tid);
	free(l->fds.id);
	free(l->ended);
	for (size_t i = 0; l->queue && i < l->nr_queues; i++)
		vec_release(&l->queue[i]);
	free(l->queue);
	free(l);
}

/* ---- mapping ---- */

/* position of a number in a list, which gets it if it is new */
static u32 place_of(int **list, u32 *nr, int number)
{
	for (u32 i = 0; i < *nr; i++)
		if ((*list)[i] == number)
			return i;
	*list = xreallocarray(*list, *nr + 1, sizeof(**list));
	(*list)[*nr] = number;
	return (*nr)++;
}

static void gather_places(struct open_fds *all, const struct opened_events *in)
{
	for (u32 i = 0; i < in->fds.nr_cpus; i++)
		place_of(&all->cpu, &all->nr_cpus, in->fds.cpu[i]);
	for (u32 i = 0; i < in->fds.nr_threads; i++)
		place_of(&all->tid, &all->nr_threads, in->fds.tid[i]);
}

/* one matrix of the descriptors of events that were opened one by one */
static void gather(struct live_rings *l, PyObject *const *evsels, size_t nr)
{
	struct open_fds *all = &l->fds;
	u32 idx;

	for (size_t e = 0; e < nr; e++)
		gather_places(all, evsel_opened(evsels[e], &idx));
	all->nr_events = (u32)nr;
	all->fd = xreallocarray(NULL, nr * all->nr_cpus * all->nr_threads, sizeof(*all->fd));
	for (size_t i = 0; i < nr * all->nr_cpus * all->nr_threads; i++)
		all->fd[i] = -1;
	for (size_t e = 0; e < nr; e++) {
		const struct opened_events *in = evsel_opened(evsels[e], &idx);
		const struct event *ev = evsel_event(evsels[e]);
		struct event *copy = evset_add(l->set, ev->name);

		copy->attr = ev->attr;
		copy->tp_system = ev->tp_system ? arena_strdup(&l->set->arena, ev->tp_system) : NULL;
		copy->tp_name = ev->tp_name ? arena_strdup(&l->set->arena, ev->tp_name) : NULL;
		for (u32 c = 0; c < in->fds.nr_cpus; c++)
			for (u32 t = 0; t < in->fds.nr_threads; t++)
				all->fd[open_at(all, (u32)e,
						place_of(&all->cpu, &all->nr_cpus, in->fds.cpu[c]),
						place_of(&all->tid, &all->nr_threads, in->fds.tid[t]))] =
					in->fds.fd[open_at(&in->fds, idx, c, t)];
	}
}

/* the kernel refuses a ring into which children on several CPUs would write at a time */
static bool inherits_anywhere(const struct live_rings *l)
{
	for (u32 e = 0; e < l->fds.nr_events; e++)
		for (u32 c = 0; c < l->fds.nr_cpus; c++)
			if (l->fds.cpu[c] < 0 && evset_at(l->set, e)->attr.flags & ATTR_INHERIT)
				return true;
	return false;
}

struct live_rings *live_map(PyObject *const *evsels, size_t nr, u64 pages)
{
	struct live_rings *l = xcalloc(1, sizeof(*l));
	struct err err = ERR_INIT;
	int ret;

	l->set = evset_new();
	l->origin = (struct origin){ .users = 1, .set = l->set, .release = live_free };
	gather(l, evsels, nr);
	if (inherits_anywhere(l)) {
		err_set(&err, -EINVAL, "events with inherit=1 need a ring for each CPU: open them with "
			"perf.cpu_map() in place of perf.cpu_map('-1')");
		origin_drop(&l->origin);
		raise_err(&err);
		return NULL;
	}
	if (!pages)
		pages = rings_default_pages((u64)l->fds.nr_cpus * l->fds.nr_threads);
	Py_BEGIN_ALLOW_THREADS
	ret = open_read_ids(&l->fds, l->set, &err);
	if (!ret)
		ret = rings_map(&l->rings, &l->fds, l->set, pages, &err);
	Py_END_ALLOW_THREADS
	l->origin.plan = sample_plan_new(l->set);
	if (!ret) {
		l->mapped = true;
		l->ended = xcalloc(l->rings.r.nr, sizeof(*l->ended));
		l->nr_queues = l->rings.r.nr;
		l->queue = xcalloc(l->nr_queues, sizeof(*l->queue));
		return l;
	}
	origin_drop(&l->origin);
	raise_err(&err);
	return NULL;
}

void live_unmap(struct live_rings *l)
{
	if (l->mapped)
		rings_unmap(&l->rings);
	l->mapped = false;
}

/* ---- reading ---- */

/* a whole record, in place or copied into buf, that holds the largest one; NULL: there is none */
static const struct rec_header *next_record(struct ring *r, u64 *buf)
{
	const struct rec_header *h;
	struct iovec iov[2];
	int nr = ring_peek(r, iov);
	u64 total = iov_bytes(iov, nr);

	if (!nr || total < sizeof(*h))
		return NULL;
	/* records are aligned to 8: a header never wraps */
	h = iov[0].iov_base;
	if (h->size < sizeof(*h) || h->size > total) {
		ring_consume(r);	/* the kernel does not write this: what is left cannot be read */
		return NULL;
	}
	if (h->size <= iov[0].iov_len)
		return h;
	memcpy(buf, h, iov[0].iov_len);
	memcpy((u8 *)buf + iov[0].iov_len, iov[1].iov_base, h->size - iov[0].iov_len);
	return (const struct rec_header *)buf;
}

static int keep_record(void *ctx, const struct ring *r, const struct rec_header *h)
{
	struct live_rings *l = ctx;
	struct live_queue *q = &l->queue[r - l->rings.r.v];

	for (size_t i = 0; i < h->size / sizeof(u64); i++)
		vec_push(q, ((const u64 *)h)[i]);
	return 0;
}

/* the next one of a ring that overwrites; all such rings are stopped while their records are copied */
static PyObject *take_kept(struct live_rings *l, struct live_queue *q, PyObject *const *evsels)
{
	PyObject *o = NULL;

	if (q->at == q->nr) {
		q->nr = q->at = 0;
		rings_read_backward(&l->rings, &(struct ring_counts){ 0 }, keep_record, l);
	}
	while (!o && !PyErr_Occurred() && q->at < q->nr) {
		const struct rec_header *h = (const void *)&q->v[q->at];
		struct rec rec = { .p = (const u8 *)h, .size = h->size, .type = h->type, .misc = h->misc };

		o = event_new(&l->origin, &rec, 0, evsels, true);
		q->at += rec.size / sizeof(u64);
	}
	return o;
}

/* one that the kernel did not write whole is left out */
static PyObject *take_record(struct live_rings *l, struct ring *r, PyObject *const *evsels)
{
	u64 buf[(UINT16_MAX + 1) / sizeof(u64)];
	const struct rec_header *h;
	PyObject *o = NULL;

	while (!o && !PyErr_Occurred() && (h = next_record(r, buf))) {
		struct rec rec = { .p = (const u8 *)h, .size = h->size, .type = h->type, .misc = h->misc };

		o = event_new(&l->origin, &rec, 0, evsels, true);
		ring_consume_first(r, rec.size);
	}
	return o;
}

PyObject *live_next(struct live_rings *l, int cpu, PyObject *const *evsels)
{
	bool known = false;

	vec_foreach(&l->rings.r, r) {
		PyObject *o;

		if (r->cpu != cpu)
			continue;
		known = true;
		o = r->backward ? take_kept(l, &l->queue[r - l->rings.r.v], evsels) :
				  take_record(l, r, evsels);
		if (o || PyErr_Occurred())
			return o;
	}
	if (known)
		Py_RETURN_NONE;
	PyErr_Format(PyExc_TypeError, "CPU %d has no ring here", cpu);
	return NULL;
}

/* ---- waiting ---- */

/* rings with records that were not read yet: the kernel reports each only once */
static int with_records(struct live_rings *l)
{
	struct iovec iov[2];
	int nr = 0;

	vec_foreach(&l->rings.r, r) {
		const struct live_queue *q = &l->queue[r - l->rings.r.v];

		nr += q->at < q->nr || ring_peek(r, iov) > 0;
	}
	return nr;
}

static s64 now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ll + ts.tv_nsec / 1000000;
}

/* poll(2) is not ended by a signal that another thread got, nor by close() in another thread */
#define LOOK_AGAIN_MS 1000

/* one wait; descriptors of tasks that are gone would return at once, always */
static int wait_once(struct live_rings *l, struct pollfd *p, size_t nr, int timeout)
{
	int ready, errnum;

	for (size_t i = 0; i < nr; i++)
		p[i] = (struct pollfd){ l->ended[i] ? -1 : l->rings.r.v[i].fd, POLLIN, 0 };
	Py_BEGIN_ALLOW_THREADS
	ready = poll(p, nr, timeout);
	errnum = errno;
	Py_END_ALLOW_THREADS
	if (!l->mapped)
		return 0;	/* another thread has closed it */
	for (size_t i = 0; ready > 0 && i < nr; i++)
		l->ended[i] |= !!(p[i].revents & (POLLHUP | POLLERR | POLLNVAL));
	if (ready >= 0 || errnum == EINTR)
		return PyErr_CheckSignals() ? -1 : 0;
	errno = errnum;
	PyErr_SetFromErrno(PyExc_OSError);
	return -1;
}

static bool all_ended(const struct live_rings *l, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!l->ended[i])
			return false;
	return true;
}

int live_poll(struct live_rings *l, int timeout)
{
	size_t nr = l->rings.r.nr;
	struct pollfd *p = xcalloc(nr, sizeof(*p));
	s64 end = now_ms() + timeout;
	int ready, ret = 0;

	origin_use(&l->origin);
	while (!(ready = l->mapped ? with_records(l) : 0) && !ret && l->mapped && !all_ended(l, nr)) {
		s64 now = now_ms(), left = timeout < 0 ? LOOK_AGAIN_MS : now < end ? end - now : 0;

		ret = wait_once(l, p, nr, (int)MIN(left, LOOK_AGAIN_MS));
		if (!left && !ret && l->mapped) {
			ready = with_records(l);
			break;
		}
	}
	origin_drop(&l->origin);
	free(p);
	return ret ? ret : ready;
}
