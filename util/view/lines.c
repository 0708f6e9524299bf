/* Lines: disposal, and the words of derived values. */
#include "lines.h"

#include <math.h>
#include <string.h>

void view_block_release(struct view_block *b)
{
	vec_release(&b->line);
	vec_release(&b->derived);
	vec_release(&b->run_sec);
	vec_release(&b->note);
	arena_release(&b->arena);
}

void view_places_release(struct view_places *p)
{
	vec_foreach(p, place)
		vec_release(&place->fact);
	vec_release(p);
	arena_release(&p->arena);
}

bool view_block_grouped(const struct view_block *b)
{
	vec_foreach(&b->line, l)
		if (l->group)
			return true;
	return false;
}

bool view_block_repeated(const struct view_block *b)
{
	vec_foreach(&b->line, l)
		if (l->deviation >= 0)
			return true;
	return false;
}

bool view_value_known(const struct view_value *v)
{
	return v->type == VIEW_REAL && isfinite(v->real);
}

void view_derived_label(const struct view_derived *d, bool for_machines, struct strbuf *out)
{
	bool unit = *d->unit && !(for_machines && !d->by_name && !strcmp(d->unit, "%"));

	if (unit)
		strbuf_addstr(out, d->unit);
	if (unit && *d->name)
		strbuf_addstr(out, d->by_name ? "  " : " ");
	strbuf_addstr(out, d->name);
}

void view_derived_number(const struct view_derived *d, struct strbuf *out)
{
	if (d->value.type == VIEW_REAL)
		strbuf_addf(out, "%*.*f", d->width, d->value.decimals, d->value.real);
	else
		strbuf_addf(out, "%*s", d->width, "nan");
	if (d->gap)
		strbuf_addch(out, ' ');
}

void view_derived_text(const struct view_derived *d, const char *color, struct strbuf *out)
{
	char first = *d->unit ? *d->unit : *d->name;

	strbuf_addstr(out, color);
	view_derived_number(d, out);
	if (*color)
		strbuf_addstr(out, "\033[m");
	if (first != '%')
		strbuf_addch(out, ' ');
	view_derived_label(d, false, out);
}
