/*
 * Kallsyms: the kernel's own symbol list (/proc/kallsyms, or a copy): "ADDRESS TYPE NAME[\t[MODULE]]" per
 * line. Parsed once, or read from what kallsyms-binary.h wrote; then tables of symbols are made of it by
 * module. Sizes are unknown: a symbol ends where the next one starts.
 */
#ifndef PERF_OBJ_KALLSYMS_H
#define PERF_OBJ_KALLSYMS_H

#include "../base/err.h"
#include "../base/mapping.h"
#include "../base/strbuf.h"
#include "../base/vec.h"
#include "symvec.h"

struct kallsyms_line {
	u64 addr;
	u32 name;		/* in names */
	u16 len;
	char type;		/* as nm(1) shows it */
	u8 zero;
};

/* consecutive lines of one module */
struct kallsyms_block {
	const char *module;	/* "ext4", not terminated; "" for the kernel itself */
	u32 module_len;
	u32 first, nr;
};

struct kallsyms {
	const char *names;	/* each ends with a NUL */
	const struct kallsyms_line *line;
	size_t nr;
	struct { VEC(struct kallsyms_block); } block;
	bool all_zero;		/* the kernel hides addresses from us: kptr_restrict */
	/* where names and lines are: in a text that was parsed and what was parsed, or in a mapped file */
	struct strbuf text;
	struct { VEC(struct kallsyms_line); } parsed;
	struct mapping map;
};

static inline const char *kallsyms_name(const struct kallsyms *k, const struct kallsyms_line *l)
{
	return k->names + l->name;
}

/*
 * parses bytes, whose last line may lack its newline; skips malformed lines, and names of 64 KB. Takes
 * ownership of text
 */
struct kallsyms *kallsyms_parse(struct strbuf *text);
/*
 * /proc/kallsyms below the fs root; -EACCES with the reason if it is unreadable or all addresses are hidden
 */
int kallsyms_read_live(struct kallsyms **ret, struct err *err);
/* reads a file that the user names */
int kallsyms_read_file(struct kallsyms **ret, const char *path, struct err *err);
void kallsyms_free(struct kallsyms *k);
/* releases what names do not need */
void kallsyms_keep_names(struct kallsyms *k);

/* address of the kernel's symbol of that name; 0: there is none */
u64 kallsyms_address(const struct kallsyms *k, const char *name);
/*
 * adds the symbols of a module ("" for the kernel) in [start, end), with delta added (end 0: all); returns
 * their number. v borrows the names, so k has to live as long, or its names (kallsyms_keep_names()). There
 * are no sizes by which to choose among aliases: the last one counts, as users expect
 */
size_t kallsyms_symbols(const struct kallsyms *k, const char *module, u64 start, u64 end, u64 delta,
			struct symvec *v);

#endif
