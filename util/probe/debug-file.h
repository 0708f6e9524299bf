/*
 * Debug-file: the debug information of a probe's target: its file (searched as util/sym does), its units, its
 * symbols, frame rules and segments. Units are read when a place needs them: which ones may contain a name is
 * found by the bytes that refer to it, so no index is needed and none is trusted.
 * One thread at a time. Everything that it returns lives as long as it does.
 */
#ifndef PERF_PROBE_DEBUG_FILE_H
#define PERF_PROBE_DEBUG_FILE_H

#include "../../arch/arch.h"
#include "../base/arena.h"
#include "../base/err.h"
#include "../base/vec.h"
#include "../obj/elf-obj.h"
#include "../obj/elf-sections.h"
#include "die.h"
#include "known-names.h"

struct probe_target;
struct symbols;
struct pool;

/* code of a function that is a child of its unit */
struct debug_function {
	u64 start, end;
	Dwarf_Die die;
};

struct debug_unit {
	Dwarf_Die die;		/* of the file; a split unit: its skeleton, which has the line table */
	Dwarf_Die info;		/* with the functions: that of a .dwo file or a package, or equal to die */
	u64 start, end;		/* in .debug_info */
	u64 str_offsets;	/* its base in .debug_str_offsets */
	u64 lines;		/* debug_unit_lines() */
	bool is_split, has_str_offsets, lines_read;
	/* functions sorted by start; read when many addresses of the unit are looked up (scopes.c) */
	struct { VEC(struct debug_function); } function;
	u32 nr_lookups;
};

struct debug_code {
	u64 start, end;
	u32 unit;
};

/* a global variable that was looked for: definitions by globs look for the same one at each function */
struct debug_global {
	const char *name;
	const struct debug_unit *unit;	/* NULL: all units */
	bool found;
	Dwarf_Die die;
};

#define DEBUG_NEAR_MAX 8

/* an IFUNC symbol: its code chooses the function when the program starts */
struct debug_ifunc {
	u64 addr;
	const char *name;
};

struct debug_file {
	char *path;		/* file with the debug information */
	char *linked;		/* its relocated copy; NULL: it is none of a relocatable file */
	char *target;		/* what is probed: as the user named it */
	Elf *elf;
	struct elf_unpacked unpacked;
	Dwarf *dw;
	struct dwarf_split *split;
	int fd;
	struct elf_obj *runtime;	/* the file that is mapped: segments, frame rules */
	struct elf_obj *debug;	/* the file with the debug information */
	struct cfi *cfi;	/* NULL until needed */
	bool cfi_tried;
	const struct arch *arch;	/* NULL: unknown machine */
	const struct arch_abi *abi;
	u16 machine;
	bool is64, is_big_endian, is_kernel;
	struct { VEC(struct debug_unit); } unit;	/* compile units, in file order */
	u64 nr_walked;		/* bytes of units that were dropped since strings were (debug_unit_drop()) */
	const struct debug_unit *used;	/* of the last address that was looked up; or NULL */
	const char *absent;	/* a .dwo file that is in no package either; NULL: all are there */
	u32 nr_absent;		/* units that have only their lines because of that */
	struct { VEC(struct debug_code); } code;	/* of the units, sorted; filled when needed */
	struct symvec sym;	/* functions, at svmas; loaded when many addresses are looked up */
	bool sym_loaded;
	struct { VEC(struct debug_ifunc); } ifunc;	/* filled when needed */
	bool ifunc_loaded;
	/* of the kernel, filled when needed: hashes of names that several symbols have, sorted */
	struct { VEC(u64); } shared_name;
	u64 text, init_begin, init_end;	/* addresses of its symbols _text, _sinittext, _einittext; 0: none */
	bool shared_loaded;
	struct symvec near[DEBUG_NEAR_MAX];	/* those around one address each, of the first look-ups */
	u32 nr_near;
	bool has_foreign_origins, origins_searched;
	struct known_names known;	/* of t->functions */
	struct { VEC(struct debug_global); } global;
	const struct probe_target *t;
	struct pool *pool;	/* NULL until a large section is searched */
	struct arena mem;
};

/*
 * t is kept and must outlive it. NULL with err: -ENODATA if there is no debug information (a hint says which
 * package), -ENOENT if there is no such file
 */
struct debug_file *debug_file_open(const struct probe_target *t, struct err *err);
void debug_file_free(struct debug_file *d);
/* whether the file, which may be packed, has debug information */
bool debug_file_is(const char *path);

/* offset of its line program in .debug_line; UINT64_MAX: none */
u64 debug_unit_lines(struct debug_unit *unit);
/* whether the unit was written in C or assembler, whose functions have only the names of their symbols */
bool debug_unit_is_c(struct debug_unit *unit);
/* where the source declares die, which is of this unit or of one it refers to; false: unknown */
bool debug_unit_decl(struct debug_unit *unit, Dwarf_Die *die, const char **ret_file, u32 *ret_line);
/* the function of the symbol table that contains the address; NULL: none */
const struct symbol *debug_file_symbol(struct debug_file *d, u64 svma);
/* the symbol of an object or a function that contains the address, also data; NULL: none */
const char *debug_file_data_symbol(struct debug_file *d, u64 svma, u64 *ret_start, struct arena *mem);
bool debug_file_off(const struct debug_file *d, u64 svma, u64 *ret_off);
/* the numbers as bytes of the file; they live as long as d */
u8 *debug_file_u32s(struct debug_file *d, const u32 *v, size_t nr);
/* how the frame's address is made at svma: from a DWARF register and an offset */
bool debug_file_cfa(struct debug_file *d, u64 svma, unsigned int *ret_reg, s64 *ret_off);
/* the unit that contains code at svma; NULL: none */
struct debug_unit *debug_file_unit_at(struct debug_file *d, u64 svma);
struct debug_unit_set {
	VEC(u32);	/* indexes in debug_file.unit */
};

/* an entry of debug information */
struct debug_entry {
	u32 unit;
	Dwarf_Die die;
	bool is_nested;		/* of debug_file_instances(): in something else than namespaces */
};

struct debug_entries {
	VEC(struct debug_entry);
};

/*
 * Where word is the name of something: the text of DW_AT_name, its beginning up to '<', or a linkage name.
 * Entries that are found by themselves go to ret_entries; ret gets units that have to be read, because only
 * an index in them refers to the name. If ret_entries is NULL, ret gets all units.
 */
void debug_file_units_of_name(struct debug_file *d, const char *word, struct debug_unit_set *ret,
			      struct debug_entries *ret_entries);
/*
 * The same, but only of units in which all of scope are names as well: the namespaces and types around word.
 * Units of programs whose units refer to each other are not left out.
 */
void debug_file_units_of_scoped(struct debug_file *d, const char *word, const char *const *scope,
				u32 nr_scopes, struct debug_unit_set *ret,
				struct debug_entries *ret_entries);
/*
 * Entries of the unit that are instances of one of these, or complete them: those that refer to them
 * directly, by DW_AT_abstract_origin or DW_AT_specification. In the order of the file. False: they can only
 * be found by reading the unit, or there are some in others
 */
bool debug_file_instances(struct debug_file *d, struct debug_unit *unit, const struct debug_entries *of,
			  struct debug_entries *ret);
/* units with instances of an abstract function that is in another unit, by its offset in .debug_info */
void debug_file_units_of_origin(struct debug_file *d, u64 die, struct debug_unit_set *ret);
/* units whose line table may name a file with that base name */
void debug_file_units_of_file(struct debug_file *d, const char *base, struct debug_unit_set *ret);

#endif
