/*
 * Name-index: which entries of debug information are functions of a name. A list of hash values of names with
 * offsets in .debug_info, as bytes that are used where they are mapped, by the same kind of machine. What is
 * found has to be compared with the name: a hash value may belong to several names.
 * All bytes are regarded as hostile: a damaged list is not used, and offsets may be any numbers.
 */
#ifndef PERF_PROBE_NAME_INDEX_H
#define PERF_PROBE_NAME_INDEX_H

#include "../base/types.h"
#include "../base/vec.h"

#define NAME_INDEX_MAX (32u << 20)	/* bytes of a list */

/* the file that was read, in one state. Without padding: it is compared as bytes */
struct name_index_key {
	u64 dev, ino, size, mtime_sec, mtime_nsec;
	u32 buildid_len;
	u8 buildid[20];
};

struct name_index_entry {
	u32 hash, die;
};

/* a list that is made */
struct name_index_list {
	VEC(struct name_index_entry);
};

/* a list that is used; the bytes are the caller's */
struct name_index {
	const struct name_index_entry *v;
	u32 nr;
};

/* whether functions are found by this word, as function_search_word() makes it */
bool name_index_knows(const char *word);
/* adds the function at an offset of .debug_info, by a name or a linkage name */
void name_list_add(struct name_index_list *l, u32 die, const char *name);
/* sorts it and appends it to out as bytes; false: it is too large */
struct strbuf;
bool name_list_write(struct name_index_list *l, const struct name_index_key *key, struct strbuf *out);

/* false: the bytes, which are aligned to 8, are damaged, or are the list of another file */
bool name_index_read(struct name_index *x, const struct name_index_key *key, const u8 *p, size_t len);
/* the entries with the hash value of a word, by offsets; returns their number */
u32 name_index_find(const struct name_index *x, const char *word, const struct name_index_entry **ret);
/* whether the text of a name is the word, or begins with it and '<' */
bool name_has_word(const char *name, const char *word);

#endif
