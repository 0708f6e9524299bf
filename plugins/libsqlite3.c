/* Plug-in: databases through libsqlite3. Ops in ui/sqlite-plugin.h. */
#include "../ui/sqlite-plugin.h"
#include "../util/base/plugin.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#define WAIT_MS 60000	/* for another writer */

struct database {
	sqlite3 *db;
	sqlite3_stmt *insert[NR_TABLES], *find;
	char error[256];	/* of the first row that failed */
};

static void release(struct database *d)
{
	for (unsigned int i = 0; i < NR_TABLES; i++)
		sqlite3_finalize(d->insert[i]);
	sqlite3_finalize(d->find);
	sqlite3_close(d->db);
	free(d);
}

static bool prepare(struct database *d, const char *path, const char *schema, char *const insert[NR_TABLES])
{
	/* it is used by one thread */
	const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;

	if (sqlite3_open_v2(path, &d->db, flags, NULL))
		return false;
	sqlite3_busy_timeout(d->db, WAIT_MS);
	if (sqlite3_exec(d->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) ||
	    sqlite3_exec(d->db, schema, NULL, NULL, NULL))
		return false;
	for (unsigned int i = 0; i < NR_TABLES; i++)
		if (sqlite3_prepare_v2(d->db, insert[i], -1, &d->insert[i], NULL))
			return false;
	return !sqlite3_prepare_v2(d->db, "SELECT 1 FROM profile WHERE id = ?", -1, &d->find, NULL);
}

static void *db_open(const char *path, const char *schema, char *const insert[NR_TABLES], char *msg,
		     size_t msg_size)
{
	struct database *d = calloc(1, sizeof(*d));

	if (!d) {
		snprintf(msg, msg_size, "no memory");
		return NULL;
	}
	if (prepare(d, path, schema, insert))
		return d;
	snprintf(msg, msg_size, "%s", sqlite3_errmsg(d->db));
	release(d);
	return NULL;
}

static bool knows(void *db, s64 profile)
{
	struct database *d = db;
	bool found;

	sqlite3_bind_int64(d->find, 1, profile);
	found = sqlite3_step(d->find) == SQLITE_ROW;
	sqlite3_reset(d->find);
	return found;
}

static int row(void *db, enum table_id table, const struct tables_cell *cell, u32 nr)
{
	struct database *d = db;
	sqlite3_stmt *s = d->insert[table];
	int ret;

	for (u32 i = 0; i < nr; i++) {
		if (cell[i].text)
			sqlite3_bind_text(s, i + 1, cell[i].text, -1, SQLITE_STATIC);
		else
			sqlite3_bind_int64(s, i + 1, cell[i].number);
	}
	ret = sqlite3_step(s);
	if (ret != SQLITE_DONE)
		snprintf(d->error, sizeof(d->error), "%s", sqlite3_errmsg(d->db));
	sqlite3_reset(s);
	return ret == SQLITE_DONE ? 0 : -EIO;
}

static int db_close(void *db, const char *indexes, char *msg, size_t msg_size)
{
	struct database *d = db;
	int ret = 0;

	if (indexes && sqlite3_exec(d->db, indexes, NULL, NULL, NULL)) {
		snprintf(d->error, sizeof(d->error), "%s", sqlite3_errmsg(d->db));
		indexes = NULL;
	}
	if (sqlite3_exec(d->db, indexes ? "COMMIT" : "ROLLBACK", NULL, NULL, NULL) && !d->error[0])
		snprintf(d->error, sizeof(d->error), "%s", sqlite3_errmsg(d->db));
	if (d->error[0])
		ret = -EIO;
	snprintf(msg, msg_size, "%s", d->error);
	release(d);
	return ret;
}

static const struct sqlite_plugin_ops ops = { db_open, knows, row, db_close };

extern const struct plugin PLUGIN_SYMBOL;
const struct plugin PLUGIN_SYMBOL = { PLUGIN_ABI, sizeof(ops), "libsqlite3", &ops };
