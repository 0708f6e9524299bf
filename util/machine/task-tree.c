/* Task tree: see task-tree.h. */
#include "task-tree.h"
#include "../base/search.h"

#include <stdlib.h>

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
	size_t lo = LOWER_BOUND(t->nr, i, cmp_tid(&t->v[i], &key) < 0);

	return lo < t->nr && t->v[lo].thread->tid == tid;
}

/*
 * The last life of each tid, sorted by parent. Exits do not count here: a life that began without a fork,
 * because a record named the tid again, is the same life.
 */
static struct tasks collect(const struct machine *m, bool with_maps)
{
	struct tasks t = { 0 };
	size_t nr = 0;

	for (u32 i = 0; i < machine_nr_threads(m); i++) {
		const struct thread *th = machine_thread_at(m, i);

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
	return LOWER_BOUND(t->nr, i, t->v[i].parent < parent);
}

/* adds a task and all below it, without recursion, because the file determines the depth */
static void add_tree(struct task_tree *tree, struct tasks *t, size_t top, u32 depth)
{
	struct { VEC(size_t); } path = { 0 };	/* next sibling to add at each level */

	t->v[top].done = true;
	vec_push(tree, (struct task_line){ t->v[top].thread, depth });
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
		vec_push(tree, (struct task_line){ t->v[i].thread, depth + path.nr });
		vec_push(&path, first_child(t, t->v[i].thread->tid));
	}
	vec_release(&path);
}

struct task_tree task_tree_make(const struct machine *m, bool with_maps)
{
	struct tasks t = collect(m, with_maps);
	struct task_tree tree = { 0 };

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
