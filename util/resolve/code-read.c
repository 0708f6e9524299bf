/* Code-read: the code of a function, from wherever it is. See code.h. */
#include "code-private.h"
#include "../base/fs.h"
#include "../obj/elf-obj.h"
#include "../obj/jitdump.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void set_target(struct code *c, const struct elf_obj *o)
{
	c->target.e_machine = o->ehdr.e_machine;
	c->target.is64 = o->ehdr.e_ident[EI_CLASS] == ELFCLASS64;
	c->target.big_endian = o->ehdr.e_ident[EI_DATA] == ELFDATA2MSB;
}

/* copies [off, off + len) of the file */
static int take_bytes(struct code *c, const struct elf_obj *o, const char *path, u64 off, u64 len,
		      struct err *err)
{
	size_t size;
	const char *all = elf_rawfile(o->elf, &size);

	if (!all || off > size || len > size - off)
		return err_set(err, -EBADMSG, "the function is not inside of %s", path);
	c->byte = xmalloc(len);
	memcpy(c->byte, all + off, len);
	c->nr = len;
	set_target(c, o);
	return 0;
}

/* a program or library: addresses of its symbols are file offsets */
static int read_user(struct code *c, const struct session *s, const struct dso *d, const struct symbol *sym,
		     struct err *err)
{
	struct elf_obj *o = symbols_open_binary(s->symbols, d->id);
	int ret;

	if (!o) {
		err_set(err, -ENOENT, "%s of the recorded build was not found", d->long_name);
		err_hint(err, "perf buildid-cache --add keeps a copy; --symfs names another directory");
		return -ENOENT;
	}
	ret = take_bytes(c, o, d->long_name, sym->start, sym->end - sym->start, err);
	if (!ret && !elf_obj_off_to_svma(o, sym->start, &c->svma))
		c->svma = sym->start;
	elf_obj_free(o);
	return ret;
}

/* a vmlinux or a module's file: the symbol there has the address as linked */
static int read_linked(struct code *c, const char *path, const struct symbol *sym, struct err *err)
{
	struct elf_obj *o = elf_obj_open(path, err);
	u64 off;
	int ret;

	if (!o)
		return err ? err->code : -ENOENT;
	if (!elf_obj_symbol_value(o, sym->name, &c->svma) || !elf_obj_svma_to_off(o, c->svma, &off))
		ret = err_set(err, -ENOENT, "%s has no code of %s", path, sym->name);
	else
		ret = take_bytes(c, o, path, off, sym->end - sym->start, err);
	elf_obj_free(o);
	return ret;
}

/* the segment of a core file that has these addresses: run-time addresses of the kernel */
static bool find_in_core(int fd, u64 start, u64 len, u64 *ret_off, struct code *c)
{
	Elf64_Ehdr eh;
	Elf64_Phdr ph;

	if (pread(fd, &eh, sizeof(eh), 0) != sizeof(eh) || memcmp(eh.e_ident, ELFMAG, SELFMAG) ||
	    eh.e_ident[EI_CLASS] != ELFCLASS64 ||
	    eh.e_ident[EI_DATA] != (CODE_HOST_IS_BE ? ELFDATA2MSB : ELFDATA2LSB))
		return false;
	c->target = (struct disasm_target){ .e_machine = eh.e_machine, .is64 = true,
					    .big_endian = CODE_HOST_IS_BE };
	for (u32 i = 0; i < eh.e_phnum; i++) {
		if (pread(fd, &ph, sizeof(ph), eh.e_phoff + (u64)i * sizeof(ph)) != sizeof(ph))
			return false;
		if (ph.p_type != PT_LOAD || start < ph.p_vaddr || start - ph.p_vaddr > ph.p_filesz ||
		    len > ph.p_filesz - (start - ph.p_vaddr))
			continue;
		*ret_off = ph.p_offset + (start - ph.p_vaddr);
		return true;
	}
	return false;
}

static int read_core(struct code *c, int fd, const char *path, const struct symbol *sym, struct err *err)
{
	u64 len = sym->end - sym->start, off;

	if (!find_in_core(fd, sym->start, len, &off, c))
		return err_set(err, -ENOENT, "%s has no code of %s", path, sym->name);
	c->byte = xmalloc(len);
	if (pread(fd, c->byte, len, off) != (ssize_t)len)
		return err_set(err, -EIO, "%s: the code of %s cannot be read", path, sym->name);
	c->nr = len;
	c->svma = sym->start;
	return 0;
}

static int read_kernel(struct code *c, const struct session *s, const struct dso *d,
		       const struct symbol *sym, struct err *err)
{
	const struct symtab *t = symbols_table(s->symbols, d->id);
	char *recorded;
	int fd, ret;

	/* an ELF file that gave the symbols is of this build; lists of symbols are no ELF files */
	if (t && t->file && !read_linked(c, t->file, sym, NULL))
		return 0;
	recorded = s->recorded_kallsyms ? xasprintf("%s/kcore_dir/kcore", s->data->path) :
		   code_cached_kcore(s, sym);
	if (recorded) {
		fd = open(recorded, O_RDONLY | O_CLOEXEC);
		ret = fd < 0 ? err_sys(err, errno, "%s cannot be read", recorded) :
		      read_core(c, fd, recorded, sym, err);
		if (fd >= 0)
			close(fd);
		free(recorded);
		return ret;
	}
	if (!s->is_local) {
		err_set(err, -ENOENT, "there is no code of the kernel that was recorded");
		err_hint(err, "--vmlinux names the kernel with its symbols; record --kcore, or "
			 "buildid-cache --kcore before the next boot, keeps the code");
		return -ENOENT;
	}
	fd = fs_open("/proc/kcore", O_RDONLY);
	if (fd < 0) {
		if (fd == -ENOENT)
			err_set(err, fd, "this kernel has no /proc/kcore (CONFIG_PROC_KCORE)");
		else
			err_sys(err, -fd, "/proc/kcore cannot be read");
		err_hint(err, "%sname the kernel with its symbols by --vmlinux",
			 fd != -ENOENT && geteuid() ? "run as root, or " : "");
		return fd;
	}
	ret = read_core(c, fd, "/proc/kcore", sym, err);
	close(fd);
	return ret;
}

int code_read(struct code *c, const struct session *s, u32 dso, const struct symbol *sym, struct err *err)
{
	const struct dso *d = dsos_at(machine_dsos(s->machine), dso);
	int ret;

	*c = (struct code){ 0 };
	if (sym->end <= sym->start || sym->end - sym->start > CODE_MAX)
		return err_set(err, -EBADMSG, "the size of %s is not known", sym->name);
	if (symbols_imported(s->symbols, dso))
		return err_set(err, -ENOTSUP, "%s comes from a profile of another program, without its "
			       "addresses", sym->name);
	switch (d->kind) {
	case DSO_USER:
	case DSO_VDSO:
		ret = jitdump_is_name(d->long_name) ? code_read_jitdump(c, s, d, sym, err) :
		      read_user(c, s, d, sym, err);
		break;
	case DSO_KERNEL:
	case DSO_MODULE:
		ret = read_kernel(c, s, d, sym, err);
		break;
	case DSO_BPF:
		ret = code_read_bpf(c, s, d, sym, err);
		break;
	default:
		ret = err_set(err, -ENOTSUP, "code of %s is not available: it is in no file", d->long_name);
	}
	if (ret)
		code_release(c);
	return ret;
}

void code_release(struct code *c)
{
	free(c->byte);
	c->byte = NULL;
	c->nr = 0;
}
