/*
 * Renames: what two recordings call by different names, and yet is the same: the program that was measured
 * (./old and ./new), libraries of other versions (libz.so.1.2.11, libz.so.1.3), and code made at run time,
 * whose name has a process id ("[JIT] tid 7"). Only names that a recording lacks are looked at, so what
 * matches by name stays as it is. Names are collected from all recordings first; then renames_decide() says
 * which are shown as one.
 */
#ifndef PERF_DIFF_RENAMES_H
#define PERF_DIFF_RENAMES_H

#include "../base/strtab.h"
#include "../hist/hist.h"
#include "../hist/sort-order.h"
#include "../view/view.h"

enum name_kind { NAME_DSO, NAME_COMM, NR_NAME_KINDS };

/* a program that ran: ids of texts by kind */
struct renames_program {
	u32 name[NR_NAME_KINDS];
};

/* what one recording has */
struct renames_file {
	struct { VEC(u64); } nr[NR_NAME_KINDS];	/* samples by id of text; can be shorter than the texts */
	struct { VEC(struct renames_program); } program;
};

struct renames {
	u32 nr_files, nr_base;
	struct renames_file *file;
	struct strtab text[NR_NAME_KINDS];
	struct { VEC(const char *); } shown[NR_NAME_KINDS];	/* by id of text; NULL: as it is called */
	struct { VEC(const char *); } note;	/* sentences that tell what is shown as one */
	struct { VEC(struct view_alias); } alias;	/* all of them, for flame graphs */
	struct arena arena;
};

void renames_init(struct renames *r, u32 nr_files);
/* the programs of a recording, and the names in the first nr_keys keys of its entries */
void renames_add(struct renames *r, u32 file, struct hist *h, const struct sort_order *order,
		 u32 nr_keys);
/* one more name that a recording has */
void renames_add_name(struct renames *r, u32 file, enum name_kind kind, const char *name, u64 nr_samples);
/* the first nr_base files are of one program, with which all others are compared */
void renames_decide(struct renames *r, u32 nr_base);
/* false: a key of that field has no such names */
bool renames_kind_of(const struct field *f, enum name_kind *ret);
/* how a name is shown; the name itself if it is not renamed */
const char *renames_shown(const struct renames *r, enum name_kind kind, const char *name);
void renames_release(struct renames *r);

#endif
