/*
 * Object: the typed object that the steps of an argument have reached so far, its location, and further
 * steps to its members. Private to the variables of probes.
 */
#ifndef PERF_PROBE_OBJECT_H
#define PERF_PROBE_OBJECT_H

#include "locate.h"
#include "types.h"

struct probe_arg;

struct probe_object {
	struct variable_place *f;
	struct arena *mem;
	struct dwarf_location loc;
	u64 off;		/* of the object in loc, before a piece is chosen */
	Dwarf_Die type;
	bool is_void;		/* there is no type */
	u32 nr_indexes;		/* dimensions of its array type that have an index already */
	struct type_member bits;	/* of a bit field; bits.bits is 0 for others */
	bool is_address;	/* &x: the address is the value */
	const char *name;	/* so far, for messages: "o->in" */
};

static inline bool type_is_struct(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type;
}

static inline bool type_is_pointer(int tag)
{
	return tag == DW_TAG_pointer_type;
}

static inline bool type_is_reference(int tag)
{
	return tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type;
}

/* an error whose fmt has the object's name, its type, and one more text; returns code */
int object_fail(struct probe_object *o, int code, const char *fmt, const char *more, struct err *err);
int object_unavailable(struct probe_object *o, struct err *err);
/* without typedefs and qualifiers; false: void */
bool object_peel(struct probe_object *o);
/* DW_TAG_* of the peeled type; DW_TAG_invalid: void */
int object_tag(struct probe_object *o);
/* the part of the location that holds the object, and its offset there; NULL: none */
const struct dwarf_piece *object_piece(struct probe_object *o, u64 *ret_off);
/* the object is a pointer or reference: becomes what it points to. 0 or negative with err, as all below */
int object_follow(struct probe_object *o, struct err *err);
int object_follow_references(struct probe_object *o, struct err *err);
/* applies the members, indexes and * of an argument */
int object_take_steps(struct probe_object *o, const struct probe_arg *arg, struct err *err);

#endif
