/*
 * Symbol store: symbol tables, inlined functions, and lines with their open debug information, of files with
 * build-ids, kept from one session to the next. For commands that read many recordings one after another with
 * the same options. Memory is bounded: the least recently used entries are freed between two sessions. Not
 * thread-safe: sessions take entries and give them back while none of their threads runs.
 */
#ifndef PERF_SYM_STORE_H
#define PERF_SYM_STORE_H

#include "../base/types.h"

#define SYM_STORE_BYTES (384u << 20)
/* open files with debug information have a descriptor each */
#define SYM_STORE_ENTRIES 400

struct sym_store;

/* bytes: approximate limit for tables and debug information; 0: SYM_STORE_BYTES */
struct sym_store *sym_store_new(u64 bytes);
/* call it after all sessions that used the store were closed */
void sym_store_free(struct sym_store *st);

struct sym_store_facts {
	u64 nr_loaded, nr_reused;	/* tables of symbols */
	u64 bytes;
	size_t nr;			/* entries, at most SYM_STORE_ENTRIES between sessions */
};
struct sym_store_facts sym_store_facts(const struct sym_store *st);

/* ---- private to util/sym ---- */

struct dso;
struct dso_lines;
struct dso_symbols;
struct symbols;

struct sym_stored {
	char *key;			/* everything on which the table depends */
	u64 hash;
	struct dso_symbols *symbols;	/* NULL: not loaded, or a session has it */
	struct dso_lines *lines[2];	/* by with_lines; NULL: no lines were asked for */
	u64 used;			/* number of the session that used it last */
	bool busy;			/* a session uses it */
	bool fresh;			/* this session has loaded it */
	bool kernel;			/* its names are in lists */
};

/*
 * The entry of a dso, for this session alone; a new one has no symbols. NULL: another dso of the session has
 * the entry, or the dso's file is not identified
 */
struct sym_stored *sym_store_take(struct sym_store *st, const struct symbols *s, const struct dso *d);
/* gives it back with the symbols that the session loaded, or NULL */
void sym_store_give(struct sym_store *st, struct sym_stored *e, struct dso_symbols *symbols);
/* the session has given everything back; the store takes lists whose names it needs */
void sym_store_end_session(struct sym_store *st, struct symbols *s);

#endif
