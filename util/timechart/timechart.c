/* Timechart: tasks by tid and time, names, reasons; the kinds of spans. */
#include "timechart.h"

#include <stdlib.h>
#include <string.h>

#define MAX_REASONS 20000u	/* a chain more is not named: memory does not grow with a long recording */
#define REASON_FRAMES 12u

static const struct timeline_kind kinds[TC_NR_KINDS] = {
	[TC_IDLE] = { .key = "idle", .title = "Idle", .tone = TONE_IDLE, .bottom = 75 },
	[TC_DEEP_IDLE] = { .key = "deep-idle", .title = "Deeper idle", .tone = TONE_DEEP_IDLE, .bottom = 75 },
	[TC_DEEPEST_IDLE] = { .key = "deepest-idle", .title = "Deepest idle", .tone = TONE_DEEPEST_IDLE,
			      .bottom = 75 },
	[TC_SPEED] = { .key = "frequency", .title = "Frequency", .tone = TONE_SPEED, .top = 75, .bottom = 100,
		       .lane = 1, .bar = true, .unit = "kHz" },
	[TC_CPU_RUN] = { .key = "running", .title = "Running", .tone = TONE_RUN, .bottom = 75 },
	[TC_CPU_MARKED] = { .key = "highlighted", .title = "Highlighted", .tone = TONE_MARKED, .bottom = 75 },
	[TC_SLEEP] = { .key = "sleeping", .title = "Sleeping", .tone = TONE_SLEEP, .top = 40, .bottom = 60 },
	[TC_BLOCKED] = { .key = "blocked", .title = "Blocked", .tone = TONE_BLOCKED, .top = 20,
			 .bottom = 80 },
	[TC_WAIT] = { .key = "waiting", .title = "Waiting for a CPU", .tone = TONE_WAIT, .bottom = 100 },
	[TC_RUN] = { .key = "running", .title = "Running", .tone = TONE_RUN, .bottom = 100 },
	[TC_MARKED] = { .key = "highlighted", .title = "Highlighted", .tone = TONE_MARKED, .bottom = 100 },
	[TC_POLL] = { .key = "polling", .title = "Poll", .tone = TONE_POLL, .top = 40, .bottom = 60,
		      .lane = 2 },
	[TC_DISK_IN] = { .key = "reading", .title = "Read", .tone = TONE_DISK, .bottom = 45, .lane = 3,
			 .unit = "bytes" },
	[TC_DISK_OUT] = { .key = "writing", .title = "Write", .tone = TONE_DISK, .top = 55, .bottom = 100,
			  .lane = 4, .unit = "bytes" },
	[TC_NET_IN] = { .key = "receiving", .title = "Receive", .tone = TONE_NET, .bottom = 45, .lane = 5,
			.unit = "bytes" },
	[TC_NET_OUT] = { .key = "sending", .title = "Send", .tone = TONE_NET, .top = 55, .bottom = 100,
			 .lane = 6, .unit = "bytes" },
	[TC_SYNC] = { .key = "syncing", .title = "Sync", .tone = TONE_SYNC, .top = 55, .bottom = 100,
		      .lane = 7 },
	[TC_ERROR] = { .key = "failing", .title = "Error", .tone = TONE_ERROR, .top = 30, .bottom = 70,
		       .lane = 8 },
};
static const char *const groups[] = { [TC_CPUS] = "CPUs", [TC_TASKS] = "Tasks" };

void timechart_init(struct timechart *tc, struct session *s, const struct timechart_opts *o)
{
	*tc = (struct timechart){ .session = s, .o = o };
	timeline_init(&tc->timeline, "timechart", kinds, ARRAY_SIZE(kinds), groups, ARRAY_SIZE(groups));
	resolver_init(&tc->resolver, s, &tc->scratch);
	named_frames_init(&tc->names, s);
}

void timechart_release(struct timechart *tc)
{
	vec_foreach(&tc->task, task)
		free(task->io);
	vec_release(&tc->task);
	vec_release(&tc->cpu);
	hidx_release(&tc->by_tid);
	vec_release(&tc->chain);
	hidx_release(&tc->by_hash);
	resolver_release(&tc->resolver);
	named_frames_release(&tc->names);
	arena_release(&tc->scratch);
	sample_filter_release(&tc->tasks);
	timeline_release(&tc->timeline);
}

u64 timechart_now(struct timechart *tc, const struct tracing_sample *ts)
{
	u64 now = ts->sample->time;

	if (!tc->any) {
		tc->any = true;
		tc->first = now;
		tc->timeline.from = tc->timeline.to = now;
	}
	tc->last = MAX(tc->last, now);
	return MAX(now, tc->first);
}

static bool ended_before(const struct timechart_task *task, struct when now)
{
	return task->thread && when_before(task->thread->death, now);
}

/* a tid whose thread has ended belongs to a new task */
struct timechart_task *timechart_task(struct timechart *tc, const struct tracing_sample *ts, s32 tid)
{
	const struct thread *thread;
	struct timechart_task *task;
	u32 id, newest = HIDX_NONE;

	HIDX_FOREACH(&tc->by_tid, hash_u64((u32)tid), id)
		if (tc->task.v[id].tid == tid && (newest == HIDX_NONE || id > newest))
			newest = id;
	if (newest != HIDX_NONE && !ended_before(&tc->task.v[newest], ts->when))
		return &tc->task.v[newest];
	thread = machine_sample_ctx(tc->session->machine, -1, tid, ts->when).thread;
	/* it runs a little after its end was recorded */
	if (newest != HIDX_NONE && (!thread || thread == tc->task.v[newest].thread))
		return &tc->task.v[newest];
	hidx_insert(&tc->by_tid, hash_u64((u32)tid), tc->task.nr);
	task = vec_add(&tc->task);
	*task = (struct timechart_task){ .tid = tid, .pid = thread ? thread->pid : -1, .thread = thread,
					 .track = timeline_add_track(&tc->timeline, TC_TASKS),
					 .waker = TIMELINE_NONE, .first = ts->sample->time };
	if (thread && thread->nr_comms)
		task->comm = strtab_add(&tc->timeline.labels,
					machine_comm_name(tc->session->machine, thread->comms[0].comm));
	return task;
}

void timechart_name(struct timechart *tc, struct timechart_task *task, const char *comm, u32 len)
{
	const char *old = strtab_get(&tc->timeline.labels, task->comm);

	if (len && (strlen(old) != len || memcmp(old, comm, len)))
		task->comm = strtab_addn(&tc->timeline.labels, comm, len);
}

/* the names of the functions, innermost first; what every sleep begins with is left out */
static void add_frames(struct timechart *tc, const struct tracing_sample *ts, struct strbuf *out)
{
	static const char *const common[] = { "schedule", "__schedule", "__traceiter_sched_switch" };
	struct frame_loc frame[REASON_FRAMES];
	size_t nr = chain_resolve(&tc->resolver, ts->sample, tracing_ctx(ts), frame, REASON_FRAMES);

	for (size_t i = 0; i < nr; i++) {
		const char *name = named_frame_at(&tc->names, &frame[i])->name;
		bool skip = !name;

		for (u32 c = 0; name && c < ARRAY_SIZE(common); c++)
			skip |= !out->len && !strcmp(name, common[c]);
		if (skip)
			continue;
		strbuf_addstr(out, out->len ? " < " : "");
		strbuf_add_safe(out, name);
	}
}

/* equal chains of one address space have the same text: it is made once */
u32 timechart_reason(struct timechart *tc, const struct tracing_sample *ts)
{
	struct strbuf text = STRBUF_INIT;
	u64 hash = hash_u64(tracing_ctx(ts)->maps);
	u32 id, label;

	if (!ts->sample->callchain || !ts->sample->nr_callchain)
		return 0;
	for (u64 i = 0; i < ts->sample->nr_callchain; i++)
		hash = hash_mix(hash, ts->sample->callchain[i]);
	HIDX_FOREACH(&tc->by_hash, hash, id)
		if (tc->chain.v[id].hash == hash)
			return tc->chain.v[id].label;
	if (tc->chain.nr >= MAX_REASONS)
		return 0;
	add_frames(tc, ts, &text);
	label = strtab_add(&tc->timeline.labels, strbuf_str(&text));
	hidx_insert(&tc->by_hash, hash, tc->chain.nr);
	vec_push(&tc->chain, (struct timechart_chain){ hash, label });
	strbuf_release(&text);
	arena_reset(&tc->scratch);
	return label;
}
