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
	return vec_find_or_add_id(&t->node, &t->idx, hash_u64((u64)parent << 32 | label), n,
				  n->parent == parent && n->label == label,
				  (struct trie_node){ parent, label });
}
