/* report --tasks and --mmaps: the tree of tasks, and what each has mapped. */
#include "contents.h"
#include "table.h"

#include <stdlib.h>
#include <sys/mman.h>
#include "../base/hash.h"
#include "../machine/task-tree.h"

/* a file can contain forks of any depth, and each level makes all lines below it longer */
#define INDENT_MAX 512u

static void print_id(struct strbuf *out, const struct map *m, const struct dso *d)
{
	bool by_buildid = d->kind == DSO_VDSO || !m->is_mmap2 ||
			  (d->buildid_len && !m->ino && !m->maj && !m->min);

	if (!by_buildid)
		strbuf_add_u64(out, m->ino, 0);
	for (u32 i = 0; by_buildid && i < d->buildid_len; i++)
		strbuf_add_hex(out, d->buildid[i], 2, '0');
}

static void print_maps(struct strbuf *out, const struct machine *machine, const struct thread *th, u32 indent)
{
	struct map *maps;
	size_t nr = machine_maps_at_end(machine, th->maps, &maps);

	for (size_t i = 0; i < nr; i++) {
		const struct map *m = &maps[i];
		const struct dso *d = dsos_at(machine_dsos(machine), m->dso);

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

static void print_task(struct strbuf *out, const struct machine *machine, const struct thread *th, u32 indent)
{
	indent = MIN(indent, INDENT_MAX);
	strbuf_addf(out, "%10d %8d %8d |%*s", th->pid, th->tid, th->ptid, (int)indent, "");
	strbuf_add_safe(out, machine_comm_name(machine, machine_comm_id(machine, th, WHEN_END)));
	strbuf_addch(out, '\n');
}

void contents_print_tasks(const struct machine *machine, bool with_maps, struct strbuf *out)
{
	struct task_tree tree = task_tree_make(machine, with_maps);

	strbuf_addf(out, "# %8s %8s %8s  %s\n", "pid", "tid", "ppid", "comm");
	vec_foreach(&tree, l) {
		print_task(out, machine, l->thread, l->depth);
		if (with_maps)
			print_maps(out, machine, l->thread, MIN(l->depth, INDENT_MAX));
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

static void add_maps(struct map_rows *rows, const struct machine *machine, const struct thread *th,
		     struct arena *arena)
{
	struct map *maps;
	size_t nr = machine_maps_at_end(machine, th->maps, &maps);

	for (size_t i = 0; i < nr; i++) {
		const struct map *m = &maps[i];
		struct map_row row = { .pid = th->pid, .map = *m,
				       .dso = dsos_at(machine_dsos(machine), m->dso) };

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
	size_t nr = seen->nr;

	vec_find_or_add_id(seen, &seen->idx, hash_u64(maps), m, *m == maps, maps);
	return seen->nr > nr;
}

void contents_add_tasks(const struct machine *machine, bool with_maps, struct view *v)
{
	struct task_tree tree = task_tree_make(machine, with_maps);
	struct task_row *tasks = xcalloc(tree.nr + 1, sizeof(*tasks));
	struct map_rows maps = { 0 };
	struct id_set seen = { 0 };

	for (size_t i = 0; i < tree.nr; i++) {
		const struct thread *th = tree.v[i].thread;

		tasks[i].thread = th;
		tasks[i].comm = machine_comm_name(machine, machine_comm_id(machine, th, WHEN_END));
		tasks[i].depth = tree.v[i].depth;
		if (with_maps && first_of(&seen, th->maps))
			add_maps(&maps, machine, th, &v->arena);
	}
	contents_add_table(v, "tasks", "threads", task_fields, ARRAY_SIZE(task_fields), tasks, tree.nr,
			   sizeof(*tasks));
	if (with_maps)
		contents_add_table(v, "tasks", "maps", map_fields, ARRAY_SIZE(map_fields), maps.v, maps.nr,
				   sizeof(*maps.v));
	hidx_release(&seen.idx);
	vec_release(&seen);
	vec_release(&tree);
}
