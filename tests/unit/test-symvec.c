/* Symbol tables: order, aliases, ends, nesting. */
#include "test.h"

#include <string.h>
#include "../../util/obj/symvec.h"

#define FUNC 2

static void add(struct symvec *v, u64 start, u64 size, const char *name, char binding)
{
	symvec_add(v, start, start + size, name, strlen(name), binding, FUNC);
}

static const char *at(const struct symvec *v, u64 addr)
{
	u32 i = symvec_find(v, addr);

	return i == SYMVEC_NONE ? "-" : v->sym.v[i].name;
}

TEST(finds_in_unsorted_input)
{
	struct symvec v = { 0 };

	for (u64 i = 0; i < 1000; i++) {
		char name[16];
		u64 k = i * 7919 % 1000;

		snprintf(name, sizeof(name), "f%llu", (unsigned long long)k);
		add(&v, 0xffffffff81000000 + k * 16, 12, name, 'l');
	}
	symvec_finish(&v, 0);
	CHECK_U64(v.sym.nr, 1000);
	CHECK_STR(at(&v, 0xffffffff81000000 + 5 * 16), "f5");
	CHECK_STR(at(&v, 0xffffffff81000000 + 5 * 16 + 11), "f5");
	CHECK_STR(at(&v, 0xffffffff81000000 + 5 * 16 + 12), "-");
	CHECK_STR(at(&v, 0xffffffff81000000 + 999 * 16), "f999");
	CHECK_STR(at(&v, 0x1000), "-");
	symvec_release(&v);
}

TEST(empty_table)
{
	struct symvec v = { 0 };

	symvec_finish(&v, 0);
	CHECK_STR(at(&v, 0), "-");
	symvec_release(&v);
}

/* functions whose equal code the linker folded, but not names that somebody gave one function */
TEST(knows_shared_code)
{
	static const struct {
		const char *a, *b;
		char bind_a, bind_b;
		u8 size_a, size_b;
		bool want;
	} t[] = {
		{ "parse_left", "parse_right", 'g', 'g', 8, 8, true },
		{ "parse_left", "parse_right", 'l', 'l', 8, 8, true },
		{ "_ZN3fooIiE3getEv", "_ZN3fooIlE3getEv", 'w', 'w', 8, 8, true },
		{ "_ZN1a1b17h0123456789abcdefE", "_ZN1a1c17hfedcba9876543210E", 'l', 'l', 8, 8, true },
		{ "_ZN1a1b17h0123456789abcdefE", "_ZN1a1b17hfedcba9876543210E", 'l', 'l', 8, 8, false },
		{ "_ZN3fooC1Ev", "_ZN3fooC2Ev", 'g', 'g', 8, 8, false },
		{ "parse_left", "parse_right", 'g', 'w', 8, 8, false },
		{ "parse_left", "parse_right", 'g', 'g', 8, 4, false },
		{ "parse_left", "parse_right", 'g', 'g', 0, 0, false },
		{ "read", "__GI_read", 'g', 'l', 8, 8, false },
		{ "lseek", "lseek64", 'g', 'g', 8, 8, false },
		{ "memcpy@@GLIBC_2.14", "memcpy@GLIBC_2.2.5", 'g', 'g', 8, 8, false },
		{ "__memcpy_avx", "__memmove_avx", 'l', 'l', 8, 8, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		for (int swap = 0; swap < 2; swap++) {
			struct symvec v = { 0 };

			if (swap)
				add(&v, 0x1000, t[i].size_b, t[i].b, t[i].bind_b);
			add(&v, 0x1000, t[i].size_a, t[i].a, t[i].bind_a);
			if (!swap)
				add(&v, 0x1000, t[i].size_b, t[i].b, t[i].bind_b);
			add(&v, 0x2000, 8, "alone", 'g');
			symvec_finish(&v, 0);
			CHECK_U64(v.sym.nr, 2);
			CHECK_INT(v.sym.v[0].shared, t[i].want);
			CHECK(!v.sym.v[1].shared);
			symvec_release(&v);
		}
	}
}

TEST(chooses_aliases)
{
	static const struct {
		const char *a, *b;
		char bind_a, bind_b;
		u8 size_a, size_b;
		const char *want;
	} t[] = {
		{ "aaa", "b", 'g', 'g', 0, 8, "b" },		/* a known size */
		{ "read", "__read", 'w', 'l', 8, 8, "__read" },	/* not weak */
		{ "read", "__libc_read", 'l', 'g', 8, 8, "__libc_read" },
		{ "__read", "read", 'g', 'g', 8, 8, "read" },	/* fewer underscores */
		{ "open", "open64", 'w', 'w', 8, 8, "open64" },	/* longer */
		{ "one", "two", 'g', 'g', 8, 8, "one" },	/* the first */
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct symvec v = { 0 };

		add(&v, 16, t[i].size_a, t[i].a, t[i].bind_a);
		add(&v, 16, t[i].size_b, t[i].b, t[i].bind_b);
		symvec_finish(&v, 0);
		CHECK_STR(at(&v, 16), t[i].want);
		symvec_release(&v);
	}
}

TEST(aliases_without_sizes_last_one)
{
	struct symvec v = { .last_alias = true };

	add(&v, 16, 0, "_text", 'g');
	add(&v, 16, 0, "__pi__text", 'l');
	symvec_finish(&v, 0);
	CHECK_STR(at(&v, 16), "__pi__text");
	symvec_release(&v);
}

#ifdef HAVE_LIBIBERTY
TEST(compares_aliases_as_shown)
{
	struct symvec v = { .demangle = true };

	/* messages<char>::do_close and messages<wchar_t>::do_close are folded into one function */
	add(&v, 16, 8, "_ZNKSt8messagesIcE8do_closeEi", 'g');
	add(&v, 16, 8, "_ZNKSt8messagesIwE8do_closeEi", 'g');
	symvec_finish(&v, 0);
	CHECK_STR(at(&v, 16), "_ZNKSt8messagesIwE8do_closeEi");
	symvec_release(&v);
}
#endif

TEST(unknown_sizes_end_at_the_next)
{
	struct symvec v = { 0 };

	add(&v, 0x100, 0, "a", 'l');
	add(&v, 0x180, 0, "b", 'l');
	symvec_finish(&v, 0x1c0);
	CHECK_STR(at(&v, 0x17f), "a");
	CHECK_STR(at(&v, 0x1bf), "b");
	CHECK_STR(at(&v, 0x1c0), "-");
	symvec_release(&v);
}

TEST(nested_symbols)
{
	struct symvec v = { 0 };

	add(&v, 0x100, 0x100, "outer", 'g');
	add(&v, 0x110, 0x40, "middle", 'l');
	add(&v, 0x120, 0x10, "inner", 'l');
	add(&v, 0x300, 0x10, "far", 'l');
	symvec_finish(&v, 0);
	CHECK_STR(at(&v, 0x100), "outer");
	CHECK_STR(at(&v, 0x125), "inner");
	CHECK_STR(at(&v, 0x130), "middle");
	CHECK_STR(at(&v, 0x150), "outer");
	CHECK_STR(at(&v, 0x1ff), "outer");
	CHECK_STR(at(&v, 0x200), "-");
	CHECK_STR(at(&v, 0x305), "far");
	symvec_release(&v);
}

TEST(keeps_some_symbols)
{
	struct symvec v = { 0 };

	add(&v, 0x1000, 0x1000, "outer", 'g');
	add(&v, 0x1100, 0x100, "inner", 'g');
	add(&v, 0x1200, 0x10, "dropped", 'g');
	add(&v, 0x3000, 0x100, "last", 'g');
	symvec_finish(&v, 0);
	symvec_keep(&v, (const u32[]){ 0, 1, 3 }, 3, NULL, NULL);
	CHECK_U64(v.sym.nr, 3);
	CHECK_STR(at(&v, 0x1180), "inner");
	CHECK_STR(at(&v, 0x1208), "outer");
	CHECK_STR(at(&v, 0x30ff), "last");
	CHECK_STR(at(&v, 0x2800), "-");
	symvec_keep(&v, NULL, 0, NULL, NULL);
	CHECK_STR(at(&v, 0x1180), "-");
	symvec_release(&v);
}

TEST(end_of_the_address_space)
{
	struct symvec v = { 0 };

	add(&v, UINT64_MAX - 10, 0, "last", 'g');
	symvec_finish(&v, 0);
	CHECK_STR(at(&v, UINT64_MAX - 1), "last");
	symvec_release(&v);
}

/* tables with dense and sparse parts: the same answers as from looking at each symbol */
TEST(finds_near_and_far)
{
	for (u32 round = 0; round < 8; round++) {
		struct symvec v = { 0 };
		u64 seed = round + 1, addr = round & 1 ? 0 : 0xffffffff81000000, bad = 0;

		for (u32 i = 0; i < 3000; i++) {
			u64 gap = i < 20 || i > 2900 ? 0x1000000 : round & 2 ? 3 : 700;

			seed = seed * 6364136223846793005ull + 1442695040888963407ull;
			addr += 1 + (seed >> 33) % gap;
			add(&v, addr, seed >> 62 ? 1 + (seed >> 40) % gap : 0, "f", 'l');
		}
		symvec_finish(&v, 0);
		for (u32 i = 0; i < v.sym.nr; i++) {
			const struct symbol *s = &v.sym.v[i];
			u64 next = i + 1 < v.sym.nr ? s[1].start : s->end;

			bad += symvec_find(&v, s->start) != i;
			bad += symvec_find(&v, MIN(s->end, next) - 1) != i;
			bad += s->end < next && symvec_find(&v, next - 1) != SYMVEC_NONE && !v.outer;
		}
		CHECK_U64(bad, 0);
		symvec_release(&v);
	}
}

TEST(spans_have_one_answer)
{
	static const struct { u16 start, size; } sym[] = {
		{ 0x10, 0x10 }, { 0x20, 0x100 }, { 0x40, 0x20 }, { 0x48, 4 }, { 0x60, 8 }, { 0x118, 0x18 },
		{ 0x140, 0x10 },
	};
	struct symvec v = { 0 };
	struct symvec_span span;

	for (size_t i = 0; i < ARRAY_SIZE(sym); i++)
		add(&v, sym[i].start, sym[i].size, "f", 'g');
	symvec_finish(&v, 0);
	for (u64 addr = 0; addr < 0x200; addr++) {
		u32 want = symvec_find(&v, addr);

		CHECK_U64(symvec_find_span(&v, addr, &span), want);
		CHECK(span.lo <= addr && addr < span.hi);
		for (u64 k = span.lo; k < MIN(span.hi, 0x200ull); k++)
			CHECK_U64(symvec_find(&v, k), want);
	}
	CHECK_U64(symvec_find_span(&v, 0x130, &span), SYMVEC_NONE);
	CHECK_U64(span.lo, 0x130);
	CHECK_U64(span.hi, 0x140);
	symvec_release(&v);
}

TEST(packed_tables_say_the_same)
{
	static const char lent[] = "_Zlent";

	for (u32 round = 0; round < 2; round++) {
		struct symvec v = { .lent = lent, .lent_end = lent + sizeof(lent) }, plain = v;
		u64 base = 0xffffffff81000000, far = round ? 1ull << 33 : 0, bad = 0;

		for (u64 i = 0; i < 200; i++) {
			char name[16];

			snprintf(name, sizeof(name), "f%u", (u32)i);
			for (u32 k = 0; k < 2; k++)
				add(k ? &v : &plain, base - (i == 7 ? far : 0) + i * 16, 8 + i % 20,
				    i % 3 ? name : lent, i % 2 ? 'g' : 'l');
		}
		symvec_finish(&plain, 0);
		symvec_finish(&v, 0);
		symvec_pack(&v);
		CHECK(!v.packed == (round == 1));	/* more than 4 GB apart */
		for (u64 addr = base - 16; addr < base + 4000; addr++) {
			struct symvec_span a, b;
			u32 i = symvec_find_span(&plain, addr, &a);

			bad += symvec_find(&v, addr) != i || symvec_find_span(&v, addr, &b) != i ||
			       memcmp(&a, &b, sizeof(a));
		}
		for (u32 i = 0; i < 200; i++) {
			struct symbol s = symvec_at(&v, i), *want = &plain.sym.v[i];

			bad += s.start != want->start || s.end != want->end || strcmp(s.name, want->name) ||
			       s.binding != want->binding || s.type != want->type;
		}
		CHECK_U64(bad, 0);
		symvec_keep(&v, (const u32[]){ 3, 9 }, 2, NULL, NULL);
		CHECK_STR(v.sym.v[0].name, plain.sym.v[3].name);
		CHECK_U64(v.sym.v[1].end, plain.sym.v[9].end);
		symvec_release(&v);
		symvec_release(&plain);
	}
}
