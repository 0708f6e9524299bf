/* Unit tests of the small containers of util/base: arena, vec, blocks, hidx, strtab, cursor, err, diag. */
#include "bytes.h"
#include "test.h"
#include "err-text.h"
#include "../../util/base/caret.h"
#include "../../util/base/columns.h"
#include "../../util/base/arena.h"
#include "../../util/base/blocks.h"
#include "../../util/base/cursor.h"
#include "../../util/base/diag.h"
#include "../../util/base/err.h"
#include "../../util/base/sort.h"
#include "../../util/base/strtab.h"
#include "../../util/base/vec.h"
#include "../../util/base/sequences.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

TEST(arena_aligns_and_keeps)
{
	struct arena a = { 0 };
	char *s[1000];

	for (int i = 0; i < 1000; i++) {
		char text[32];

		snprintf(text, sizeof(text), "string %d", i);
		s[i] = arena_strdup(&a, text);
		REQUIRE((uintptr_t)s[i] % 16 == 0);
	}
	for (int i = 0; i < 1000; i++) {
		char text[32];

		snprintf(text, sizeof(text), "string %d", i);
		CHECK_STR(s[i], text);
	}
	arena_release(&a);
	CHECK(!a.head && !a.total);
}

TEST(arena_takes_large_and_empty_ones)
{
	struct arena a = { 0 };
	u8 *big = arena_zalloc(&a, 10 << 20);

	CHECK(!big[0] && !big[(10 << 20) - 1]);
	big[(10 << 20) - 1] = 1;
	CHECK(arena_alloc(&a, 0) != NULL);
	CHECK(a.total >= 10 << 20);
	arena_memdup(&a, NULL, 0);
	arena_release(&a);
	CHECK(arena_zalloc(&a, 0) != NULL);	/* also from an empty one */
	arena_release(&a);
}

TEST(arena_reset_reuses_the_newest_block)
{
	struct arena a = { 0 };
	size_t total;

	arena_reset(&a);
	for (int i = 0; i < 100; i++)
		arena_alloc(&a, 1000);
	arena_reset(&a);
	total = a.total;
	CHECK(total < 100 * 1000);
	arena_alloc(&a, 1000);
	CHECK_U64(a.total, total);
	arena_release(&a);
}

TEST(arena_strndup_stops_at_nul)
{
	struct arena a = { 0 };

	CHECK_STR(arena_strndup(&a, "abc\0def", 7), "abc");
	CHECK_STR(arena_strndup(&a, "abcdef", 2), "ab");
	arena_release(&a);
}

TEST(vec_push_add_foreach)
{
	struct { VEC(int); } v = { 0 };
	int sum = 0;

	vec_foreach(&v, it)
		sum += *it;
	CHECK_INT(sum, 0);
	for (int i = 0; i < 100; i++)
		vec_push(&v, i);
	*vec_add(&v) += 5;
	vec_foreach(&v, it)
		sum += *it;
	CHECK_INT(sum, 99 * 100 / 2 + 5);
	CHECK_INT(v.nr, 101);
	vec_release(&v);
	CHECK(!v.v && !v.nr && !v.alloc);
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void check_sorted(const char **text, size_t nr)
{
	struct sort_string *v = xcalloc(nr, sizeof(*v));
	size_t nr_want = 0, nr_sorted;

	for (size_t i = 0; i < nr; i++)
		v[i] = sort_string(text[i]);
	qsort(text, nr, sizeof(*text), compare_texts);
	nr_sorted = sort_strings(v, nr);
	for (size_t i = 0; i < nr; i++) {
		if (i && !strcmp(text[i], text[i - 1]))
			continue;
		REQUIRE(nr_want < nr_sorted && !strcmp(v[nr_want].s, text[i]));
		nr_want++;
	}
	CHECK_INT(nr_sorted, nr_want);
	free(v);
}

TEST(sort_strings)
{
	static const char *const stem[] = { "", "a", "long_name_in_common", "long_name_in_common_", "\xff" };
	static const char *const tail[] = { "", "\x80", "12345678", "z", "1", "long_name_in_common" };
	const char *v[600];
	struct arena mem = { 0 };

	for (u32 i = 0; i < ARRAY_SIZE(v); i++) {
		char buf[64];

		snprintf(buf, sizeof(buf), "%s%s%u", stem[i * 7 % 5], tail[i * 11 % 6], i * 13 % 97 % 40);
		v[i] = arena_strdup(&mem, buf);
	}
	check_sorted(v, 0);
	check_sorted(v, 3);
	check_sorted(v, ARRAY_SIZE(v));
	arena_release(&mem);
}

TEST(sort_strings_with_long_parts_in_common)
{
	const char *v[90];
	struct arena mem = { 0 };

	for (u32 i = 0; i < ARRAY_SIZE(v); i++) {
		size_t len = 1000 + i * 7 % 40;
		char *s = arena_alloc(&mem, len + 1);

		memset(s, 'x', len);
		s[len] = '\0';
		s[i % 3 ? len - 1 : 10 * i] = 'a' + i % 4;
		v[i] = s;
	}
	check_sorted(v, ARRAY_SIZE(v));
	arena_release(&mem);
}

TEST(sort_strings_at_the_end_of_memory)
{
	long page = sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const char *v[30];

	REQUIRE(p != MAP_FAILED && !mprotect(p + page, page, PROT_NONE));
	memset(p, 'x', page - 1);
	for (u32 i = 0; i < ARRAY_SIZE(v); i++)
		v[i] = p + page - 1 - i;
	check_sorted(v, ARRAY_SIZE(v));
	munmap(p, 2 * page);
}

struct sort_numbers {
	BLOCKS(u32);
};

static void add_numbers(struct sort_numbers *b, u32 from, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		*blocks_add(b) = from + i;
}

TEST(blocks_do_not_move)
{
	struct sort_numbers b = { 0 };
	u32 *first;

	add_numbers(&b, 0, 1);
	first = blocks_at(&b, 0);
	add_numbers(&b, 1, 2 * BLOCK_ITEMS);
	CHECK(first == blocks_at(&b, 0));
	CHECK_INT(b.nr_blocks, 3);
	CHECK_INT(blocks_in(&b, 1), BLOCK_ITEMS);
	CHECK_INT(blocks_in(&b, 2), 1);
	for (u32 i = 0; i < b.nr; i++)
		REQUIRE(*blocks_at(&b, i) == i);
	blocks_release(&b);
	CHECK_INT(b.nr, 0);
}

TEST(hidx_finds_what_was_inserted)
{
	struct hidx h = { 0 };
	u32 id, nr;

	HIDX_FOREACH(&h, hash_u64(1), id)
		unit_fail(__FILE__, __LINE__, "an empty index has %u", id);
	for (u32 i = 0; i < 10000; i++)
		hidx_insert(&h, hash_u64(i), i);
	for (u32 i = 0; i < 10000; i++) {
		bool found = false;

		HIDX_FOREACH(&h, hash_u64(i), id)
			found |= id == i;
		REQUIRE(found);
	}
	hidx_release(&h);
	/* many ids under one hash are all found */
	for (u32 i = 0; i < 100; i++)
		hidx_insert(&h, 42, i);
	nr = 0;
	HIDX_FOREACH(&h, 42, id)
		nr++;
	CHECK_INT(nr, 100);
	hidx_release(&h);
}

TEST(hidx_first_tells_what_is_compared_first)
{
	struct hidx h = { 0 };

	CHECK_INT(hidx_first(&h, 7), HIDX_NONE);
	hidx_reserve(&h, 1000);
	CHECK(h.mask >= 1000);
	CHECK_INT(hidx_first(&h, 7), HIDX_NONE);
	hidx_insert(&h, 7 + ((u64)h.mask + 1), 60);	/* the same place, another hash */
	hidx_insert(&h, 7, 70);
	CHECK_INT(hidx_first(&h, 7), 70);
	hidx_release(&h);
}

TEST(hash_depends_on_every_byte)
{
	char buf[32] = "0123456789abcdef0123456789abcde";
	u64 h = hash_bytes(buf, sizeof(buf));

	for (size_t i = 0; i < sizeof(buf); i++) {
		buf[i] ^= 1;
		CHECK(hash_bytes(buf, sizeof(buf)) != h);
		buf[i] ^= 1;
		CHECK(hash_bytes(buf, i) != h);
	}
	CHECK_U64(hash_str("0123456789abcdef0123456789abcde"), hash_bytes(buf, 31));
}

TEST(strtab_interns)
{
	struct strtab t = { 0 };
	u32 a = strtab_add(&t, "alpha"), b = strtab_addn(&t, "betamax", 4);

	CHECK_INT(strtab_add(&t, ""), 0);
	CHECK_INT(a, 1);
	CHECK_INT(b, 2);
	CHECK_INT(strtab_add(&t, "beta"), b);
	CHECK_INT(strtab_addn(&t, "alpha\0x", 7), a);
	CHECK_INT(strtab_find(&t, "gamma", 5), HIDX_NONE);
	CHECK_INT(strtab_find(&t, "alphabet", 5), a);
	CHECK_STR(strtab_get(&t, b), "beta");
	CHECK_STR(strtab_get(&t, 99), "");
	strtab_release(&t);
}

TEST(cursor_reads_both_byte_orders)
{
	static const u8 bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
	struct cursor c = cursor_of(bytes, sizeof(bytes), HOST_IS_BE);

	CHECK_U64(cursor_u8(&c), 1);
	CHECK_U64(cursor_u16(&c), 0x0302);
	CHECK_U64(cursor_u32(&c), 0x07060504);
	CHECK_U64(cursor_u64(&c), 0x0f0e0d0c0b0a0908);
	CHECK(!c.bad && !cursor_left(&c));
	c = cursor_of(bytes, sizeof(bytes), !HOST_IS_BE);
	CHECK_U64(cursor_u8(&c), 1);
	CHECK_U64(cursor_u16(&c), 0x0203);
	CHECK_U64(cursor_u32(&c), 0x04050607);
	CHECK_U64(cursor_u64(&c), 0x08090a0b0c0d0e0f);
}

TEST(cursor_error_is_sticky)
{
	static const u8 bytes[] = { 1, 2, 3, 4 };
	struct cursor c = cursor_of(bytes, sizeof(bytes), false);

	CHECK_U64(cursor_u64(&c), 0);
	CHECK(c.bad);
	CHECK_U64(cursor_u8(&c), 0);
	c = cursor_of(bytes, sizeof(bytes), false);
	CHECK(!cursor_bytes(&c, UINT64_MAX));
	CHECK(c.bad);
	c = cursor_of(bytes, sizeof(bytes), false);
	cursor_skip(&c, 4);
	CHECK(!c.bad && cursor_bytes(&c, 0));
}

TEST(cursor_strings_must_end_inside)
{
	static const char bytes[] = { 'a', 'b', 0, 'c', 'd' };
	struct cursor c = cursor_of(bytes, sizeof(bytes), false);

	CHECK_STR(cursor_str(&c, 3), "ab");
	CHECK(!cursor_str(&c, 2) && c.bad);
}

TEST(err_set_prefix_hint)
{
	struct err e = ERR_INIT;

	CHECK_INT(err_set(&e, -EINVAL, "bad %s", "thing"), -EINVAL);
	CHECK_STR(e.msg, "bad thing");
	CHECK_INT(err_prefix(&e, "x.data: "), -EINVAL);
	err_hint(&e, "try -f");
	CHECK_STR(e.msg, "x.data: bad thing");
	CHECK_STR(err_text(&e), "x.data: bad thing\nHint: try -f");
	CHECK_INT(err_sys(&e, ENOENT, "cannot open %s", "y"), -ENOENT);
	CHECK_STR(e.msg, "cannot open y: No such file or directory");
	err_set(&e, -EINVAL, "no \033[31mfile\x7f");
	err_prefix(&e, "a\rb: ");
	err_hint(&e, "\tand\b");
	CHECK_STR(err_text(&e), "a?b: no ?[31mfile?\nHint: \tand?");
	err_clear(&e);
	CHECK(!e.code && !e.msg[0] && !e.nr_hints);
	CHECK_INT(err_set(NULL, -EIO, "x"), -EIO);
	err_prefix(NULL, "x");
	err_hint(NULL, "x");
}

TEST(err_hints_are_a_list)
{
	struct err e = ERR_INIT, other = ERR_INIT;
	char full[sizeof(e.hints)];

	err_set(&e, -ENOENT, "event 'cyclse' not found");
	err_caret(&e, "cs,cyclse", 3, 6);
	err_hint(&e, "did you mean '%s'?", "cycles");
	err_set(&other, -EIO, "something else");
	err_hint(&other, "a");
	err_hint(&other, "b");
	err_add_hints(&e, &other);
	CHECK_INT(e.nr_hints, 3);
	CHECK_STR(e.msg, "event 'cyclse' not found");
	CHECK_STR(e.place, "  cs,cyclse\n     ^~~~~~");
	CHECK_STR(err_hint_at(&e, 0), "did you mean 'cycles'?");
	CHECK_STR(err_hint_at(&e, 2), "b");
	CHECK_STR(err_text(&e), "event 'cyclse' not found\n  cs,cyclse\n     ^~~~~~\n"
		  "Hint: did you mean 'cycles'?\nHint: a\nHint: b");
	/* a copy has all of it; a new error has none of it */
	CHECK_INT(err_copy(&other, &e), -ENOENT);
	CHECK_STR(err_text(&other), err_text(&e));
	CHECK_INT(err_copy(NULL, &e), -ENOENT);
	err_sys(&e, EIO, "x");
	CHECK(!e.nr_hints && !*e.place);
	/* a hint that does not fit is left out whole; one that just fits is kept */
	err_hint(&e, "short");
	memset(full, 'x', sizeof(full));
	full[sizeof(full) - 7] = '\0';
	err_hint(&e, "%sy", full);
	CHECK_INT(e.nr_hints, 1);
	err_hint(&e, "%s", full);
	CHECK_INT(e.nr_hints, 2);
	CHECK_STR(err_hint_at(&e, 1), full);
	err_hint(&e, "no room");
	CHECK_INT(e.nr_hints, 2);
}

TEST(err_cuts_long_text)
{
	struct err e = ERR_INIT;
	char big[4000];

	memset(big, 'x', sizeof(big));
	big[sizeof(big) - 1] = '\0';
	err_set(&e, -EINVAL, "%s", big);
	err_prefix(&e, "%s", big);
	err_hint(&e, "%s", big);
	err_sys(&e, EIO, "%s", big);
	CHECK_INT(strlen(e.msg), sizeof(e.msg) - 1);
}

TEST(diag_counts_and_merges)
{
	struct diag a = { 0 }, b = { 0 };
	struct strbuf sb = STRBUF_INIT;

	CHECK_INT(diag_describe(&a, &sb), 0);
	diag_count(&a, DIAG_BAD_MAP, 0x50);
	diag_count(&a, DIAG_BAD_MAP, 0x40);
	diag_count(&b, DIAG_BAD_MAP, 0x20);
	diag_count(&b, DIAG_BAD_ATTR, 0x99);
	diag_merge(&a, &b);
	CHECK_U64(a.kind[DIAG_BAD_MAP].nr, 3);
	CHECK_U64(a.kind[DIAG_BAD_MAP].off, 0x20);
	CHECK_INT(diag_describe(&a, &sb), 2);
	CHECK(strstr(strbuf_str(&sb), "(first at offset 0x20)"));
	/* the type of the first record is named */
	diag_count_record(&b, DIAG_TRUNCATED_RECORD, 0x70, "MMAP2");
	diag_merge(&a, &b);
	diag_count_record(&a, DIAG_TRUNCATED_RECORD, 0x30, "SAMPLE");
	CHECK_INT(diag_describe(&a, &sb), 3);
	CHECK(strstr(strbuf_str(&sb), "(first at offset 0x30, a record SAMPLE)"));
	strbuf_release(&sb);
}

/* whichever of both is merged first */
TEST(diag_what_is_assumed_and_counted_is_one)
{
	for (int order = 0; order < 2; order++) {
		struct diag header = { 0 }, reader = { 0 }, sum = { 0 };

		diag_assume(&header, DIAG_TRUNCATED_FILE, 0x90);
		diag_merge(&sum, order ? &reader : &header);
		diag_count(&reader, DIAG_TRUNCATED_FILE, 0x80);
		CHECK_U64(sum.kind[DIAG_TRUNCATED_FILE].nr, !order);
		diag_merge(&sum, &reader);
		diag_merge(&sum, &header);
		CHECK_U64(sum.kind[DIAG_TRUNCATED_FILE].nr, 1);
		CHECK_U64(sum.kind[DIAG_TRUNCATED_FILE].off, 0x80);
		diag_merge(&sum, &reader);
		CHECK_U64(sum.kind[DIAG_TRUNCATED_FILE].nr, 2);
	}
}

TEST(text_is_as_wide_as_a_terminal_shows_it)
{
	CHECK_INT(text_columns("abc", 3), 3);
	CHECK_INT(text_columns("abc", 0), 0);
	CHECK_INT(text_columns("h\xc3\xa9", 3), 2);
	CHECK_INT(text_columns("he\xcc\x81", 4), 2);			/* an accent that combines */
	CHECK_INT(text_columns("\xe6\x97\xa5\xe6\x9c\xac", 6), 4);	/* two of CJK */
	CHECK_INT(text_columns("\xf0\x9f\x94\xa5", 4), 2);		/* a picture */
	/* no UTF-8: cut, a lone continuation, an impossible byte, an accent that is cut */
	CHECK_INT(text_columns("a\xe6\x97", 3), 3);
	CHECK_INT(text_columns("\x97", 1), 1);
	CHECK_INT(text_columns("\xff", 1), 1);
	CHECK_INT(text_columns("e\xcc", 2), 2);
}

TEST(equal_sequences_have_one_id)
{
	const u64 a[] = { 1, 2, 3 };
	struct sequences s = { 0 };
	const u64 *items;
	bool is_new;
	u32 nr;

	CHECK_INT(sequences_add(&s, a, 3, &is_new), 0);
	CHECK(is_new);
	CHECK_INT(sequences_add(&s, a, 2, &is_new), 1);
	CHECK_INT(sequences_add(&s, NULL, 0, &is_new), 2);
	CHECK(is_new);
	CHECK_INT(sequences_add(&s, a, 3, &is_new), 0);
	CHECK(!is_new);
	CHECK_INT(sequences_add(&s, NULL, 0, &is_new), 2);
	CHECK(!is_new);
	items = sequences_get(&s, 1, &nr);
	CHECK(nr == 2 && items[0] == 1 && items[1] == 2);
	CHECK(!sequences_get(&s, 2, &nr) && !nr);
	sequences_release(&s);
}
