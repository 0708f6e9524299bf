/* Insn-texts: see insn-texts.h. */
#include "insn-texts.h"
#include "../base/alloc.h"
#include "../base/hash.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS 32768u	/* a power of 2 */

/* one line of the processor's cache: enough for all bytes of an instruction, and for most disassembly */
struct insn_text {
	u64 addr;
	u32 dso;
	u8 what, len;
	char text[50];
};

struct insn_texts {
	struct insn_text slot[SLOTS];
};

struct insn_texts *insn_texts_new(void)
{
	return xcalloc_aligned(1, sizeof(struct insn_texts));
}

void insn_texts_free(struct insn_texts *t)
{
	free(t);
}

static inline u32 slot_of(u32 dso, u64 addr)
{
	return hash_u64(addr ^ (u64)dso << 44) % SLOTS;
}

void insn_texts_prefetch(const struct insn_texts *t, u32 dso, u64 addr)
{
	__builtin_prefetch(&t->slot[slot_of(dso, addr)]);
}

bool insn_texts_put(const struct insn_texts *t, u32 dso, u64 addr, u8 what, struct strbuf *out)
{
	const struct insn_text *s = &t->slot[slot_of(dso, addr)];
	char *p;

	if (s->addr != addr || s->dso != dso || s->what != what)
		return false;
	p = strbuf_room(out, sizeof(s->text));
	memcpy(p, s->text, sizeof(s->text));
	out->len += s->len;
	p[s->len] = '\0';
	return true;
}

void insn_texts_keep(struct insn_texts *t, u32 dso, u64 addr, u8 what, const char *text, size_t len)
{
	struct insn_text *s = &t->slot[slot_of(dso, addr)];

	if (len > sizeof(s->text))
		return;
	*s = (struct insn_text){ .addr = addr, .dso = dso, .what = what, .len = len };
	memcpy(s->text, text, len);
}
