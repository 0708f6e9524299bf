/* Values: see stat-values.h. */
#include "stat-values.h"

const struct tally *stat_counted(const struct stat_values *v, u32 event, u32 id)
{
	const struct tally *t;

	if (event == NO_EVENT)
		return NULL;
	t = tally_at(v->tallies, v->tallies->first ? v->tallies->first[event] : event, id);
	return t->state == COUNT_READ && t->run ? t : NULL;
}

bool stat_unsupported(const struct stat_values *v, u32 event, u32 id)
{
	return tally_at(v->tallies, v->tallies->first ? v->tallies->first[event] : event,
			id)->state == COUNT_UNSUPPORTED;
}

void stat_derive_push(struct view_block *b, struct view_line *line, struct view_derived m)
{
	if (!line->nr_derived)
		line->derived = b->derived.nr;
	line->nr_derived++;
	vec_push(&b->derived, m);
}
