/* Map-query: a call for each mapping. */
#include "map-query.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include "fs.h"

/* struct procmap_query of <linux/fs.h> */
struct query {
	u64 size, flags, addr;		/* what is asked: flags and VMA_* */
	u64 start, end, vma_flags, page_size, off, ino;
	u32 maj, min, name_size, id_size;
	u64 name, id;
};

enum { VMA_READABLE = 1, VMA_WRITABLE = 2, VMA_EXECUTABLE = 4, VMA_SHARED = 8, COVERING_OR_NEXT = 16 };

#define PROCMAP_QUERY _IOWR('f', 17, struct query)

static int prot_of(u64 flags)
{
	return (flags & VMA_READABLE ? PROT_READ : 0) | (flags & VMA_WRITABLE ? PROT_WRITE : 0) |
	       (flags & VMA_EXECUTABLE ? PROT_EXEC : 0);
}

/* as the text has it, where a path ends at the end of its line; room: bytes in to */
static void escape_newlines(char *to, size_t room, const char *s)
{
	size_t n = 0;

	for (; *s && n + 5 <= room; s++)
		if (*s == '\n') {
			memcpy(to + n, "\\012", 4);
			n += 4;
		} else {
			to[n++] = *s;
		}
	to[n] = '\0';
}

static bool is_plain(const struct query *q, const char *name)
{
	return q->page_size == (u64)sysconf(_SC_PAGESIZE) &&
	       (q->ino ? strncmp(name, "/memfd:", 7) && strncmp(name, "/anon_hugepage", 14) : name[0] == '[');
}

int map_query_exec(s32 pid, map_query_fn *fn, void *ctx)
{
	char path[64], name[PATH_MAX], text[PATH_MAX];
	struct query q = { .flags = VMA_EXECUTABLE | COVERING_OR_NEXT, .name = (uintptr_t)name };
	int fd, ret;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	fd = fs_open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	for (;; q.addr = q.end) {
		q.size = sizeof(q);
		q.name_size = sizeof(name);
		q.id_size = 0;
		name[0] = '\0';
		ret = ioctl(fd, PROCMAP_QUERY, &q) ? -errno : 0;
		if (ret || q.end <= q.addr)
			break;
		name[sizeof(name) - 1] = '\0';
		escape_newlines(text, sizeof(text), q.name_size ? name : "");
		if (!fn(ctx, &(struct proc_map){ .start = q.start, .end = q.end, .off = q.off, .ino = q.ino,
						 .maj = q.maj, .min = q.min, .prot = prot_of(q.vma_flags),
						 .is_shared = q.vma_flags & VMA_SHARED, .path = text },
			is_plain(&q, text)))
			break;
	}
	close(fd);
	/* the last one was passed, or it has no memory, as threads of the kernel */
	return ret == -ENOENT || ret == -ESRCH ? 0 : ret;
}
