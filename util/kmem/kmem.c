/* Kmem: see kmem.h. */
#include "kmem.h"

#include "../fields/file-facts.h"
#include "../resolve/kernel-names.h"

#define CALL_SITE_FRAMES 24u	/* more than functions of the page allocator call each other */

void kmem_rows_of(const bool *mode, struct tracing_row *ret, u32 *ret_nr)
{
	u32 nr = 0;

	for (u32 i = 0; mode[KMEM_SLAB] && i < KMEM_NR_SLAB_ROWS; i++)
		ret[nr++] = slab_rows[i];
	for (u32 i = 0; mode[KMEM_PAGE] && i < KMEM_NR_PAGE_ROWS; i++)
		ret[nr++] = page_rows[i];
	*ret_nr = nr;
}

void kmem_init(struct kmem *k, const struct session *s, const struct kmem_opts *o)
{
	bool whole = o->table[KMEM_BY_STACK].shown;

	*k = (struct kmem){ .o = o };
	slab_init(&k->slab, s);
	tracing_stacks_init(&k->stacks, s, whole ? TRACING_MAX_STACK : CALL_SITE_FRAMES, pages_describe);
	k->stacks.kernel_only = !whole;
}

void kmem_release(struct kmem *k)
{
	slab_release(&k->slab);
	pages_release(&k->pages);
	tracing_stacks_release(&k->stacks);
}

int kmem_opts_parse_keys(struct kmem_opts *o, struct err *err)
{
	static int (*const parse[])(struct view_sort *sort, const char *keys, struct err *err) = {
		[KMEM_SLAB] = slab_sort_parse, [KMEM_PAGE] = pages_sort_parse,
	};
	int ret = 0;

	for (u32 by = 0; by < KMEM_NR_BY; by++)
		for (u32 m = 0; m < KMEM_NR_MODES && !ret; m++)
			if (o->mode[m] && o->table[by].keys[m])
				ret = parse[m](&o->table[by].sort[m], o->table[by].keys[m], err);
	return ret;
}

struct view *kmem_view(struct kmem *k, struct session *s, u32 form)
{
	struct view *v = xcalloc(1, sizeof(*v));
	struct resolver r;

	resolver_init(&r, s, &v->arena);
	v->name = "kmem";
	v->tables = "tables";
	file_facts(&v->fact, &v->arena, s);
	if (!k->o->raw_ip && (k->o->table[KMEM_BY_SITE].shown || form == VIEW_FORM_VALUES ||
			      k->o->mode[KMEM_PAGE]))
		kernel_names_load(s);
	if (k->o->mode[KMEM_SLAB])
		slab_add_tables(k, v, &r, form);
	if (k->o->mode[KMEM_PAGE])
		pages_add_tables(k, v, &r, form);
	resolver_release(&r);
	if (k->o->mode[KMEM_SLAB])
		slab_add_summary(k, v, s);
	if (k->o->mode[KMEM_PAGE])
		pages_add_summary(k, v, s, form);
	return v;
}
