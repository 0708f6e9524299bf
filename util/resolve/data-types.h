/*
 * Data types: which type of data, and which member of it, the instruction at an address accesses. Functions
 * are looked at when an address in them is first asked for, and all their instructions are kept then; what is
 * kept is bounded. One thread at a time.
 */
#ifndef PERF_RESOLVE_DATA_TYPES_H
#define PERF_RESOLVE_DATA_TYPES_H

#include "../obj/type-flow.h"
#include "../session/session.h"

struct data_types;

/* the symbols of the session's dsos must be loaded */
struct data_types *data_types_new(const struct session *s);
void data_types_free(struct data_types *t);

/*
 * the access of the instruction at an address of a dso (loc.dso_addr) in a function: its position in the
 * dso's table of symbols, or ID_NONE. Valid until the next call; never NULL
 */
const struct access *data_types_find(struct data_types *t, u32 dso, u32 symbol, u64 addr);

/* for types of accesses; NULL if the dso has none */
struct dwarf_types *data_types_of_dso(const struct data_types *t, u32 dso);
/* "struct node"; "(stack operation)", "(unknown)"; safe to show */
void data_type_add_name(struct data_types *t, u32 dso, const struct access *a, struct strbuf *out);
/* "struct node +0x18 (pos.y)"; always: "int +0 (no field)", too, else only "int +0" */
void data_type_add_member(struct data_types *t, u32 dso, const struct access *a, bool always,
			  struct strbuf *out);

#endif
