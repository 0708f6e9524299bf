/* Widths of columns of text: as asked, as wide as the cells, or bounded where names are very long. */
#include "text-private.h"

#include <string.h>

#define FILE_NAMES 120u		/* longer names in files stand out of their column */
#define LEAST_SENTENCES 30u
#define LEAST_NAMES 16u		/* a terminal's line is exceeded rather than names cut to less */

bool text_width_asked(const struct text_opts *o, u32 i)
{
	return i < o->nr_widths && o->widths[i];
}

static u32 column_width(const struct text_opts *o, const struct view_table *t, u32 i)
{
	if (text_width_asked(o, i))
		return MAX(o->widths[i], t->column.v[i].right ? 8u : 1u);
	return t->column.v[i].width;
}

static bool may_shrink(const struct layout *l, u32 i)
{
	const struct view_column *c = &l->t->column.v[i];

	return !c->right && !c->whole && !text_width_asked(l->o, i) && l->width[i] > LEAST_NAMES;
}

/* width of the first nr columns and their gaps; keys of a tree share one place and are not counted */
u32 text_line_width(const struct layout *l, u32 nr)
{
	u32 width = 0;

	for (u32 i = 0; i < nr; i++)
		width += text_gap(l->t, i) + l->width[i];
	return width;
}

static void cut_column(struct layout *l, u32 i, u32 width)
{
	if (l->width[i] <= MAX(width, LEAST_NAMES))
		return;
	l->width[i] = MAX(width, LEAST_NAMES);
	l->cut[i] = true;
}

/* the widest columns of names become equally wide, until the line fits */
static void fit_line(struct layout *l)
{
	u32 room = l->o->room, nr = l->t->column.nr;

	for (u32 taken = text_line_width(l, nr); taken > room; taken = text_line_width(l, nr)) {
		u32 widest = nr, next = LEAST_NAMES, same = 0;

		for (u32 i = 0; i < nr; i++)
			if (may_shrink(l, i) && (widest == nr || l->width[i] > l->width[widest]))
				widest = i;
		if (widest == nr)
			return;
		for (u32 i = 0; i < nr; i++) {
			same += may_shrink(l, i) && l->width[i] == l->width[widest];
			if (may_shrink(l, i) && l->width[i] < l->width[widest])
				next = MAX(next, l->width[i]);
		}
		for (u32 i = 0, width = l->width[widest]; i < nr; i++)
			if (may_shrink(l, i) && l->width[i] == width)
				cut_column(l, i, MAX(next, width - MIN((taken - room + same - 1) / same,
								       width)));
	}
}

/* keys of a tree: each has what its indentation leaves */
static void fit_levels(struct layout *l)
{
	u32 numbers = text_nr_numbers(l->t);
	u32 taken = text_line_width(l, numbers) + (l->t->nr_levels - 1) * TEXT_LEVEL_INDENT + 2;

	for (u32 i = 0; i < l->t->nr_levels; i++) {
		u32 before = taken + i * TEXT_LEVEL_INDENT;

		if (may_shrink(l, numbers + i))
			cut_column(l, numbers + i, l->o->room > before ? l->o->room - before : 0);
	}
}

/* what the others leave of a terminal's line; in files what its title takes, as nothing is below it */
static u32 sentences_width(const struct layout *l, u32 i)
{
	u32 before = text_line_width(l, i) + text_gap(l->t, i);

	if (!l->o->room)
		return strlen(l->t->column.v[i].title);
	return MAX(LEAST_SENTENCES, l->o->room > before ? l->o->room - before : 0);
}

void text_choose_widths(struct layout *l)
{
	for (u32 i = 0; i < l->t->column.nr; i++)
		l->width[i] = l->t->column.v[i].sentences ? sentences_width(l, i) :
			      column_width(l->o, l->t, i);
	if (l->o->full_names || l->t->look)
		return;
	if (l->o->room && l->t->nr_levels)
		fit_levels(l);
	else if (l->o->room)
		fit_line(l);
	for (u32 i = 0; i < l->t->column.nr && !l->o->room; i++)
		if (may_shrink(l, i))
			l->width[i] = MIN(l->width[i], FILE_NAMES);
}
