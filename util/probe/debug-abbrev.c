/* Debug-abbrev: reads the tables of all units, one after another. */
#include "debug-abbrev.h"

#include <dwarf.h>
#include "../base/cursor.h"

/* the attributes of one abbreviation: whether one of them refers to another unit */
static bool abbrev_is_foreign(struct cursor *c)
{
	bool foreign = false;

	while (!c->bad) {
		u64 attr = cursor_uleb(c), form = cursor_uleb(c);

		if (!attr && !form)
			break;
		if (form == DW_FORM_implicit_const)
			cursor_uleb(c);
		foreign |= form == DW_FORM_ref_addr && (attr == DW_AT_abstract_origin ||
			   attr == DW_AT_specification || attr == DW_AT_import);
	}
	return foreign;
}

bool abbrevs_are_foreign(const u8 *p, size_t len)
{
	struct cursor c = cursor_of(p, len, false);

	while (cursor_left(&c) && !c.bad) {
		if (!cursor_uleb(&c))	/* the end of the table of a unit */
			continue;
		cursor_uleb(&c);		/* tag */
		cursor_u8(&c);		/* has children */
		if (abbrev_is_foreign(&c))
			return true;
	}
	return c.bad;
}
