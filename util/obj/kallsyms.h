/*
 * Kallsyms: the kernel's own symbol list (/proc/kallsyms, or a copy): "ADDRESS TYPE NAME[\t[MODULE]]" per
 * line. Parsed once, then copied by module. Sizes are unknown: a symbol ends where the next one starts.
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

/* parses bytes, whose last line may lack its newline; skips malformed lines. Takes ownership of text */
struct kallsyms *kallsyms_parse(struct strbuf *text);
/*
 * /proc/kallsyms below the fs root; -EACCES with the reason if it is unreadable or all addresses are hidden
 */
int kallsyms_read_live(struct kallsyms **ret, struct err *err);
/* reads a file that the user names */
int kallsyms_read_file(struct kallsyms **ret, const char *path, struct err *err);
void kallsyms_free(struct kallsyms *k);

/* address of the kernel's symbol of that name; 0: there is none */
u64 kallsyms_address(const struct kallsyms *k, const char *name);
/*
 * adds the symbols of a module ("" for the kernel) in [start, end), with delta added (end 0: all); returns
 * their number. There are no sizes by which to choose among aliases: the last one counts, as users expect
 */
size_t kallsyms_symbols(const struct kallsyms *k, const char *module, u64 start, u64 end, u64 delta,
			struct symvec *v);

#endif
