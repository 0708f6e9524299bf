/*
 * Feeds: the samples of one CPU or thread, decoded piece by piece as a reader in the order of time asks for
 * them. So no temporary file is needed, and each feed has a few hundred KB in memory, whatever the size of
 * the trace. One thread uses all feeds of a trace.
 */
#ifndef PERF_AUX_FEED_H
#define PERF_AUX_FEED_H

#include "aux.h"

struct aux_feeds;
struct strbuf;

/* after aux_prepare() */
struct aux_feeds *aux_feeds_new(const struct aux *a);
u32 aux_feeds_nr(const struct aux_feeds *f);
/*
 * Appends the next records of a feed to rec, which is empty: about aux_feeds_part() bytes of whole records.
 * false: there are no more
 */
bool aux_feeds_fill(struct aux_feeds *f, u32 i, struct strbuf *rec);
size_t aux_feeds_part(const struct aux_feeds *f);
/* counts what was decoded in a, for aux_end(); frees f */
void aux_feeds_free(struct aux_feeds *f, struct aux *a);

#endif
