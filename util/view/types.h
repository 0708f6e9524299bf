/*
 * Types: types of data with what was counted at each member: the contract between perf annotate --data-type
 * and presentation. Strings belong to the answer, live as long as it does, and are not escaped.
 */
#ifndef PERF_VIEW_TYPES_H
#define PERF_VIEW_TYPES_H

#include "../base/vec.h"

/* a row: the type itself is the first, with depth 0; members follow what they are in */
struct view_member {
	u32 depth;
	u32 bits;		/* of a bit field; 0: not a bit field */
	bool is_struct;		/* its members follow */
	u64 off, size;
	const char *type, *name;	/* name "": the type itself, or a member without a name */
	u64 nr, period;
};

struct view_data_type {
	const char *name, *dso, *event;
	u64 nr, period;
	struct { VEC(struct view_member); } member;
};

/* how many of the instructions that have samples were understood */
struct view_type_count {
	const char *name;	/* mnemonic, or the reason */
	u32 good, bad;
};
struct view_type_counts {
	VEC(struct view_type_count);
};

struct view_types {
	struct { VEC(struct view_data_type); } type;
	u32 good, bad;			/* instructions */
	struct view_type_counts reason;	/* of the bad ones */
	struct view_type_counts insn;	/* in functions with debug information, most frequent first */
};

#endif
