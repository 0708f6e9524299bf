/*
 * Fds: the open files of a process by descriptor. On this machine /proc is asked once per descriptor, until a
 * call closes or replaces it. It shows the present, and calls are a little older, so it is asked only about
 * descriptors that have not changed for a while. In recordings names come from the recorded bytes of path
 * arguments only.
 */
#include "trace-private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fd_entry {
	s32 pid, fd;
	bool known;		/* else it has to be asked for */
	u64 changed;		/* time of the last call that changed it; 0: none was seen */
	char *path;		/* NULL: there is nothing to show */
};

/* calls after which a descriptor is another one */
enum fd_change { CHANGES_NOTHING, CLOSES_ARG0, OPENS_RESULT, OPENS_ARG1, CLOSES_FROM_ARG0, CLOSES_ALL };
static const struct {
	const char *name;
	enum fd_change change;
} changes[] = {
	{ "accept", OPENS_RESULT }, { "accept4", OPENS_RESULT }, { "close", CLOSES_ARG0 },
	{ "close_range", CLOSES_FROM_ARG0 }, { "creat", OPENS_RESULT }, { "dup", OPENS_RESULT },
	{ "dup2", OPENS_ARG1 }, { "dup3", OPENS_ARG1 }, { "epoll_create", OPENS_RESULT },
	{ "epoll_create1", OPENS_RESULT }, { "eventfd", OPENS_RESULT }, { "eventfd2", OPENS_RESULT },
	{ "execve", CLOSES_ALL }, { "execveat", CLOSES_ALL }, { "fcntl", OPENS_RESULT },
	{ "inotify_init1", OPENS_RESULT }, { "memfd_create", OPENS_RESULT }, { "open", OPENS_RESULT },
	{ "openat", OPENS_RESULT }, { "openat2", OPENS_RESULT }, { "perf_event_open", OPENS_RESULT },
	{ "pidfd_open", OPENS_RESULT }, { "signalfd4", OPENS_RESULT }, { "socket", OPENS_RESULT },
	{ "timerfd_create", OPENS_RESULT }, { "userfaultfd", OPENS_RESULT },
};

/* trust in what is open now: twice the time between two readings of the rings, and some more */
#define STABLE_NS 250000000u
/* descriptors, at most: if those of living processes are more, all are forgotten */
#define ENTRIES_MAX 65536u

struct trace_fds {
	struct { VEC(struct fd_entry); } entry;
	struct hidx idx;
	u8 change[SYSCALL_ROWS_MAX];	/* enum fd_change by the index of the call's row */
};

struct trace_fds *trace_fds_new(void)
{
	struct trace_fds *f = xcalloc(1, sizeof(*f));

	for (size_t i = 0; i < ARRAY_SIZE(changes); i++) {
		const struct syscall_row *row = syscall_by_name(changes[i].name);

		if (row)
			f->change[row->index] = changes[i].change;
	}
	return f;
}

static void forget_entries(struct trace_fds *f)
{
	vec_foreach(&f->entry, e)
		free(e->path);
	f->entry.nr = 0;
	hidx_release(&f->idx);
}

void trace_fds_free(struct trace_fds *f)
{
	if (!f)
		return;
	forget_entries(f);
	vec_release(&f->entry);
	free(f);
}

static u64 hash_of(s32 pid, s32 fd)
{
	return hash_u64((u64)(u32)pid << 32 | (u32)fd);
}

static struct fd_entry *find(struct trace_fds *f, s32 pid, s32 fd)
{
	u32 id;

	HIDX_FOREACH(&f->idx, hash_of(pid, fd), id)
		if (f->entry.v[id].pid == pid && f->entry.v[id].fd == fd)
			return &f->entry.v[id];
	return NULL;
}

static struct fd_entry *find_or_add(struct trace_fds *f, s32 pid, s32 fd)
{
	struct fd_entry *e = find(f, pid, fd);

	if (e)
		return e;
	if (f->entry.nr >= ENTRIES_MAX)
		forget_entries(f);
	hidx_insert(&f->idx, hash_of(pid, fd), f->entry.nr);
	vec_push(&f->entry, (struct fd_entry){ .pid = pid, .fd = fd });
	return &f->entry.v[f->entry.nr - 1];
}

static char *read_link(s32 pid, s32 fd)
{
	char link[64], path[4096];
	ssize_t len;
	struct strbuf sb = STRBUF_INIT;

	snprintf(link, sizeof(link), "/proc/%d/fd/%d", pid, fd);
	len = readlink(link, path, sizeof(path) - 1);
	if (len <= 0)
		return NULL;
	path[len] = '\0';
	strbuf_add_safe(&sb, path);
	return strbuf_detach(&sb);
}

/* what changed a moment ago is not asked for yet */
static bool is_fresh(const struct trace *t, const struct fd_entry *e)
{
	return e->changed && t->now < e->changed + STABLE_NS;
}

bool trace_fd_path(void *ctx, s32 pid, s32 fd, struct strbuf *out)
{
	struct trace *t = ctx;
	struct fd_entry *e;

	if (fd < 0)
		return false;
	if (!t->o->live)
		return false;
	e = find_or_add(t->fds, pid, fd);
	if (!e->known && is_fresh(t, e)) {
		t->keep_text = false;	/* next time it may be known */
		return false;
	}
	if (!e->known) {
		e->path = read_link(pid, fd);
		e->known = e->path != NULL;
		t->nr_fd_reads++;
	}
	if (!e->path)
		return false;
	strbuf_addstr(out, e->path);
	return true;
}

static void forget(struct trace *t, s32 pid, s32 fd)
{
	struct fd_entry *e = t->o->live && t->o->lines && fd >= 0 ? find_or_add(t->fds, pid, fd) : NULL;

	if (!e)
		return;
	e->changed = t->now;
	t->texts->generation++;
	free(e->path);
	e->path = NULL;
	e->known = false;
}

static void forget_from(struct trace *t, s32 pid, s32 first)
{
	vec_foreach(&t->fds->entry, e)
		if (e->pid == pid && e->fd >= first)
			forget(t, pid, e->fd);
}

void trace_fds_forget_ended(struct trace *t)
{
	struct trace_fds *f = t->fds;
	u32 nr = 0;

	hidx_release(&f->idx);
	vec_foreach(&f->entry, e) {
		if ((!e->known && !is_fresh(t, e)) || trace_has_ended(t, e->pid, e->pid)) {
			free(e->path);
			continue;
		}
		hidx_insert(&f->idx, hash_of(e->pid, e->fd), nr);
		f->entry.v[nr++] = *e;
	}
	f->entry.nr = nr;
}

u32 trace_fds_nr(const struct trace_fds *f)
{
	return f->entry.nr;
}

bool trace_fds_change(const struct trace_fds *f, const struct syscall_row *row)
{
	return f->change[row->index] != CHANGES_NOTHING;
}

void trace_fd_calls(struct syscall_set *set)
{
	/* what is opened was closed before, so those that open need not be seen */
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++) {
		const struct syscall_row *row = syscall_by_name(changes[i].name);

		if (row && changes[i].change != OPENS_RESULT)
			syscall_set_add(set, row);
	}
}

static void learn(struct trace *t, s32 pid, s32 fd, char *path)
{
	struct fd_entry *e = t->o->live && t->o->lines ? find_or_add(t->fds, pid, fd) : NULL;

	if (!e) {
		free(path);
		return;
	}
	free(e->path);
	e->path = path;
	e->known = true;
}

/* an open whose name was copied says what the descriptor is; names from elsewhere than / are left to /proc */
static void learn_open(struct trace *t, const struct syscall_call *call, const struct syscall_row *row)
{
	bool first = !strcmp(row->name, "open") || !strcmp(row->name, "creat");
	const struct syscall_data *name = &call->data[first ? 0 : 1];
	const char *path = name->p;
	struct strbuf safe = STRBUF_INIT;

	if ((!first && strncmp(row->name, "openat", 6)) || !path || !name->len || *path != '/' ||
	    path[name->len - 1])
		return;
	strbuf_add_safe(&safe, path);
	learn(t, call->pid, call->ret, strbuf_detach(&safe));
}

static void learn_copy(struct trace *t, const struct syscall_call *call)
{
	const struct fd_entry *from = find(t->fds, call->pid, call->arg[0]);

	if (from && from->known && from->path)
		learn(t, call->pid, call->arg[1], xstrdup(from->path));
}

void trace_fds_follow(struct trace *t, const struct syscall_call *call, const struct syscall_row *row,
		      bool after)
{
	enum fd_change change = row ? t->fds->change[row->index] : CHANGES_NOTHING;

	if (change == CHANGES_NOTHING || (call->ret < 0 && call->ret >= -4095))
		return;
	if (change == OPENS_RESULT && !after)
		forget(t, call->pid, call->ret);
	if (!after)
		return;
	if (change == OPENS_RESULT) {
		learn_open(t, call, row);
	} else if (change == CLOSES_ARG0) {
		forget(t, call->pid, call->arg[0]);
	} else if (change == OPENS_ARG1) {
		forget(t, call->pid, call->arg[1]);
		learn_copy(t, call);
	} else if (change == CLOSES_FROM_ARG0 || change == CLOSES_ALL) {
		forget_from(t, call->pid, change == CLOSES_ALL ? 0 : call->arg[0]);
	}
}
