/*
 * Symbols: for each dso a frozen table, from the first source (sources.def, in order) that has one for
 * exactly this build. symbols_load() runs one dso per task in the pool; afterwards everything is const and
 * thread-safe. No helper processes.
 */
#ifndef PERF_SYM_SYM_H
#define PERF_SYM_SYM_H

#include "../base/arena.h"
#include "../base/pool.h"
#include "../base/strbuf.h"
#include "../obj/guest-maps.h"
#include "../obj/symvec.h"
#include "../machine/dso.h"
#include "identity.h"

struct symtab {
	/* sorted by start; one per start address; a few are nested in others (the innermost is found) */
	const struct symbol *sym;
	u32 nr;
	char source;		/* letter shown by report -v: see sources.def */
	const char *file;	/* path of the file with the symbols */
	bool fetched;		/* debuginfod fetched the file */
	bool debug_info;	/* the file has debug information: line numbers, inlined functions */
	/* symbol addresses were converted from svma to file offsets with the program headers */
	bool adjust;
	u64 bias;		/* of a vmlinux: run-time addresses minus linked addresses */
};

struct sympack;
struct sympack_dso;
struct sym_store;

/*
 * Facts about a recording that help to tell whether a file without a build-id is the recorded one. Zeros:
 * none
 */
struct recorded_on {
	const char *other_machine;	/* its host or architecture if it differs from ours, else NULL */
	bool this_host;			/* the header names this host */
	bool other_kernel;		/* the header names another kernel than the running one */
	s64 until_ns;			/* end of the recording, in nanoseconds since the epoch; 0: unknown */
};

struct sym_opts {
	const char *symfs;		/* directory prefix for user files, or NULL */
	bool symfs_flat;
	const char *vmlinux;		/* -k */
	const char *kallsyms;		/* --kallsyms */
	struct guest_files guest;	/* --guestkallsyms and others */
	const struct sympack *packed;	/* symbols in the recording itself, or NULL */
	const char *recorded_kallsyms;	/* the list that was copied while recording (--kcore), or NULL */
	const char *buildid_dir;	/* NULL: buildid_cache_dir() */
	const char *modules_path;
	bool debuginfod;		/* debug files of stripped programs from servers: debuginfod.h */
	unsigned int debuginfod_seconds;	/* for all of them; 0: DEBUGINFOD_SECONDS */
	bool debug_info;		/* search on for debug information after symbols were found */
	bool demangle;			/* true by default: use SYM_OPTS_INIT */
	bool demangle_kernel;
	bool short_names;		/* shorten demangled names: obj/short-name.h */
	bool ignore_vmlinux, ignore_vmlinux_buildid;
	/* the file was recorded under the running kernel: /proc/kallsyms may be tried */
	bool is_local;
	bool trust_paths;	/* the user said that files without build-ids are the recorded ones */
	struct recorded_on on;
	struct sym_store *store;	/* keeps tables for the next session; NULL: they are freed */
};
#define SYM_OPTS_INIT { .demangle = true }

struct symbols;
struct symbols *symbols_new(const struct dsos *dsos, const struct sym_opts *opts);
void symbols_free(struct symbols *s);
/*
 * take() returns the list of /proc/kallsyms that the caller already reads, or NULL; it is called once, when
 * the list is needed
 */
struct kallsyms;
void symbols_expect_kallsyms(struct symbols *s, struct kallsyms *(*take)(void *ctx), void *ctx);
/*
 * modules have been loaded: /proc/kallsyms is read again when a kernel dso without a table is asked for
 */
void symbols_reread_kallsyms(struct symbols *s);

/*
 * Loads the tables of these dsos unless they are loaded. A dso without symbols gets an empty table and a
 * reason.
 */
void symbols_load(struct symbols *s, struct pool *pool, const u32 *dso_ids, size_t nr);
/* the same; the task of each dso calls then(ctx, dso) once it is loaded, also if it was loaded before */
void symbols_load_then(struct symbols *s, struct pool *pool, const u32 *dso_ids, size_t nr,
		       void (*then)(void *ctx, u32 dso), void *ctx);

/* tables will be used by other sessions: symbols_lend_names() and symbols_keep() must not be called */
bool symbols_are_stored(const struct symbols *s);
/*
 * Tables that are loaded from now on take little memory until symbols_keep() is called: names may stay in
 * mapped files, which somebody else could change, and symbols_table() has no symbols. For callers that until
 * then look up only positions and starts
 */
void symbols_lend_names(struct symbols *s);
/*
 * Forgets all symbols of a loaded dso except those at these positions, which ascend; they get the positions
 * 0, 1, ... For callers that have looked everything up
 */
void symbols_keep(struct symbols *s, u32 dso, const u32 *idx, size_t nr);
/*
 * Frees the tables of loaded user objects unless used[dso id]; they are loaded again when needed. Positions
 * in freed tables, and names from symbols_name(), become invalid
 */
void symbols_forget_unused(struct symbols *s, const bool *used, size_t nr);
/* frees the lists of the kernel's symbols; call it after symbols_keep() of all loaded dsos */
void symbols_forget_lists(struct symbols *s);

/* NULL if the dso is not loaded or has no symbol there */
const struct symbol *symbols_find(const struct symbols *s, u32 dso, u64 dso_addr);
/* position in the dso's table, for interning; ID_NONE (UINT32_MAX) if there is no symbol */
u32 symbols_find_idx(const struct symbols *s, u32 dso, u64 dso_addr);
/* the same for a loaded dso, with the range of addresses that have the same answer */
u32 symbols_find_span(const struct symbols *s, u32 dso, u64 dso_addr, struct symvec_span *ret);
/*
 * The same for a return address: the symbol at the byte before it, where the call is; *code is that address.
 * Exception: a function that begins exactly at the return address is the symbol itself if there is a gap
 * before it, as before the code to which signal handlers return, or in the kernel, whose chains have
 * addresses of interrupted instructions among return addresses.
 */
u32 symbols_find_call(const struct symbols *s, u32 dso, u64 ret, u64 *code);
/* where a symbol of a loaded dso starts */
u64 symbols_start(const struct symbols *s, u32 dso, u32 idx);
u64 symbols_call_addr(const struct symbols *s, u32 dso, u64 ret);
/*
 * The name to show: demangled if it is mangled and the options ask for it, else the raw name. Demangled
 * lazily, because most names of a large C++ program are never shown. A pure function: the result is either
 * the raw name or a string in the caller's arena. Call it in the naming phase, once per distinct symbol, not
 * in the sample loop.
 */
const char *symbols_name(const struct symbols *s, u32 dso, u32 idx, struct arena *arena);
/* the same for a symbol of symbols_find() */
const char *symbols_show(const struct symbols *s, u32 dso, const struct symbol *sym, struct arena *arena);
const struct symtab *symbols_table(const struct symbols *s, u32 dso);
/*
 * Why a dso has no symbols, or only exported ones, and what to do, in one line; NULL if nothing is missing.
 * For the warning that is printed once per dso that has addresses without a name.
 */
const char *symbols_reason(const struct symbols *s, u32 dso);
/* the second half of symbols_reason() if the file is stripped, else NULL */
const char *symbols_stripped(const struct symbols *s, u32 dso);
/* true if several functions share the code of the symbol (struct symbol) */
bool symbols_shared(const struct symbols *s, u32 dso, u32 idx);
/* true if the name of the symbol is a guess: SYMBOL_GUESSED */
bool symbols_guessed(const struct symbols *s, u32 dso, u32 idx);
/* the symbols that perf pack stored for the dso if they are used, else NULL */
const struct sympack_dso *symbols_packed(const struct symbols *s, u32 dso);
/* true if its addresses are made up (data/import.h), so that no file has code at them */
bool symbols_imported(const struct symbols *s, u32 dso);
/* the segments of the file that was mapped; returns their number */
struct elf_segment;
size_t symbols_segments(const struct symbols *s, u32 dso, const struct elf_segment **ret);
/*
 * Opens the mapped file of a user object if it is the recorded build, else NULL. The dso need not be loaded;
 * nothing is kept, so any worker may call this. The caller owns the result (obj/elf-obj.h).
 */
struct elf_obj;
struct elf_obj *symbols_open_binary(const struct symbols *s, u32 dso);
/*
 * Compares the file of a dso with the recorded one (identity.h). If the answer is yes, ret_id, of
 * ELF_BUILDID_MAX bytes, gets its build-id and *ret_len its length, 0: it has none. Otherwise why gets a
 * clause, or stays empty if there is no such file
 */
enum identity symbols_identify(const struct symbols *s, u32 dso, u8 *ret_id, int *ret_len,
			       struct strbuf *why);
/* true if symbols_load() has told the user why there are no symbols */
bool symbols_told(const struct symbols *s, u32 dso);
/* the recorded path of a user object, below --symfs; its file may be another build. NULL: no path */
char *symbols_program(const struct symbols *s, u32 dso);
/*
 * converts between file offset and svma of a user object by its program headers; returns off unchanged if the
 * file is unknown
 */
u64 symbols_off_to_svma(const struct symbols *s, u32 dso, u64 off);

#endif
