/*
 * I/O of tasks: a system call from its enter to its exit. Calls of one kind on one descriptor that follow
 * each other closely are one span, which is kept until it cannot grow any more.
 */
#include "timechart.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NR_IO_KINDS (TC_NR_KINDS - TC_POLL)
#define NO_FD (-1)

static const struct io_call calls[] = {
#define IO_CALL(name, kind) { #name, kind },
#include "io-calls.def"
};

const struct io_call *io_call_of(const char *event)
{
	const char *name = strstr(event, ":sys_enter_") ? event + strlen("syscalls:sys_enter_") :
			   event + strlen("syscalls:sys_exit_");

	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		if (!strcmp(calls[i].name, name))
			return &calls[i];
	return NULL;
}

/* not beyond the beginning of what follows it */
static void flush(struct timechart *tc, struct timechart_io *io, u64 next)
{
	struct timeline_span *s = &io->span;

	if (!s->nr)
		return;
	s->to = MAX(s->to, MIN(s->from + tc->o->io_min_ns, next));
	timeline_add(&tc->timeline, s);
	s->nr = 0;
}

static u32 io_label(struct timechart *tc, const struct io_call *call, s64 fd, s64 ret)
{
	struct strbuf sb = STRBUF_INIT;
	u32 label;

	strbuf_addstr(&sb, call->name);
	if (fd != NO_FD)
		strbuf_addf(&sb, " fd %ld", fd);
	/* numbers of errors are the same on all architectures up to ERANGE */
	if (ret < 0 && -ret <= ERANGE)
		strbuf_addf(&sb, ": %s", strerror(-ret));
	else if (ret < 0)
		strbuf_addf(&sb, ": error %ld", -ret);
	label = strtab_add(&tc->timeline.labels, strbuf_str(&sb));
	strbuf_release(&sb);
	return label;
}

static void add_io(struct timechart *tc, struct timechart_task *task, enum timechart_kind kind,
		   const struct timeline_span *s)
{
	struct timechart_io *io;

	if (!task->io)
		task->io = xcalloc(NR_IO_KINDS, sizeof(*task->io));
	io = &task->io[kind - TC_POLL];
	if (io->span.nr && io->span.label == s->label && s->from <= io->span.to + tc->o->io_merge_ns) {
		io->span.to = s->to;
		io->span.busy += s->to - s->from;
		io->span.amount += s->amount;
		io->span.nr++;
		return;
	}
	flush(tc, io, s->from);
	io->span = *s;
	io->span.nr = 1;
	io->span.busy = s->to - s->from;
}

enum { ENTER_FD };
void timechart_io_enter(void *ctx, const struct tracing_sample *ts)
{
	struct timechart *tc = ctx;
	u64 now = timechart_now(tc, ts);
	struct timechart_task *task = timechart_task(tc, ts, ts->sample->tid);

	task->call = io_call_of(ts->row->event);
	task->call_from = now;
	task->call_fd = ts->present & 1u << ENTER_FD ? (s32)ts->value[ENTER_FD] : NO_FD;
	tc->has_io = true;
}

/* an exit without its enter began before the recording, or the enter was lost */
enum { EXIT_RET };
void timechart_io_exit(void *ctx, const struct tracing_sample *ts)
{
	struct timechart *tc = ctx;
	u64 now = timechart_now(tc, ts);
	struct timechart_task *task = timechart_task(tc, ts, ts->sample->tid);
	const struct io_call *call = io_call_of(ts->row->event);
	s64 ret = ts->value[EXIT_RET];
	struct timeline_span s = { .from = task->call_from, .to = now, .track = task->track,
				   .other = TIMELINE_NONE };

	tc->has_io = true;
	if (!call || task->call != call) {
		tc->nr_doubtful += task->call != NULL;
		task->call = NULL;
		return;
	}
	task->call = NULL;
	if (tc->o->skip_eagain && ret == -EAGAIN)
		return;
	s.kind = ret < 0 ? TC_ERROR : call->kind;
	s.amount = ret > 0 && call->kind >= TC_DISK_IN && call->kind <= TC_NET_OUT ? ret : 0;
	s.label = io_label(tc, call, task->call_fd, ret);
	task->io_bytes += s.amount;
	task->io_ns += now - MIN(s.from, now);
	add_io(tc, task, s.kind, &s);
}

void timechart_io_finish(struct timechart *tc, struct timechart_task *task)
{
	for (u32 i = 0; task->io && i < NR_IO_KINDS; i++)
		flush(tc, &task->io[i], tc->last);
	free(task->io);
	task->io = NULL;
}
