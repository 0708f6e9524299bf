/* Walk: what unwinders share: the stack that is being unwound, its memory, and the files of its code. */
#ifndef PERF_UNWIND_WALK_H
#define PERF_UNWIND_WALK_H

#include <endian.h>
#include <string.h>

#include "../../arch/arch.h"
#include "../obj/cfi.h"
#include "../obj/elf-obj.h"
#include "unwind.h"
#include "unwinder.h"

struct unwind {
	struct locator *locator;
	const struct symbols *symbols;
	const struct arch *arch;
	bool swap;		/* recorded in the other byte order */
	const struct unwinder *style;
	void *own;		/* state of the style; NULL until it is needed */
	struct { VEC(struct cfi *); } cfi;	/* by dso id */
	struct { VEC(bool); } tried;
	struct unwind_guesses guesses;
	bool guessed;		/* a count of guesses is not 0 */
	enum stack_why end;	/* of the last sample */
	u64 whole;		/* bytes of the deepest stack that was cut; 0: unknown */
	struct walk_code *code;	/* WALK_CODES of them */
};

/* known code: a slot for all addresses of files with the same hash */
#define WALK_CODES 4096u
struct walk_code {
	u64 dso_addr, svma;
	const struct cfi_rule *rule;
	u32 dso;
	bool known;		/* false: the slot is free */
};

/* one sample being unwound */
struct unwind_walk {
	struct unwind *u;
	const struct arch_abi *abi;
	const struct sample_ctx *ctx;
	const u8 *stack;
	u64 sp, size;		/* of the copied stack: addresses [sp, sp + size) */
	struct cfi_machine m;
	u64 ip;
	u32 dso;		/* the dso that contains ip */
	bool full;		/* the copy is as large as was asked for */
	bool native;		/* a word of the stack is one u64 of this machine */
	bool guessed;		/* a caller was found by the frame pointer */
	enum stack_why end;	/* why the last step failed */
};

/* notes why an address cannot be read */
void walk_outside_copy(struct unwind_walk *w, u64 addr);

/*
 * reads a number of size bytes of the copied stack; on a big-endian machine the last bytes are the low ones.
 * false: end says why
 */
static inline bool walk_read_stack(struct unwind_walk *w, u64 addr, unsigned int size, u64 *ret)
{
	u64 v = 0;

	if (size > sizeof(v) || addr < w->sp || addr - w->sp > w->size || size > w->size - (addr - w->sp)) {
		walk_outside_copy(w, addr);
		return false;
	}
	if (w->u->swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)) {
		memcpy((u8 *)&v + sizeof(v) - size, w->stack + (addr - w->sp), size);
		*ret = be64toh(v);
	} else {
		memcpy(&v, w->stack + (addr - w->sp), size);
		*ret = le64toh(v);
	}
	return true;
}

/* reads a word of the copied stack; false: end says why */
static inline bool walk_read_word(struct unwind_walk *w, u64 addr, u64 *ret)
{
	u64 at = addr - w->sp;

	if (unlikely(!w->native || addr < w->sp || w->size < sizeof(*ret) || at > w->size - sizeof(*ret)))
		return walk_read_stack(w, addr, w->m.word, ret);
	memcpy(ret, w->stack + at, sizeof(*ret));
	return true;
}

/* the file that is mapped at an address */
struct walk_module {
	u32 dso;		/* ID_NONE: nothing is mapped there */
	struct cfi *cfi;	/* NULL: there is no such file */
	u64 bias;		/* run-time address - svma */
	u64 svma;		/* of the address */
};
struct walk_module walk_module_at(struct unwind_walk *w, u64 ip);
void walk_count_guess(struct unwind_guesses *g, u32 dso, u64 nr);
/* the rule for an address; sets dso and bias of the walk; false: nothing is mapped there */
bool walk_rule_at(struct unwind_walk *w, u64 ip, const struct cfi_rule **rule);

#endif
