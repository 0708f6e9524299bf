/*
 * Types: DWARF types for probes: their C text, their members, and the type of the fetch-argument that shows
 * them.
 */
#ifndef PERF_PROBE_TYPES_H
#define PERF_PROBE_TYPES_H

#include "../base/strbuf.h"
#include "debug-file.h"

/* appends the type of a variable or member as C text: "struct outer*", "char[16]", "void" */
void type_describe(Dwarf_Die *of, struct strbuf *out);
/* the same of a type itself */
void type_text(Dwarf_Die *type, struct strbuf *out);

/*
 * replaces a struct, union or class that is only declared by its definition in another unit; false: there is
 * none
 */
bool type_complete(struct debug_search *s, Dwarf_Die *type);

struct type_member {
	Dwarf_Die die;
	u64 off;		/* bytes from the start of the object; of a bit field, to its storage */
	/*
	 * bits: width of a bit field, else 0; shift: its first bit in storage bytes at off, from the
	 * lowest
	 */
	u32 bits, shift, storage;
};

/* a member by name, also of anonymous members and of base classes; false: none */
bool type_find_member(struct debug_search *in, Dwarf_Die *type, const char *name, struct type_member *ret);
/*
 * appends "int a, char[8] b, ..." for messages: the names that type_find_member() knows, in at most about 200
 * characters
 */
void type_list_members(struct debug_search *in, Dwarf_Die *type, struct strbuf *out);

enum fetch_kind {
	FETCH_NUMBER,		/* text is "u32", "s8", "x64" */
	FETCH_STRING,		/* char array: a string at its address */
	FETCH_POINTER_TO_STRING,
	FETCH_ARRAY,		/* text is the type of an element, nr their number */
	FETCH_STRUCT,		/* cannot be shown as a whole */
	FETCH_NONE,		/* void, functions, unknown, too large */
};

struct fetch_type {
	enum fetch_kind kind;
	char text[8];
	u32 nr;
	u64 size;		/* bytes; 0: unknown */
};

/* how a value of this type is shown */
void type_fetch(const struct debug_binary *file, Dwarf_Die *type, struct fetch_type *ret);
/* the same of a part of an array, whose first skip dimensions have an index */
void type_fetch_part(const struct debug_binary *file, Dwarf_Die *type, u32 skip, struct fetch_type *ret);
/*
 * the number of elements of an array without its first skip dimensions, in all and of the first of these;
 * false: unknown
 */
bool type_array_length(Dwarf_Die *array, u32 skip, u64 *ret, u64 *ret_first);
u32 type_array_dimensions(Dwarf_Die *array);
/* true if it is a character type */
bool type_is_char(Dwarf_Die *type);

#endif
