/* Pair: enter and exit of system calls become calls, by thread. */
#include "enums.h"
#include "timeline.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "../../arch/arch.h"
#include "../base/fs.h"
#include "../base/units.h"

#define FORGET_MIN 1024u	/* threads; fewer are not worth a search for those that ended */

enum { ENTER_ID, ENTER_ARGS };
static const struct tracing_field enter_fields[] = {
	{ .name = "id" }, { .name = "args", .is_bytes = true }, { .name = NULL }
};
enum { EXIT_ID, EXIT_RET };
static const struct tracing_field exit_fields[] = { { .name = "id" }, { .name = "ret" }, { .name = NULL } };
static const struct tracing_field runtime_fields[] = { { .name = "runtime" }, { .name = NULL } };

/* ---- threads ---- */

/* 32-bit programs on a 64-bit kernel: 1 if that is an ELF file of 32 bits, 0: of 64; -1: neither */
static int is_32(const char *path)
{
	unsigned char ident[EI_NIDENT];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is_elf;

	if (fd < 0)
		return -1;
	is_elf = read(fd, ident, sizeof(ident)) == sizeof(ident) && !memcmp(ident, ELFMAG, SELFMAG);
	close(fd);
	return is_elf ? ident[EI_CLASS] == ELFCLASS32 : -1;
}

/*
 * Maps of the program before an exec are also maps of the process: its latest vdso decides. Without a vdso:
 * 32-bit if there are several maps, all below 4 GB, as a 64-bit program may have one map there, too
 */
static bool maps_are_32(const struct machine *m, u32 maps)
{
	struct map *map;
	size_t nr = maps == ID_NONE ? 0 : machine_maps_at_end(m, maps, &map);
	const struct map *vdso = NULL;
	bool low = nr > 1;

	for (size_t i = 0; i < nr; i++) {
		bool known = map[i].dso != ID_NONE;
		const char *name = known ? dsos_at(machine_dsos(m), map[i].dso)->long_name : "";

		low &= map[i].end <= 1ull << 32;
		if (!strncmp(name, "[vdso", 5) && (!vdso || !when_before(map[i].from, vdso->from)))
			vdso = &map[i];
	}
	if (vdso)
		low = vdso->end <= 1ull << 32;
	if (maps != ID_NONE)
		free(map);
	return low;
}

/* the file that runs, while it does */
static int process_is_32(s32 pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	return is_32(path);
}

static const struct syscall_table *table_of(const struct trace *t, const struct tracing_sample *ts)
{
	int compat;

	if (!t->compat)
		return t->native;
	compat = t->o->live ? process_is_32(tracing_ctx(ts)->pid) : -1;
	if (compat < 0)
		compat = maps_are_32(t->s->machine, tracing_ctx(ts)->maps);
	return compat ? t->compat : t->native;
}

static void set_label(struct trace *t, struct trace_thread *th, const struct tracing_sample *ts)
{
	struct strbuf sb = STRBUF_INIT;

	if (!t->o->hide_comm) {
		if (th->comm == ID_NONE)
			strbuf_addf(&sb, ":%d", th->tid);
		else
			strbuf_add_safe(&sb, machine_comm_name(t->s->machine, th->comm));
		strbuf_addch(&sb, '/');
	}
	strbuf_addf(&sb, "%d ", th->tid);
	th->label_len = sb.len;
	th->label = arena_strdup(&t->labels, strbuf_str(&sb));
	strbuf_release(&sb);
	th->call.table = table_of(t, ts);
}

static struct trace_thread *find_thread(struct trace *t, s32 pid, s32 tid)
{
	struct trace_thread *th;
	u32 id;

	HIDX_FOREACH(&t->by_tid, hash_u64((u32)tid), id)
		if (t->thread.v[id]->tid == tid)
			return t->thread.v[id];
	th = xcalloc(1, sizeof(*th));
	*th = (struct trace_thread){ .pid = pid, .tid = tid, .comm = ID_NONE,
				     .call = { .pid = pid, .tid = tid } };
	hidx_insert(&t->by_tid, hash_u64((u32)tid), t->thread.nr);
	vec_push(&t->thread, th);
	return th;
}

struct trace_thread *trace_thread_of(struct trace *t, const struct tracing_sample *ts)
{
	struct trace_thread **recent = &t->recent[ts->sample->tid % ARRAY_SIZE(t->recent)];
	struct trace_thread *th = *recent;
	u32 comm;

	if (!th || th->tid != (s32)ts->sample->tid)
		*recent = th = find_thread(t, ts->sample->pid, ts->sample->tid);
	if (unlikely(th->pid != (s32)ts->sample->pid)) {
		/* the number belongs to another task now */
		th->pid = th->call.pid = ts->sample->pid;
		th->in_call = false;
	}
	comm = machine_comm_id(t->s->machine, tracing_ctx(ts)->thread, ts->when);
	if (unlikely(comm != th->comm || !th->label)) {
		th->comm = comm;
		set_label(t, th, ts);
	}
	return th;
}

static void free_thread(struct trace_thread *th)
{
	trace_stats_release(&th->stats);
	free(th->start_data);
	free(th->counted_comm);
	free(th);
}

bool trace_has_ended(const struct trace *t, s32 pid, s32 tid)
{
	const struct sample_ctx ctx = machine_sample_ctx(t->s->machine, pid, tid, WHEN_END);

	return !ctx.thread || ctx.thread->death.time != UINT64_MAX;
}

bool trace_forgets(const struct trace *t)
{
	/* other summaries have rows of groups */
	bool threads_are_rows = t->o->summary && t->o->mode == TRACE_BY_THREAD;

	return !threads_are_rows && !t->timeline && t->thread.nr >= MAX(2 * t->nr_kept, FORGET_MIN);
}

void trace_forget_ended(struct trace *t)
{
	struct arena labels = t->labels;
	size_t nr = 0;

	t->labels = (struct arena){ 0 };
	hidx_release(&t->by_tid);
	memset(t->recent, 0, sizeof(t->recent));
	vec_foreach(&t->thread, p) {
		struct trace_thread *th = *p;

		if (th != t->current && trace_has_ended(t, th->pid, th->tid)) {
			free_thread(th);
			continue;
		}
		if (th->label)
			th->label = arena_strdup(&t->labels, th->label);
		hidx_insert(&t->by_tid, hash_u64((u32)th->tid), nr);
		t->thread.v[nr++] = th;
	}
	t->thread.nr = t->nr_kept = nr;
	arena_release(&labels);
	trace_fds_forget_ended(t);
}

struct trace_thread *trace_thread_counted(struct trace *t, s32 pid, s32 tid)
{
	return find_thread(t, pid, tid);
}

void trace_name_counted(struct trace_thread *th, const char *comm, u64 ns)
{
	if (th->counted_comm && ns <= th->counted_ns)
		return;
	free(th->counted_comm);
	th->counted_comm = xstrndup(comm, 16);
	th->counted_ns = ns;
}

/* ---- calls ---- */

bool trace_begin_event(struct trace *t, const struct tracing_sample *ts)
{
	u32 idx = ts->sample->event->idx;
	bool was_on = t->on;

	t->now = ts->sample->time;
	if (idx == t->switch_on)
		t->on = true;
	else if (idx == t->switch_off)
		t->on = false;
	if (idx == t->switch_on || idx == t->switch_off) {
		if (!t->o->show_switches)
			return false;
	} else if (!was_on) {
		return false;
	}
	t->nr_events++;
	if (unlikely(t->generation != ts->generation)) {
		t->generation = ts->generation;
		locator_reset(&t->resolver.locator);
	}
	return true;
}

static bool is_selected(const struct trace *t, const struct syscall_row *row)
{
	return !t->o->selected || (row ? syscall_set_has(&t->o->set, row) : t->o->unknown);
}

/* not shown, but it changes what descriptors are open on */
static bool is_followed(const struct trace *t, const struct syscall_row *row)
{
	return t->o->live && t->o->lines && row && trace_fds_change(t->fds, row);
}

/* a call that does not return has its line now */
bool trace_never_returns(const struct syscall_row *row)
{
	return row && row->name[0] == 'e' && (!strcmp(row->name, "exit_group") || !strcmp(row->name, "exit"));
}

void trace_interrupt(struct trace *t, const struct trace_thread *th)
{
	struct trace_thread *current = t->current;

	if (!current || current == th)
		return;
	t->current = NULL;
	if (t->stop || !current->in_call || current->shown || !t->o->lines || t->o->min_duration_ns ||
	    t->o->failures || t->o->min_stack)
		return;
	trace_put_unfinished(t, current);
	current->shown = true;
}

static void read_args(const struct trace *t, struct trace_thread *th, const struct tracing_bytes *args)
{
	u32 word = args->len / SYSCALL_ARGS;
	const u8 *p = args->data;

	for (u32 i = 0; i < SYSCALL_ARGS; i++, p += word) {
		u64 v64;
		u32 v32;

		if (word == 8) {
			memcpy(&v64, p, 8);
			th->call.arg[i] = t->s->data->swap ? __builtin_bswap64(v64) : v64;
		} else {
			memcpy(&v32, p, 4);
			th->call.arg[i] = t->s->data->swap ? __builtin_bswap32(v32) : v32;
		}
	}
}

static void note_unpaired(struct trace *t, struct trace_thread *th, u32 nr)
{
	t->nr_unpaired += nr;
	th->nr_unpaired += nr;
}

static void begin_call(struct trace *t, struct trace_thread *th, const struct tracing_sample *ts)
{
	note_unpaired(t, th, th->in_call);
	th->call.nr = ts->value[ENTER_ID];
	th->call.has_ret = false;
	th->enter_time = ts->sample->time;
	th->cpu = ts->sample->cpu;
	th->shown = false;
	th->in_call = true;
	read_args(t, th, &ts->bytes[ENTER_ARGS]);
}

static void on_enter(void *ctx, const struct tracing_sample *ts)
{
	const struct syscall_row *row;
	struct trace *t = ctx;
	struct trace_thread *th;

	if (ts->bytes[ENTER_ARGS].len < 4 * SYSCALL_ARGS || t->o->no_syscalls ||
	    !trace_begin_event(t, ts))
		return;
	th = trace_thread_of(t, ts);
	row = th->call.table ? syscall_by_nr(th->call.table, ts->value[ENTER_ID]) : NULL;
	if (!is_selected(t, row)) {
		if (is_followed(t, row))
			begin_call(t, th, ts);
		return;
	}
	trace_note_time(t, ts->sample->time);
	if (!t->o->counted)
		th->nr_events++;
	if (unlikely(t->o->print_sample))
		trace_put_sample(t, ts, "raw_syscalls:sys_enter");
	trace_interrupt(t, th);
	begin_call(t, th, ts);
	if (unlikely(trace_never_returns(row))) {
		struct trace_line l = { .th = th, .start = th->enter_time, .cpu = th->cpu };

		th->in_call = false;
		if (t->o->lines && !t->o->failures && !t->o->min_duration_ns)
			trace_put_call(t, &l, &th->call, false, ts);
		return;
	}
	t->current = th;
}

/* an exit belongs to the last enter, but a few calls change the number of their thread's call */
static bool is_exit_of(const struct trace_thread *th, u64 id)
{
	const struct syscall_row *row;

	if (!th->in_call)
		return false;
	if ((u32)id == th->call.nr)
		return true;
	row = th->call.table ? syscall_by_nr(th->call.table, th->call.nr) : NULL;
	return row && (!strncmp(row->name, "execve", 6) || strstr(row->name, "sigreturn"));
}

static void count_call(struct trace *t, struct trace_thread *th, const struct trace_line *l,
		       const struct syscall_call *call, const struct tracing_sample *ts)
{
	struct trace_stats *stats = &th->stats;
	struct trace_stat *st;
	int errnum;

	if (t->o->mode != TRACE_BY_THREAD) {
		u64 key = t->o->mode == TRACE_BY_CGROUP ? ts->sample->cgroup : 0;
		struct trace_group *g = trace_group_of(&t->groups, key);

		g->nr_events += l->timed ? 2 : 1;
		stats = &g->stats;
	}
	st = trace_stat_of(stats, call->table, call->nr);
	trace_stat_add(st, l->timed, l->duration);
	if (syscall_failed(call, &errnum))
		trace_stat_fail(st, errnum);
}

static bool is_wanted(const struct trace *t, const struct trace_line *l, const struct syscall_call *call)
{
	int errnum;

	if (t->o->failures && !syscall_failed(call, &errnum))
		return false;
	return !t->o->min_duration_ns || (l->timed && l->duration >= t->o->min_duration_ns);
}

void trace_finish_call(struct trace *t, const struct trace_line *l, const struct syscall_call *call,
		       bool continued, const struct tracing_sample *ts)
{
	const struct syscall_row *row = call->table ? syscall_by_nr(call->table, call->nr) : NULL;
	struct trace_thread *th = l->th;

	if (!is_selected(t, row)) {
		if (l->timed)
			trace_fds_follow(t, call, row, true);
		return;
	}
	trace_note_time(t, l->start == UINT64_MAX ? ts->sample->time : l->start);
	if (!t->o->counted)
		th->nr_events += l->whole && l->timed ? 2 : 1;
	trace_fds_follow(t, call, row, false);
	if (t->current == th)
		t->current = NULL;
	if (t->o->summary && !t->o->counted && call->has_ret)
		count_call(t, th, l, call, ts);
	if (unlikely(t->o->print_sample))
		trace_put_sample(t, ts, "raw_syscalls:sys_exit");
	if (t->o->lines && is_wanted(t, l, call))
		trace_put_call(t, l, call, continued, ts);
	if (t->timeline && is_wanted(t, l, call))
		trace_timeline_add(t, th, l, call);
	trace_fds_follow(t, call, row, true);
	if (unlikely(t->o->max_events && !t->o->lines && ++t->nr_lines >= t->o->max_events))
		t->stop = true;
}

static void on_exit_event(void *ctx, const struct tracing_sample *ts)
{
	struct trace *t = ctx;
	struct trace_line l;
	struct trace_thread *th;
	bool paired, shown;

	if (t->o->no_syscalls || !trace_begin_event(t, ts))
		return;
	th = trace_thread_of(t, ts);
	paired = is_exit_of(th, ts->value[EXIT_ID]);
	if (!paired && (u32)ts->value[EXIT_ID] == UINT32_MAX) {
		/* the number was cleared while a signal was delivered */
		note_unpaired(t, th, 1);
		return;
	}
	if (!paired) {
		note_unpaired(t, th, 1 + th->in_call);
		th->call.nr = ts->value[EXIT_ID];
	}
	shown = paired && th->shown;
	th->call.ret = ts->value[EXIT_RET];
	th->call.has_ret = true;
	th->in_call = false;
	l = (struct trace_line){ .th = th, .cpu = ts->sample->cpu, .start = UINT64_MAX };
	if (paired) {
		l.start = th->enter_time;
		l.timed = true;
		l.duration = ts->sample->time > l.start ? ts->sample->time - l.start : 0;
		t->nr_pairs++;
	}
	trace_finish_call(t, &l, &th->call, !paired || shown, ts);
}

/* --sched */
static void on_runtime(void *ctx, const struct tracing_sample *ts)
{
	struct trace *t = ctx;

	if (t->o->sched)
		trace_thread_of(t, ts)->runtime_ns += ts->value[0];
	else
		trace_other_event(ctx, ts);
}

const struct tracing_row trace_rows[] = {
	{ "sched:sched_stat_runtime", runtime_fields, on_runtime, true },
	/* those after TRACE_NR_EVENT_ROWS are calls */
	{ "raw_syscalls:sys_enter", enter_fields, on_enter, false },
	{ "raw_syscalls:sys_exit", exit_fields, on_exit_event, false },
};
const u32 trace_nr_rows = ARRAY_SIZE(trace_rows);

/* ---- begin and end ---- */

/* of files with 32-bit programs that run on this machine */
static u16 machine_of_32(u16 machine)
{
	const struct arch *a = arch_by_machine(machine);
	u16 own = a ? a->abi[0].e_machine : 0;

	return a && a->compat_machine ? a->compat_machine : own ? own : machine;
}

/* 32-bit kernels say so by the size of what sys_enter records; files by the name of the machine */
static void find_tables(struct trace *t)
{
	const char *arch = t->s->data->feat.arch;
	u16 machine = session_elf_machine(t->s);
	bool is_32 = arch && (*arch == 'i' || !strncmp(arch, "arm", 3)) && strcmp(arch, "arm64") &&
		     strcmp(arch, "ia64");

	t->compat = syscall_table_find(machine_of_32(machine), 32);
	t->native = is_32 ? t->compat : syscall_table_find(machine, 64);
	if (!t->native || is_32)
		t->native = t->compat, t->compat = NULL;
}

static int find_switch(struct trace *t, const char *name, const char *option, u32 *ret, struct err *err)
{
	const struct evset *set = t->s->data->evset;

	*ret = ID_NONE;
	if (!name)
		return 0;
	for (u32 i = 0; i < set->ev.nr; i++)
		if (!strcmp(evset_at(set, i)->name, name)) {
			*ret = i;
			return 0;
		}
	return err_set(err, -ENOENT, "%s: there is no event '%s'", option, name);
}

/* of what runs now, the caller has chosen CLOCK_MONOTONIC */
static int find_wall_offset(struct trace *t, struct err *err)
{
	const struct features *f = &t->s->data->feat;

	if (t->o->live) {
		t->wall_offset = clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
		return 0;
	}
	t->wall_offset = f->clock_tod_ns - f->clock_ns;
	if (feature_present(f, FEAT_CLOCK_DATA))
		return 0;
	err_set(err, -EINVAL, "--tod: the file does not say which time of day its times are");
	err_hint(err, "record it with 'perf trace record -k CLOCK_MONOTONIC'");
	return err->code;
}

int trace_init(struct trace *t, const struct trace_opts *o, struct session *s, struct err *err)
{
	int ret;

	*t = (struct trace){ .o = o, .s = s, .base_time = UINT64_MAX, .on = !o->switch_on };
	find_tables(t);
	t->fds = trace_fds_new();
	t->enums = trace_enums_new(o->live);
	t->texts = xcalloc(1, sizeof(*t->texts));
	t->timeline = o->timeline ? trace_timeline_new() : NULL;
	resolver_init(&t->resolver, s, &t->scratch);
	named_frames_init(&t->names, s);
	ret = find_switch(t, o->switch_on, "--switch-on", &t->switch_on, err);
	if (!ret && o->tod)
		ret = find_wall_offset(t, err);
	return ret ? ret : find_switch(t, o->switch_off, "--switch-off", &t->switch_off, err);
}

void trace_end(struct trace *t)
{
	const struct syscall_row *row;

	trace_interrupt(t, NULL);
	if (!t->timeline || t->o->failures || t->o->min_duration_ns)
		return;
	vec_foreach(&t->thread, th) {
		row = (*th)->call.table ? syscall_by_nr((*th)->call.table, (*th)->call.nr) : NULL;
		if ((*th)->in_call && is_selected(t, row))
			trace_timeline_add_open(t, *th);
	}
}

void trace_hand_over(struct trace *t, struct trace_call_lines *to)
{
	struct trace_call_lines lines = *to;

	*to = t->lines;
	t->lines = lines;
	t->texts->batch++;
}

void trace_release(struct trace *t)
{
	if (!t->o)
		return;
	vec_foreach(&t->thread, th)
		free_thread(*th);
	vec_release(&t->thread);
	hidx_release(&t->by_tid);
	trace_groups_release(&t->groups);
	trace_fds_free(t->fds);
	trace_enums_free(t->enums);
	free(t->texts);
	trace_timeline_free(t->timeline);
	resolver_release(&t->resolver);
	named_frames_release(&t->names);
	arena_release(&t->scratch);
	strbuf_release(&t->text);
	trace_call_lines_release(&t->lines);
	arena_release(&t->labels);
}
