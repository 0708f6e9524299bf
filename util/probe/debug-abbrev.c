/* Debug-abbrev: reads the tables of all units, one after another. */
#include "debug-abbrev.h"

#include <dwarf.h>
#include "../base/cursor.h"

static u64 take_uleb(struct cursor *c)
{
	u64 v = 0;
	u8 byte;
	int shift = 0;

	do {
		byte = cursor_u8(c);
		if (shift < 64)
			v |= (u64)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !c->bad);
	return v;
}

/* the attributes of one abbreviation: whether one of them refers to another unit */
static bool abbrev_is_foreign(struct cursor *c)
{
	bool foreign = false;

	while (!c->bad) {
		u64 attr = take_uleb(c), form = take_uleb(c);

		if (!attr && !form)
			break;
		if (form == DW_FORM_implicit_const)
			take_uleb(c);
		foreign |= form == DW_FORM_ref_addr && (attr == DW_AT_abstract_origin ||
			   attr == DW_AT_specification || attr == DW_AT_import);
	}
	return foreign;
}

bool abbrevs_are_foreign(const u8 *p, size_t len)
{
	struct cursor c = cursor_of(p, len, false);

	while (cursor_left(&c) && !c.bad) {
		if (!take_uleb(&c))	/* the end of the table of a unit */
			continue;
		take_uleb(&c);		/* tag */
		cursor_u8(&c);		/* has children */
		if (abbrev_is_foreign(&c))
			return true;
	}
	return c.bad;
}
