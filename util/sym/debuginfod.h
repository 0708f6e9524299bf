/*
 * Debuginfod: debug files of stripped programs from servers (--debuginfod), by build-id, through
 * libdebuginfod, which caches fetched files, and for ten minutes the answer that a server does not have one.
 * All files together have a time limit; files not fetched by then are given up. Some workers fetch while
 * others load files.
 */
#ifndef PERF_SYM_DEBUGINFOD_H
#define PERF_SYM_DEBUGINFOD_H

#include "../base/err.h"

#define DEBUGINFOD_SECONDS 10	/* default */

struct debuginfod {
	u64 deadline;		/* ns of the monotonic clock; 0: nothing was asked for yet */
	unsigned int nr_fetched, nr_missing, nr_given_up;
	unsigned int nr_unusable;	/* fetched, but: debuginfod_note_unusable() */
	unsigned int nr_not_reached;	/* no server answered */
	int error;			/* errno of the last server that was not reached */
};

/*
 * Prepares fetching from urls, separated by blanks; NULL or "system" means DEBUGINFOD_URLS. Call it before
 * threads are started. 0, or a negative errno with err: no library, no servers, or not URLs
 */
int debuginfod_prepare(const char *urls, struct err *err);
/*
 * Path of the debug file of a build-id, which the caller frees; NULL: there is none, or the time is over.
 * seconds: for all files, 0: DEBUGINFOD_SECONDS. Several threads may call it at a time
 */
char *debuginfod_fetch(struct debuginfod *d, unsigned int seconds, const u8 *id, int len);
/* counts a fetched file that is damaged, of another build or without symbols; several threads may call it */
void debuginfod_note_unusable(struct debuginfod *d);
struct symbols;
/* true if symbols_load() may ask servers: then it spends the time on its dsos in their order */
bool symbols_fetch(const struct symbols *s);
/* prints a line about the files that were fetched since the last such line */
void debuginfod_tell(struct debuginfod *d);

#endif
