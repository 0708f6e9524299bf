/*
 * Map-lines: reads /proc/PID/maps (proc_pid_maps(5)), which has a line
 * "START-END PERMS OFFSET MAJ:MIN INODE    PATH" for each mapping of a process.
 */
#ifndef PERF_BASE_MAP_LINES_H
#define PERF_BASE_MAP_LINES_H

#include "strbuf.h"

struct proc_map {
	u64 start, end, off, ino;	/* start < end; off: in the file, bytes */
	u32 maj, min;
	int prot;			/* PROT_* */
	bool is_shared;
	const char *path;		/* "/bin/a", "/bin/a (deleted)", "[stack]"; "" without a name */
};

/* returns false to stop */
typedef bool proc_map_fn(void *ctx, const struct proc_map *m);

/*
 * Calls fn for each mapping of a process, in rising order; lines that are not as above are left out. pid 0:
 * this process, never below the fs root. text gets the bytes of the file, in which the paths are. 0, or a
 * negative errno
 */
int map_lines_read(s32 pid, struct strbuf *text, proc_map_fn *fn, void *ctx);
/* the same if no path is needed afterwards */
int map_lines_each(s32 pid, proc_map_fn *fn, void *ctx);
/* writes the path of the link to the file of a mapping, "/proc/12/map_files/400000-401000", to out */
const char *proc_map_link(s32 pid, const struct proc_map *m, struct strbuf *out);

#endif
