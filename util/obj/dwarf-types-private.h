/* What dwarf-types.c and dwarf-variables.c share. */
#ifndef PERF_OBJ_DWARF_TYPES_PRIVATE_H
#define PERF_OBJ_DWARF_TYPES_PRIVATE_H

#include <elfutils/libdw.h>
#include "../base/hash.h"
#include "dwarf-lines.h"
#include "dwarf-types.h"

/* a variable outside of functions, or a declaration of one */
struct static_variable {
	const char *name;
	u64 start, size;	/* size 0: declared only */
	u32 type;
	bool thread;		/* thread-local: start is its place in the block of a thread */
};

struct types_unit {
	u64 number;
	struct { VEC(struct static_variable); } statics;
};

/* a symbol of the file that is data */
struct data_symbol {
	u64 start, size;
	const char *name;
};

struct known_type {
	Dwarf_Die die;
	bool has_info, has_canonical;
	struct type_info info;
	u32 canonical;
};

struct dwarf_types {
	struct dwarf_lines *lines;
	struct { VEC(struct known_type); } type;	/* by number */
	struct hidx by_die;
	struct { VEC(struct types_unit); } unit;	/* those that were read */
	struct hidx by_unit;
	bool has_symbols;
	struct { VEC(struct data_symbol); } symbol;	/* by address, once has_symbols is set */
};

/* the number of a type */
u32 type_intern(struct dwarf_types *d, const Dwarf_Die *die);
/* DW_AT_type; false: there is none */
bool type_of_die(Dwarf_Die *die, Dwarf_Die *ret);

#endif
