/* Proc-maps: see proc-maps.h. */
#include "proc-maps.h"
#include "../base/map-lines.h"

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
};

static bool add_map(void *ctx, const struct proc_map *l)
{
	struct maps_reader *r = ctx;
	bool is_anon = !*l->path || !strncmp(l->path, "/anon_hugepage", 14);
	struct mmap2 m = {
		.pid = r->pid, .tid = r->pid, .start = l->start, .len = l->end - l->start, .pgoff = l->off,
		.ino = l->ino, .maj = l->maj, .min = l->min, .prot = l->prot,
		.flags = l->is_shared ? MAP_SHARED : MAP_PRIVATE, .path = is_anon ? "//anon" : l->path,
	};

	vec_push(r->maps, m);
	find_hole(r->maps);
	return true;
}

void proc_maps_read(struct proc_maps *ret, s32 pid)
{
	struct maps_reader r = { ret, pid };

	map_lines_read(pid, &ret->text, add_map, &r);
}

void proc_maps_release(struct proc_maps *maps)
{
	vec_release(maps);
	strbuf_release(&maps->text);
}
