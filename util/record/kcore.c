/* Kcore: copies of the kernel's code and symbols. */
#include "kcore.h"
#include "../base/alloc.h"
#include "../base/fs.h"
#include "../base/kallsyms-lines.h"
#include "../base/progress.h"
#include "../base/units.h"
#include "../base/vec.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PHDRS_MAX 1024
#define TEXT_MAX (1ull << 30)	/* larger text would be due to a wrong address */

struct text {
	u64 start, end;
};

/* the contents of /proc/kcore */
struct core {
	int fd;
	Elf64_Ehdr head;
	struct { VEC(Elf64_Phdr); } load;
};

static int open_core(const char *from, struct err *err)
{
	char *path = xasprintf("%s/kcore", from);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT)
		fd = err_set(err, -EOPNOTSUPP,
			     "--kcore: this kernel has no %s (CONFIG_PROC_KCORE)", path);
	else if (fd < 0 && (errno == EPERM || errno == EACCES))
		fd = err_set(err, -errno, "--kcore: %s may be read by root with CAP_SYS_RAWIO only",
			     path);
	else if (fd < 0)
		fd = err_sys(err, errno, "--kcore: cannot open %s", path);
	free(path);
	return fd;
}

static int core_read_head(struct core *c, const char *from, struct err *err)
{
	Elf64_Phdr ph;

	if (pread(c->fd, &c->head, sizeof(c->head), 0) != sizeof(c->head) ||
	    memcmp(c->head.e_ident, ELFMAG, SELFMAG) || c->head.e_ident[EI_CLASS] != ELFCLASS64 ||
	    c->head.e_phentsize != sizeof(ph) || c->head.e_phnum > PHDRS_MAX)
		return err_set(err, -ENOEXEC,
			       "--kcore: %s/kcore is not the 64-bit ELF core file it should be", from);
	for (u32 i = 0; i < c->head.e_phnum; i++)
		if (pread(c->fd, &ph, sizeof(ph), c->head.e_phoff + i * sizeof(ph)) == sizeof(ph) &&
		    ph.p_type == PT_LOAD)
			vec_push(&c->load, ph);
	return 0;
}

int kcore_check(struct err *err)
{
	struct strbuf from = STRBUF_INIT;
	struct core c = { .fd = open_core(fs_path(&from, "/proc"), err) };
	int ret = c.fd < 0 ? c.fd : core_read_head(&c, from.buf, err);

	vec_release(&c.load);
	if (c.fd >= 0)
		close(c.fd);
	strbuf_release(&from);
	return ret;
}

static bool is_usable(const struct text *t)
{
	return t->start < t->end && t->end - t->start <= TEXT_MAX;
}

struct texts {
	struct text kernel, modules;
};

static bool note_texts(void *ctx, const struct kallsyms_entry *e)
{
	struct texts *t = ctx;

	if (!e->addr)
		return true;
	if (e->module_len) {
		if (!kallsyms_comes_and_goes(e->module, e->module_len)) {
			t->modules.start = MIN(t->modules.start, e->addr);
			t->modules.end = MAX(t->modules.end, e->addr + page_size());
		}
	} else if (!strcmp(e->name, "_stext")) {
		t->kernel.start = e->addr;
	} else if (!strcmp(e->name, "_etext")) {
		t->kernel.end = e->addr;
	}
	return true;
}

/* the kernel from _stext to _etext, the modules from their first to their last symbol, in whole pages */
static struct texts find_texts(struct strbuf *kallsyms)
{
	const u64 page = page_size();
	struct texts t = { { UINT64_MAX, 0 }, { UINT64_MAX, 0 } };

	if (kallsyms->len)
		kallsyms_lines_in(kallsyms->buf, kallsyms->len, note_texts, &t);
	t.kernel.start &= ~(page - 1);
	t.modules.start &= ~(page - 1);
	t.kernel.end = ALIGN_UP(t.kernel.end, page);
	t.modules.end = ALIGN_UP(t.modules.end, page);
	return t;
}

static int write_all(int fd, const void *p, size_t len, u64 off)
{
	while (len) {
		ssize_t n = pwrite(fd, p, len, off);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		p = (const char *)p + n;
		len -= n;
		off += n;
	}
	return 0;
}

/* page by page if a larger piece cannot be read: unreadable pages stay zero */
static int copy_text(const struct core *c, int fd, const struct text *t, u64 off)
{
	const u64 page = page_size();
	u8 *buf = xmalloc(page);
	int ret = 0;

	for (u64 a = t->start; a < t->end && !ret; a += page)
		vec_foreach(&c->load, ph) {
			if (a < ph->p_vaddr || a - ph->p_vaddr >= ph->p_filesz)
				continue;
			if (pread(c->fd, buf, page, ph->p_offset + (a - ph->p_vaddr)) == (ssize_t)page)
				ret = write_all(fd, buf, page, off + (a - t->start));
			break;
		}
	free(buf);
	return ret;
}

static int write_core(const struct core *c, int fd, const struct text *text, u32 nr)
{
	Elf64_Ehdr head = c->head;
	u64 off = page_size();
	int ret;

	head.e_phoff = sizeof(head);
	head.e_phnum = nr;
	head.e_shoff = head.e_shnum = head.e_shentsize = head.e_shstrndx = 0;
	head.e_flags = c->head.e_flags;
	ret = write_all(fd, &head, sizeof(head), 0);
	for (u32 i = 0; i < nr && !ret; i++) {
		u64 size = text[i].end - text[i].start;
		Elf64_Phdr ph = { .p_type = PT_LOAD, .p_flags = PF_R | PF_W | PF_X, .p_offset = off,
				  .p_vaddr = text[i].start, .p_filesz = size, .p_memsz = size,
				  .p_align = page_size() };

		ret = write_all(fd, &ph, sizeof(ph), sizeof(head) + i * sizeof(ph));
		if (!ret)
			ret = copy_text(c, fd, &text[i], off);
		off += size;
	}
	if (!ret && ftruncate(fd, off) < 0)
		ret = -errno;
	return ret;
}

static int create_in(const char *dir, const char *name, struct err *err)
{
	char *path = xasprintf("%s/%s", dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0400);

	if (fd < 0)
		fd = err_sys(err, errno, "cannot create %s", path);
	free(path);
	return fd;
}

int kcore_read_list(const char *from, const char *name, struct strbuf *text, struct err *err)
{
	char *path = xasprintf("%s/%s", from, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret = fd < 0 ? -errno : fd_read_all(fd, text);

	if (fd >= 0)
		close(fd);
	/* a kernel without modules has no list of them */
	if (ret < 0 && ret != -ENOENT)
		err_sys(err, -ret, "--kcore: cannot read %s", path);
	free(path);
	return ret == -ENOENT ? 0 : MIN(ret, 0);
}

/* the text is kept in *text */
static int copy_list(const char *from, const char *dir, const char *name, struct strbuf *text,
		     struct err *err)
{
	int ret = kcore_read_list(from, name, text, err), fd = ret ? ret : create_in(dir, name, err);

	if (fd < 0)
		return fd;
	ret = write_all(fd, strbuf_str(text), text->len, 0);
	close(fd);
	return ret < 0 ? err_sys(err, -ret, "cannot write %s/%s", dir, name) : 0;
}

static int copy_core(const char *from, const char *dir, const struct text *text, u32 nr, struct err *err)
{
	struct core c = { .fd = open_core(from, err) };
	int ret = c.fd < 0 ? c.fd : core_read_head(&c, from, err);

	if (!ret) {
		int fd = ret = create_in(dir, "kcore", err);

		if (fd >= 0) {
			ret = write_core(&c, fd, text, nr);
			if (ret < 0)
				err_sys(err, -ret, "cannot write the copy of %s/kcore", from);
			close(fd);
		}
	}
	vec_release(&c.load);
	if (c.fd >= 0)
		close(c.fd);
	return ret;
}

int kcore_copy_from(const char *from, const char *dir, struct err *err)
{
	struct strbuf kallsyms = STRBUF_INIT, modules = STRBUF_INIT;
	struct texts t;
	u32 nr = 2;
	int ret = mkdir(dir, 0700) < 0 ? err_sys(err, errno, "cannot create the directory %s", dir) : 0;

	if (!ret)
		ret = copy_list(from, dir, "kallsyms", &kallsyms, err);
	if (!ret)
		ret = copy_list(from, dir, "modules", &modules, err);
	if (!ret) {
		t = find_texts(&kallsyms);
		if (!is_usable(&t.modules))
			nr = 1;
		if (!is_usable(&t.kernel))
			ret = err_set(err, -EPERM, "--kcore: %s/kallsyms hides where the kernel is "
				      "(kernel.kptr_restrict); as root: sysctl kernel.kptr_restrict=0", from);
	}
	progress_at("copying the kernel");
	if (!ret)
		ret = copy_core(from, dir, (struct text[]){ t.kernel, t.modules }, nr, err);
	strbuf_release(&kallsyms);
	strbuf_release(&modules);
	return ret;
}

int kcore_copy(const char *dir, struct err *err)
{
	char *to = xasprintf("%s/" KCORE_DIR, dir);
	struct strbuf from = STRBUF_INIT;
	int ret = kcore_copy_from(fs_path(&from, "/proc"), to, err);

	strbuf_release(&from);
	free(to);
	return ret;
}
