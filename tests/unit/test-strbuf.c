/* Unit tests of strbuf. */
#include "test.h"
#include "../../util/base/strbuf.h"

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
	strbuf_release(&sb);
}
