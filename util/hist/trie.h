/*
 * Trie: call chains as paths from the outermost caller down. A node is (parent, label); ids count up, a
 * parent's id is smaller than its children's. Node 0 is the root. One per worker, merged afterwards.
 */
#ifndef PERF_HIST_TRIE_H
#define PERF_HIST_TRIE_H

#include "../base/hash.h"
#include "../base/vec.h"

struct trie_node {
	u32 parent, label;
};
struct trie {
	struct { VEC(struct trie_node); } node;
	struct hidx idx;
};

void trie_init(struct trie *t);
void trie_release(struct trie *t);
/* the child of parent with that label; it is added if it is new */
u32 trie_child(struct trie *t, u32 parent, u32 label);

#endif
