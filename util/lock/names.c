/* Names of locks: see names.h. */
#include "names.h"

#include <stdlib.h>
#include <string.h>
#include "../obj/kallsyms.h"
#include "../sym/kernel-list.h"
#include "../base/search.h"

/* a variable ends where the next symbol begins, but the last one before a gap does not fill the gap */
#define MAX_VARIABLE (1u << 20)

static int cmp_names(const void *a, const void *b)
{
	const struct lock_name *x = a, *y = b;

	return x->addr != y->addr ? (x->addr > y->addr ? 1 : -1) : (x->line > y->line) - (x->line < y->line);
}

/* a function that both have says how far the kernel was moved between them */
static u64 distance(const struct kallsyms *list, const struct symtab *t)
{
	for (u32 i = 0; i < t->nr; i++) {
		u64 addr = kallsyms_address(list, t->sym[i].name);

		if (addr)
			return t->sym[i].start - addr;
	}
	return 0;
}

/* variables, and all other lines, because a variable ends where the next symbol begins */
static void sort_lines(struct lock_names *n)
{
	vec_reserve(&n->var, n->list->nr);
	for (u32 i = 0; i < n->list->nr; i++)
		if (n->list->line[i].addr)
			vec_push(&n->var, (struct lock_name){ n->list->line[i].addr, i });
	if (n->var.nr)
		qsort(n->var.v, n->var.nr, sizeof(*n->var.v), cmp_names);
}

void lock_names_init(struct lock_names *n, const struct session *s)
{
	const struct dsos *dsos = machine_dsos(s->machine);
	const struct symtab *t = NULL;

	*n = (struct lock_names){ 0 };
	for (u32 d = 0; d < dsos->dso.nr && !t; d++)
		if (dsos_at(dsos, d)->kind == DSO_KERNEL)
			t = symbols_table(s->symbols, d);
	/* other sources of functions, such as a vmlinux, have no list of variables here */
	if (!t || t->source != 'k' || !t->file)
		return;
	if (!strcmp(t->file, "/proc/kallsyms") ? kernel_list_read(&n->list, NULL) :
						 kallsyms_read_file(&n->list, t->file, NULL))
		return;
	n->delta = distance(n->list, t);
	sort_lines(n);
}

void lock_names_release(struct lock_names *n)
{
	kallsyms_free(n->list);
	vec_release(&n->var);
}

static bool is_variable(const struct lock_names *n, const struct lock_name *name)
{
	return strchr("bBdDrRgGsSvV", n->list->line[name->line].type) != NULL;
}

void lock_names_add(const struct lock_names *n, u64 addr, struct strbuf *out)
{
	size_t lo;
	const struct kallsyms_line *line;

	addr -= n->delta;
	lo = LOWER_BOUND(n->var.nr, i, n->var.v[i].addr <= addr);
	/* after the last symbol is memory that is not the kernel's image */
	if (!lo || lo == n->var.nr || !is_variable(n, &n->var.v[lo - 1]))
		return;
	/* of several names of one address the first one of the list */
	while (lo > 1 && n->var.v[lo - 2].addr == n->var.v[lo - 1].addr && is_variable(n, &n->var.v[lo - 2]))
		lo--;
	line = &n->list->line[n->var.v[lo - 1].line];
	if (addr - line->addr > MAX_VARIABLE)
		return;
	strbuf_addstr(out, kallsyms_name(n->list, line));
	if (addr > line->addr)
		strbuf_addf(out, "+%#lx", addr - line->addr);
}

u64 lock_names_address(const struct lock_names *n, const char *name)
{
	u64 addr = n->list ? kallsyms_address(n->list, name) : 0;

	return addr ? addr + n->delta : 0;
}
