/* Jitdump files: records, damage, and the ELF files that are made of functions. */
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../../util/base/fs.h"
#include "../../util/data/features-write.h"
#include "../../util/obj/dwarf-lines.h"
#include "../../util/obj/elf-obj.h"
#include "../../util/obj/jit-elf.h"

#define MAGIC 0x4a695444

enum { LOAD, MOVE, DEBUG, CLOSE, UNWIND };

static void put_record(struct strbuf *out, u32 type, u32 size, u64 time)
{
	put_u32(out, type);
	put_u32(out, 16 + size);
	put_u64(out, time);
}

static void put_load(struct strbuf *out, u64 addr, const char *name, const char *code)
{
	put_record(out, LOAD, 40 + strlen(name) + 1 + strlen(code), 5);
	put_u32(out, 7);
	put_u32(out, 8);
	put_u64(out, addr);
	put_u64(out, addr);
	put_u64(out, strlen(code));
	put_u64(out, 3);
	strbuf_add(out, name, strlen(name) + 1);
	strbuf_addstr(out, code);
}

static void put_line(struct strbuf *out, u64 addr, u32 line, const char *file)
{
	put_u64(out, addr);
	put_u32(out, line);
	put_u32(out, 0);
	strbuf_add(out, file, strlen(file) + 1);
}

/* lines in the wrong order, in two files; one is outside; unwind information of 12 bytes */
static void put_dump(struct strbuf *out)
{
	put_u32(out, MAGIC);
	put_u32(out, 1);
	put_u32(out, 40);
	put_u32(out, 62);
	put_u32(out, 0);
	put_u32(out, 7);
	put_u64(out, 1);
	put_u64(out, 0);
	put_record(out, DEBUG, 16 + 16 * 4 + 3 + 3 + 2 + 2, 5);
	put_u64(out, 0x1000);
	put_u64(out, 4);
	put_line(out, 0x1004, 30, "/b");
	put_line(out, 0x1000, 10, "/a");
	put_line(out, 0x1002, 9, "\xff");
	put_line(out, 0x2000, 1, "c");
	put_record(out, UNWIND, 24 + 12, 5);
	put_u64(out, 12);
	put_u64(out, 4);
	put_u64(out, 12);
	strbuf_addstr(out, "ffffffffhhhh");
	put_load(out, 0x1000, "function", "abcdef");
	put_record(out, MOVE, 48, 6);
	put_u32(out, 7);
	put_u32(out, 8);
	put_u64(out, 0);
	put_u64(out, 0x1000);
	put_u64(out, 0x3000);
	put_u64(out, 6);
	put_u64(out, 3);
	put_record(out, CLOSE, 0, 7);
	put_load(out, 0x5000, "after", "x");
}

TEST(reads_records)
{
	struct strbuf sb = STRBUF_INIT;
	struct jit_line_iter it;
	struct jit_entry e;
	struct jitdump d;
	struct jit_line l;

	put_dump(&sb);
	REQUIRE(!jitdump_of_bytes(&d, sb.buf, sb.len, "x", NULL));
	CHECK_U64(d.e_machine, 62);
	REQUIRE(jitdump_next(&d, &e));
	CHECK_INT(e.kind, JIT_LOAD);
	CHECK_STR(e.name, "function");
	CHECK_U64(e.time, 5);
	CHECK_MEM(sb.buf + e.code_off, "abcdef", 6);
	CHECK_U64(e.eh_frame_hdr_len, 4);
	it = jit_lines(&d, &e);
	CHECK(jit_line_next(&it, &l) && l.line == 30);
	CHECK(jit_line_next(&it, &l) && l.line == 10);
	CHECK(jit_line_next(&it, &l));
	CHECK_STR(l.file, "/a");
	CHECK(jit_line_next(&it, &l));
	CHECK(!jit_line_next(&it, &l));
	REQUIRE(jitdump_next(&d, &e));
	CHECK_INT(e.kind, JIT_MOVE);
	CHECK_U64(e.old_addr, 0x1000);
	CHECK_U64(e.addr, 0x3000);
	CHECK(!jitdump_next(&d, &e));
	CHECK(!d.damaged);
	strbuf_release(&sb);
}

TEST(stops_at_damage)
{
	struct strbuf sb = STRBUF_INIT;
	struct jit_entry e;
	struct jitdump d;

	put_dump(&sb);
	for (size_t len = 0; len < sb.len; len++) {
		u8 *copy = memcpy(malloc(len + 1), sb.buf, len);

		if (len < 40)
			CHECK(jitdump_of_bytes(&d, copy, len, "x", NULL));
		else if (!jitdump_of_bytes(&d, copy, len, "x", NULL))
			while (jitdump_next(&d, &e))
				CHECK(e.kind == JIT_MOVE || e.code + e.len <= copy + len);
		free(copy);
	}
	strbuf_release(&sb);
}

TEST(knows_names)
{
	CHECK(jitdump_is_name("/tmp/jit-12.dump"));
	CHECK(jitdump_is_name("jit-1.dump"));
	CHECK(!jitdump_is_name("/tmp/jit-.dump"));
	CHECK(!jitdump_is_name("/tmp/jit-12.dump2"));
	CHECK(!jitdump_is_name("/tmp/jit-12x.dump"));
	CHECK(!jitdump_is_name("/jit-12.dump/x"));
}

static void check_line(struct dwarf_lines *w, u64 addr, const char *file, u32 line)
{
	struct arena a = { 0 };
	struct line_info info;

	REQUIRE(dwarf_lines_find(w, addr, true, &a, &info));
	CHECK_STR(info.file, file);
	CHECK_U64(info.line, line);
	arena_release(&a);
}

TEST(makes_elf_files)
{
	struct strbuf sb = STRBUF_INIT, elf = STRBUF_INIT;
	u8 id[JIT_ELF_ID_LEN], read[ELF_BUILDID_MAX];
	struct dwarf_lines *w;
	struct elf_obj *o;
	struct jit_entry e;
	struct jitdump d;
	GElf_Shdr sh;
	FILE *f;
	u64 v;

	put_dump(&sb);
	REQUIRE(!jitdump_of_bytes(&d, sb.buf, sb.len, "x", NULL) && jitdump_next(&d, &e));
	jit_elf_build(&elf, &d, &e, id);
	f = fopen("jit.so", "w");
	REQUIRE(f && fwrite(elf.buf, 1, elf.len, f) == elf.len && !fclose(f));
	o = elf_obj_open("jit.so", NULL);
	if (!o)
		SKIP("no libelf");
	CHECK_INT(elf_obj_buildid(o, read), JIT_ELF_ID_LEN);
	CHECK_MEM(read, id, JIT_ELF_ID_LEN);
	CHECK(elf_obj_symbol_value(o, "function", &v) && v == JIT_ELF_TEXT);
	CHECK_MEM(elf.buf + JIT_ELF_TEXT, "abcdef", 6);
	CHECK(elf_obj_section(o, ".eh_frame", &sh));
	CHECK_U64(sh.sh_addr, JIT_ELF_TEXT + 8);
	CHECK(elf_obj_section(o, ".eh_frame_hdr", &sh));
	CHECK_U64(sh.sh_addr, JIT_ELF_TEXT + 16);
	CHECK_U64(jit_elf_mapped(&e), 8 + 12);
	elf_obj_free(o);
	w = dwarf_lines_open("jit.so", NULL, true);
	if (!w)
		SKIP("no libdw");
	check_line(w, JIT_ELF_TEXT, "/a", 10);
	check_line(w, JIT_ELF_TEXT + 3, "/a", 9);
	check_line(w, JIT_ELF_TEXT + 5, "/b", 30);
	dwarf_lines_free(w);
	strbuf_release(&elf);
	strbuf_release(&sb);
}
