/*
 * Names: the kernel's generic events (event/names.def) as people type them, and near misses. Asks the machine nothing.
 */
#ifndef PERF_PMU_NAMES_H
#define PERF_PMU_NAMES_H

#include "../event/names.h"

/* type and config of a hardware, software or cache name of len bytes (in any case); false where it is none */
bool event_name_find(const char *s, size_t len, u32 *ret_type, u64 *ret_config);

/*
 * Cache events: "CACHE-OP[-RESULT]" in the spellings there are ("L1-dcache-load-misses", "LLC-loads", "dTLB-store-refs",
 * "branch-speculative-read"). Calls fn with the usual spelling of each combination that makes sense.
 */
void cache_names_foreach(void (*fn)(void *ctx, const char *name, u64 config), void *ctx);

/*
 * The nearest of many words, for "did you mean". Zero it, offer all candidates, then ask.
 */
struct nearest {
	const char *want;
	size_t want_len;
	unsigned int best[3];		/* distances + 1; 0: none */
	char name[3][80];
};
void nearest_init(struct nearest *n, const char *want, size_t want_len);
void nearest_offer(struct nearest *n, const char *name);
/* all names of the tables above */
void nearest_offer_names(struct nearest *n);
struct strbuf;
/* " (did you mean 'a', 'b'?)" appended to out, nothing where no word is near */
void nearest_describe(const struct nearest *n, struct strbuf *out);

#endif
