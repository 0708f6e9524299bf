/* Unit tests of strbuf. */
#include "test.h"
#include "../../util/base/strbuf.h"

#include <math.h>
#include <stdlib.h>

TEST(empty_is_empty_string)
{
	struct strbuf sb = STRBUF_INIT;
	char *s;

	CHECK_STR(strbuf_str(&sb), "");
	strbuf_reset(&sb);
	CHECK_INT(sb.len, 0);
	s = strbuf_detach(&sb);
	CHECK_STR(s, "");
	free(s);
	strbuf_release(&sb);
}

TEST(add_and_format)
{
	struct strbuf sb = STRBUF_INIT;
	char big[300];

	strbuf_addstr(&sb, "a");
	strbuf_addch(&sb, 'b');
	strbuf_addf(&sb, "%d-%s", 12, "x");
	strbuf_pad(&sb, '.', 3);
	CHECK_STR(strbuf_str(&sb), "ab12-x...");
	strbuf_setlen(&sb, 2);
	CHECK_STR(strbuf_str(&sb), "ab");
	memset(big, 'q', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	strbuf_reset(&sb);
	strbuf_addf(&sb, "<%s>", big);
	CHECK_INT(sb.len, sizeof(big) + 1);
	CHECK(sb.buf[0] == '<' && sb.buf[sb.len - 1] == '>');
	strbuf_release(&sb);
}

TEST(addch_grows_at_every_length)
{
	struct strbuf sb = STRBUF_INIT;

	for (int i = 0; i < 5000; i++) {
		strbuf_addch(&sb, 'a' + i % 26);
		REQUIRE(sb.len == (size_t)i + 1 && !sb.buf[sb.len]);
	}
	for (int i = 0; i < 5000; i++)
		REQUIRE(sb.buf[i] == 'a' + i % 26);
	strbuf_release(&sb);
}

TEST(numbers)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_add_u64(&sb, 0, 0);
	strbuf_addch(&sb, ' ');
	strbuf_add_u64(&sb, UINT64_MAX, 0);
	strbuf_add_u64(&sb, 42, 5);
	strbuf_addch(&sb, ' ');
	strbuf_add_hex(&sb, 0xabc, 6, '0');
	strbuf_add_hex(&sb, 0x1f, 4, ' ');
	strbuf_addch(&sb, ' ');
	strbuf_add_hex(&sb, UINT64_MAX, 3, '0');
	CHECK_STR(strbuf_str(&sb), "0 18446744073709551615   42 000abc  1f ffffffffffffffff");
	strbuf_release(&sb);
}

/* as printf has it, for halves, too, which are not exact, and for what is rounded up to more digits */
TEST(reals_are_as_printf_has_them)
{
	static const double some[] = { 0, -0.0, -1.5, 0.5, 1.5, 2.5, 0.125, 0.375, 0.0005, 0.0015, 0.005,
				       0.9995, 0.99949999, 9.9999999, 99.9995, 999.9999999, 1000, 1e9, 1e300,
				       1e-300, INFINITY, NAN, 33.333333333, 43.75, 12.5, 0.0000005, 999.5 };
	u64 seed = 1;

	for (u32 i = 0; i < 20000; i++) {
		double v = i < ARRAY_SIZE(some) ? some[i] : (seed >> 33) / (double)(1 + i % 4096) / 65536;
		u32 decimals = i < ARRAY_SIZE(some) ? 3 : i % 8;
		struct strbuf fast = STRBUF_INIT, slow = STRBUF_INIT;

		seed = seed * 6364136223846793005ull + 1442695040888963407ull;
		strbuf_add_real(&fast, v, decimals);
		strbuf_addf(&slow, "%.*f", (int)decimals, v);
		if (strcmp(strbuf_str(&fast), strbuf_str(&slow)))
			CHECK_STR(strbuf_str(&fast), strbuf_str(&slow));
		strbuf_release(&fast);
		strbuf_release(&slow);
	}
}

TEST(messages_are_sanitized)
{
	char s[] = "a\033[31m\tb\n\x7f\xc3\xa9\xc2\x9b" "2J\xc2\xa9\xc2";

	text_sanitize(s, strlen(s));
	CHECK_STR(s, "a?[31m\tb\n?\xc3\xa9??2J\xc2\xa9\xc2");
}

TEST(safe_escapes_control_characters)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_add_safe(&sb, "a\033[31m\tb\x7f\xc3\xa9\xc2\x9b");
	CHECK_STR(strbuf_str(&sb), "a\\x1b[31m\\x09b\\x7f\xc3\xa9\\xc2\\x9b");
	strbuf_reset(&sb);
	strbuf_add_safe(&sb, "\xff" "a\x9b" "b\xe2\x82\xac\xe2\x82");
	CHECK_STR(strbuf_str(&sb), "\\xffa\\x9bb\xe2\x82\xac\\xe2\\x82");
	strbuf_release(&sb);
}
