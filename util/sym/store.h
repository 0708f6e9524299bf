/*
 * Symbol store: what was read of files with build-ids, kept from one session to the next: tables of symbols,
 * open debug information, what it said of addresses. For commands that read many recordings one after another
 * with the same options. Memory is bounded: what was not used for longest is freed between two sessions. Not
 * thread-safe: sessions take from it and give back while no thread of theirs runs.
 */
#ifndef PERF_SYM_STORE_H
#define PERF_SYM_STORE_H

#include "../base/types.h"

#define SYM_STORE_BYTES (384u << 20)

struct sym_store;

/* bytes: of tables and debug information, about; 0: SYM_STORE_BYTES */
struct sym_store *sym_store_new(u64 bytes);
/* after all sessions that used it were closed */
void sym_store_free(struct sym_store *st);

struct sym_store_facts {
	u64 nr_loaded, nr_reused;	/* tables of symbols */
	u64 bytes;
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
	struct dso_lines *lines[2];	/* with_lines; NULL: nothing was asked */
	u64 used;			/* number of the session that used it last */
	bool busy;			/* a session uses it */
	bool fresh;			/* this session has loaded it */
	bool kernel;			/* its names are in lists */
};

/*
 * The place of a dso, for this session alone; it is new if its symbols are NULL. NULL: another dso of the
 * session has it, or what is known of the dso does not say which file it was
 */
struct sym_stored *sym_store_take(struct sym_store *st, const struct symbols *s, const struct dso *d);
/* gives it back with the symbols of the session, which can be NULL */
void sym_store_give(struct sym_store *st, struct sym_stored *e, struct dso_symbols *symbols);
/* the session has given everything back; the store takes lists whose names it needs */
void sym_store_end_session(struct sym_store *st, struct symbols *s);
/* whether debug information that takes that much memory may stay open */
bool sym_store_keeps_open(const struct sym_store *st, u64 bytes);

#endif
