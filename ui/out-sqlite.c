/*
 * Sqlite: tables in a database, to which each conversion adds; rows that exist are not added again. Tables
 * and views are in Documentation/fleet/sqlite.sql. All rows are one transaction. A new database gets its
 * indexes, which sqlite.sql has last, after its rows, which is faster.
 */
#include "sqlite-plugin.h"

#include <errno.h>
#include <stdlib.h>
#include "../util/base/plugin.h"
#include "../util/base/strbuf.h"

static const char schema[] = {
#include "fleet/sqlite.sql.inc"
	0
};

/* the schema without its indexes; to be freed */
static char *tables_text(const char **indexes)
{
	char *text = xstrdup(schema), *first = strstr(text, "\nCREATE INDEX");

	*indexes = first ? schema + (first - text) : "";
	if (first)
		*first = '\0';
	return text;
}

struct sqlite_out {
	const struct sqlite_plugin_ops *ops;
	void *db;
	char *path;
};

static u32 nr_columns(enum table_id table)
{
	u32 nr = 0;

	while (tables[table].column[nr].name)
		nr++;
	return nr;
}

/* frames and stacks that are there have the same contents */
static char *insert_text(enum table_id table)
{
	struct strbuf out = STRBUF_INIT;

	strbuf_addf(&out, "INSERT OR IGNORE INTO %s VALUES (", tables[table].name);
	for (u32 i = 0; i < nr_columns(table); i++)
		strbuf_addstr(&out, i ? ", ?" : "?");
	strbuf_addch(&out, ')');
	return strbuf_detach(&out);
}

/* NULL with err */
static void *open_database(const struct sqlite_plugin_ops *ops, const char *path, struct err *err)
{
	char *insert[NR_TABLES], *text, msg[256];
	const char *indexes;
	void *db;

	text = tables_text(&indexes);
	for (u32 i = 0; i < NR_TABLES; i++)
		insert[i] = insert_text(i);
	db = ops->open(path, text, insert, msg, sizeof(msg));
	free(text);
	for (u32 i = 0; i < NR_TABLES; i++)
		free(insert[i]);
	if (!db)
		err_set(err, -EIO, "%s: cannot open the database: %s", path, msg);
	return db;
}

static int sqlite_open(void **ret, const char *path, bool force UNUSED, struct err *err)
{
	const struct sqlite_plugin_ops *ops = plugin_load("libsqlite3", sizeof(*ops), err);
	struct sqlite_out *o;
	void *db = ops ? open_database(ops, path, err) : NULL;

	if (!db)
		return err->code;
	o = xcalloc(1, sizeof(*o));
	*o = (struct sqlite_out){ ops, db, xstrdup(path) };
	*ret = o;
	return 0;
}

static bool sqlite_knows(void *ctx, s64 profile)
{
	const struct sqlite_out *o = ctx;

	return o->ops->knows(o->db, profile);
}

static int sqlite_row(void *ctx, enum table_id table, const struct tables_cell *cell)
{
	const struct sqlite_out *o = ctx;

	return o->ops->row(o->db, table, cell, nr_columns(table));
}

static int sqlite_close(void *ctx, int ret, struct err *err)
{
	struct sqlite_out *o = ctx;
	const char *indexes;
	char msg[256], *text = tables_text(&indexes);
	int closed = o->ops->close(o->db, ret ? NULL : indexes, msg, sizeof(msg));

	if (closed && !err->code)
		ret = err_set(err, closed, "cannot write the database %s: %s", o->path, msg);
	free(text);
	free(o->path);
	free(o);
	return ret;
}

const struct tables_sink sqlite_sink = { sqlite_open, sqlite_knows, sqlite_row, sqlite_close };
