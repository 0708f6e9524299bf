/* Proc-maps: see proc-maps.h. */
#include "proc-maps.h"
#include "../base/fs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* executable maps in a hole, and the map before them: readers look at no more (machine/moved-text.c) */
#define PIECES 8

/*
 * one line of /proc/PID/maps, parsed by hand, because this takes most of the start-up time on a busy machine
 */
static bool parse_map_line(char *line, struct mmap2 *m)
{
	char *p = line;
	u64 end;

	m->start = strtoull(p, &p, 16);
	if (*p++ != '-')
		return false;
	end = strtoull(p, &p, 16);
	if (*p++ != ' ' || strnlen(p, 5) < 5 || end <= m->start)
		return false;
	m->len = end - m->start;
	m->prot = (p[0] == 'r' ? PROT_READ : 0) | (p[1] == 'w' ? PROT_WRITE : 0) |
		  (p[2] == 'x' ? PROT_EXEC : 0);
	m->flags = p[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	m->pgoff = strtoull(p + 4, &p, 16);
	m->maj = strtoul(p, &p, 16);
	if (*p++ != ':')
		return false;
	m->min = strtoul(p, &p, 16);
	m->ino = strtoull(p, &p, 10);
	p += strspn(p, " ");
	m->path = *p ? p : "//anon";
	if (!strncmp(m->path, "/anon_hugepage", 14))
		m->path = "//anon";
	return true;
}

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

void proc_maps_read(struct proc_maps *ret, s32 pid)
{
	char path[64], *line, *next;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	if (fs_read(path, &ret->text) < 0)
		ret->text.len = 0;
	for (line = ret->text.len ? ret->text.buf : NULL; line && *line; line = next) {
		struct mmap2 m = { .pid = pid, .tid = pid };

		next = strchrnul(line, '\n');
		if (*next)
			*next++ = '\0';
		if (!parse_map_line(line, &m))
			continue;
		vec_push(ret, m);
		find_hole(ret);
	}
}

void proc_maps_release(struct proc_maps *maps)
{
	vec_release(maps);
	strbuf_release(&maps->text);
}
