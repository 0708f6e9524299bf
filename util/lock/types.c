/*
 * Kinds of kernel locks. Flags as in the format of lock:contention_begin: spinning 1, reading 2, writing 4,
 * real-time 8, per CPU 16, mutex 32.
 */
#include "lock.h"

#include <errno.h>
#include <string.h>

static const struct lock_type {
	u32 flags;
	const char *name;	/* shown, and a word of filters */
	const char *plain;	/* without the side; selects both sides */
	const char *word;	/* one more word of filters, of this row alone */
} types[] = {
	{ 0, "semaphore", "semaphore", NULL },
	{ 1, "spinlock", "spinlock", NULL },
	{ 1 | 2, "rwlock:R", "rwlock", NULL },
	{ 1 | 4, "rwlock:W", "rwlock", NULL },
	{ 2, "rwsem:R", "rwsem", NULL },
	{ 4, "rwsem:W", "rwsem", NULL },
	{ 8, "rt-mutex", "rt-mutex", NULL },
	{ 8 | 2, "rwlock-rt:R", "rwlock-rt", NULL },
	{ 8 | 4, "rwlock-rt:W", "rwlock-rt", NULL },
	{ 16 | 2, "pcpu-sem:R", "percpu-rwsem", NULL },
	{ 16 | 4, "pcpu-sem:W", "percpu-rwsem", NULL },
	{ 32, "mutex", "mutex", NULL },
	{ 32 | 1, "mutex", "mutex", "mutex-spin" },
};

const char *lock_type_name(u32 flags, bool without_side)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i].flags == flags)
			return without_side ? types[i].plain : types[i].name;
	return "unknown";
}

static bool is_word(const char *name, const char *word, size_t len)
{
	return name && !strncmp(name, word, len) && !name[len];
}

/* "pcpu-sem" means both "pcpu-sem:R" and "pcpu-sem:W" */
static bool selects(const struct lock_type *t, const char *word, size_t len)
{
	size_t name_len = strcspn(t->name, ":");

	return is_word(t->name, word, len) || is_word(t->plain, word, len) || is_word(t->word, word, len) ||
	       (name_len == len && !strncmp(t->name, word, len));
}

static int no_type(const char *word, size_t len, struct err *err)
{
	struct strbuf names = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		strbuf_addf(&names, "%s%s", i ? ", " : "", types[i].word ? types[i].word : types[i].name);
	err_set(err, -EINVAL, "'%.*s' is not a kind of lock: they are %s", (int)len, word,
		strbuf_str(&names));
	strbuf_release(&names);
	return -EINVAL;
}

int lock_types_parse(struct lock_types *t, const char *words, struct err *err)
{
	const char *word;
	size_t len;

	while ((word = lock_next_word(&words, &len))) {
		u32 bits = 0;

		for (size_t i = 0; i < ARRAY_SIZE(types); i++)
			if (selects(&types[i], word, len))
				bits |= 1u << i;
		if (!bits)
			return no_type(word, len, err);
		t->wanted |= bits;
	}
	return 0;
}

bool lock_types_has(const struct lock_types *t, u32 flags)
{
	if (!t->wanted)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i].flags == flags)
			return t->wanted & 1u << i;
	return false;
}

u64 lock_types_flags(const struct lock_types *t)
{
	u64 flags = 0;

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (t->wanted & 1u << i)
			flags |= 1ull << types[i].flags;
	return flags;
}
