/* Debug-path: asks util/sym for the file of one dso. */
#include "debug-path.h"

#include <stdlib.h>
#include <string.h>
#include "../base/fs.h"
#include "../base/pool.h"
#include "../base/strbuf.h"
#include "../machine/dso.h"
#include "../obj/elf-obj.h"
#include "../obj/module.h"
#include "../sym/sym.h"
#include "point.h"

/* the running kernel's build-id, which its debug file must have */
static void identify_kernel(struct dso *dso)
{
	struct strbuf notes = STRBUF_INIT;
	int len;

	if (!fs_read("/sys/kernel/notes", &notes)) {
		len = elf_note_buildid(notes.buf, notes.len, 4, false, dso->buildid);
		dso->buildid_len = MAX(len, 0);
	}
	strbuf_release(&notes);
}

bool debug_path_has_info(const char *path)
{
	struct elf_obj *o = module_open(path, NULL);
	GElf_Shdr sh;
	bool has = o && (elf_obj_section(o, ".debug_info", &sh) || elf_obj_section(o, ".zdebug_info", &sh));

	elf_obj_free(o);
	return has;
}

static bool is_wanted(const struct symtab *tab, const struct probe_target *t, bool debug_info)
{
	if (!tab || !tab->file)
		return false;
	return !debug_info || tab->debug_info || (t->is_kernel && debug_path_has_info(tab->file));
}

char *debug_path(const struct probe_target *t, bool debug_info)
{
	struct dso dso = { .kind = DSO_USER, .pid = -1, .is_64bit = true, .long_name = t->path };
	struct sym_opts opts = { .symfs = t->symfs, .is_local = true, .debug_info = debug_info,
				 .debuginfod = debug_info && t->debuginfod };
	struct dsos dsos = { 0 };
	const struct symtab *tab;
	struct symbols *s;
	struct pool *pool;
	char *file = NULL;
	u32 id = 0;

	if (t->is_kernel && !t->path) {
		dso.kind = DSO_KERNEL;
		dso.long_name = "[kernel.kallsyms]";
		identify_kernel(&dso);
	}
	dso.short_name = dso.long_name;
	vec_push(&dsos.dso, &dso);
	s = symbols_new(&dsos, &opts);
	pool = pool_new(1);
	symbols_load(s, pool, &id, 1);
	tab = symbols_table(s, id);
	if (is_wanted(tab, t, debug_info))
		file = xstrdup(tab->file);
	pool_free(pool);
	symbols_free(s);
	vec_release(&dsos.dso);
	return file;
}

size_t debug_symbols(const struct probe_target *t, const char *path, struct symvec *v)
{
	char *file = t->debug_file ? xstrdup(t->debug_file) : debug_path(t, false);
	struct elf_addr_map map = { 0 };
	struct elf_obj *o = NULL;
	size_t nr = 0;

	if (file && strcmp(file, path))
		o = elf_obj_open(file, NULL);
	if (o)
		nr = elf_obj_symbols(o, ELF_SYMBOLS_SYMTAB, &map, v);
	elf_obj_free(o);
	free(file);
	return nr;
}
