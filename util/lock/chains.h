/*
 * Chains: the kernel part of the call chains of waits, each distinct one once, and the code that wanted the
 * lock: the first caller that is not itself a function of locking or scheduling.
 */
#ifndef PERF_LOCK_CHAINS_H
#define PERF_LOCK_CHAINS_H

#include "../base/sequences.h"
#include "../resolve/kernel-names.h"

struct lock_chain {
	u32 group;		/* the id of what remains of it */
	bool wanted;		/* it contains one of the wanted functions */
};

struct lock_chains {
	const struct session *session;
	struct resolver *resolver;
	u32 max_stack, skip;
	const char *functions;	/* parts of names, one of which must be in the chain; NULL: any chain */
	struct sequences recorded, group;	/* of addresses: as recorded, and without what was skipped */
	struct { VEC(struct lock_chain); } chain;	/* by id of recorded */
	struct { u64 start, end; } lock_text[2];	/* functions of locking and scheduling */
	struct arena scratch;
};

/*
 * After kernel_names_load(). max_stack: at most that many frames of a chain are looked at; skip: the number
 * of innermost ones that cannot be the caller
 */
void lock_chains_init(struct lock_chains *c, struct resolver *r, u32 max_stack, u32 skip,
		      const char *functions);
void lock_chains_release(struct lock_chains *c);
/* functions of locking and scheduling are known by their addresses */
bool lock_chains_know_text(const struct lock_chains *c);
/* the chain of a sample: an id in c->chain */
u32 lock_chains_add(struct lock_chains *c, const struct sample *sample, const struct sample_ctx *ctx);
/* the same of addresses of the kernel, innermost first */
u32 lock_chains_add_ips(struct lock_chains *c, const u64 *ip, u32 nr);
/* appends the name of the caller: "function+0x1c", "0xADDRESS", "Unknown" */
void lock_chains_add_caller(const struct lock_chains *c, u32 group, struct strbuf *out);
/* appends the names of all frames from the caller on, with " <- " between them */
void lock_chains_add_frames(const struct lock_chains *c, u32 group, struct strbuf *out);

#endif
