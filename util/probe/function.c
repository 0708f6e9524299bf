/* Function: its code without doubles, and where the next one begins in the source. */
#include "function.h"

#include <string.h>
#include "debug-units.h"
#include "die.h"

void function_add_code(struct function *f, struct debug_unit *unit, Dwarf_Die *die, bool is_inlined)
{
	u64 entry;

	if (!die_entry(die, &entry))
		return;
	vec_foreach(&f->code, c)
		if (c->entry == entry && c->is_inlined == is_inlined && die_same(&c->die, die))
			return;
	vec_push(&f->code, (struct function_code){ *die, unit, entry, is_inlined });
}

/* --- where the next function begins in the source */

struct next_line {
	struct function *f;
	int depth;
};

static bool next_line_die(void *ctx, Dwarf_Die *die)
{
	struct next_line *n = ctx;
	const char *file;
	u64 near;
	u32 line;

	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
		if (!die_u64(die, DW_AT_decl_line, &near) || near <= n->f->line || near >= n->f->end_line)
			break;
		if (die_has(die, DW_AT_declaration) || !debug_unit_decl(n->f->unit, die, &file, &line))
			break;
		if (!strcmp(file, n->f->file))
			n->f->end_line = line;
		break;
	case DW_TAG_namespace:
		if (n->depth < DIE_DEPTH_MAX) {
			n->depth++;
			die_children(die, next_line_die, n);
			n->depth--;
		}
	}
	return true;
}

u32 function_end_line(struct function *f)
{
	struct next_line n = { .f = f };

	if (!f->end_line) {
		f->end_line = UINT32_MAX;
		if (f->file && f->line)
			die_children(&f->unit->info, next_line_die, &n);
	}
	return f->end_line;
}

void functions_release(struct function_set *set)
{
	vec_foreach(set, f)
		vec_release(&f->code);
	vec_release(set);
}
