/* A machine with one program, library or kernel, for unit tests of where its symbols come from. */
#ifndef PERF_TESTS_UNIT_ONE_DSO_H
#define PERF_TESTS_UNIT_ONE_DSO_H

#include <string.h>
#include "../../util/base/fs.h"
#include "../../util/sym/sym.h"
#include "mini-elf.h"

static const u8 id_a[20] UNUSED = { 0xaa, 0xbb, 0xcc, 1 }, id_b[20] UNUSED = { 0xdd, 2 };

static const struct mini_sym full[] UNUSED = {
	{ "hidden_one", 0x1010, 0x10, STB_LOCAL, STT_FUNC },
	{ "exported", 0x1020, 0x10, STB_GLOBAL, STT_FUNC },
	{ NULL },
};
struct machine_of_one {
	struct dsos dsos;
	struct dso dso, kernel;
	struct sym_opts opts;
	struct symbols *s;
	struct arena arena;
};

static inline void init(struct machine_of_one *w, enum dso_kind kind, const char *name, const u8 *id)
{
	*w = (struct machine_of_one){ .opts = SYM_OPTS_INIT };
	w->dso = (struct dso){ .kind = kind, .long_name = name, .short_name = name, .pid = -1,
			       .is_64bit = true };
	if (id) {
		memcpy(w->dso.buildid, id, 20);
		w->dso.buildid_len = 20;
	}
	w->opts.buildid_dir = "cache";
	vec_push(&w->dsos.dso, &w->dso);
	fs_set_root("root");
}

static inline void load(struct machine_of_one *w)
{
	struct pool *pool = pool_new(1);
	u32 id = 0;

	symbols_load(w->s, pool, &id, 1);
	pool_free(pool);
}

static inline const char *look_up(struct machine_of_one *w, u64 addr)
{
	const struct symbol *sym;

	if (!w->s) {
		w->s = symbols_new(&w->dsos, &w->opts);
		load(w);
	}
	sym = symbols_find(w->s, 0, addr);
	return sym ? symbols_show(w->s, 0, sym, &w->arena) : "-";
}

static inline void again(struct machine_of_one *w)
{
	symbols_free(w->s);
	w->s = NULL;
}

#endif
