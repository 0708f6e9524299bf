/* Debug-binary: finds the file, and opens it for libelf and libdw. */
#include "debug-binary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../../arch/arch.h"
#include "../base/strbuf.h"
#include "../lib/lib.h"
#include "../obj/relocate.h"
#include "debug-path.h"
#include "module-file.h"
#include "point.h"

/* sections that nothing here reads: libdw would unpack them */
static bool is_needed(const char *section, const void *ctx UNUSED)
{
	static const char *const unused[] = { ".debug_aranges", ".debug_macro", ".debug_macinfo",
		".debug_pubnames", ".debug_pubtypes", ".debug_gnu_pubnames", ".debug_gnu_pubtypes",
		".debug_names", ".gdb_index" };

	for (size_t i = 0; i < ARRAY_SIZE(unused); i++)
		if (!strcmp(section, unused[i]))
			return false;
	return true;
}

char *debug_binary_target_path(const struct debug_binary *b)
{
	struct strbuf path = STRBUF_INIT;

	if (b->t->symfs && b->t->symfs[0])
		strbuf_addf(&path, "%s/", b->t->symfs);
	strbuf_addstr(&path, b->t->path);
	return strbuf_detach(&path);
}

int debug_binary_find(struct debug_binary *b, const struct probe_target *t, struct err *err)
{
	char *path;
	int ret = 0;

	b->t = t;
	b->fd = -1;
	b->is_kernel = t->is_kernel;
	if (lib_load(LIB_libelf, err) || lib_load(LIB_libdw, err))
		return err->code;
	elf_version(EV_CURRENT);
	path = t->path ? debug_binary_target_path(b) : NULL;
	b->target = xstrdup(t->path ? t->path : "the kernel");
	if (path && access(path, R_OK))
		ret = err_sys(err, errno, "cannot read %s", path);
	else if (t->debug_file)
		b->path = xstrdup(t->debug_file);
	else if (path && debug_path_has_info(path))
		b->path = xstrdup(path);
	else if (path && t->is_kernel)
		ret = module_debug_file(path, t->symfs, &b->path, err);
	else
		b->path = debug_path(t, true);
	if (!ret && !b->path) {
		ret = err_set(err, -ENODATA, "%s has no debug information", b->target);
		err_hint(err, t->module ? "install the kernel's debug symbols, or name a file: -m FILE.ko" :
			 t->is_kernel ? "compile it with -g, or install its debug package (-dbgsym, "
			 "-debuginfo)" : "compile it with -g, install its debug symbols, or fetch them with "
			 "--debuginfod");
	}
	free(path);
	return ret;
}

int debug_binary_open(struct debug_binary *b, struct err *err)
{
	b->obj = elf_obj_open_linked(b->path, &b->fd, err);
	if (!b->obj)
		return err->code;
	if (b->fd >= 0)
		b->linked = xasprintf("/proc/self/fd/%d", b->fd);
	else
		b->fd = open(b->path, O_RDONLY | O_CLOEXEC);
	if (b->fd < 0)
		return err_sys(err, errno, "cannot open %s", b->path);
	b->elf = elf_begin(b->fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	if (b->elf && elf_kind(b->elf) == ELF_K_ELF) {
		elf_sections_keep(b->elf, is_needed, NULL);
		elf_sections_unpack(&b->unpacked, b->elf);
		b->dw = dwarf_begin_elf(b->elf, DWARF_C_READ, NULL);
	}
	if (!b->dw)
		return err_set(err, -ENODATA, "%s: no debug information can be read", b->path);
	b->is64 = b->obj->ehdr.e_ident[EI_CLASS] == ELFCLASS64;
	b->is_big_endian = b->obj->ehdr.e_ident[EI_DATA] == ELFDATA2MSB;
	b->arch = arch_by_machine(b->obj->ehdr.e_machine);
	return 0;
}

void debug_binary_release(struct debug_binary *b)
{
	if (b->dw)
		dwarf_end(b->dw);
	if (b->elf)
		elf_end(b->elf);
	elf_unpacked_release(&b->unpacked);
	if (b->fd >= 0)
		close(b->fd);
	elf_obj_free(b->obj);
	free(b->path);
	free(b->linked);
	free(b->target);
}
