/* Tests of insn-texts: what was kept comes back, and nothing else does. */
#include "test.h"
#include "../../util/script/insn-texts.h"

#include <stdio.h>
#include <string.h>

TEST(kept)
{
	struct insn_texts *t = insn_texts_new();
	struct strbuf out = STRBUF_INIT;

	CHECK(!insn_texts_put(t, 0, 0, INSN_TEXT_BYTES, &out));
	insn_texts_keep(t, 3, 0x1000, INSN_TEXT_BYTES, " insn: c3", 9);
	strbuf_addstr(&out, "f+0x1");
	CHECK(insn_texts_put(t, 3, 0x1000, INSN_TEXT_BYTES, &out));
	CHECK_STR(strbuf_str(&out), "f+0x1 insn: c3");
	CHECK(!insn_texts_put(t, 3, 0x1000, INSN_TEXT_DISASM, &out));
	CHECK(!insn_texts_put(t, 2, 0x1000, INSN_TEXT_BYTES, &out));
	CHECK(!insn_texts_put(t, 3, 0x1001, INSN_TEXT_BYTES, &out));
	CHECK_STR(strbuf_str(&out), "f+0x1 insn: c3");
	strbuf_release(&out);
	insn_texts_free(t);
}

TEST(long_texts)
{
	struct insn_texts *t = insn_texts_new();
	struct strbuf out = STRBUF_INIT;
	char text[300];

	memset(text, 'x', sizeof(text));
	for (u32 len = 0; len < sizeof(text); len++) {
		strbuf_reset(&out);
		insn_texts_keep(t, 0, len, INSN_TEXT_DISASM, text, len);
		if (insn_texts_put(t, 0, len, INSN_TEXT_DISASM, &out))
			CHECK_INT(out.len, len);
		else
			CHECK(len > 45);	/* 15 bytes of an instruction are kept in any case */
	}
	strbuf_release(&out);
	insn_texts_free(t);
}

/* more addresses than there is room for: a text is that of its address, or is not there */
TEST(many)
{
	struct insn_texts *t = insn_texts_new();
	struct strbuf out = STRBUF_INIT;
	char text[32];
	u32 found = 0;

	for (u32 i = 0; i < 100000; i++) {
		int len = snprintf(text, sizeof(text), "%u", i);

		insn_texts_keep(t, i % 7, i, INSN_TEXT_BYTES, text, len);
	}
	for (u32 i = 0; i < 100000; i++) {
		strbuf_reset(&out);
		if (!insn_texts_put(t, i % 7, i, INSN_TEXT_BYTES, &out))
			continue;
		snprintf(text, sizeof(text), "%u", i);
		CHECK_STR(strbuf_str(&out), text);
		found++;
	}
	CHECK(found > 1000);
	strbuf_release(&out);
	insn_texts_free(t);
}
