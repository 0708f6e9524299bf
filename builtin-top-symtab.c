/* perf top -D: the symbol tables by which samples were named. */
#include "builtin-top.h"

#include <stdio.h>

static void add_table(const struct symbols *s, const struct dso *dso, struct strbuf *out)
{
	const struct symtab *t = symbols_table(s, dso->id);
	struct arena scratch = { 0 };

	if (!t || !t->nr)
		return;
	strbuf_addf(out, "\ndso: ");
	strbuf_add_safe(out, dso->long_name);
	strbuf_addf(out, " (%u symbols", t->nr);
	if (t->file) {
		strbuf_addstr(out, " of ");
		strbuf_add_safe(out, t->file);
	}
	strbuf_addstr(out, ")\n");
	for (u32 i = 0; i < t->nr; i++) {
		strbuf_addf(out, "%16lx-%lx %c ", t->sym[i].start, t->sym[i].end, t->sym[i].binding);
		strbuf_add_safe(out, symbols_name(s, dso->id, i, &scratch));
		strbuf_addch(out, '\n');
		arena_reset(&scratch);
	}
	arena_release(&scratch);
}

void top_dump_symtabs(struct top *t)
{
	const struct hist *h = t->hist;
	const struct dsos *dsos = machine_dsos(h->session->machine);
	struct strbuf out = STRBUF_INIT;

	top_screen_end(&t->screen);
	for (u32 i = 0; i < dsos->dso.nr; i++) {
		if (!h->dso_sampled[i])
			continue;
		add_table(h->session->symbols, dsos_at(dsos, i), &out);
		fwrite(strbuf_str(&out), 1, out.len, stdout);
		strbuf_reset(&out);
	}
	strbuf_release(&out);
}
