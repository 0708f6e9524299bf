/*
 * Kallsyms-lines: reads /proc/kallsyms and copies of it, which have a line "ADDRESS TYPE NAME[\t[MODULE]]"
 * for each symbol of the kernel. For a few symbols, as they come; util/obj/kallsyms.h keeps them all.
 */
#ifndef PERF_BASE_KALLSYMS_LINES_H
#define PERF_BASE_KALLSYMS_LINES_H

#include "types.h"

struct kallsyms_entry {
	u64 addr;		/* 0: the kernel hides addresses from this user */
	const char *name;	/* ends with a NUL */
	const char *module;	/* "ext4", not terminated; "" for the kernel itself */
	u32 name_len, module_len;
	char type;		/* as nm(1) shows it */
};

/* returns false to stop */
typedef bool kallsyms_entry_fn(void *ctx, const struct kallsyms_entry *e);

/*
 * Calls fn for each line of the text, whose last line may lack its newline; lines that are not as above are
 * left out. Names get their NUL, so text[len] must be writable, too. False if fn stopped
 */
bool kallsyms_lines_in(char *text, size_t len, kallsyms_entry_fn *fn, void *ctx);
/*
 * the same for /proc/kallsyms below the fs root, which is read no further than fn wants; names are there
 * until fn returns. Lines of 64 KB are left out. 0, or a negative errno
 */
int kallsyms_lines_each(kallsyms_entry_fn *fn, void *ctx);
/* a name in brackets that is not a module: BPF programs, probes, trampolines */
bool kallsyms_comes_and_goes(const char *module, u32 len);

#endif
