/* Readers of util/obj: ELF files, kallsyms, perf maps, packed data, mangled names. */
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "../../util/base/fs.h"
#include "../../util/lib/lib.h"
#include "../../util/obj/buildid.h"
#include "../../util/obj/compress.h"
#include "../../util/obj/demangle.h"
#include "../../util/obj/elf-obj.h"
#include "../../util/obj/kallsyms-binary.h"
#include "../../util/obj/module.h"
#include "../../util/obj/perfmap.h"
#include "../../util/obj/short-name.h"
#include "fake-root.h"
#include "mini-elf.h"

static const u8 id_a[20] = { 0xaa, 0xbb, 0xcc, 1, 2, 3 };

static const struct mini_sym two_syms[] = {
	{ "alpha", 0x401010, 0x20, STB_GLOBAL, STT_FUNC },
	{ "beta", 0x401030, 0x10, STB_LOCAL, STT_FUNC },
	{ "$x", 0x401010, 0, STB_LOCAL, STT_NOTYPE },
	{ "label", 0x401080, 0, STB_LOCAL, STT_NOTYPE },
	{ "file.c", 0, 0, STB_LOCAL, STT_FILE },
	{ NULL },
};

static const char *at(const struct symvec *v, u64 addr)
{
	u32 i = symvec_find(v, addr);

	return i == SYMVEC_NONE ? "-" : v->sym.v[i].name;
}

/* KB of a mapping that are in memory; -1: unknown */
static long resident_kb(const void *start)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	char line[512], want[32];
	bool found = false;
	long kb = -1;

	snprintf(want, sizeof(want), "%lx-", (unsigned long)start);
	while (f && kb < 0 && fgets(line, sizeof(line), f))
		if (!strncmp(line, want, strlen(want)))
			found = true;
		else if (found)
			sscanf(line, "Rss: %ld", &kb);
	if (f)
		fclose(f);
	return kb;
}

#define MANY_SYMS 200000u

TEST(long_tables_do_not_stay_in_memory)
{
	struct mini_sym *sym = calloc(MANY_SYMS + 1, sizeof(*sym));
	struct symvec v = { 0 };
	struct err err = ERR_INIT;
	struct elf_addr_map map;
	struct elf_obj *o;
	long kb;

	for (u32 i = 0; i < MANY_SYMS; i++)
		sym[i] = (struct mini_sym){ "f", 0x401000 + i % 4096, 1, STB_GLOBAL, STT_FUNC };
	mini_elf_write("a.out", &(struct mini_elf){ .machine = EM_X86_64, .text_svma = 0x401000,
						    .text_off = 0x2000, .sym = sym });
	o = elf_obj_open("a.out", &err);
	REQUIRE(o && o->map.len > MANY_SYMS * sizeof(Elf64_Sym));
	map = (struct elf_addr_map){ .runtime = o };
	CHECK_INT(elf_obj_symbols(o, ELF_SYMBOLS_SYMTAB, &map, &v), MANY_SYMS);
	kb = resident_kb(o->map.p);
	CHECK(kb >= 0 && kb < (long)(o->map.len / 1024 / 2));
	/* what rests is read again */
	elf_obj_rest(o);
	CHECK_INT(elf_obj_symbols(o, ELF_SYMBOLS_SYMTAB, &map, &v), MANY_SYMS);
	symvec_finish(&v, 0);
	CHECK_STR(at(&v, 0x2fff), "f");
	symvec_release(&v);
	elf_obj_free(o);
	free(sym);
}

static void check_elf(struct mini_elf e)
{
	struct elf_obj *o;
	struct symvec v = { 0 };
	struct elf_addr_map map;
	struct err err = ERR_INIT;
	u8 id[ELF_BUILDID_MAX];
	u64 svma = 0;

	e.text_svma = 0x401000;
	e.text_off = 0x2000;
	e.buildid = id_a;
	e.sym = two_syms;
	mini_elf_write("a.out", &e);
	o = elf_obj_open("a.out", &err);
	CHECK_STR(err.msg, "");
	REQUIRE(o);
	CHECK_INT(elf_obj_buildid(o, id), 20);
	CHECK_MEM(id, id_a, 20);
	CHECK(elf_obj_has_symtab(o));
	map = (struct elf_addr_map){ .runtime = o };
	CHECK_INT(elf_obj_symbols(o, ELF_SYMBOLS_SYMTAB, &map, &v), e.machine == EM_X86_64 ? 4 : 3);
	symvec_finish(&v, 0);
	CHECK_STR(at(&v, 0x2010), "alpha");
	CHECK_STR(at(&v, 0x203f), "beta");
	CHECK_STR(at(&v, 0x2040), "-");
	CHECK_STR(at(&v, 0x2080), "label");
	CHECK(elf_obj_off_to_svma(o, 0x2034, &svma));
	CHECK_U64(svma, 0x401034);
	CHECK(!elf_obj_off_to_svma(o, 0x99999, &svma));
	symvec_release(&v);
	elf_obj_free(o);
}

TEST(elf64)
{
	check_elf((struct mini_elf){ .machine = EM_X86_64 });
}

TEST(elf64_big_endian)
{
	check_elf((struct mini_elf){ .machine = EM_AARCH64, .big_endian = true });
}

TEST(elf32_both_byte_orders)
{
	check_elf((struct mini_elf){ .machine = EM_ARM, .is32 = true });
	check_elf((struct mini_elf){ .machine = EM_ARM, .is32 = true, .big_endian = true });
}

/* nested, overlapping, without a size, several names of an address, gaps */
static const struct mini_sym many_syms[] = {
	{ "outer", 0x401010, 0x80, STB_GLOBAL, STT_FUNC },
	{ "inner", 0x401020, 0x10, STB_LOCAL, STT_FUNC },
	{ "inner_alias", 0x401020, 0x20, STB_GLOBAL, STT_FUNC },
	{ "zero", 0x401050, 0, STB_LOCAL, STT_NOTYPE },
	{ "zero_alias", 0x401060, 0, STB_GLOBAL, STT_FUNC },
	{ "sized_alias", 0x401060, 4, STB_LOCAL, STT_FUNC },
	{ "across", 0x401080, 0x40, STB_GLOBAL, STT_FUNC },
	{ "after_a_gap", 0x401100, 0x10, STB_WEAK, STT_FUNC },
	{ "last", 0x401180, 0, STB_GLOBAL, STT_FUNC },
	{ NULL },
};

static void check_next(void *ctx, const struct symbol *s)
{
	const struct mini_sym **want = ctx;

	CHECK_STR(s->name, (*want)->name);
	CHECK_U64(s->start, (*want)->value);
	CHECK_U64(s->end, (*want)->value + (*want)->size);
	CHECK_INT(s->type, (*want)->type);
	++*want;
}

TEST(symbols_in_the_order_of_the_table)
{
	struct mini_elf e = { .text_svma = 0x401000, .text_off = 0x2000, .sym = many_syms };
	const struct mini_sym *want = many_syms;
	struct elf_addr_map map = { 0 };
	struct elf_obj *o;

	for (int big = 0; big < 2; big++, want = many_syms) {
		e.big_endian = big;
		mini_elf_write("a.out", &e);
		o = elf_obj_open("a.out", NULL);
		REQUIRE(o);
		elf_obj_each_symbol(o, ELF_SYMBOLS_SYMTAB, &map, check_next, &want);
		CHECK_INT(want - many_syms, ARRAY_SIZE(many_syms) - 1);
		elf_obj_free(o);
	}
}

TEST(symbols_at_one_address)
{
	struct mini_elf e = { .text_svma = 0x401000, .text_off = 0x2000, .sym = many_syms };
	struct elf_addr_map map = { 0 };
	struct symvec all = { 0 };
	struct elf_obj *o;

	mini_elf_write("a.out", &e);
	o = elf_obj_open("a.out", NULL);
	REQUIRE(o);
	CHECK_INT(elf_obj_symbols(o, ELF_SYMBOLS_SYMTAB, &map, &all), 9);
	symvec_finish(&all, 0);
	for (u64 addr = 0x401000; addr < 0x401200; addr++) {
		struct symvec v = { 0 };

		CHECK_INT(elf_obj_symbols_at(o, ELF_SYMBOLS_SYMTAB, &map, addr, &v) > 0, addr >= 0x401010);
		symvec_finish(&v, 0);
		CHECK_STR(at(&v, addr), at(&all, addr));
		symvec_release(&v);
	}
	symvec_release(&all);
	elf_obj_free(o);
}

TEST(elf_refuses_other_files)
{
	struct err err = ERR_INIT;

	fake_file("/text", "hello");
	CHECK(!elf_obj_open("root/text", &err));
	CHECK_STR(err.msg, "root/text: not an ELF file");
	CHECK(!elf_obj_open("root", &err));
	CHECK_STR(err.msg, "root: not a regular file");
	CHECK(!elf_obj_open("missing", &err));
	CHECK_STR(err.msg, "missing: No such file or directory");
	fake_file("/empty", "");
	CHECK(!elf_obj_open("root/empty", NULL));
}

TEST(debuglink)
{
	struct mini_elf e = { .text_svma = 0x1000, .text_off = 0x1000, .debuglink = "a.debug",
			      .crc = 0x12345678 };
	struct elf_obj *o;
	u32 crc = 0;

	mini_elf_write("a.out", &e);
	o = elf_obj_open("a.out", NULL);
	REQUIRE(o);
	CHECK_STR(elf_obj_debuglink(o, &crc), "a.debug");
	CHECK_U64(crc, 0x12345678);
	elf_obj_free(o);
}

TEST(module_symbols_at_run_time)
{
	static const struct mini_sym syms[] = { { "probe", 0x10, 0x20, STB_LOCAL, STT_FUNC }, { NULL } };
	struct mini_elf e = { .type = ET_REL, .text_svma = 0, .text_off = 0x1000, .sym = syms };
	struct symvec v = { 0 };
	struct elf_obj *o;

	mini_elf_write("m.ko", &e);
	o = module_open("m.ko", NULL);
	REQUIRE(o);
	CHECK_INT(module_symbols(o, 0xffffffffc0000000, 0xffffffffc0002000, &v), 1);
	symvec_finish(&v, 0);
	CHECK_STR(at(&v, 0xffffffffc0000015), "probe");
	symvec_release(&v);
	elf_obj_free(o);
}

TEST(packed_module)
{
	struct mini_elf e = { .type = ET_REL, .text_off = 0x1000 };
	struct elf_obj *o;
	char buf[65536];
	size_t len;
	gzFile gz;
	FILE *f;

	mini_elf_write("m.ko", &e);
	f = fopen("m.ko", "r");
	len = fread(buf, 1, sizeof(buf), f);
	fclose(f);
	REQUIRE(!lib_load(LIB_zlib, NULL));
	gz = gzopen("m.ko.gz", "w");
	gzwrite(gz, buf, len);
	gzclose(gz);
	o = module_open("m.ko.gz", NULL);
	CHECK(o && o->ehdr.e_type == ET_REL);
	elf_obj_free(o);
}

TEST(unpacking_is_bounded)
{
	u8 in[512] = { 0 }, *zeros = calloc(1, 100000), *out = NULL;
	uLongf len = sizeof(in);
	struct err err = ERR_INIT;
	size_t out_len;

	REQUIRE(!lib_load(LIB_zlib, NULL));
	REQUIRE(compress(in, &len, zeros, 100000) == Z_OK);
	CHECK_INT(compress_unpack(COMPRESS_GZ, in, len, 99999, &out, &out_len, &err), -EFBIG);
	CHECK_INT(compress_unpack(COMPRESS_GZ, in, len, 200000, &out, &out_len, &err), 0);
	CHECK_U64(out_len, 100000);
	free(out);
	CHECK_INT(compress_unpack(COMPRESS_GZ, in, len / 2, 200000, &out, &out_len, &err), -EBADMSG);
	free(zeros);
}

static const char kallsyms_text[] =
	"0000000000000000 A fixed_percpu_data\n"
	"ffffffff81000000 T _stext\n"
	"ffffffff81000000 T _text\n"
	"ffffffff81000100 t do_one\n"
	"ffffffff81000200 W weak_one\n"
	"ffffffff82000000 R constant\n"
	"garbage\n"
	"ffffffffc0100000 t ext4_open\t[ext4]\n"
	"ffffffffc0100080 t ext4_close\t[ext4]\n"
	"ffffffffc0200000 t bpf_prog_1234_x\t[bpf]\n"
	"ffffffffc0300000 t ext4_late\t[ext4]";

TEST(kallsyms_by_module)
{
	struct strbuf text = STRBUF_INIT;
	struct kallsyms *k;
	struct symvec v = { 0 };

	strbuf_addstr(&text, kallsyms_text);
	k = kallsyms_parse(&text);
	CHECK_U64(kallsyms_address(k, "_text"), 0xffffffff81000000);
	CHECK_U64(kallsyms_address(k, "ext4_open"), 0);
	CHECK_INT(kallsyms_symbols(k, "", 0, 0, 0x1000, &v), 4);
	symvec_finish(&v, 0);
	CHECK_STR(at(&v, 0xffffffff81001000), "_text");
	CHECK_STR(at(&v, 0xffffffff810011ff), "do_one");
	CHECK_INT(v.sym.v[2].binding, 'w');
	symvec_release(&v);

	v = (struct symvec){ 0 };
	CHECK_INT(kallsyms_symbols(k, "ext4", 0xffffffffc0100000, 0xffffffffc0200000, 0, &v), 2);
	symvec_finish(&v, 0xffffffffc0101000);
	CHECK_STR(at(&v, 0xffffffffc0100fff), "ext4_close");
	CHECK_STR(at(&v, 0xffffffffc0101000), "-");
	symvec_release(&v);
	kallsyms_free(k);
}

static bool is_bpf(const struct kallsyms_block *b)
{
	return b->module_len == 3 && !memcmp(b->module, "bpf", 3);
}

TEST(kallsyms_as_bytes)
{
	struct strbuf text = STRBUF_INIT, bytes = STRBUF_INIT;
	struct kallsyms *k, *again;
	struct symvec v = { 0 };

	strbuf_addstr(&text, kallsyms_text);
	k = kallsyms_parse(&text);
	kallsyms_write_binary(k, is_bpf, &bytes);
	again = kallsyms_read_binary((u8 *)bytes.buf, bytes.len);
	CHECK(again && !again->all_zero);
	CHECK_INT(again->nr, k->nr - 1);
	CHECK_U64(kallsyms_address(again, "_text"), 0xffffffff81000000);
	CHECK_INT(kallsyms_symbols(again, "bpf", 0, 0, 0, &v), 0);
	CHECK_INT(kallsyms_symbols(again, "ext4", 0, 0, 0, &v), 3);
	symvec_finish(&v, 0);
	CHECK_STR(at(&v, 0xffffffffc0300000), "ext4_late");
	symvec_release(&v);
	kallsyms_free(again);
	kallsyms_free(k);

	/* cut; a length that does not add up; a name without an end; a block of lines that are not there */
	CHECK(!kallsyms_read_binary((u8 *)bytes.buf, bytes.len - 1));
	CHECK(!kallsyms_read_binary((u8 *)bytes.buf, 16));
	bytes.buf[bytes.len - 1] = 'x';
	CHECK(!kallsyms_read_binary((u8 *)bytes.buf, bytes.len));
	bytes.buf[bytes.len - 1] = 0;
	bytes.buf[24 + 9 * 16 + 2 * 16 + 12]++;		/* of the last block */
	CHECK(kallsyms_read_binary((u8 *)bytes.buf, bytes.len) == NULL);
	strbuf_release(&bytes);
}

TEST(kallsyms_hidden_addresses)
{
	struct kallsyms *k = NULL;
	struct err err = ERR_INIT;

	fake_file("/proc/kallsyms", "0000000000000000 T _stext\n0000000000000000 t do_one\n");
	fake_file("/proc/sys/kernel/kptr_restrict", "2\n");
	CHECK_INT(kallsyms_read_live(&k, &err), -EACCES);
	CHECK(strstr(err.msg, "kptr_restrict is 2"));
	fake_file("/proc/sys/kernel/kptr_restrict", "1\n");
	CHECK_INT(kallsyms_read_live(&k, &err), -EACCES);
	CHECK(strstr(err.msg, "run as root"));
	CHECK_INT(kallsyms_read_file(&k, "root/proc/kallsyms", &err), -EACCES);
	CHECK_INT(kallsyms_read_file(&k, "root/none", &err), -ENOENT);
}

TEST(perfmap_lines)
{
	static const char text[] = "7f0000001000 40 LazyCompile:~foo bar.js:1\n"
				   "zzz\n0x7f0000002000 0x10 hex\n7f0000004000 10 \n7f0000004100 10\n"
				   "ffffffffffffffff 10 wraps\n10000000000000000 10 too long\n"
				   "7f0000005000\t20\ttabs and blanks \t\r\n"
				   "  0x00000000000000007F0000006000  0X00000000000000000A  zeros\n"
				   "7f0000007000 0 no size\n7f0000008000 0 nor this\n7f0000008040 8 last\n"
				   "7f0000001000 50 newer";
	struct symvec v = { 0 };

	CHECK_INT(perfmap_parse(text, strlen(text), &v), 8);
	symvec_finish(&v, 0);
	CHECK_STR(at(&v, 0x7f0000001000), "newer");
	CHECK_STR(at(&v, 0x7f000000104f), "newer");
	CHECK_STR(at(&v, 0x7f0000002000), "hex");
	CHECK_STR(at(&v, 0x7f000000501f), "tabs and blanks");
	CHECK_STR(at(&v, 0x7f0000006009), "zeros");
	CHECK_STR(at(&v, 0x7f000000600a), "-");
	CHECK_STR(at(&v, 0x7f0000007fff), "no size");
	CHECK_STR(at(&v, 0x7f000000803f), "nor this");
	CHECK_STR(at(&v, 0x7f0000008040), "last");
	symvec_release(&v);
}

TEST(buildid_text_and_padding)
{
	static const u8 padded[20] = { 1, 2, 3 }, other[20] = { 1, 2, 3, 4 };
	struct strbuf out = STRBUF_INIT;

	CHECK_STR(buildid_path(&out, "/d", padded, 3, "/elf"), "/d/.build-id/01/0203/elf");
	CHECK(buildid_equal(padded, 3, padded, 20));
	CHECK(!buildid_equal(padded, 3, other, 20));
	CHECK(!buildid_equal(padded, 0, padded, 0));
	strbuf_release(&out);
}

static void check_demangled(const char *in, const char *want)
{
	struct strbuf out = STRBUF_INIT;

	strbuf_addstr(&out, "x");
	CHECK_INT(demangle(in, &out), want != NULL);
	CHECK_STR(strbuf_str(&out) + 1, want ? want : "");
	strbuf_release(&out);
}

TEST(demangle_java_signatures)
{
	check_demangled("Ljava/lang/String;.hashCode()I", "java.lang.String.hashCode()");
	check_demangled("Lfoo/Bar$In;baz(ILjava/util/List;[J)V",
			"foo.Bar$In.baz(int, java.util.List, long[])");
	check_demangled("LFoo;::<init>([[LBar;ZBCSFD)V",
			"Foo::<init>(Bar[][], boolean, byte, char, short, float, double)");
	check_demangled("LFoo;.bar", NULL);
	check_demangled("LFoo;.bar(I", NULL);
	check_demangled("LFoo;.bar(I)", NULL);
	check_demangled("LFoo;.bar(Q)V", NULL);
	check_demangled("LFoo;.bar([)V", NULL);
	check_demangled("LFoo;.bar(LBaz)V", NULL);
	check_demangled("L;.bar()V", NULL);
	check_demangled("LFoo;()V", NULL);
	check_demangled("Lock(int);V", NULL);
}

TEST(demangle_ocaml_names)
{
	check_demangled("camlStdlib__List__map_345", "Stdlib.List.map_345");
	check_demangled("camlFoo__$3e$zz_1", "Foo.>$zz_1");
	check_demangled("camlFoo___x$1b_$2", "Foo._x$1b_$2");	/* no character that controls a terminal */
	check_demangled("caml_main", NULL);
	check_demangled("camlfoo__bar", NULL);
	check_demangled("calloc", NULL);
}

#ifdef HAVE_LIBIBERTY
TEST(demangle_languages)
{
	static const struct { const char *in, *want; } t[] = {
		{ "_ZN3foo3barEi", "foo::bar(int)" },
		{ "_ZN3foo3barEi@@LIB_1.0", "foo::bar(int)@@LIB_1.0" },
		{ "_Znwm@plt", "operator new(unsigned long)@plt" },
		{ "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt" },
		{ "_RNvCs1234_7mycrate3foo", "mycrate::foo" },
		{ "_D3foo3barFZv", "foo.bar()" },
		{ "main", NULL }, { "_start", NULL }, { "_Z", NULL }, { "_R", NULL }, { "_D", NULL },
		{ "_", NULL }, { "", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct strbuf out = STRBUF_INIT;
		bool done = demangle(t[i].in, &out);

		CHECK_INT(done, t[i].want != NULL);
		CHECK_STR(strbuf_str(&out), t[i].want ? t[i].want : "");
		strbuf_release(&out);
	}
}

TEST(demangle_hostile_names)
{
	static const char *const units[] = { "_ZN", "P", "N1aE", "_DTAP", "_RNvNvNv", "S_", "I", "_ZL", "T_",
					     "_D1a" };

	for (size_t u = 0; u < ARRAY_SIZE(units); u++) {
		struct strbuf name = STRBUF_INIT, out = STRBUF_INIT;

		for (int lead = 0; lead < 4; lead++) {
			static const char *const leads[] = { "_Z", "_R", "_D", "_ZN1aI" };

			strbuf_reset(&name);
			strbuf_reset(&out);
			strbuf_addstr(&name, leads[lead]);
			while (name.len < 16000)
				strbuf_addstr(&name, units[u]);
			demangle(strbuf_str(&name), &out);
			CHECK(out.len <= 70000);
		}
		strbuf_release(&name);
		strbuf_release(&out);
	}
}
#endif

static void check_short(const char *in, const char *want)
{
	struct strbuf out = STRBUF_INIT;

	short_name(in, &out);
	CHECK_STR(strbuf_str(&out), want);
	strbuf_release(&out);
}

TEST(short_names_without_scopes)
{
	static const char sort[] = "std::sort<...>(...)";

	CHECK(short_name_is(sort, "sort"));
	CHECK(short_name_is(sort, "std::sort"));
	CHECK(short_name_is(sort, sort));
	CHECK(!short_name_is(sort, "std"));
	CHECK(!short_name_is(sort, "sor"));
	CHECK(!short_name_is(sort, "sorts"));
	CHECK(!short_name_is(sort, ""));
	CHECK(short_name_is("a::vec<...>::push(...) const", "push"));
	CHECK(short_name_is("a::vec<...>::push(...) const", "vec::push"));
	CHECK(!short_name_is("a::vec<...>::push(...) const", "vec"));
	CHECK(short_name_is("text[abi:cxx11](...)", "text"));
	CHECK(short_name_is("f::operator()(...)", "operator()"));
}

TEST(short_names)
{
	check_short("void std::sort<int*, std::less<int> >(int*, int*, std::less<int>)",
		    "std::sort<...>(...)");
	check_short("main", "main");
	check_short("f()", "f()");
	check_short("unsigned long ns::f<(ns::E)1>(int) const [clone .isra.0]",
		    "ns::f<...>(...) const [clone .isra.0]");
	check_short("a::b<(4>3), c>::d(int)", "a::b<...>::d(...)");
	check_short("a::b<(4<3)>::d(int)", "a::b<...>::d(...)");
	check_short("bool ns::operator<(A<int> const&, int)", "ns::operator<(...)");
	check_short("std::ostream& operator<< <char>(std::ostream&, char)", "operator<< <...>(...)");
	check_short("A::operator()<int, B<int> >(int) const", "A::operator()<...>(...) const");
	check_short("A<int>::operator()(int) const", "A<...>::operator()(...) const");
	check_short("A::operator B<int>() const", "A::operator B<...>() const");
	check_short("operator new(unsigned long)", "operator new(...)");
	check_short("A<int>::operator->() const", "A<...>::operator->() const");
	check_short("(anonymous namespace)::f<int>(char)", "(anonymous namespace)::f<...>(...)");
	check_short("int (anonymous namespace)::f<int>(char)", "(anonymous namespace)::f<...>(...)");
	check_short("main::{lambda(int)#1}::operator()(int) const",
		    "main::{lambda(...)#1}::operator()(...) const");
	check_short("non-virtual thunk to A<int>::f(int)", "non-virtual thunk to A<...>::f(...)");
	check_short("guard variable for f(int)::x", "guard variable for f(...)::x");
	check_short("vtable for A<int>", "vtable for A<...>");
	check_short("<alloc::vec::Vec<T,A> as core::ops::Drop>::drop",
		    "<alloc::vec::Vec<...> as core::ops::Drop>::drop");
	check_short("core::iter::map::<u32, fn(u8) -> u16>::{closure#0}",
		    "core::iter::map::<...>::{closure#0}");
	check_short("foo(int, std::vector<int>)@@VERS_1", "foo(...)@@VERS_1");
}

/* as JIT compilers write them */
TEST(short_names_that_were_not_mangled)
{
	static const char *const fit[] = {
		"int java.util.Map::get(java.lang.Object, int)", "void java.lang.Object::<init>(int)",
		"std::map<int, int>::f(int)", "f(int)", "<T as X>::f", "core::f::<u8>",
		"(anonymous namespace)::f(int)", "int (anonymous namespace)::f<int>(char)",
		"void [System.Core] A.B`1[C]::F(class D)[Tier1]",
	};
	static const char *const other[] = {
		"LazyCompile:~<anonymous> node:fs:30", "JS:*f /a(1)/b.js:2", "py::<module>:x.py",
		"py::A.<locals>.<lambda>:/x.py", "<anonymous> x.js:1", "Function:<anonymous>",
		"Stub: a (b)", "main", "a<b", "",
	};

	for (size_t i = 0; i < ARRAY_SIZE(fit); i++)
		CHECK(short_name_fits(fit[i]));
	for (size_t i = 0; i < ARRAY_SIZE(other); i++)
		CHECK(!short_name_fits(other[i]));
	check_short("void java.lang.Object::<init>(int)", "java.lang.Object::<init>(...)");
	check_short("int java.util.Map::get(java.lang.Object, int)", "java.util.Map::get(...)");
	check_short("void [System.Core] A.B`1[C]::F(class D)[Tier1]", "A.B`1[C]::F(...)[Tier1]");
}

TEST(short_names_of_brackets_that_do_not_match)
{
	static const char *const bad[] = {
		"a<b", "a>b", "f(int", "f)int(", "a<(b>c", "x<]>", "}{", "<", ">", "",
	};
	char deep[300];

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		check_short(bad[i], bad[i]);
	for (size_t i = 0; i < sizeof(deep) - 1; i++)
		deep[i] = i % 2 ? '<' : 'a';
	deep[sizeof(deep) - 1] = '\0';
	check_short(deep, deep);
}

static void check_module(const char *want, const char *dep, const char *name)
{
	char *path = module_path(dep, "/lib/modules/6", name);

	CHECK_STR(path ? path : "none", want);
	free(path);
}

TEST(module_paths)
{
	const char *dep = "kernel/fs/ext4/ext4.ko.xz: kernel/lib/crc16.ko.xz\n"
			  "kernel/snd-hda-intel.ko:\n/opt/own.ko: kernel/a.ko\nplain.ko:\n"
			  "no-colon.ko\n:\n/:\next.o: x\n.ko: y\nkernel/cut";

	check_module("/lib/modules/6/kernel/fs/ext4/ext4.ko.xz", dep, "ext4");
	check_module("/lib/modules/6/kernel/snd-hda-intel.ko", dep, "snd_hda_intel");
	check_module("/opt/own.ko", dep, "own");
	check_module("/lib/modules/6/plain.ko", dep, "plain");
	/* what it depends on, a part of a name, and lines that depmod does not write */
	check_module("none", dep, "crc16");
	check_module("none", dep, "ext");
	check_module("none", dep, "hda_intel");
	check_module("none", dep, "no_colon");
	check_module("none", dep, "cut");
	check_module("none", "", "ext4");
	check_module("none", "\n\n", "ext4");
}
