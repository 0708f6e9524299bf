/* Function-copies: by references to the function if they can be found, else by reading the units. */
#include "function-copies.h"

struct copies {
	struct function *f;
	struct debug_unit *unit;
	Dwarf_Die origin;
	int depth;
};

static bool copies_die(void *ctx, Dwarf_Die *die)
{
	struct copies *c = ctx;
	Dwarf_Die origin;

	switch (dwarf_tag(die)) {
	case DW_TAG_inlined_subroutine:
	case DW_TAG_subprogram:
		die_origin(die, &origin);
		if (die_same(&origin, &c->origin))
			function_add_code(c->f, c->unit, die, dwarf_tag(die) == DW_TAG_inlined_subroutine);
		break;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_namespace:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_module:
		break;
	default:
		return true;
	}
	if (c->depth < DIE_DEPTH_MAX) {
		c->depth++;
		die_children(die, copies_die, c);
		c->depth--;
	}
	return true;
}

/* copies in the function's own unit, found by references to the function; false: the unit must be read */
static bool add_copies_of(struct debug_file *d, struct copies *c, Dwarf_Die *abstract)
{
	struct debug_entry own = { .unit = c->unit - d->units.v, .die = *abstract };
	struct debug_entries of = { 0 }, found = { 0 };
	bool ok;

	vec_push(&of, own);
	ok = debug_search_instances(&d->search, c->unit, &of, &found);
	vec_foreach(&found, e) {
		int tag = dwarf_tag(&e->die);

		if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram)
			function_add_code(c->f, c->unit, &e->die, tag == DW_TAG_inlined_subroutine);
	}
	vec_release(&of);
	vec_release(&found);
	return ok;
}

void function_find_copies(struct debug_file *d, struct function *f)
{
	struct debug_unit_set units = { 0 };
	struct copies c = { .f = f };
	Dwarf_Die abstract = f->die;
	Dwarf_Attribute a;

	die_origin(&f->die, &c.origin);
	if (dwarf_attr(&f->die, DW_AT_abstract_origin, &a))
		dwarf_formref_die(&a, &abstract);
	/* only functions with this attribute are inlined anywhere */
	if (!die_has(&abstract, DW_AT_inline) && f->code.nr)
		return;
	if (!f->unit->is_split)
		debug_search_origin(&d->search, dwarf_dieoffset(&abstract), &units);
	/* references inside a unit count from its start */
	c.unit = f->unit;
	if (!add_copies_of(d, &c, &abstract))
		die_children(&f->unit->info, copies_die, &c);
	vec_foreach(&units, u) {
		c.unit = &d->units.v[*u];
		if (c.unit != f->unit)
			die_children(&c.unit->info, copies_die, &c);
	}
	vec_release(&units);
}
