/* Debug-symbols: asks util/sym which file has the symbols of a build, and reads them as they are. */
#include "debug-symbols.h"

#include <stdlib.h>
#include <string.h>
#include "../base/pool.h"
#include "../machine/dso.h"
#include "../obj/elf-obj.h"
#include "../sym/sym.h"
#include "point.h"

static char *find_file(const struct probe_target *t)
{
	struct dso dso = { .kind = DSO_USER, .pid = -1, .is_64bit = true, .long_name = t->path,
			   .short_name = t->path };
	struct sym_opts opts = { .symfs = t->symfs, .is_local = true };
	struct dsos dsos = { 0 };
	const struct symtab *tab;
	struct symbols *s;
	struct pool *pool;
	char *file = NULL;
	u32 id = 0;

	vec_push(&dsos.dso, &dso);
	s = symbols_new(&dsos, &opts);
	pool = pool_new(1);
	symbols_load(s, pool, &id, 1);
	tab = symbols_table(s, id);
	if (tab && tab->file)
		file = xstrdup(tab->file);
	pool_free(pool);
	symbols_free(s);
	vec_release(&dsos.dso);
	return file;
}

size_t debug_symbols(const struct probe_target *t, const char *path, struct symvec *v)
{
	char *file = t->debug_file ? xstrdup(t->debug_file) : find_file(t);
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
