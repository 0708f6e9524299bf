/*
 * Kept-names: the name index of a large debug file, kept between runs in the user's cache folder. A search
 * for a function's name reads all of .debug_info, so the first one of a file says that an index is wanted,
 * and a process in the background makes it when the file is closed. Each index belongs to one state of its
 * file (build-id, size, time, inode), and that of a file's earlier state is replaced.
 */
#ifndef PERF_PROBE_KEPT_NAMES_H
#define PERF_PROBE_KEPT_NAMES_H

#include "../base/mapping.h"
#include "name-index.h"

struct debug_file;
struct elf_obj;

struct kept_names {
	bool tried, is_wanted;
	struct mapping map;	/* of the index */
	struct name_index index;	/* v is NULL: there is none */
	struct name_index_key key;
	char *path;		/* of the debug file */
	char name[40];		/* in the cache folder */
};

/* the state of an ELF file; false: it cannot be asked for */
bool kept_names_key(const struct elf_obj *o, const char *path, struct name_index_key *ret);
/* the index of the file; NULL: there is none. Files that are small, packed or relocated have none */
const struct name_index *kept_names(struct debug_file *d);
/*
 * closes it, or starts to make the one that was wanted, by a copy of this process: best after the debug file
 * is closed. No threads may run
 */
void kept_names_release(struct kept_names *k);

#endif
