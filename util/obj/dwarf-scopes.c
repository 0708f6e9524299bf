/* Scopes: see dwarf-scopes.h. */
#include "dwarf-scopes.h"

#include <dwarf.h>
#include "../lib/lib.h"

#define LIST_AFTER 2u	/* addresses of a function */

static bool is_scope(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
	       tag == DW_TAG_catch_block;
}

static bool may_be_anywhere(Dwarf_Die *die, bool old)
{
	return old && !dwarf_hasattr(die, DW_AT_low_pc) && !dwarf_hasattr(die, DW_AT_ranges);
}

static void add_call(struct inlined *ret, const Dwarf_Die *die)
{
	if (ret->nr < SCOPES_DEPTH)
		ret->die[ret->nr++] = *die;
}

/* ---- one address: the tree as it is. These two return whether something there contains it ---- */

static bool walk(Dwarf_Die *parent, u64 addr, bool old, struct inlined *ret, int depth)
{
	Dwarf_Die die;

	if (depth > SCOPES_DEPTH || dwarf_child(parent, &die) != 0)
		return false;
	do {
		u32 before = ret->nr;
		bool surely;

		if (!is_scope(&die))
			continue;
		surely = dwarf_haspc(&die, addr) == 1;
		if (!surely && !may_be_anywhere(&die, old))
			continue;
		if (dwarf_tag(&die) == DW_TAG_inlined_subroutine)
			add_call(ret, &die);
		if (walk(&die, addr, old, ret, depth + 1) || surely)
			return true;
		ret->nr = before;
	} while (dwarf_siblingof(&die, &die) == 0);
	return false;
}

/* ---- several: a list ---- */

static bool contains(const struct dwarf_scopes *s, const struct inline_scope *sc, u64 addr,
		     struct svma_range *same)
{
	for (u32 i = 0; i < sc->nr; i++) {
		const struct svma_range *r = &s->range.v[sc->first + i];

		if (same) {
			svma_range_narrow(same, addr, r->start);
			svma_range_narrow(same, addr, r->end);
		}
		if (addr >= r->start && addr < r->end)
			return true;
	}
	return false;
}

static bool find(const struct dwarf_scopes *s, u32 from, u32 to, u64 addr, struct inlined *ret,
		 struct svma_range *same)
{
	for (u32 i = from; i < to; i = s->scope.v[i].next) {
		const struct inline_scope *sc = &s->scope.v[i];
		bool surely = contains(s, sc, addr, same);
		u32 before = ret->nr;

		if (!surely && !sc->anywhere)
			continue;
		if (sc->inlined)
			add_call(ret, &sc->die);
		if (find(s, i + 1, sc->next, addr, ret, same) || surely)
			return true;
		ret->nr = before;
	}
	return false;
}

static void add_ranges(struct dwarf_scopes *s, Dwarf_Die *die, struct inline_scope *sc)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t pos = 0;

	sc->first = s->range.nr;
	while ((pos = dwarf_ranges(die, pos, &base, &start, &end)) > 0)
		if (start < end)
			vec_push(&s->range, (struct svma_range){ start, end });
	sc->nr = s->range.nr - sc->first;
}

static void list(struct dwarf_scopes *s, Dwarf_Die *parent, bool old, int depth)
{
	Dwarf_Die die;

	if (depth > SCOPES_DEPTH || dwarf_child(parent, &die) != 0)
		return;
	do {
		struct inline_scope sc = { .die = die };
		u32 idx = s->scope.nr;

		if (!is_scope(&die))
			continue;
		add_ranges(s, &die, &sc);
		sc.inlined = dwarf_tag(&die) == DW_TAG_inlined_subroutine;
		sc.anywhere = may_be_anywhere(&die, old);
		if (!sc.nr && !sc.anywhere)
			continue;
		vec_push(&s->scope, sc);
		list(s, &die, old, depth + 1);
		s->scope.v[idx].next = s->scope.nr;
	} while (dwarf_siblingof(&die, &die) == 0);
}

void dwarf_scopes_find(struct dwarf_scopes *s, Dwarf_Die *function, bool old, u64 addr, struct inlined *ret,
		       struct svma_range *same)
{
	ret->nr = 0;
	if (s->function != function->addr) {
		s->function = function->addr;
		s->asked = 0;
		s->scope.nr = s->range.nr = 0;
	}
	if (same && s->asked < LIST_AFTER)
		s->asked = LIST_AFTER;
	if (s->asked == LIST_AFTER)
		list(s, function, old, 0);
	if (s->asked <= LIST_AFTER)
		s->asked++;
	if (s->asked > LIST_AFTER)
		find(s, 0, s->scope.nr, addr, ret, same);
	else
		walk(function, addr, old, ret, 0);
}

void dwarf_scopes_release(struct dwarf_scopes *s)
{
	vec_release(&s->scope);
	vec_release(&s->range);
}
