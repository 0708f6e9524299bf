/*
 * Image: the symbols of a program or library that can be probed, with all aliases and versions, and where its
 * instructions lie in the file. Symbols are read once, when they are first needed; owned by the caller. Every
 * field of the file is regarded as hostile.
 */
#ifndef PERF_PROBE_IMAGE_H
#define PERF_PROBE_IMAGE_H

#include "../base/arena.h"
#include "../base/err.h"
#include "../base/vec.h"
#include "../obj/symvec.h"
#include "image-symbol.h"

struct arch;
struct btf;
struct elf_obj;
struct probe_place;
struct probe_target;

struct probe_image {
	const struct probe_target *t;
	char *path;		/* as opened: below symfs */
	struct elf_obj *obj;
	const struct arch *arch;	/* NULL: unknown */
	bool is64;
	const struct btf *types;	/* of a module, which others own; NULL: not known */
	bool is_kernel;		/* a module: addresses are in its relocated copy */
	bool symbols_read;	/* at the first look-up: the members below are valid */
	bool is_sorted;		/* sym: by address, then name; since the first look-up */
	struct { VEC(struct image_symbol); } sym;
	u32 *by_name;		/* positions in sym, by name; made by the first look-up */
	bool has_mangled;
	bool no_symtab;		/* stripped: only exported functions are known */
	bool raw_read;
	struct symvec raw;	/* symbols that obj does not have itself; owns their names */
	struct arena mem;
};

struct image_hits {
	VEC(const struct image_symbol *);
};

/* NULL with err if it is not an ELF file with code. t is kept and must outlive it */
struct probe_image *image_open(const struct probe_target *t, struct err *err);
void image_free(struct probe_image *img);
/*
 * calls fn for each symbol as its tables have it, without a copy of them: those of .symtab or of the file's
 * debug symbols, then those of .dynsym. Names live as long as img
 */
typedef void (*image_symbol_fn)(void *ctx, const struct image_symbol *s);
void image_each_symbol(struct probe_image *img, image_symbol_fn fn, void *ctx);

/*
 * Appends the functions that a place names: raw, demangled or partly qualified names, versions, globs;
 * one per address. 0 or -ENOENT with the nearest names in err.
 */
int image_find(struct probe_image *img, const struct probe_place *pl, struct image_hits *ret,
	       struct err *err);
/* true if the file imports that raw name from a library */
bool image_imports(const struct probe_image *img, const char *name);
/* -EINVAL with err: the function chooses another one (IFUNC), and how to find that one */
int err_ifunc(const char *path, const char *name, u64 svma, struct err *err);
/* a symbol of that raw name, also data; NULL: none */
const struct image_symbol *image_symbol(struct probe_image *img, const char *name);
/* the function that contains the address; NULL: none */
const struct image_symbol *image_at(struct probe_image *img, u64 svma);
/*
 * 0 if an instruction of fn begins at svma, as far as that can be known; -EINVAL with err, which names the
 * nearest ones
 */
int image_check_insn(const struct probe_image *img, const struct image_symbol *fn, u64 svma, struct err *err);

/* whether the address is in a segment that is executed */
bool image_has_code(const struct probe_image *img, u64 svma);
/* the name to show: demangled, in mem */
const char *image_symbol_shown(const struct image_symbol *s, struct arena *mem);

#endif
