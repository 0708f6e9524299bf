/* Map-lines: parses by hand, because record reads the maps of all processes when it starts. */
#include "map-lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "fs.h"

static bool parse_line(const char *line, struct proc_map *m)
{
	char *p;

	m->start = strtoull(line, &p, 16);
	if (*p++ != '-')
		return false;
	m->end = strtoull(p, &p, 16);
	if (*p++ != ' ' || strnlen(p, 5) < 5 || m->end <= m->start)
		return false;
	m->prot = (p[0] == 'r' ? PROT_READ : 0) | (p[1] == 'w' ? PROT_WRITE : 0) |
		  (p[2] == 'x' ? PROT_EXEC : 0);
	m->is_shared = p[3] == 's';
	m->off = strtoull(p + 4, &p, 16);
	m->maj = strtoul(p, &p, 16);
	if (*p++ != ':')
		return false;
	m->min = strtoul(p, &p, 16);
	m->ino = strtoull(p, &p, 10);
	m->path = p + strspn(p, " ");
	return true;
}

/* this process is meant, not one of the same number below the fs root */
static int read_self(struct strbuf *text)
{
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = fd_read_all(fd, text);
	close(fd);
	return ret;
}

int map_lines_read(s32 pid, struct strbuf *text, proc_map_fn *fn, void *ctx)
{
	char path[64], *line, *next;
	int ret;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	ret = pid ? fs_read(path, text) : read_self(text);
	if (ret < 0)
		return ret;
	for (line = text->len ? text->buf : NULL; line && *line; line = next) {
		struct proc_map m;

		next = strchrnul(line, '\n');
		if (*next)
			*next++ = '\0';
		if (parse_line(line, &m) && !fn(ctx, &m))
			break;
	}
	return 0;
}

int map_lines_each(s32 pid, proc_map_fn *fn, void *ctx)
{
	struct strbuf text = STRBUF_INIT;
	int ret = map_lines_read(pid, &text, fn, ctx);

	strbuf_release(&text);
	return ret;
}

const char *proc_map_link(s32 pid, const struct proc_map *m, struct strbuf *out)
{
	return fs_path(out, "/proc/%d/map_files/%llx-%llx", pid, (unsigned long long)m->start,
		       (unsigned long long)m->end);
}
