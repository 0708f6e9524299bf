/* Operations on open events: ids, filters, switching on and off. */
#include "open.h"

#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include "open-private.h"
#include "tracefs.h"

int open_read_ids(struct open_fds *f, struct evset *set, struct err *err)
{
	size_t per_event = (size_t)f->nr_cpus * f->nr_threads;
	u64 *ids;
	int ret = 0;

	if (!f->id)
		f->id = xcalloc((size_t)f->nr_events * per_event, sizeof(*f->id));
	ids = xcalloc(per_event, sizeof(*ids));
	for (u32 e = 0; !ret && e < f->nr_events; e++) {
		size_t first = open_at(f, e, 0, 0);
		u32 nr = 0;

		for (size_t i = first; !ret && i < first + per_event; i++) {
			if (f->fd[i] < 0)
				continue;
			ret = open_ioctl(f->fd[i], PERF_EVENT_IOC_ID, (unsigned long)&f->id[i]);
			ids[nr++] = f->id[i];
		}
		if (ret)
			err_sys(err, -ret, "the id of event '%s' cannot be read", evset_at(set, e)->name);
		else
			evset_set_ids(set, evset_at(set, e), ids, nr);
	}
	free(ids);
	return ret;
}

static int ioctl_event(const struct open_fds *f, u32 ev, unsigned long request, unsigned long arg)
{
	size_t first = open_at(f, ev, 0, 0), nr = (size_t)f->nr_cpus * f->nr_threads;

	for (size_t i = first; i < first + nr; i++) {
		int ret = f->fd[i] < 0 ? 0 : open_ioctl(f->fd[i], request, arg);

		if (ret)
			return ret;
	}
	return 0;
}

int open_enable_event(const struct open_fds *f, const struct event *ev, bool on, struct err *err)
{
	int ret = ioctl_event(f, ev->idx, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);

	if (f->stopped) {
		f->stopped[ev->idx] = !on;
		f->stops[ev->idx] += !on;
	}
	return ret ? err_sys(err, -ret, "event '%s' cannot be %s", ev->name, on ? "enabled" : "disabled") : 0;
}

void open_resume(const struct open_fds *f, const struct evset *set, int fd)
{
	size_t nr = (size_t)f->nr_cpus * f->nr_threads;

	vec_foreach(&set->ev, ev) {
		const int *of = &f->fd[open_at(f, (*ev)->idx, 0, 0)];

		for (size_t i = 0; (*ev)->trace && !f->stopped[(*ev)->leader] && i < nr; i++)
			if (of[i] == fd)
				open_ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	}
}

static int switch_all(const struct open_fds *f, const struct evset *set, bool on, struct err *err)
{
	for (u32 e = 0; e < f->nr_events; e++) {
		const struct event *ev = evset_at(set, e);
		int ret = ev->leader == ev->idx ? open_enable_event(f, ev, on, err) : 0;

		if (ret)
			return ret;
	}
	return 0;
}

int open_enable(const struct open_fds *f, const struct evset *set, struct err *err)
{
	return switch_all(f, set, true, err);
}

int open_disable(const struct open_fds *f, const struct evset *set, struct err *err)
{
	return switch_all(f, set, false, err);
}

/* ---- filters ---- */

/* the fields of a tracepoint, from its format: "type name" of each "field:type name;" line */
static void describe_fields(const struct event *ev, const char *format, struct err *err)
{
	struct strbuf list = STRBUF_INIT;

	for (const char *p = strstr(format, "field:"); p; p = strstr(p, "field:")) {
		size_t len = strcspn(p += strlen("field:"), ";\n");

		if (strncmp(p + len - MIN(len, (size_t)12), "common_", 7) && !memmem(p, len, "common_", 7))
			strbuf_addf(&list, "%s%.*s", list.len ? "; " : "", (int)len, p);
	}
	if (list.len)
		err_hint(err, "fields of %s: %.500s", ev->name, list.buf);
	strbuf_release(&list);
}

static int explain_filter(const struct event *ev, int errnum, struct err *err)
{
	struct strbuf format = STRBUF_INIT;

	if (errnum != EINVAL)
		err_sys(err, errnum, "filter '%s' of event '%s' cannot be set", ev->filter, ev->name);
	else
		err_set(err, -EINVAL, "the kernel does not take filter '%s' for event '%s'", ev->filter,
			ev->name);
	if (ev->tp_system)
		tracefs_event_format(ev->tp_system, ev->tp_name, &format);
	if (errnum == EINVAL)
		err_hint(err, "operators: == != < <= > >= & for numbers, == != ~ (glob, "
			 "in quotes) for strings, && || ( )");
	if (format.len)
		describe_fields(ev, format.buf, err);
	strbuf_release(&format);
	return -errnum;
}

int open_set_bpf(const struct open_fds *f, u32 ev, int prog)
{
	return ioctl_event(f, ev, PERF_EVENT_IOC_SET_BPF, prog);
}

int open_set_filters(const struct open_fds *f, const struct evset *set, struct err *err)
{
	for (u32 e = 0; e < f->nr_events; e++) {
		const struct event *ev = evset_at(set, e);
		int ret = ev->filter ? ioctl_event(f, e, PERF_EVENT_IOC_SET_FILTER,
						   (unsigned long)ev->filter) : 0;

		if (ret)
			return explain_filter(ev, -ret, err);
	}
	return 0;
}
