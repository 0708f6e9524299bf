/*
 * Names of locks: kernel variables by address, from the list of symbols that gave the kernel its functions
 * (/proc/kallsyms or --kallsyms). Locks inside allocated objects have no name.
 */
#ifndef PERF_LOCK_NAMES_H
#define PERF_LOCK_NAMES_H

#include "../session/session.h"

struct lock_name {
	u64 addr;
	u32 line;		/* of list */
};
struct lock_names {
	struct kallsyms *list;	/* NULL: the recorded kernel's list is not there */
	u64 delta;		/* from addresses of the list to addresses of the recording */
	struct { VEC(struct lock_name); } var;	/* sorted by address */
};

/* after kernel_names_load() */
void lock_names_init(struct lock_names *n, const struct session *s);
void lock_names_release(struct lock_names *n);
/* appends the variable that contains the address, "name" or "name+0x8"; nothing if there is none */
void lock_names_add(const struct lock_names *n, u64 addr, struct strbuf *out);
/* the address of a variable; 0: there is none of that name */
u64 lock_names_address(const struct lock_names *n, const char *name);

#endif
