/* Packed symbols: what is written is read, and damaged bytes are refused. */
#include "test.h"

#include <string.h>
#include "../../util/obj/sympack.h"

static void put_small(struct strbuf *out)
{
	static const struct elf_segment seg = { 0x1000, 0x10, 0x20, 0x30, true };
	static const struct symbol sym[] = { { 0x10, 0x20, "_Z1fv", 'g', 2 }, { 0x18, 0x1c, "g", 'l', 2 } };
	static const struct line_call call[] = { { "_Z1gv", "g.h", 3 }, { "", NULL, 0 } };
	static const struct sympack_line line[] = { { 0x11, { "f.c", 7, 2, call } },
						    { UINT64_MAX, { NULL, 0, 0, NULL } } };
	const struct sympack_dso dso[] = {
		{ .kind = 0, .name = "/bin/x", .id = { 1, 2 }, .id_len = 2, .ino = 3, .ino_gen = 4, .maj = 5,
		  .min = 6, .pid = -1, .letter = 'f', .adjust = true, .debug_info = true, .file = "/bin/x",
		  .nr_segs = 1, .seg = &seg, .nr_syms = 2, .sym = sym, .nr_lines = 2, .line = line },
		{ .kind = 3, .name = "[kernel.kallsyms]", .reason = "hidden" },
	};

	sympack_write(out, dso, 2);
}

TEST(sympack_round_trip)
{
	struct strbuf out = STRBUF_INIT;
	struct err err = ERR_INIT;
	const struct sympack_line *l;
	struct sympack_dso *d;
	struct sympack *p;

	put_small(&out);
	p = sympack_read(out.buf, out.len, &err);
	strbuf_release(&out);
	CHECK(p);
	CHECK_INT(p->nr, 2);
	d = &p->dso[0];
	CHECK_STR(d->name, "/bin/x");
	CHECK_INT(d->id_len, 2);
	CHECK_INT(d->id[1], 2);
	CHECK_INT(d->ino + d->ino_gen + d->maj + d->min, 18);
	CHECK_INT(d->pid, -1);
	CHECK(d->adjust && d->debug_info && d->letter == 'f');
	CHECK_INT(d->seg[0].memsz, 0x30);
	CHECK_STR(d->sym[1].name, "g");
	CHECK_INT(d->sym[1].start, 0x18);
	CHECK_INT(d->sym[1].end, 0x1c);
	CHECK(!sympack_line(d, 0x12));
	CHECK(sympack_line(d, UINT64_MAX));
	l = sympack_line(d, 0x11);
	CHECK_STR(l->info.file, "f.c");
	CHECK_INT(l->info.nr_inlined, 2);
	CHECK_STR(l->info.inlined[0].name, "_Z1gv");
	CHECK_INT(l->info.inlined[0].line, 3);
	CHECK_STR(p->dso[1].reason, "hidden");
	sympack_free(p);
}

TEST(sympack_damaged)
{
	struct strbuf out = STRBUF_INIT;
	struct err err = ERR_INIT;

	put_small(&out);
	for (size_t len = 0; len < out.len; len++) {
		char *copy = xmemdup(out.buf, len + 1);
		struct sympack *p = sympack_read(copy, len, &err);

		CHECK(!p);
		CHECK_STR(err.msg, "they are damaged");
		err_clear(&err);
		free(copy);
	}
	out.buf[0] = 2;
	CHECK(!sympack_read(out.buf, out.len, &err));
	CHECK_STR(err.msg, "they are of a later version of perf pack");
	strbuf_release(&out);
}
