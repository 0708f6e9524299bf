/* Unit tests of how names are found in debug information: bytes, and the words of a scope. */
#include "test.h"
#include "../../util/base/strbuf.h"
#include "../../util/probe/byte-search.h"
#include "../../util/probe/debug-abbrev.h"
#include "../../util/probe/function-words.h"

#include <string.h>

static bool note(void *ctx, u64 off, u32 group)
{
	strbuf_addf(ctx, "%lu:%u ", (unsigned long)off, group);
	return off < 1000;
}

/* what is found in len bytes of text, which begin at offset base */
static const char *found(const struct needles *n, u32 nr, const char *text, size_t len, u64 base)
{
	static char buf[512];
	struct strbuf out = STRBUF_INIT;
	struct byte_search b;

	if (byte_search_init(&b, n, nr))
		byte_search_run(&b, (const u8 *)text, len, base, note, &out);
	byte_search_release(&b);
	snprintf(buf, sizeof(buf), "%s", strbuf_str(&out));
	strbuf_release(&out);
	return buf;
}

TEST(bytes)
{
	static const char text[] = "abcabd\0xxabcd<y\0__________________________abc\0ab";
	struct needles n[10] = { { .len = 3, .v = (const u8 *)"abcabd", .nr = 2 },
				 { .len = 2, .v = (const u8 *)"cd", .nr = 1 } };

	CHECK_STR(found(n, 2, text, sizeof(text), 0), "0:0 3:0 9:0 11:1 42:0 ");
	CHECK_STR(found(n, 1, text, 8, 100), "100:0 103:0 ");
	CHECK_STR(found(n, 1, text, sizeof(text), 1000), "1000:0 ");
	n[0].ends = n[1].ends = true;
	CHECK_STR(found(n, 2, text, sizeof(text), 0), "3:0 11:1 42:0 ");
	n[0].ends = false;
	CHECK_STR(found(n, 2, text, sizeof(text), 0), "0:0 3:0 9:0 11:1 42:0 ");
	/* more pairs of bytes than are compared at once */
	for (u32 i = 0; i < 10; i++)
		n[i] = (struct needles){ .len = 2, .v = (const u8 *)"abbccaxxy\0__d<<y\0_c\0" + 2 * i,
					 .nr = 1 };
	CHECK_STR(found(n, 10, text + 4, 12, 0), "3:3 5:0 6:1 8:6 9:7 10:4 ");
	CHECK_STR(found(n, 0, text, sizeof(text), 0), "");
}

/* a place in each position of a block, where nothing else is */
TEST(bytes_in_blocks)
{
	struct needles one = { .len = 4, .v = (const u8 *)"\1\2\3\4", .nr = 1 };
	struct needles ends = { .len = 3, .v = (const u8 *)"abc", .nr = 1, .ends = true };
	char text[400], want[16];

	for (u32 i = 0; i + 4 <= 300; i++) {
		memset(text, 1, sizeof(text));
		memcpy(text + i, "\1\2\3\4", 4);
		snprintf(want, sizeof(want), "%u:0 ", i);
		REQUIRE(!strcmp(found(&one, 1, text, 300, 0), want));
		CHECK_STR(found(&one, 1, text, i + 3, 0), "");
		memset(text, 'b', sizeof(text));
		memcpy(text + i, i & 1 ? "abc<" : "abc", 4);
		REQUIRE(!strcmp(found(&ends, 1, text, 300, 0), want));
		CHECK_STR(found(&ends, 1, text, i + 3, 0), "");
	}
}

TEST(many_bytes)
{
	static const char text[] = "name12\0name7<int>\0other name33\0x name40\0 name4";
	char names[50][8];
	struct needles n[50];

	for (u32 i = 0; i < 50; i++) {
		snprintf(names[i], sizeof(names[i]), "name%u", i);
		n[i] = (struct needles){ .len = strlen(names[i]), .v = (const u8 *)names[i], .nr = 1 };
	}
	/* by their beginnings: those that begin others, too */
	CHECK_STR(found(n, 50, text, 7, 100), "100:1 100:12 ");
	CHECK_STR(found(n, 50, text + 7, 6, 0), "0:7 ");
	/* by their ends */
	for (u32 i = 0; i < 50; i++)
		n[i].ends = true;
	CHECK_STR(found(n, 50, text, sizeof(text), 0), "0:12 7:7 24:33 33:40 41:4 ");
	CHECK_STR(found(n, 50, text, 6, 0), "");
	CHECK_STR(found(n, 50, text, sizeof(text), 1000), "1000:12 ");
}

static const char *words(const char *name)
{
	static char buf[256];
	struct function_words w;
	struct arena mem = { 0 };

	buf[0] = '\0';
	function_words_parse(name, &mem, &w);
	for (u32 i = 0; i < w.nr; i++)
		strcat(strcat(buf, w.v[i]), " ");
	arena_release(&mem);
	return buf;
}

TEST(words_of_a_scope)
{
	CHECK_STR(words("f"), "");
	CHECK_STR(words("ns::type::f"), "ns type ");
	CHECK_STR(words("ns::list<a::b>::f(c::d)"), "ns list ");
	CHECK_STR(words("ns::ty*::f"), "ns ");
	CHECK_STR(words("ns::f(c::d)::local::g"), "ns ");
	CHECK_STR(words("(anonymous namespace)::in::f"), "in ");
	CHECK_STR(words("ns::type::operator<"), "");
	CHECK_STR(words("core::{impl#3}::fmt"), "core ");
}

TEST(words_of_mangled_names)
{
	struct function_words w = { .v = { "std", "list" }, .nr = 2 };

	CHECK(function_words_in(&w, "_ZNSt4list3addEi"));
	CHECK(!function_words_in(&w, "_ZNSt6vector3addEi"));
}

TEST(references_between_units)
{
	/* code 1, subprogram, abstract_origin ref4; end of the table; code 0x31, reference type */
	static const u8 none[] = { 1, 0x2e, 0, 0x31, 0x13, 0, 0, 0, 0x31, 0x10, 0, 0x0b, 0x0b, 0, 0, 0 };
	static const u8 some[] = { 1, 0x2e, 0, 0x31, 0x10, 0, 0, 0 };

	CHECK(!abbrevs_are_foreign(none, sizeof(none)));
	CHECK(abbrevs_are_foreign(some, sizeof(some)));
	CHECK(abbrevs_are_foreign(none, 4));
}
