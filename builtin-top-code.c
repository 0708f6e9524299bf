/* perf top: the code of functions, with what is counted at each instruction while it is shown. */
#include "builtin-top.h"

#include <stdlib.h>
#include <string.h>

void top_code_begin(struct top_code *c, struct session *s, const struct hist_opts *table)
{
	struct hist_opts o = annotate_hist_opts();

	o.keep = table->keep;
	o.keep_ctx = table->keep_ctx;
	o.keep_frame = table->keep_frame;
	o.carry = &c->carry;
	c->hist_opts = o;
	annotate_begin(&c->annotate, s, &c->opts);
}

void top_code_count(struct top_code *c)
{
	if (c->wanted)
		annotate_count(&c->annotate, hist_carry_count(&c->carry, c->annotate.session, &c->hist_opts));
}

void top_code_fade(struct top_code *c, bool zero)
{
	if (zero)
		hist_carry_clear(&c->carry);
	else
		hist_carry_decay(&c->carry);
}

bool top_code_find(const struct top_code *c, const char *name, struct annotated *ret)
{
	const struct symbols *symbols = c->annotate.session->symbols;
	struct arena scratch = { 0 };
	bool found = false;

	for (size_t i = 0; i < c->annotate.function.nr && !found; i++) {
		const struct annotated *f = &c->annotate.function.v[i];

		found = !strcmp(symbols_name(symbols, f->dso, f->symbol, &scratch), name);
		if (found)
			*ret = *f;
		arena_reset(&scratch);
	}
	arena_release(&scratch);
	return found;
}

void top_code_text(struct top_code *c, struct strbuf *out)
{
	struct view_listing l;
	struct arena arena = { 0 };
	struct annotated f;

	if (!top_code_find(c, c->symbol, &f)) {
		strbuf_addf(out, "no sample is in a function '%s' yet\n", c->symbol);
		return;
	}
	annotate_function(&c->annotate, &f, &arena, &l);
	listing_format_find("stdio")->show(&l, &c->text, out);
	annotate_listing_release(&l);
	arena_release(&arena);
}

void top_code_release(struct top_code *c)
{
	if (c->annotate.session)
		annotate_release(&c->annotate);
	hist_carry_release(&c->carry);
}
