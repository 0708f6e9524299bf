/* Arena: blocks that grow with use, freed all at once. */
#include "arena.h"
#include "alloc.h"

#include <stdlib.h>
#include <string.h>

struct arena_block {
	struct arena_block *next;
	size_t size;
	char data[] __attribute__((aligned(16)));
};

#define ARENA_MIN_BLOCK ((size_t)4096)
#define ARENA_MAX_BLOCK ((size_t)1 << 20)

static void arena_grow(struct arena *a, size_t size)
{
	size_t want = MIN(MAX(a->total, ARENA_MIN_BLOCK), ARENA_MAX_BLOCK);
	struct arena_block *b;

	if (want < size)
		want = size;
	b = xmalloc(sizeof(*b) + want);
	b->next = a->head;
	b->size = want;
	a->head = b;
	a->pos = b->data;
	a->end = b->data + want;
	a->total += want;
}

void *arena_alloc(struct arena *a, size_t size)
{
	void *p;

	size = ALIGN_UP(size, (size_t)16);
	if (!a->pos || (size_t)(a->end - a->pos) < size)
		arena_grow(a, size);
	p = a->pos;
	a->pos += size;
	return p;
}

void *arena_zalloc(struct arena *a, size_t size)
{
	void *p = arena_alloc(a, size);

	if (size)	/* an empty arena gives NULL */
		memset(p, 0, size);
	return p;
}

void *arena_memdup(struct arena *a, const void *p, size_t len)
{
	void *copy = arena_alloc(a, len);

	if (len)
		memcpy(copy, p, len);
	return copy;
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
	size_t n = strnlen(s, len);
	char *copy = arena_alloc(a, n + 1);

	memcpy(copy, s, n);
	copy[n] = '\0';
	return copy;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_memdup(a, s, strlen(s) + 1);
}

static void arena_free_from(struct arena_block *b)
{
	while (b) {
		struct arena_block *next = b->next;

		free(b);
		b = next;
	}
}

void arena_reset(struct arena *a)
{
	if (!a->head)
		return;
	arena_free_from(a->head->next);
	a->head->next = NULL;
	a->total = a->head->size;
	a->pos = a->head->data;
	a->end = a->head->data + a->head->size;
}

void arena_release(struct arena *a)
{
	arena_free_from(a->head);
	*a = (struct arena){ 0 };
}
