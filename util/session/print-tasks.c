/* report --tasks and --mmaps */
#include "print.h"
#include "values.h"

#include <stdlib.h>
#include <sys/mman.h>
#include "../base/hash.h"

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

static void print_task(struct strbuf *out, const struct session *s, const struct thread *th, u32 indent)
{
	indent = MIN(indent, INDENT_MAX);
	strbuf_addf(out, "%10d %8d %8d |%*s", th->pid, th->tid, th->ptid, (int)indent, "");
	strbuf_add_safe(out, machine_comm_name(s->machine, machine_comm_id(s->machine, th, WHEN_END)));
	strbuf_addch(out, '\n');
}

/* a line of the tree */
struct tree_line {
	const struct thread *thread;
	u32 depth;
};

struct tree {
	VEC(struct tree_line);
};

/* adds a task and all below it, without recursion, because the file determines the depth */
static void add_tree(struct tree *tree, struct tasks *t, size_t top, u32 depth)
{
	struct { VEC(size_t); } path = { 0 };	/* next sibling to add at each level */

	t->v[top].done = true;
	vec_push(tree, (struct tree_line){ t->v[top].thread, depth });
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
		vec_push(tree, (struct tree_line){ t->v[i].thread, depth + path.nr });
		vec_push(&path, first_child(t, t->v[i].thread->tid));
	}
	vec_release(&path);
}

static struct tree collect_tree(const struct session *s, bool with_maps)
{
	struct tasks t = collect(s, with_maps);
	struct tree tree = { 0 };

	for (size_t i = 0; i < t.nr; i++)
		if (!t.v[i].thread->tid)
			add_tree(&tree, &t, i, 0);
	for (size_t i = 0; i < t.nr; i++)
		if (!t.v[i].done && t.v[i].parent <= 0)
			add_tree(&tree, &t, i, 1);
	for (size_t i = 0; i < t.nr; i++)	/* in a damaged file parents can form a circle */
		if (!t.v[i].done)
			add_tree(&tree, &t, i, 1);
	vec_release(&t);
	return tree;
}

void session_print_tasks(const struct session *s, bool with_maps, struct strbuf *out)
{
	struct tree tree = collect_tree(s, with_maps);

	strbuf_addf(out, "# %8s %8s %8s  %s\n", "pid", "tid", "ppid", "comm");
	vec_foreach(&tree, l) {
		print_task(out, s, l->thread, l->depth);
		if (with_maps)
			print_maps(out, s, l->thread, MIN(l->depth, INDENT_MAX));
	}
	vec_release(&tree);
}

/* ---- as values ---- */

struct task_row {
	const struct thread *thread;
	const char *comm;
	u32 depth;
};

static const struct thread *task_of(const void *row) { return ((const struct task_row *)row)->thread; }
static u64 task_pid(const void *row) { return (s64)task_of(row)->pid; }
static u64 task_tid(const void *row) { return (s64)task_of(row)->tid; }
static u64 task_parent(const void *row) { return (s64)task_of(row)->ptid; }
static u64 task_depth(const void *row) { return ((const struct task_row *)row)->depth; }
static const char *task_comm(const void *row) { return ((const struct task_row *)row)->comm; }

static const char *no_parent(const void *row)
{
	return task_of(row)->ptid < 0 ? "its fork was not recorded" : NULL;
}

static const struct view_field task_fields[] = {
	{ VIEW_COUNT("pid", "PID", VIEW_SIGNED, 1), .number = task_pid },
	{ VIEW_COUNT("tid", "TID", VIEW_SIGNED, 1), .number = task_tid },
	{ VIEW_COUNT("ppid", "Parent", VIEW_SIGNED, 1), .number = task_parent, .absent = no_parent },
	{ VIEW_COUNT("depth", "Depth", VIEW_NUMBER, 1), .number = task_depth },
	{ VIEW_NAME("comm", "Command", VIEW_TEXT, 1), .text = task_comm },
};

struct map_row {
	s32 pid;
	const struct dso *dso;
	struct map map;
	char protection[5];
	const char *buildid;
};

struct map_rows {
	VEC(struct map_row);
};

static const struct map *map_of(const void *row) { return &((const struct map_row *)row)->map; }
static u64 map_pid(const void *row) { return (s64)((const struct map_row *)row)->pid; }
static u64 map_start(const void *row) { return map_of(row)->start; }
static u64 map_end(const void *row) { return map_of(row)->end; }
static u64 map_pgoff(const void *row) { return map_of(row)->pgoff; }
static u64 map_inode(const void *row) { return map_of(row)->ino; }
static const char *map_protection(const void *row) { return ((const struct map_row *)row)->protection; }
static const char *map_buildid(const void *row) { return ((const struct map_row *)row)->buildid; }
static const char *map_file(const void *row) { return ((const struct map_row *)row)->dso->long_name; }

static const char *no_protection(const void *row)
{
	return map_of(row)->is_mmap2 ? NULL : "the record has none";
}

static const char *no_inode(const void *row)
{
	return map_of(row)->ino ? NULL : "not recorded";
}

static const char *no_buildid(const void *row)
{
	return map_buildid(row)[0] ? NULL : "not recorded";
}

static const struct view_field map_fields[] = {
	{ VIEW_COUNT("pid", "PID", VIEW_SIGNED, 1), .number = map_pid },
	{ VIEW_COUNT("start", "Start", VIEW_ADDRESS, 1), .number = map_start },
	{ VIEW_COUNT("end", "End", VIEW_ADDRESS, 1), .number = map_end },
	{ VIEW_NAME("protection", "Protection", VIEW_TEXT, 1), .text = map_protection,
	  .absent = no_protection },
	{ VIEW_COUNT("offset", "Offset", VIEW_ADDRESS, 1), .number = map_pgoff },
	{ VIEW_COUNT("inode", "Inode", VIEW_NUMBER, 1), .number = map_inode, .absent = no_inode },
	{ VIEW_NAME("build-id", "Build-id", VIEW_TEXT, 1), .text = map_buildid, .absent = no_buildid },
	{ VIEW_NAME("file", "File", VIEW_TEXT, 1), .text = map_file },
};

/* numbers of address spaces */
struct id_set {
	VEC(u32);
	struct hidx idx;
};

static const char *buildid_text(const struct dso *d, struct arena *arena)
{
	struct strbuf id = STRBUF_INIT;
	const char *ret;

	for (u32 i = 0; i < d->buildid_len; i++)
		strbuf_add_hex(&id, d->buildid[i], 2, '0');
	ret = id.len ? arena_strdup(arena, strbuf_str(&id)) : "";
	strbuf_release(&id);
	return ret;
}

static void add_maps(struct map_rows *rows, const struct session *s, const struct thread *th,
		     struct arena *arena)
{
	struct map *maps;
	size_t nr = machine_maps_at_end(s->machine, th->maps, &maps);

	for (size_t i = 0; i < nr; i++) {
		const struct map *m = &maps[i];
		struct map_row row = { .pid = th->pid, .map = *m,
				       .dso = dsos_at(machine_dsos(s->machine), m->dso) };

		row.protection[0] = m->prot & PROT_READ ? 'r' : '-';
		row.protection[1] = m->prot & PROT_WRITE ? 'w' : '-';
		row.protection[2] = m->prot & PROT_EXEC ? 'x' : '-';
		row.protection[3] = m->flags & MAP_SHARED ? 's' : 'p';
		row.buildid = buildid_text(row.dso, arena);
		vec_push(rows, row);
	}
	free(maps);
}

/* true the first time that it is asked for this address space */
static bool first_of(struct id_set *seen, u32 maps)
{
	u32 i;

	HIDX_FOREACH(&seen->idx, hash_u64(maps), i)
		if (seen->v[i] == maps)
			return false;
	hidx_insert(&seen->idx, hash_u64(maps), seen->nr);
	vec_push(seen, maps);
	return true;
}

void session_add_tasks(const struct session *s, bool with_maps, struct view *v)
{
	struct tree tree = collect_tree(s, with_maps);
	struct task_row *tasks = xcalloc(tree.nr + 1, sizeof(*tasks));
	struct map_rows maps = { 0 };
	struct id_set seen = { 0 };

	for (size_t i = 0; i < tree.nr; i++) {
		const struct thread *th = tree.v[i].thread;

		tasks[i].thread = th;
		tasks[i].comm = machine_comm_name(s->machine, machine_comm_id(s->machine, th, WHEN_END));
		tasks[i].depth = tree.v[i].depth;
		if (with_maps && first_of(&seen, th->maps))
			add_maps(&maps, s, th, &v->arena);
	}
	session_add_values(v, "tasks", "threads", task_fields, ARRAY_SIZE(task_fields), tasks, tree.nr,
			   sizeof(*tasks));
	if (with_maps)
		session_add_values(v, "tasks", "maps", map_fields, ARRAY_SIZE(map_fields), maps.v, maps.nr,
				   sizeof(*maps.v));
	hidx_release(&seen.idx);
	vec_release(&seen);
	vec_release(&tree);
}
