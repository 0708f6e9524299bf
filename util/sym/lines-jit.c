/* Lines-jit: see lines-jit.h. */
#include "lines-jit.h"
#include "load.h"
#include "../base/strtab.h"
#include "../obj/jitdump.h"
#include "../base/search.h"

#include <stdlib.h>

/* from an offset on; file 0: no line, because a function ends */
struct jit_source_row {
	u64 off;
	u32 line, file, order;
};

struct jit_table {
	struct { VEC(struct jit_source_row); } row;	/* by offset */
	struct strtab files;
};

static void add_entry(struct jit_table *t, const struct jitdump *d, const struct jit_entry *e)
{
	struct jit_line_iter it = jit_lines(d, e);
	struct jit_line l;
	bool any = false;

	while (jit_line_next(&it, &l)) {
		if (l.addr < e->addr || l.addr - e->addr >= e->len || !*l.file)
			continue;
		any = true;
		vec_push(&t->row, (struct jit_source_row){
			.off = e->code_off + (l.addr - e->addr), .line = l.line,
			.file = strtab_add(&t->files, l.file), .order = t->row.nr });
	}
	if (any)
		vec_push(&t->row, (struct jit_source_row){ .off = e->code_off + e->len,
							   .order = t->row.nr });
}

static int by_offset(const void *x, const void *y)
{
	const struct jit_source_row *a = x, *b = y;

	if (a->off != b->off)
		return a->off < b->off ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

struct jit_table *jit_table_open(const struct symbols *s, u32 dso)
{
	const struct dso *which = dsos_at(s->dsos, dso);
	struct jit_table *t;
	struct jit_entry e;
	struct jitdump d;

	if (!jitdump_is_name(which->long_name) ||
	    jitdump_open_of(&d, which->long_name, which->pid, s->opts.is_local, NULL))
		return NULL;
	t = xcalloc(1, sizeof(*t));
	strtab_add(&t->files, "");
	while (jitdump_next(&d, &e))
		if (e.kind == JIT_LOAD)
			add_entry(t, &d, &e);
	jitdump_close(&d);
	if (!t->row.nr) {
		jit_table_free(t);
		return NULL;
	}
	qsort(t->row.v, t->row.nr, sizeof(*t->row.v), by_offset);
	return t;
}

void jit_table_free(struct jit_table *t)
{
	if (!t)
		return;
	vec_release(&t->row);
	strtab_release(&t->files);
	free(t);
}

bool jit_table_find(const struct jit_table *t, u64 off, struct line_info *ret)
{
	size_t lo;

	/* the last row that does not begin after it */
	lo = LOWER_BOUND(t->row.nr, i, t->row.v[i].off <= off);
	if (!lo || !t->row.v[lo - 1].file)
		return false;
	*ret = (struct line_info){ .file = strtab_get(&t->files, t->row.v[lo - 1].file),
				   .line = t->row.v[lo - 1].line };
	return true;
}
