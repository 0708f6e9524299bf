/*
 * Name-index: a header, and entries sorted by hash value and offset. A name has an entry for each word by
 * which it is found: the name itself, and its beginning up to '<'.
 */
#include "name-index.h"

#include <stdlib.h>
#include <string.h>
#include "../base/alloc.h"
#include "../base/hash.h"
#include "../base/sort.h"
#include "../base/strbuf.h"

#define WORD_MAX 4096
#define OPERATOR_MAX 256	/* a name that begins with "operator" has a word for each '<' */
#define MAGIC 0x31786469656d616eull	/* "nameidx1": the last digit is the version of the format */

struct name_index_head {
	u64 magic;
	struct name_index_key key;
	u64 nr;
	u64 sum;	/* of the entries, and of this header with a sum of 0 */
};

static u32 hash_of(const char *p, size_t len)
{
	u64 h = hash_bytes(p, len);

	return h ^ h >> 32;
}

static bool is_operator(const char *name)
{
	return !strncmp(name, "operator", 8);
}

/* words of other names end at their first '<' */
bool name_index_knows(const char *word)
{
	size_t len = strlen(word);

	if (is_operator(word))
		return len < OPERATOR_MAX;
	return len && len < WORD_MAX && !strchr(word, '<');
}

bool name_has_word(const char *name, const char *word)
{
	size_t len = strlen(word);

	return !strncmp(name, word, len) && (!name[len] || name[len] == '<');
}

void name_list_add(struct name_index_list *l, u32 die, const char *name)
{
	bool is_op = is_operator(name);
	size_t end = 0, max = strnlen(name, is_op ? OPERATOR_MAX : WORD_MAX);

	do {
		const char *mark = memchr(name + end, '<', max - end);

		end = mark ? (size_t)(mark - name) : max;
		if (end)
			vec_push(l, (struct name_index_entry){ hash_of(name, end), die });
	} while (is_op && end++ < max);
}

static void sort(struct name_index_list *l)
{
	struct sort_pair *pairs = xcalloc(2 * (size_t)l->nr, sizeof(*pairs));
	u32 kept = 0;

	for (u32 i = 0; i < l->nr; i++)
		pairs[i].key = (u64)l->v[i].hash << 32 | l->v[i].die;
	sort_pairs(pairs, pairs + l->nr, l->nr);
	for (u32 i = 0; i < l->nr; i++)
		if (!i || pairs[i].key != pairs[i - 1].key)
			l->v[kept++] = (struct name_index_entry){ pairs[i].key >> 32, pairs[i].key };
	l->nr = kept;
	free(pairs);
}

static u64 sum_of(const struct name_index_head *head, const void *entries)
{
	struct name_index_head h = *head;

	h.sum = 0;
	return hash_mix(hash_bytes(&h, sizeof(h)),
			hash_bytes(entries, h.nr * sizeof(struct name_index_entry)));
}

bool name_list_write(struct name_index_list *l, const struct name_index_key *key, struct strbuf *out)
{
	struct name_index_head head = { .magic = MAGIC, .key = *key };

	if (l->nr > NAME_INDEX_MAX / sizeof(*l->v))
		return false;
	sort(l);
	head.nr = l->nr;
	head.sum = sum_of(&head, l->v);
	strbuf_add(out, &head, sizeof(head));
	strbuf_add(out, l->v, l->nr * sizeof(*l->v));
	return out->len < NAME_INDEX_MAX;
}

bool name_index_read(struct name_index *x, const struct name_index_key *key, const u8 *p, size_t len)
{
	struct name_index_head head;

	if (len < sizeof(head) || len >= NAME_INDEX_MAX)
		return false;
	memcpy(&head, p, sizeof(head));
	p += sizeof(head);
	len -= sizeof(head);
	if (head.magic != MAGIC || memcmp(&head.key, key, sizeof(*key)) || len % sizeof(*x->v) ||
	    head.nr != len / sizeof(*x->v) || head.sum != sum_of(&head, p))
		return false;
	x->v = (const struct name_index_entry *)p;
	x->nr = head.nr;
	return true;
}

u32 name_index_find(const struct name_index *x, const char *word, const struct name_index_entry **ret)
{
	u32 hash = hash_of(word, strlen(word)), lo = 0, hi = x->nr, end;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (x->v[mid].hash < hash)
			lo = mid + 1;
		else
			hi = mid;
	}
	*ret = x->v + lo;
	for (end = lo; end < x->nr && x->v[end].hash == hash; end++)
		;
	return end - lo;
}
