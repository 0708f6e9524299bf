/* Jitdump: reads the records of one file. Layouts are written out where they are read. */
#include "jitdump.h"
#include "../base/fs.h"
#include "../base/map-lines.h"
#include "../base/strbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define JIT_MAGIC		0x4a695444u	/* "JiTD" as a number of the machine that wrote it */
#define JIT_VERSION		1u
#define JIT_HEADER_SIZE		40u
#define JIT_FLAG_CPU_CLOCK	1u
#define JIT_RECORD_HEADER	16u		/* u32 type, u32 size with this header, u64 time */
#define DELETED			" (deleted)"	/* the kernel's mark after names of files */
#define JIT_SAME_FILE		"\xff"		/* in place of a file name: that of the row before */

enum { JIT_REC_LOAD, JIT_REC_MOVE, JIT_REC_DEBUG, JIT_REC_CLOSE, JIT_REC_UNWIND };

bool jitdump_is_name(const char *path)
{
	const char *p = strrchr(path, '/');
	size_t digits;

	p = p ? p + 1 : path;
	if (!strncmp(p, "memfd:", 6))
		p += 6;
	if (strncmp(p, "jit-", 4))
		return false;
	digits = strspn(p + 4, "0123456789");
	if (!digits || digits > 10 || strncmp(p + 4 + digits, ".dump", 5))
		return false;
	p += 4 + digits + 5;
	return !*p || !strcmp(p, DELETED);
}

/* u32 magic, version, header size, ELF machine, pad, pid; u64 time, flags */
int jitdump_of_bytes(struct jitdump *d, const void *p, u64 size, const char *name, struct err *err)
{
	struct cursor c = cursor_of(p, size, false);
	u32 magic = cursor_u32(&c), version, header;
	u64 flags;

	*d = (struct jitdump){ .base = p, .size = size };
	if (magic != JIT_MAGIC && bswap_32(magic) != JIT_MAGIC)
		return err_set(err, -EBADMSG, "%s is not a jitdump file", name);
	c.swap = d->swap = magic != JIT_MAGIC;
	version = cursor_u32(&c);
	header = cursor_u32(&c);
	d->e_machine = cursor_u32(&c);
	cursor_u32(&c);
	d->pid = cursor_u32(&c);
	cursor_u64(&c);
	flags = cursor_u64(&c);
	if (c.bad || header < JIT_HEADER_SIZE || header > size)
		return err_set(err, -EBADMSG, "%s ends inside its header", name);
	if (version != JIT_VERSION)
		return err_set(err, -EBADMSG, "%s has version %u of the jitdump format, not version 1",
			       name, version);
	d->cpu_clock = flags & JIT_FLAG_CPU_CLOCK;
	d->off = header;
	return 0;
}

/* closes fd */
static int open_fd(struct jitdump *d, int fd, u64 size, const char *path, struct err *err)
{
	struct mapping map;
	int ret = mapping_open(&map, fd, size);

	close(fd);
	if (ret)
		return err_sys(err, -ret, "%s cannot be mapped", path);
	ret = jitdump_of_bytes(d, map.p, size, path, err);
	if (ret)
		mapping_close(&map);
	else
		d->map = map;
	return ret;
}

int jitdump_open(struct jitdump *d, const char *path, struct err *err)
{
	struct stat st;
	int fd = open_shared_dir(path, &st);

	*d = (struct jitdump){ 0 };
	if (fd == -EINVAL || fd == -EPERM)
		return err_set(err, fd, "%s is not a regular file of this user or root", path);
	return fd < 0 ? err_sys(err, -fd, "%s", path) : open_fd(d, fd, st.st_size, path, err);
}

/* a name in /proc/PID/maps; the file may have been deleted since it was recorded */
static bool is_mapped_name(const char *mapped, const char *path)
{
	size_t len = strlen(path);

	return !strncmp(mapped, path, len) && (!mapped[len] || !strcmp(mapped + len, DELETED));
}

struct mapped_search {
	struct jitdump *d;
	const char *path;
	s32 pid;
	int ret;
};

static bool open_map(void *ctx, const struct proc_map *m)
{
	struct mapped_search *s = ctx;
	struct strbuf path = STRBUF_INIT;
	struct stat st;
	int fd;

	if (!is_mapped_name(m->path, s->path))
		return true;
	/* these links lead to the files themselves, so names do not matter */
	fd = open(proc_map_link(s->pid, m, &path), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode))
		s->ret = open_fd(s->d, fd, st.st_size, strbuf_str(&path), NULL);
	else if (fd >= 0)
		close(fd);
	strbuf_release(&path);
	return s->ret != 0;
}

/* a dump that no directory has (any more), in the memory of a process that lives; root only */
static int open_mapped(struct jitdump *d, const char *path, s32 pid)
{
	struct mapped_search s = { d, path, pid, -ENOENT };

	map_lines_each(pid, open_map, &s);
	return s.ret;
}

int jitdump_open_of(struct jitdump *d, const char *path, s32 pid, bool live, struct err *err)
{
	struct strbuf inside = STRBUF_INIT;
	int ret = -ENOENT;

	if (live && pid > 0)
		ret = jitdump_open(d, fs_path(&inside, "/proc/%d/root%s", pid, path), NULL);
	if (ret && live && pid > 0)
		ret = open_mapped(d, path, pid);
	if (ret)
		ret = jitdump_open(d, path, err);
	strbuf_release(&inside);
	return ret;
}

void jitdump_close(struct jitdump *d)
{
	if (d->map.p)
		mapping_close(&d->map);
	*d = (struct jitdump){ 0 };
}

/* u32 pid, tid; u64 vma, address, size, index; name with its NUL; code */
static bool read_load(const struct jitdump *d, struct cursor *c, struct jit_entry *e)
{
	size_t len;

	e->kind = JIT_LOAD;
	e->pid = cursor_u32(c);
	e->tid = cursor_u32(c);
	cursor_u64(c);
	e->addr = cursor_u64(c);
	e->len = cursor_u64(c);
	e->index = cursor_u64(c);
	if (c->bad)
		return false;
	len = strnlen((const char *)c->p, cursor_left(c));
	if (len == cursor_left(c))
		return false;
	e->name = cursor_bytes(c, len + 1);
	e->code = cursor_bytes(c, e->len);
	if (!e->code || !e->len || e->addr + e->len < e->addr)
		return false;
	e->code_off = e->code - d->base;
	return true;
}

/* u32 pid, tid; u64 vma, old address, new address, size, index */
static bool read_move(struct cursor *c, struct jit_entry *e)
{
	e->kind = JIT_MOVE;
	e->pid = cursor_u32(c);
	e->tid = cursor_u32(c);
	cursor_u64(c);
	e->old_addr = cursor_u64(c);
	e->addr = cursor_u64(c);
	e->len = cursor_u64(c);
	e->index = cursor_u64(c);
	return !c->bad && e->len && e->addr + e->len >= e->addr;
}

/* u64 address of the code, number of rows; rows: see jit_line_next() */
static void read_debug(struct cursor *c, struct jit_entry *e)
{
	cursor_u64(c);
	e->nr_lines = cursor_u64(c);
	e->lines = c->p;
	e->lines_end = c->end;
}

/* u64 size, size of .eh_frame_hdr, size that is mapped; the bytes */
static void read_unwind(struct cursor *c, struct jit_entry *e)
{
	u64 len = cursor_u64(c), hdr = cursor_u64(c), mapped = cursor_u64(c);
	const u8 *p = cursor_bytes(c, len);

	if (!p || hdr > len)
		return;
	e->unwind = p;
	e->unwind_len = len;
	e->eh_frame_hdr_len = hdr;
	e->unwind_mapped = MIN(mapped, len);
}

bool jitdump_next(struct jitdump *d, struct jit_entry *ret)
{
	*ret = (struct jit_entry){ 0 };
	while (d->size - d->off >= JIT_RECORD_HEADER && !d->damaged) {
		struct cursor c = cursor_of(d->base + d->off, d->size - d->off, d->swap);
		u32 type = cursor_u32(&c), size = cursor_u32(&c);

		ret->time = cursor_u64(&c);
		if (size < JIT_RECORD_HEADER || size > d->size - d->off) {
			d->damaged = true;
			break;
		}
		c.end = d->base + d->off + size;
		d->off += size;
		switch (type) {
		case JIT_REC_LOAD:
			d->damaged = !read_load(d, &c, ret);
			return !d->damaged;
		case JIT_REC_MOVE:
			d->damaged = !read_move(&c, ret);
			return !d->damaged;
		case JIT_REC_DEBUG:
			read_debug(&c, ret);
			break;
		case JIT_REC_UNWIND:
			read_unwind(&c, ret);
			break;
		case JIT_REC_CLOSE:
			return false;
		}
	}
	return false;
}

struct jit_line_iter jit_lines(const struct jitdump *d, const struct jit_entry *e)
{
	return (struct jit_line_iter){ .left = e->nr_lines,
				       .c = cursor_of(e->lines, e->lines_end - e->lines, d->swap) };
}

/* u64 address, u32 line, u32 discriminator, name of the file with its NUL */
bool jit_line_next(struct jit_line_iter *it, struct jit_line *ret)
{
	size_t len;

	if (!it->left || !it->c.p)
		return false;
	it->left--;
	ret->addr = cursor_u64(&it->c);
	ret->line = cursor_u32(&it->c);
	cursor_u32(&it->c);
	len = it->c.bad ? 0 : strnlen((const char *)it->c.p, cursor_left(&it->c));
	if (it->c.bad || len == cursor_left(&it->c))
		return false;
	ret->file = cursor_bytes(&it->c, len + 1);
	if (!strcmp(ret->file, JIT_SAME_FILE))
		ret->file = it->file;
	it->file = ret->file;
	return ret->file != NULL;
}
