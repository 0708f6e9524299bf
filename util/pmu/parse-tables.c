/* The event tables of a parser: see parse-tables.h. */
#include "parse-tables.h"

static struct table_source *source(struct parser *ps)
{
	return ps->opts->tables ? ps->opts->tables : &ps->own_tables;
}

bool parse_use_tables(struct parser *ps)
{
	const struct event_table *t;

	if (ps->tables_used)
		return false;
	ps->tables_used = true;
	t = table_source_get(source(ps), &ps->table_err);
	return t && event_table_extend(&ps->pmus, t);
}

const struct event_table *parse_table(struct parser *ps)
{
	return table_source_get(source(ps), NULL);
}
