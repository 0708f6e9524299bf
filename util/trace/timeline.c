/* Timeline of perf trace: see timeline.h. */
#include "timeline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../base/units.h"
#include "../fields/file-facts.h"

static const char *const groups[] = { "Threads" };

enum { KIND_WAIT, KIND_FILE, KIND_NETWORK, KIND_MEMORY, KIND_OTHER, KIND_FAILED };
static const struct timeline_kind kinds[] = {
	[KIND_WAIT] = { .key = "waiting", .title = "Waits", .tone = TONE_SLEEP, .top = 35, .bottom = 65 },
	[KIND_FILE] = { .key = "files", .title = "Files", .tone = TONE_DISK, .bottom = 100 },
	[KIND_NETWORK] = { .key = "network", .title = "Network", .tone = TONE_NET, .bottom = 100 },
	[KIND_MEMORY] = { .key = "memory", .title = "Memory", .tone = TONE_SYNC, .bottom = 100 },
	[KIND_OTHER] = { .key = "other", .title = "Other calls", .tone = TONE_POLL, .bottom = 100 },
	[KIND_FAILED] = { .key = "failed", .title = "Failed", .tone = TONE_ERROR, .bottom = 100 },
};

/* calls whose purpose is to wait */
static const char *const waits[] = {
	"clock_nanosleep", "epoll_pwait", "epoll_pwait2", "epoll_wait", "futex", "futex_wait", "futex_waitv",
	"io_getevents", "io_pgetevents", "nanosleep", "pause", "poll", "ppoll", "pselect6",
	"restart_syscall", "rt_sigsuspend", "rt_sigtimedwait", "select", "wait4", "waitid",
};

struct trace_timeline *trace_timeline_new(void)
{
	struct trace_timeline *p = xcalloc(1, sizeof(*p));

	timeline_init(&p->picture, "trace", kinds, ARRAY_SIZE(kinds), groups, ARRAY_SIZE(groups));
	return p;
}

void trace_timeline_free(struct trace_timeline *p)
{
	if (!p)
		return;
	timeline_release(&p->picture);
	free(p);
}

static int cmp_name(const void *name, const void *word)
{
	return strcmp(name, *(const char *const *)word);
}

static u8 kind_of(const struct syscall_row *row)
{
	if (!row)
		return KIND_OTHER;
	if (bsearch(row->name, waits, ARRAY_SIZE(waits), sizeof(*waits), cmp_name))
		return KIND_WAIT;
	return row->groups & SYSCALL_GROUP_NETWORK ? KIND_NETWORK :
	       row->groups & SYSCALL_GROUP_MEMORY ? KIND_MEMORY :
	       row->groups & (SYSCALL_GROUP_FILE | SYSCALL_GROUP_DESC) ? KIND_FILE : KIND_OTHER;
}

static void add_span(struct trace *t, struct trace_thread *th, struct timeline_span span,
		     const struct syscall_call *call)
{
	const struct syscall_row *row = call->table ? syscall_by_nr(call->table, call->nr) : NULL;
	struct timeline *p = &t->timeline->picture;
	struct strbuf label = STRBUF_INIT;
	const char *text;
	int errnum;

	if (!th->track)
		th->track = timeline_add_track(p, 0) + 1;
	/* calls of a thread follow each other, also if clocks of CPUs differ a little */
	span.from = MAX(span.from, th->drawn_until);
	if (span.to < span.from)
		return;
	th->drawn_until = span.to;
	th->nr_drawn++;
	span.kind = kind_of(row);
	if (row)
		strbuf_addstr(&label, row->name);
	else
		strbuf_addf(&label, "syscall_%d", (s32)call->nr);
	if (call->has_ret && syscall_failed(call, &errnum)) {
		const char *name = syscall_errno_name(call->table, errnum, &text);

		span.kind = KIND_FAILED;
		if (name)
			strbuf_addf(&label, " %s", name);
	}
	span.track = th->track - 1;
	span.other = TIMELINE_NONE;
	span.label = strtab_add(&p->labels, strbuf_str(&label));
	timeline_add(p, &span);
	t->timeline->last = MAX(t->timeline->last, span.to);
	strbuf_release(&label);
}

void trace_timeline_add(struct trace *t, struct trace_thread *th, const struct trace_line *l,
			const struct syscall_call *call)
{
	if (l->timed)
		add_span(t, th, (struct timeline_span){ .from = l->start,
							.to = l->start + l->duration }, call);
}

void trace_timeline_add_open(struct trace *t, struct trace_thread *th)
{
	add_span(t, th, (struct timeline_span){ .from = th->enter_time, .to = MAX(t->now, th->enter_time) },
		 &th->call);
}

/* ---- the picture ---- */

static int cmp_calls(const void *pa, const void *pb)
{
	u64 a = *(const u64 *)pa, b = *(const u64 *)pb;

	return a < b ? 1 : a > b ? -1 : 0;
}

/* threads with fewer calls are not shown */
static u64 least_calls(const struct trace *t)
{
	u64 *nr = xcalloc(t->thread.nr + 1, sizeof(*nr)), least;

	for (size_t i = 0; i < t->thread.nr; i++)
		nr[i] = t->thread.v[i]->nr_drawn;
	qsort(nr, t->thread.nr, sizeof(*nr), cmp_calls);
	least = t->thread.nr > TRACE_TIMELINE_THREADS ? nr[TRACE_TIMELINE_THREADS - 1] : 0;
	free(nr);
	return least;
}

static void describe_threads(struct trace *t)
{
	struct timeline *p = &t->timeline->picture;
	struct strbuf sb = STRBUF_INIT;
	u64 least = least_calls(t);
	u32 nr = 0, nr_hidden = 0;

	vec_foreach(&t->thread, i) {
		const struct trace_thread *th = *i;
		struct timeline_track *track;

		if (!th->track)
			continue;
		track = &p->track.v[th->track - 1];
		track->hidden = th->nr_drawn < least || nr == TRACE_TIMELINE_THREADS;
		nr += !track->hidden;
		nr_hidden += track->hidden;
		strbuf_reset(&sb);
		if (th->comm == ID_NONE)
			strbuf_addf(&sb, ":%d", th->tid);
		else
			strbuf_addf(&sb, "%s:%d", machine_comm_name(t->s->machine, th->comm), th->tid);
		track->name = arena_strdup(&p->arena, strbuf_str(&sb));
		track->pid = th->pid;
		track->tid = th->tid;
		track->rank = i - t->thread.v;
		strbuf_reset(&sb);
		strbuf_addf(&sb, "%lu call%s", th->nr_drawn, plural(th->nr_drawn));
		track->detail = arena_strdup(&p->arena, strbuf_str(&sb));
	}
	if (nr_hidden)
		timeline_note(p, "%u thread%s with few calls %s not shown", nr_hidden, plural(nr_hidden),
			      nr_hidden == 1 ? "is" : "are");
	strbuf_release(&sb);
}

struct timeline *trace_timeline_finish(struct trace *t, struct err *err)
{
	struct timeline *p = &t->timeline->picture;
	u64 lost = tracing_nr_lost(t->s);
	struct strbuf sb = STRBUF_INIT;

	if (!p->track.nr) {
		err_set(err, -ENOENT, "no system call has returned: there is nothing to draw");
		return NULL;
	}
	p->from = UINT64_MAX;
	vec_foreach(&p->span, s)
		p->from = MIN(p->from, s->from);
	p->to = t->timeline->last;
	strbuf_addstr(&sb, "perf trace: system calls of threads, ");
	duration_text(&sb, p->to - p->from);
	p->title = arena_strdup(&p->arena, strbuf_str(&sb));
	strbuf_release(&sb);
	describe_threads(t);
	if (t->nr_unpaired)
		timeline_note(p, "%lu event%s without a partner %s not drawn", t->nr_unpaired,
			      plural(t->nr_unpaired), t->nr_unpaired == 1 ? "is" : "are");
	if (lost)
		timeline_note(p, "%lu event%s lost while recording", lost, lost == 1 ? " was" : "s were");
	if (t->s->data)
		file_facts(&p->fact, &p->arena, t->s);
	timeline_finish(p);
	return p;
}
