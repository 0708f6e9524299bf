/*
 * Kallsyms: the kernel's own symbol list (/proc/kallsyms, or a copy): "ADDRESS TYPE NAME[\t[MODULE]]" a line. Parsed once,
 * then copied out by module. Sizes are unknown: a symbol ends where the next one starts.
 */
#ifndef PERF_OBJ_KALLSYMS_H
#define PERF_OBJ_KALLSYMS_H

#include "../base/err.h"
#include "../base/strbuf.h"
#include "../base/vec.h"
#include "symvec.h"

struct kallsyms_line {
	u64 addr;
	u32 name, len;		/* in text */
	char type;		/* as nm(1) shows it */
};

/* consecutive lines of one module */
struct kallsyms_block {
	const char *module;	/* "ext4", not terminated; "" for the kernel itself */
	u32 module_len;
	u32 first, nr;
};

struct kallsyms {
	struct strbuf text;
	struct { VEC(struct kallsyms_line); } line;
	struct { VEC(struct kallsyms_block); } block;
	bool all_zero;		/* the kernel hides addresses from us: kptr_restrict */
};

/* from bytes that end with a newline or not; malformed lines are skipped. Takes over text */
struct kallsyms *kallsyms_parse(struct strbuf *text);
/* /proc/kallsyms below the fs root; -EACCES where it is unreadable or all addresses are hidden, and why */
int kallsyms_read_live(struct kallsyms **ret, struct err *err);
/* a file that the user names */
int kallsyms_read_file(struct kallsyms **ret, const char *path, struct err *err);
void kallsyms_free(struct kallsyms *k);

/* address of the kernel's symbol of that name, 0: not there */
u64 kallsyms_address(const struct kallsyms *k, const char *name);
/* adds the symbols of a module ("" the kernel) in [start, end) after delta was added (end 0: all); returns how many.
 * There are no sizes to tell aliases apart by: the last one counts, as users know it */
size_t kallsyms_symbols(const struct kallsyms *k, const char *module, u64 start, u64 end, u64 delta, struct symvec *v);

#endif
