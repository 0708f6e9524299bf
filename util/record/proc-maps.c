/* Proc-maps: see proc-maps.h. */
#include "proc-maps.h"
#include "../base/map-query.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* executable maps in a hole, and the map before them: readers look at no more (machine/moved-text.c) */
#define PIECES 8

static bool same_file(const struct mmap2 *a, const struct mmap2 *b)
{
	return a->ino && a->ino == b->ino && a->maj == b->maj && a->min == b->min;
}

/* the last map: does it end a hole in its file? */
static void find_hole(struct proc_maps *maps)
{
	struct mmap2 *end = &maps->v[maps->nr - 1];
	u64 at = end->start;

	for (size_t n = 1; n <= PIECES && n < maps->nr; n++) {
		struct mmap2 *m = end - n;

		if (m->start + m->len != at)
			return;
		at = m->start;
		if (same_file(m, end)) {
			end->has_hole = n > 1 && end->pgoff - m->pgoff == end->start - m->start;
			m->has_hole |= end->has_hole;
			return;
		}
		if (!(m->prot & PROT_EXEC))
			return;
	}
}

struct maps_reader {
	struct proc_maps *maps;
	s32 pid;
	struct { VEC(size_t); } path;	/* of executable maps: offsets in the text */
	bool all_needed;
};

static struct mmap2 map_of(const struct maps_reader *r, const struct proc_map *l)
{
	bool is_anon = !*l->path || !strncmp(l->path, "/anon_hugepage", 14);

	return (struct mmap2){
		.pid = r->pid, .tid = r->pid, .start = l->start, .len = l->end - l->start, .pgoff = l->off,
		.ino = l->ino, .maj = l->maj, .min = l->min, .prot = l->prot,
		.flags = l->is_shared ? MAP_SHARED : MAP_PRIVATE, .path = is_anon ? "//anon" : l->path,
	};
}

static bool add_map(void *ctx, const struct proc_map *l)
{
	struct maps_reader *r = ctx;

	vec_push(r->maps, map_of(r, l));
	find_hole(r->maps);
	return true;
}

/*
 * Memory that is not a file, or a file from its start on, may be where a program has moved its text to: then
 * the maps around it are needed
 */
static bool add_exec_map(void *ctx, const struct proc_map *l, bool is_plain)
{
	struct maps_reader *r = ctx;

	r->all_needed = !is_plain || (l->ino && !l->off);
	if (r->all_needed)
		return false;
	vec_push(r->maps, map_of(r, l));
	vec_push(&r->path, r->maps->text.len);
	strbuf_add(&r->maps->text, l->path, strlen(l->path) + 1);
	return true;
}

void proc_maps_read(struct proc_maps *ret, s32 pid)
{
	struct maps_reader r = { .maps = ret, .pid = pid };

	map_lines_read(pid, &ret->text, add_map, &r);
}

static bool note_gate(void *ctx, const struct proc_map *m)
{
	struct map_gate *g = ctx;

	if ((s64)m->start >= 0)
		return true;
	*g = (struct map_gate){ .exists = true, .start = m->start, .len = m->end - m->start, .pgoff = m->off,
				.prot = m->prot };
	snprintf(g->path, sizeof(g->path), "%s", m->path);
	return false;
}

/* 64-bit programs have their last map, the vdso if no other one, above 4 GB */
static void add_gate(struct proc_maps *maps, s32 pid, struct map_gate *gate)
{
	if (!gate->is_known) {
		map_lines_each(0, note_gate, gate);
		gate->is_known = true;
	}
	if (!gate->exists || !maps->nr || maps->v[maps->nr - 1].start >> 32 == 0)
		return;
	vec_push(maps, (struct mmap2){ .pid = pid, .tid = pid, .start = gate->start, .len = gate->len,
				       .pgoff = gate->pgoff, .prot = gate->prot, .flags = MAP_PRIVATE,
				       .path = gate->path });
}

void proc_maps_read_exec(struct proc_maps *ret, s32 pid, struct map_gate *gate)
{
	struct maps_reader r = { .maps = ret, .pid = pid };
	int failed = map_query_exec(pid, add_exec_map, &r);

	for (size_t i = 0; i < r.path.nr; i++)
		ret->v[i].path = ret->text.buf + r.path.v[i];
	vec_release(&r.path);
	if (!failed && !r.all_needed) {
		add_gate(ret, pid, gate);
		return;
	}
	ret->nr = 0;
	strbuf_reset(&ret->text);
	proc_maps_read(ret, pid);
}

void proc_maps_release(struct proc_maps *maps)
{
	vec_release(maps);
	strbuf_release(&maps->text);
}
