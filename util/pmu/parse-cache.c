/* Parse cache: see parse-cache.h. */
#include "parse-cache.h"
#include "parse-state.h"

#include <stdlib.h>

struct parse_cache {
	struct pmus pmus;
	struct hwmon_list hwmon;
	struct table_source own_tables;
	bool hwmon_scanned, tables_used;
};

struct parse_cache *parse_cache_new(void)
{
	return xcalloc(1, sizeof(struct parse_cache));
}

static void release(struct parse_cache *c)
{
	pmus_release(&c->pmus);
	table_source_release(&c->own_tables);
	hwmon_list_release(&c->hwmon);
}

void parse_cache_free(struct parse_cache *c)
{
	if (!c)
		return;
	release(c);
	free(c);
}

void parse_cache_take(struct parser *ps)
{
	const struct parse_cache *c = ps->opts->cache;

	if (!c)
		return;
	ps->pmus = c->pmus;
	ps->hwmon = c->hwmon;
	ps->own_tables = c->own_tables;
	ps->hwmon_scanned = c->hwmon_scanned;
	ps->tables_used = c->tables_used;
}

void parse_cache_give(struct parser *ps)
{
	struct parse_cache now = { ps->pmus, ps->hwmon, ps->own_tables, ps->hwmon_scanned, ps->tables_used };

	if (ps->opts->cache)
		*ps->opts->cache = now;
	else
		release(&now);
}
