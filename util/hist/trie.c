/* Trie: call chains as paths. */
#include "trie.h"

void trie_init(struct trie *t)
{
	vec_push(&t->node, (struct trie_node){ 0, HIDX_NONE });
}

void trie_release(struct trie *t)
{
	vec_release(&t->node);
	hidx_release(&t->idx);
}

u32 trie_child(struct trie *t, u32 parent, u32 label)
{
	u64 hash = hash_u64((u64)parent << 32 | label);
	u32 id;

	HIDX_FOREACH(&t->idx, hash, id)
		if (t->node.v[id].parent == parent && t->node.v[id].label == label)
			return id;
	id = t->node.nr;
	vec_push(&t->node, (struct trie_node){ parent, label });
	hidx_insert(&t->idx, hash, id);
	return id;
}
