/* report --tasks and --mmaps */
#include "print.h"

#include <stdlib.h>
#include <sys/mman.h>

/* a file can contain forks of any depth, and each level makes all lines below it longer */
#define INDENT_MAX 512u

struct task {
	const struct thread *thread;
	/* tid of its parent in the tree; -1: none; the idle thread is not a parent here */
	s64 parent;
	bool done;
};

struct tasks {
	VEC(struct task);
};

static int cmp_tid(const void *a, const void *b)
{
	const struct task *x = a, *y = b;

	if (x->thread->tid != y->thread->tid)
		return x->thread->tid < y->thread->tid ? -1 : 1;
	return x->thread->idx < y->thread->idx ? -1 : x->thread->idx > y->thread->idx;
}

/* top-level tasks come first: tasks without parent, then the children of the idle task */
static int cmp_parent(const void *a, const void *b)
{
	const struct task *x = a, *y = b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	return x->thread->tid < y->thread->tid ? -1 : x->thread->tid > y->thread->tid;
}

static bool has_tid(const struct tasks *t, s32 tid)
{
	struct thread key_thread = { .tid = tid };
	struct task key = { .thread = &key_thread };
	size_t lo = 0, hi = t->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (cmp_tid(&t->v[mid], &key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < t->nr && t->v[lo].thread->tid == tid;
}

/*
 * The last life of each tid, sorted by parent. Exits do not count here, so a life that began without a fork,
 * because a record mentioned the tid again, is not a separate one.
 */
static struct tasks collect(const struct session *s, bool with_maps)
{
	struct tasks t = { 0 };
	size_t nr = 0;

	for (u32 i = 0; i < machine_nr_threads(s->machine); i++) {
		const struct thread *th = machine_thread_at(s->machine, i);

		if (with_maps || !th->from_map)
			vec_push(&t, (struct task){ .thread = th });
	}
	qsort(t.v, t.nr, sizeof(*t.v), cmp_tid);
	for (size_t i = 0; i < t.nr; i++)
		if (!nr || t.v[nr - 1].thread->tid != t.v[i].thread->tid)
			t.v[nr++] = t.v[i];
		else if (t.v[i].thread->ptid >= 0)
			t.v[nr - 1] = t.v[i];
	t.nr = nr;
	for (size_t i = 0; i < nr; i++) {
		s32 ptid = t.v[i].thread->ptid;

		t.v[i].parent = ptid <= 0 || ptid == t.v[i].thread->tid ||
				!has_tid(&t, ptid) ? MIN(ptid, 0) : ptid;
	}
	qsort(t.v, nr, sizeof(*t.v), cmp_parent);
	return t;
}

/* position of the first child of that parent */
static size_t first_child(const struct tasks *t, s64 parent)
{
	size_t lo = 0, hi = t->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->v[mid].parent < parent)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void print_id(struct strbuf *out, const struct map *m, const struct dso *d)
{
	bool by_buildid = d->kind == DSO_VDSO || !m->is_mmap2 ||
			  (d->buildid_len && !m->ino && !m->maj && !m->min);

	if (!by_buildid)
		strbuf_add_u64(out, m->ino, 0);
	for (u32 i = 0; by_buildid && i < d->buildid_len; i++)
		strbuf_add_hex(out, d->buildid[i], 2, '0');
}

static void print_maps(struct strbuf *out, const struct session *s, const struct thread *th, u32 indent)
{
	struct map *maps;
	size_t nr = machine_maps_at_end(s->machine, th->maps, &maps);

	for (size_t i = 0; i < nr; i++) {
		const struct map *m = &maps[i];
		const struct dso *d = dsos_at(machine_dsos(s->machine), m->dso);

		strbuf_pad(out, ' ', 32 + indent);
		/* any flag counts as shared: this is upstream's rule, kept so that outputs can be compared */
		strbuf_addf(out, "%lx-%lx %c%c%c%c %08lx ", m->start, m->end, m->prot & PROT_READ ? 'r' : '-',
			    m->prot & PROT_WRITE ? 'w' : '-', m->prot & PROT_EXEC ? 'x' : '-',
			    m->flags ? 's' : 'p', m->pgoff);
		print_id(out, m, d);
		strbuf_addch(out, ' ');
		strbuf_add_safe(out, d->long_name);
		strbuf_addch(out, '\n');
	}
	free(maps);
}

static void print_task(struct strbuf *out, const struct session *s, const struct task *t, u32 indent,
		       bool with_maps)
{
	const struct thread *th = t->thread;

	indent = MIN(indent, INDENT_MAX);
	strbuf_addf(out, "%10d %8d %8d |%*s", th->pid, th->tid, th->ptid, (int)indent, "");
	strbuf_add_safe(out, machine_comm_name(s->machine, machine_comm_id(s->machine, th, WHEN_END)));
	strbuf_addch(out, '\n');
	if (with_maps)
		print_maps(out, s, th, indent);
}

/* prints a task and all below it, without recursion, because the file determines the depth */
static void print_tree(struct strbuf *out, const struct session *s, struct tasks *t, size_t top, u32 indent,
		       bool with_maps)
{
	struct { VEC(size_t); } path = { 0 };	/* next sibling to print at each level */

	t->v[top].done = true;
	print_task(out, s, &t->v[top], indent, with_maps);
	if (!t->v[top].thread->tid)
		return;				/* children of the idle task are top-level tasks, too */
	vec_push(&path, first_child(t, t->v[top].thread->tid));
	while (path.nr) {
		size_t i = path.v[path.nr - 1]++;
		s64 parent;

		parent = path.nr > 1 ? t->v[path.v[path.nr - 2] - 1].thread->tid : t->v[top].thread->tid;
		if (i >= t->nr || t->v[i].parent != parent) {
			path.nr--;
			continue;
		}
		if (t->v[i].done)
			continue;
		t->v[i].done = true;
		print_task(out, s, &t->v[i], indent + path.nr, with_maps);
		vec_push(&path, first_child(t, t->v[i].thread->tid));
	}
	vec_release(&path);
}

void session_print_tasks(const struct session *s, bool with_maps, struct strbuf *out)
{
	struct tasks t = collect(s, with_maps);

	strbuf_addf(out, "# %8s %8s %8s  %s\n", "pid", "tid", "ppid", "comm");
	for (size_t i = 0; i < t.nr; i++)
		if (!t.v[i].thread->tid)
			print_tree(out, s, &t, i, 0, with_maps);
	for (size_t i = 0; i < t.nr; i++)
		if (!t.v[i].done && t.v[i].parent <= 0)
			print_tree(out, s, &t, i, 1, with_maps);
	for (size_t i = 0; i < t.nr; i++)	/* in a damaged file parents can form a circle */
		if (!t.v[i].done)
			print_tree(out, s, &t, i, 1, with_maps);
	vec_release(&t);
}
