/*
 * Live chains: unwinds the stacks of a recording while it runs: the rewriting of samples that record
 * --unwind-live gives to the recorder (util/record/rewrite.h says when each function is called). A machine is
 * kept from the side-band records, and samples wait until the side-band before them is known; then threads of
 * a pool convert them (plain-chain.h). Owns all of this; one recording.
 */
#ifndef PERF_RESOLVE_LIVE_CHAINS_H
#define PERF_RESOLVE_LIVE_CHAINS_H

#include "../event/abi.h"
#include "../session/feed.h"

struct live_chains;

/* set with ids, and feat, outlive it; the attributes are as the events were opened */
struct live_chains *live_chains_new(struct evset *set, const struct features *feat, unsigned int jobs);
void live_chains_free(struct live_chains *l);
/* records of the tasks that run already */
void live_chains_state(struct live_chains *l, const struct strbuf *records);
/* any record from a ring */
void live_chains_record(struct live_chains *l, const struct rec_header *h);
/* the pass over the rings is over; all: nothing more comes. Appends samples that are ready, converted */
void live_chains_pass(struct live_chains *l, bool all, struct strbuf *out);
/* samples that could not be converted and were dropped */
u64 live_chains_dropped(const struct live_chains *l);

#endif
