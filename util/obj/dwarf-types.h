/*
 * Dwarf-types: the locations of variables of functions, and the types of data, from a file's DWARF through
 * libdw. Types are numbers, valid for one file; a definition that many units repeat has many numbers. An
 * object belongs to one thread at a time. The file is hostile: all recursion and loops are bounded, and
 * damaged entries are left out.
 */
#ifndef PERF_OBJ_DWARF_TYPES_H
#define PERF_OBJ_DWARF_TYPES_H

#include "../base/strbuf.h"
#include "../base/vec.h"

#define TYPE_NONE 0u

struct dwarf_types;

/* NULL if the file cannot be read or has no DWARF; program as of dwarf_lines_open() */
struct dwarf_types *dwarf_types_open(const char *path, const char *program);
void dwarf_types_free(struct dwarf_types *d);

enum variable_place {
	PLACE_VALUE,		/* its value is that of the register plus off */
	PLACE_MEMORY,		/* it is at the address in the register plus off */
	PLACE_FRAME,		/* it is at the canonical frame address plus off */
	PLACE_STATIC,		/* it is at the address off, as linked */
};

/* a variable or parameter, in a span of code */
struct variable {
	u64 start, end;
	s64 off;
	u32 type;
	u8 place;		/* enum variable_place */
	u8 reg;			/* DWARF number */
	bool fixed;		/* it is always in this place, and never in a register */
};

struct code_span {
	u64 start, end;
};

struct dwarf_function {
	u64 unit;		/* number of its unit */
	u64 entry;
	struct { VEC(struct code_span); } range;	/* its code */
	bool unwinds;		/* of a language with exceptions: code may be reached without a jump to it */
	struct { VEC(struct variable); } variable;
};

/* the function at an address as linked; false: there is none. Release it */
bool dwarf_function_read(struct dwarf_types *d, u64 svma, struct dwarf_function *ret);
void dwarf_function_release(struct dwarf_function *f);

/*
 * Type of the static variable at an address, as the unit of the function declares it; *ret_off: bytes from
 * its start to the address. Variables that another unit defines are located by the file's symbols. TYPE_NONE:
 * none is known
 */
u32 dwarf_types_static(struct dwarf_types *d, const struct dwarf_function *f, u64 svma, s64 *ret_off);
/*
 * the same for a thread-local variable of an x86 program, at a distance from the thread pointer, which is
 * after all thread-local variables of the program
 */
u32 dwarf_types_thread(struct dwarf_types *d, const struct dwarf_function *f, s64 distance, s64 *ret_off);
/* return type of the function that begins at an address */
u32 dwarf_types_returned(struct dwarf_types *d, u64 entry);

enum type_kind {
	TYPE_SCALAR,		/* also enumerations */
	TYPE_POINTER,
	TYPE_ARRAY,
	TYPE_STRUCT,		/* also unions and classes */
	TYPE_OTHER,		/* void, functions, and what has no size */
};

struct type_info {
	enum type_kind kind;
	u64 size;
	u32 of;			/* type of the target of a pointer, or of the elements of an array */
};
struct type_info dwarf_type_info(struct dwarf_types *d, u32 type);
/* the type without const and volatile; of a typedef of a struct that has a name, the struct */
u32 dwarf_type_canonical(struct dwarf_types *d, u32 type);
/* "struct node", "int", "struct node*", "char[]"; bytes of the file, which must be escaped for output */
void dwarf_type_name(struct dwarf_types *d, u32 type, struct strbuf *out);

/* a member of a struct */
struct data_member {
	const char *name;	/* NULL: a struct or union without a name */
	u64 off, size;
	u32 type;
	u32 bits;		/* width of a bit field, else 0 */
};
struct data_members {
	VEC(struct data_member);
};
/* appends the members, also base classes, in the order of the file, without damaged ones */
void dwarf_type_members(struct dwarf_types *d, u32 type, struct data_members *out);

/* the scalar or pointer at an offset in a type */
struct type_leaf {
	u32 type;		/* TYPE_NONE: no member is there */
	u64 off;		/* bytes between its beginning and the offset */
	bool in_array;		/* it is an element of an array */
};
/*
 * path, unless NULL, gets the names of the members on the way, "pos.y"; names inside of an array are left out
 */
struct type_leaf dwarf_type_at(struct dwarf_types *d, u32 type, u64 off, struct strbuf *path);
/* true if a member of the struct is an array, at any depth */
bool dwarf_type_has_array(struct dwarf_types *d, u32 type);

#endif
