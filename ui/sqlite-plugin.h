/* Sqlite plug-in: what the writer of databases asks of libsqlite3; the plug-in libsqlite3 implements it. */
#ifndef PERF_UI_SQLITE_PLUGIN_H
#define PERF_UI_SQLITE_PLUGIN_H

#include "tables.h"

struct sqlite_plugin_ops {
	/*
	 * opens or creates a database, runs the statements of schema in it and begins a transaction. insert:
	 * statements, one per table, with a parameter per column. NULL with a sentence in msg
	 */
	void *(*open)(const char *path, const char *schema, char *const insert[NR_TABLES], char *msg,
		      size_t msg_size);
	bool (*knows)(void *db, s64 profile);
	/* 0 or a negative errno: close() has the reason */
	int (*row)(void *db, enum table_id table, const struct tables_cell *cell, u32 nr);
	/*
	 * runs the statements of indexes and keeps the rows, or none if indexes is NULL. 0, or a negative
	 * errno with a sentence in msg
	 */
	int (*close)(void *db, const char *indexes, char *msg, size_t msg_size);
};

#endif
