/* Debug-place: function and line of an address. */
#include "debug-place.h"

#include "../base/strbuf.h"
#include "debug-file.h"
#include "place-search.h"
#include "source-lines.h"
#include "locate.h"

bool debug_place_text(struct debug_file *d, u64 svma, bool is_return, struct strbuf *out)
{
	struct place_address a = { .addr = svma, .unit = debug_units_at(&d->units, svma) };
	const char *file, *line_file, *name;
	struct variable_place f;
	u32 start, line;
	u64 entry;
	bool known, is_apart, has_line;
	const struct symbol *sym;

	if (!a.unit || !place_open(d, &a, "", &f))
		return false;
	name = die_name(&f.function);
	/* an inlined copy begins where its own code does, not where the function around it does */
	entry = f.entry;
	if (f.chain.home > 0 && !die_entry(&f.function, &entry))
		entry = svma;
	/* offsets are told inside of one part of the code, and not from it to another one ("f.cold") */
	sym = debug_link_symbol(&d->link, svma);
	is_apart = sym && sym->start > entry && f.chain.home <= 0;
	known = name && debug_unit_decl(f.chain.unit, &f.function, &file, &start) && file;
	has_line = known && svma != entry && unit_line_at(f.chain.unit, svma, false, &line_file, &line) &&
		   line > start;
	known = known && (has_line || is_return || !is_apart);
	if (known) {
		strbuf_add_safe(out, name);
		if (is_return)
			strbuf_addstr(out, "%return");
		else if (has_line)
			strbuf_addf(out, ":%u", line - start);
		else if (svma > entry)
			strbuf_addf(out, "+%lu", svma - entry);
		strbuf_addch(out, '@');
		strbuf_add_safe(out, file);
	}
	place_close(&f);
	return known;
}
