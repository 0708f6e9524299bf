/* Unit tests of names of functions: in debug information, and in the index that is kept of them. */
#include "test.h"
#include "../../util/base/strbuf.h"
#include "../../util/obj/dwarf-names.h"
#include "../../util/probe/name-index.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

static const u8 abbrevs[] = {
	1, DW_TAG_compile_unit, 1, DW_AT_language, DW_FORM_data1, 0, 0,
	2, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_strp, DW_AT_decl_line, DW_FORM_implicit_const, 9, 0, 0,
	3, DW_TAG_subprogram, 1, DW_AT_frame_base, DW_FORM_exprloc, DW_AT_name, DW_FORM_string,
	DW_AT_linkage_name, DW_FORM_strp, 0, 0,
	4, DW_TAG_structure_type, 1, DW_AT_name, DW_FORM_string, DW_AT_byte_size, DW_FORM_data1, 0, 0,
	5, DW_TAG_enumeration_type, 1, DW_AT_sibling, DW_FORM_ref4, 0, 0,
	6, DW_TAG_enumerator, 0, DW_AT_name, DW_FORM_string, 0, 0,
	7, DW_TAG_variable, 0, DW_AT_name, DW_FORM_string, DW_AT_location, DW_FORM_block1, 0, 0,
	8, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_strx1, 0, 0,
	0,
};

static const char strings[] = "\0first\0_Z6secondv\0third<int>";

/* a unit of version 4 and one of version 5 in the other size of offsets, and a type unit between them */
static const u8 info[] = {
	/* 0 */ 68, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8,
	/* 11 */ 1, DW_LANG_C_plus_plus,
	/* 13 */ 2, 1, 0, 0, 0,
	/* 18 */ 3, 2, 0xff, 0xff, 's', 'e', 'c', 'o', 'n', 'd', 0, 7, 0, 0, 0,
	/* 33 */ 7, 'v', 0, 1, 2,
	/* 38 */ 0,
	/* 39 */ 4, 's', 0, 8,
	/* 43 */ 2, 18, 0, 0, 0,
	/* 48 */ 0,
	/* 49 */ 5, 60, 0, 0, 0,
	/* 54 */ 6, 'e', 'n', 'u', 0,
	/* 59 */ 0,
	/* 60 */ 8, 3,
	/* 62 */ 2, 0, 0, 0, 0,
	/* 67 */ 0, 0, 0, 0, 0,
	/* 72 */ 22, 0, 0, 0, 5, 0, DW_UT_type, 8, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 1, 0,
	/* 98 */ 0xff, 0xff, 0xff, 0xff, 24, 0, 0, 0, 0, 0, 0, 0, 5, 0, DW_UT_compile, 8,
	/* 114 */ 0, 0, 0, 0, 0, 0, 0, 0,
	/* 122 */ 1, DW_LANG_C11,
	/* 124 */ 2, 1, 0, 0, 0, 0, 0, 0, 0,
	/* 133 */ 0,
};

static void note(void *ctx, u64 die, const char *name)
{
	strbuf_addf(ctx, "%lu:%s ", (unsigned long)die, name);
}

/* the names in the first len bytes of a copy that ends there; "bad" follows where it is damaged */
static const char *names_in(const u8 *p, size_t len, size_t nr_strings)
{
	static char buf[512];
	u8 *copy = memcpy(malloc(len + 1), p, len);
	struct dwarf_name_sections s = { .info = { copy, len }, .abbrev = { abbrevs, sizeof(abbrevs) },
					 .str = { (const u8 *)strings, nr_strings },
					 .swap = __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ };
	struct strbuf out = STRBUF_INIT;
	struct dwarf_name_units units = { 0 };
	bool ok = dwarf_name_units(&s, &units);

	vec_foreach(&units, u)
		ok &= dwarf_names_of_unit(&s, u, note, &out);
	strbuf_addstr(&out, ok ? "" : "bad");
	snprintf(buf, sizeof(buf), "%s", strbuf_str(&out));
	strbuf_release(&out);
	vec_release(&units);
	free(copy);
	return buf;
}

TEST(dwarf_names)
{
	u8 bad[sizeof(info)];

	CHECK_STR(names_in(info, sizeof(info), sizeof(strings)),
		  "13:first 18:second 18:_Z6secondv 43:third<int> 62: 124:first ");
	/* cut anywhere but between units */
	for (size_t len = 1; len < sizeof(info); len++)
		if (len != 72 && len != 98)
			CHECK(strstr(names_in(info, len, sizeof(strings)), "bad"));
	/* strings that do not end */
	CHECK(strstr(names_in(info, sizeof(info), sizeof(strings) - 1), "bad"));
	CHECK_STR(names_in(info, 72, 1), "bad");
	/* no such abbreviation; a form that nobody knows is as good as damage */
	memcpy(bad, info, sizeof(info));
	bad[13] = 99;
	CHECK_STR(names_in(bad, 72, sizeof(strings)), "bad");
	/* DW_AT_sibling that does not lead on is not followed */
	memcpy(bad, info, sizeof(info));
	bad[50] = 13;
	CHECK_STR(names_in(bad, 72, sizeof(strings)), "13:first 18:second 18:_Z6secondv 43:third<int> 62: ");
	bad[50] = 200;
	CHECK_STR(names_in(bad, 72, sizeof(strings)), "13:first 18:second 18:_Z6secondv 43:third<int> 62: ");
}

/* the offsets that an index has for a word */
static const char *found(const struct name_index *x, const char *word)
{
	static char buf[256];
	const struct name_index_entry *at;
	u32 nr = name_index_find(x, word, &at), len = 0;

	*buf = '\0';
	for (u32 i = 0; i < nr; i++)
		len += snprintf(buf + len, sizeof(buf) - len, "%u ", at[i].die);
	return buf;
}

static void make_index(const struct name_index_key *key, struct strbuf *out)
{
	static const char *const names[] = { "f", "g", "f", "f<int>", "operator<<", "operator<< <char>",
					     "operator<", "_Z1fv", "f", "operator()<int>" };
	struct name_index_list l = { 0 };

	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		name_list_add(&l, 100 - i, names[i]);
	name_list_add(&l, 100, "f");
	CHECK(name_list_write(&l, key, out));
	vec_release(&l);
}

TEST(name_index)
{
	struct name_index_key key = { .size = 5, .mtime_sec = 7, .buildid = "abc" }, other = key;
	struct strbuf out = STRBUF_INIT;
	struct name_index x;
	u8 *copy;

	make_index(&key, &out);
	CHECK(name_index_read(&x, &key, (u8 *)out.buf, out.len));
	CHECK_STR(found(&x, "f"), "92 97 98 100 ");
	CHECK_STR(found(&x, "g"), "99 ");
	CHECK_STR(found(&x, "_Z1fv"), "93 ");
	CHECK_STR(found(&x, "operator<"), "94 95 96 ");
	CHECK_STR(found(&x, "operator<<"), "96 ");
	CHECK_STR(found(&x, "operator()"), "91 ");
	CHECK_STR(found(&x, "h"), "");
	/* the same file at another time */
	other.mtime_nsec++;
	CHECK(!name_index_read(&x, &other, (u8 *)out.buf, out.len));
	/* cut, or with one bit changed */
	for (size_t len = 0; len < out.len; len++) {
		copy = memcpy(malloc(out.len), out.buf, out.len);
		CHECK(!name_index_read(&x, &key, copy, len));
		copy[len] ^= 1 << len % 8;
		CHECK(!name_index_read(&x, &key, copy, out.len));
		free(copy);
	}
	strbuf_release(&out);
	CHECK(name_index_knows("f") && name_index_knows("operator<") && !name_index_knows("f<int>") &&
	      !name_index_knows(""));
	CHECK(name_has_word("f<int>", "f") && name_has_word("f", "f") && !name_has_word("fg", "f") &&
	      !name_has_word("f", "fg"));
}
