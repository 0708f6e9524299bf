/*
 * Debug-link: the target as it was linked: its segments, frame rules, and the names and addresses in its
 * symbol tables. Tables are read when needed. One thread at a time.
 */
#ifndef PERF_PROBE_DEBUG_LINK_H
#define PERF_PROBE_DEBUG_LINK_H

#include "../base/err.h"
#include "../base/vec.h"
#include "../obj/symvec.h"

struct cfi;
struct debug_binary;
struct elf_obj;

#define DEBUG_NEAR_MAX 8

/* an IFUNC symbol: its code chooses the function when the program starts */
struct debug_ifunc {
	u64 addr;
	const char *name;
};

struct debug_link {
	const struct debug_binary *file;
	struct elf_obj *runtime;	/* the file that is mapped; NULL: the kernel or a module */
	struct cfi *cfi;	/* NULL until needed */
	bool cfi_tried, sym_loaded, ifunc_loaded, shared_loaded;
	struct symvec sym;	/* functions, at svmas; loaded when many addresses are looked up */
	struct symvec near[DEBUG_NEAR_MAX];	/* symbols around one address each, of the first look-ups */
	u32 nr_near;
	struct { VEC(struct debug_ifunc); } ifunc;
	struct { VEC(u64); } shared_name;	/* hashes of names that several symbols have, sorted */
	u64 text, init_begin, init_end;	/* symbols _text, _sinittext, _einittext of the kernel; 0: none */
};

/* file must outlive l, and need not be open yet. 0, or a negative errno with err, which is not NULL */
int debug_link_open(struct debug_link *l, const struct debug_binary *file, struct err *err);
void debug_link_release(struct debug_link *l);

/* the offset in the mapped file; false: the address is in no segment */
bool debug_link_off(const struct debug_link *l, u64 svma, u64 *ret_off);
/* how the frame's address is computed at svma: a DWARF register plus an offset; false: unknown */
bool debug_link_cfa(struct debug_link *l, u64 svma, unsigned int *ret_reg, s64 *ret_off);
/* the function of the symbol table that contains the address; NULL: none */
const struct symbol *debug_link_symbol(struct debug_link *l, u64 svma);
/* calls fn for each name of a function until it returns false */
void debug_link_functions(struct debug_link *l, bool (*fn)(void *ctx, const char *name, u64 addr), void *ctx);
/* true if the code at addr chooses the function of this name (a glob) when the program starts (IFUNC) */
bool debug_link_chooses(struct debug_link *l, u64 addr, const char *name, bool is_glob);

/* for the kernel's file: */
/* true if several symbols have the name, which then does not tell the kernel a place */
bool debug_link_name_is_shared(struct debug_link *l, const char *name);
/* the address of its symbol _text; 0: none */
u64 debug_link_text(struct debug_link *l);
/* true if the code at an address only exists while the kernel starts */
bool debug_link_is_early(struct debug_link *l, u64 svma);

#endif
