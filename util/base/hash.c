/* Hashing of bytes, and growth of the id index. */
#include "hash.h"
#include "alloc.h"

#include <stdlib.h>
#include <string.h>

/* up to 7, each at the place that its position in a word has; p may be NULL if there are none */
static u64 last_bytes(const u8 *p, size_t len)
{
	u64 v = 0;
	u32 v4;
	u16 v2;

	if (len & 1)
		v = p[len - 1];
	if (len & 2) {
		memcpy(&v2, p + (len & 4), sizeof(v2));
		v = v << 16 | v2;
	}
	if (len & 4) {
		memcpy(&v4, p, sizeof(v4));
		v = v << 32 | v4;
	}
	return v;
}

u64 hash_bytes(const void *data, size_t len)
{
	const u8 *p = data;
	u64 h = 0x2545f4914f6cdd1dull ^ len, v;

	for (; len >= 8; p += 8, len -= 8) {
		memcpy(&v, p, 8);
		h = hash_mix(h, v);
	}
	return hash_u64(hash_mix(h, last_bytes(p, len)));
}

u64 hash_str(const char *s)
{
	return hash_bytes(s, strlen(s));
}

#define HIDX_FIRST 16u

static void hidx_put(struct hidx *h, u32 hash, u32 id)
{
	u32 pos = hash & h->mask;

	while (h->slot[pos].id != HIDX_NONE)
		pos = (pos + 1) & h->mask;
	h->slot[pos] = (struct hidx_slot){ hash, id };
}

static void hidx_resize(struct hidx *h, u32 size)
{
	struct hidx old = *h;

	h->slot = xreallocarray(NULL, size, sizeof(*h->slot));
	memset(h->slot, 0xff, size * sizeof(*h->slot));
	h->mask = size - 1;
	for (u32 i = 0; old.slot && i <= old.mask; i++)
		if (old.slot[i].id != HIDX_NONE)
			hidx_put(h, old.slot[i].hash, old.slot[i].id);
	free(old.slot);
}

void hidx_insert(struct hidx *h, u64 hash, u32 id)
{
	if (!h->slot || h->nr >= (h->mask + 1) / 4 * 3)
		hidx_resize(h, h->slot ? (h->mask + 1) * 2 : HIDX_FIRST);
	hidx_put(h, (u32)(hash ^ (hash >> 32)), id);
	h->nr++;
}

void hidx_reserve(struct hidx *h, u32 nr)
{
	u32 size = HIDX_FIRST;

	while (nr >= size / 4 * 3 && size < 1u << 31)
		size *= 2;
	if (!h->slot)
		hidx_resize(h, size);
}

void hidx_clear(struct hidx *h)
{
	if (h->slot && h->nr < h->mask / 16)
		hidx_release(h);
	if (h->slot)
		memset(h->slot, 0xff, (h->mask + 1ull) * sizeof(*h->slot));
	h->nr = 0;
}

void hidx_release(struct hidx *h)
{
	free(h->slot);
	*h = (struct hidx){ 0 };
}
