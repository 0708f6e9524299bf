/*
 * Load: data that the symbol sources share while the table of one dso is built. Private to util/sym. A load
 * belongs to one task and shares nothing, except the kernel's list of symbols, which only the task of all
 * kernel dsos uses.
 */
#ifndef PERF_SYM_LOAD_H
#define PERF_SYM_LOAD_H

#include "../base/err.h"
#include "../obj/elf-obj.h"
#include "../obj/kallsyms.h"
#include "debuginfod.h"
#include "store.h"
#include "sym.h"

#define BIT(n) (1u << (n))
#define KERNEL_KINDS (BIT(DSO_KERNEL) | BIT(DSO_MODULE))
#define GUEST_KINDS (BIT(DSO_GUEST_KERNEL) | BIT(DSO_GUEST_MODULE))
/* objects with symbols from elsewhere than the recording */
#define PACKED_KINDS (KERNEL_KINDS | BIT(DSO_USER) | BIT(DSO_VDSO) | BIT(DSO_PERFMAP))

struct sympack_dso;

/* the result, frozen after loading */
struct dso_symbols {
	struct symvec vec;
	struct symtab tab;
	struct { VEC(struct elf_segment); } seg;	/* of the file that was mapped */
	char *file;
	struct mapping lent;	/* the file whose names are not copied */
	const struct sympack_dso *packed;	/* what the table was made from, or NULL */
	char *reason;		/* why symbols are missing; NULL: none are missing */
	const char *stripped;	/* what to do about a stripped file; NULL: it is not one */
	enum identity identity;	/* of the file at the recorded path */
	char *doubt;		/* why its symbols may be wrong, or NULL */
	bool told;		/* the user was told */
	char *missing_dwo;	/* a file with split debug information that was not there, or NULL */
	u32 nr_missing_dwo;
};

struct kernel_lists {
	struct kallsyms *live, *given, *cached, *recorded, *guest;
	char *cached_path;
	bool live_tried, given_tried, cached_tried, recorded_tried, guest_tried;
	struct err live_err, given_err, guest_err;
	/* gives a list of the running kernel that somebody else reads; NULL: nobody does */
	struct kallsyms *(*take_live)(void *ctx);
	void *take_ctx;
};

struct symbols {
	const struct dsos *dsos;
	struct sym_opts opts;
	char *buildid_dir;
	bool lend_names;
	struct dso_symbols **of;	/* by dso id; NULL: not loaded */
	struct sym_stored **stored;	/* by dso id: its place in the store; NULL: not stored */
	size_t nr;
	struct debuginfod debuginfod;
	struct kernel_lists kernel;	/* kept as long as there are kernel dsos to load */
	struct { VEC(struct kallsyms *); } names;	/* lists whose names the tables borrow */
};

void dso_symbols_free(struct dso_symbols *d);
/* lines.h: the lines of one dso; NULL is empty. dso_lines_bytes(): about how many bytes they take */
struct dso_lines;
void dso_lines_free(struct dso_lines *d);
u64 dso_lines_bytes(const struct dso_lines *d);
/* true if it has a table of inlined functions (inline-table.h), which needs no symbols */
bool dso_lines_have_table(const struct dso_lines *d);
/* frees what was kept for the queries of this session; NULL is empty */
void dso_lines_end_session(struct dso_lines *d);
/* perf pack has stored the symbols of the dso in the recording */
bool load_is_packed(const struct symbols *s, const struct dso *d);
/* it is a module of another program's profile */
bool load_is_imported(const struct symbols *s, const struct dso *d);

struct load {
	struct symbols *s;
	const struct dso *dso;
	struct dso_symbols *out;
	/* the recorded build-id; if none was recorded, that of the file at the recorded path */
	u8 id[ELF_BUILDID_MAX];
	int id_len;
	/* a user object's table is built from two files, which may be the same */
	/* the file that was mapped: segments, .dynsym, linkage tables, .gnu_debugdata */
	struct elf_obj *runtime;
	struct elf_obj *full;		/* has .symtab */
	char *runtime_path, *full_path;
	char runtime_letter, full_letter;
	/* the program is stripped: only exported names are known, if any */
	bool exported_only;
	struct strbuf why;		/* the most informative refusal so far, for the reason */
	int why_rank;
	enum identity identity;		/* the worst of all files offered for the recorded path */
	struct strbuf doubt;		/* why it may not be the recorded file */
};

/* how informative a refusal is; the highest one is kept */
enum { WHY_ABSENT = 1, WHY_UNREADABLE, WHY_MISMATCH, WHY_NOT_IT, WHY_STRIPPED, WHY_HIDDEN, WHY_NO_LIBRARY };
/* reports with -v what was tried and why it was refused, and remembers it for the reason */
void load_tried(struct load *l, int rank, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* the same for a file that could not be opened */
void load_not_opened(struct load *l, int rank, const struct err *err);

/*
 * Offers a file for a user object: it is refused unless its build-id is the recorded one. True: it has
 * .symtab, so the search is over (load_user_finish() may still look for the runtime file).
 */
bool load_offer(struct load *l, const char *path, char letter, bool may_be_runtime);
/* the same for the file at the recorded path, unless it is another one (identity.h) */
bool load_offer_recorded(struct load *l, const char *path);
/* opens path, unpacks it if necessary, and checks its build-id; NULL after load_tried() */
struct elf_obj *load_open_checked(struct load *l, const char *path);
bool load_has_debug_info(const struct elf_obj *o);
bool load_buildid_matches(struct load *l, const struct elf_obj *o, const char *path);
/* builds the table from the files that were offered */
void load_user_finish(struct load *l);
/* completes a table whose source filled out->vec directly */
bool load_done(struct load *l, char letter, const char *file);

/* the name without the kernel's suffix " (deleted)". The caller frees it */
char *load_plain_path(const struct dso *dso);
/* the path of a user file below --symfs */
const char *load_symfs_path(const struct load *l, const char *path, struct strbuf *out);

#define SOURCE(fn, kinds, text) bool fn(struct load *l);
#include "sources.def"
#undef SOURCE

#endif
