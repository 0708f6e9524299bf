/* File facts: those of the header, and what reading the file has shown. */
#include "file-facts.h"

#include "../data/header-facts.h"

void file_facts(struct view_facts *facts, struct arena *arena, const struct session *s)
{
	header_facts(s->data, arena, facts);
	view_fact_number(facts, "lost-samples", s->nr_lost_samples);
	if (s->nr_filtered_samples)
		view_fact_number(facts, "filtered-samples", s->nr_filtered_samples);
}
