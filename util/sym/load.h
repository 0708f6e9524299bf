/*
 * Load: what the symbol sources share while the table of one dso is put together. Private to util/sym. A load lives in one
 * task; nothing in it is shared, except the kernel's symbol list, which only the one task of all kernel dsos touches.
 */
#ifndef PERF_SYM_LOAD_H
#define PERF_SYM_LOAD_H

#include "../base/err.h"
#include "../obj/elf-obj.h"
#include "../obj/kallsyms.h"
#include "sym.h"

#define BIT(n) (1u << (n))
#define KERNEL_KINDS (BIT(DSO_KERNEL) | BIT(DSO_MODULE))

/* the result: frozen once loaded */
struct dso_symbols {
	struct symvec vec;
	struct symtab tab;
	struct { VEC(struct elf_segment); } seg;	/* of the file that was mapped */
	char *file;
	char *reason;		/* NULL: there are symbols of all functions, or nobody expects any */
};

struct kernel_lists {
	struct kallsyms *live, *given, *cached, *recorded;
	char *cached_path;
	bool live_tried, given_tried, cached_tried, recorded_tried;
	struct err live_err, given_err;
	struct kallsyms *(*take_live)(void *ctx);	/* NULL: nobody reads the live one */
	void *take_ctx;
};

struct symbols {
	const struct dsos *dsos;
	struct sym_opts opts;
	char *buildid_dir;
	struct dso_symbols **of;	/* by dso id; NULL: not loaded */
	size_t nr;
	struct kernel_lists kernel;	/* kept while kernel dsos are not loaded yet */
};

struct load {
	struct symbols *s;
	const struct dso *dso;
	struct dso_symbols *out;
	/* the recorded build-id, or that of the file at the recorded path where none was recorded */
	u8 id[ELF_BUILDID_MAX];
	int id_len;
	/* user objects are put together from two files, which may be one */
	struct elf_obj *runtime;	/* the file that was mapped: segments, .dynsym, linkage tables, .gnu_debugdata */
	struct elf_obj *full;		/* has .symtab */
	char *runtime_path, *full_path;
	char runtime_letter, full_letter;
	bool exported_only;		/* the program is stripped: only names that it exports are known, if any */
	struct strbuf why;		/* the most telling refusal so far, for the reason */
	int why_rank;
};

/* how much a refusal tells; the highest is kept */
enum { WHY_ABSENT = 1, WHY_UNREADABLE, WHY_MISMATCH, WHY_STRIPPED, WHY_HIDDEN, WHY_NO_LIBRARY };
/* notes with -v what was tried and why it was refused, and remembers it for the reason */
void load_tried(struct load *l, int rank, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* the same for a file that could not be opened */
void load_not_opened(struct load *l, int rank, const struct err *err);

/*
 * Offers a file for a user object: refused unless its build-id is the recorded one. True: it has .symtab, so that the search
 * is over (the runtime file may still be looked for by load_user_finish).
 */
bool load_offer(struct load *l, const char *path, char letter, bool may_be_runtime);
/* opens path, unpacking it if need be, and checks its build-id; NULL after load_tried() */
struct elf_obj *load_open_checked(struct load *l, const char *path);
bool load_buildid_matches(struct load *l, const struct elf_obj *o, const char *path);
/* puts the table together from what was offered */
void load_user_finish(struct load *l);
/* completes a table from a source that filled out->vec directly */
bool load_done(struct load *l, char letter, const char *file);

/* the name without the mark that the kernel puts behind names of deleted files. The caller's */
char *load_plain_path(const struct dso *dso);
/* the path of a user file below --symfs */
const char *load_symfs_path(const struct load *l, const char *path, struct strbuf *out);

#define SOURCE(fn, kinds, text) bool fn(struct load *l);
#include "sources.def"
#undef SOURCE

#endif
