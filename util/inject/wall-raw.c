/* Wall-raw: see wall-raw.h. */
#include "wall-raw.h"
#include "../wall/wall.h"

#include <stddef.h>
#include <string.h>

/* bytes of struct wall_switch_raw in older files */
#define OLD_SWITCH offsetof(struct wall_switch_raw, arg)
/* bytes of struct wall_file_raw that are u32 */
#define WORDS_OF_FILE offsetof(struct wall_file_raw, address)

/* u32 of raw data, at offset; false: there are fewer bytes */
static bool read_words(const struct rec *rec, const struct sample *s, u32 offset, void *ret, u32 bytes)
{
	u32 *word = ret;

	if (s->raw_size < (u64)offset + bytes)
		return false;
	memcpy(word, (const u8 *)s->raw + offset, bytes);
	for (size_t i = 0; i < bytes / sizeof(u32) && rec->swap; i++)
		word[i] = __builtin_bswap32(word[i]);
	return true;
}

bool wall_raw_switch(const struct rec *rec, const struct sample *s, struct wall_switch_raw *ret)
{
	*ret = (struct wall_switch_raw){ 0 };
	return read_words(rec, s, 0, ret, s->raw_size < sizeof(*ret) ? OLD_SWITCH : sizeof(*ret));
}

bool wall_raw_slot(const struct rec *rec, const struct sample *s, struct wall_slot_raw *ret)
{
	return read_words(rec, s, 0, ret, sizeof(*ret)) && ret->state < WALL_NR_STATES;
}

bool wall_raw_mark(const struct rec *rec, const struct sample *s, struct wall_mark_raw *ret)
{
	return read_words(rec, s, 0, ret, sizeof(*ret));
}

bool wall_raw_file(const struct rec *rec, const struct sample *s, u32 offset, struct wall_file_raw *ret)
{
	u32 rest;

	*ret = (struct wall_file_raw){ 0 };
	if (!read_words(rec, s, offset, ret, WORDS_OF_FILE))
		return false;
	rest = MIN(s->raw_size - offset, (u32)sizeof(*ret)) - WORDS_OF_FILE;
	memcpy(ret->address, (const u8 *)s->raw + offset + WORDS_OF_FILE, rest);
	return true;
}
