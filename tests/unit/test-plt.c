/*
 * Entries of procedure linkage tables whose code is not that of the machine that runs the test: bytes as GNU
 * ld writes them, in the shapes that a compiler does not always make (t0522 of cli has whole programs).
 */
#include "test.h"

#include <elf.h>
#include "../../arch/arch.h"
#include "../../util/base/strbuf.h"
#include "../../util/obj/elf-obj.h"
#include "bytes.h"
#include "mini-elf.h"

/* what was found, as text: "1000+16->20010 " */
static void note(void *ctx, u64 svma, u64 size, u64 got)
{
	strbuf_addf(ctx, "%lx+%lu->%lx ", svma, size, got);
}

/* code: words, as the disassembler shows them */
static const char *stubs(const struct arch_abi *m, const u32 *code, size_t nr, bool big_endian, u64 got)
{
	static struct strbuf out;
	static u32 bytes[64];

	REQUIRE(m && m->stub_walk && nr <= ARRAY_SIZE(bytes));
	strbuf_reset(&out);
	for (size_t i = 0; i < nr; i++)
		bytes[i] = big_endian == HOST_IS_BE ? code[i] : __builtin_bswap32(code[i]);
	m->stub_walk(&(struct arch_plt_code){ .p = (const u8 *)bytes, .size = nr * 4, .svma = 0x1000,
					      .big_endian = big_endian, .got = got }, note, &out);
	return strbuf_str(&out);
}

#define BOTH_ORDERS(machine, is64, code, got, want) \
	do { \
		CHECK_STR(stubs(arch_abi_of_file(machine, is64), code, ARRAY_SIZE(code), false, got), want); \
		CHECK_STR(stubs(arch_abi_of_file(machine, is64), code, ARRAY_SIZE(code), true, got), want); \
	} while (0)

TEST(stubs_of_64_bit_powerpc)
{
	static const u32 near[] = { 0xf8410018, 0xe9828118, 0x7d8903a6, 0x4e800420 };
	static const u32 far[] = { 0x60000000, 0xf8410018, 0x3d82ffff, 0xe98c0010, 0x7d8903a6, 0x4e800420 };
	static const u32 no_save[] = { 0x3d62ffff, 0xe98b0010, 0x7d8903a6, 0xe84b0018, 0x4e800420 };
	static const u32 descriptor[] = { 0xf8410028, 0xe9828130, 0x7d8903a6, 0xe8428138, 0x28220000,
					  0x4ce20420, 0x48000100 };
	static const u32 pc_relative[] = { 0x60000000, 0x04100001, 0xe580fc90, 0x7d8903a6, 0x4e800420 };
	static const u32 backward[] = { 0x0413ffff, 0xe580fff0, 0x7d8903a6, 0x4e800420 };
	static const u32 other[] = { 0xe9828118, 0x7d8903a6, 0x60000000, 0x4e800020, 0xe98b0010, 0x7d8903a6,
				     0x4e800420, 0xe9828118, 0x7d8903a6 };

	BOTH_ORDERS(EM_PPC64, true, near, 0x1ff00, "1000+16->20018 ");
	BOTH_ORDERS(EM_PPC64, true, far, 0x1ff00, "1004+20->17f10 ");
	BOTH_ORDERS(EM_PPC64, true, no_save, 0x1ff00, "1000+20->17f10 ");
	BOTH_ORDERS(EM_PPC64, true, descriptor, 0x1ff00, "1000+24->20030 ");
	BOTH_ORDERS(EM_PPC64, true, pc_relative, 0, "1004+16->20c94 ");
	BOTH_ORDERS(EM_PPC64, true, backward, 0, "1000+16->ff0 ");
	BOTH_ORDERS(EM_PPC64, true, near, 0, "");	/* no .got: r2 is not known */
	BOTH_ORDERS(EM_PPC64, true, other, 0x1ff00, "");
}

TEST(stubs_of_32_bit_powerpc)
{
	static const u32 absolute[] = { 0x60000000, 0x3d601002, 0x816bfffc, 0x7d6903a6, 0x4e800420 };
	/* a function that computes r30 and calls two stubs, one of them twice; a third is called by nobody */
	static const u32 pic[] = { 0x429f0005, 0x7fc802a6, 0x3fde0002, 0x3bde7ffc, 0x48000015, 0x4800001d,
				   0x4800000d, 0x4e800020, 0x60000000, 0x817e80c4, 0x7d6903a6, 0x4e800420,
				   0x3d7effff, 0x816b80c8, 0x7d6903a6, 0x4e800420, 0x817e80cc, 0x7d6903a6,
				   0x4e800420 };
	/* calls outside of the code, and before r30 is known */
	static const u32 lost[] = { 0x48000015, 0x429f0005, 0x7fc802a6, 0x4bffff01, 0x48010001, 0x817e80c4,
				    0x7d6903a6, 0x4e800420 };

	BOTH_ORDERS(EM_PPC, false, absolute, 0, "1004+16->1001fffc ");
	BOTH_ORDERS(EM_PPC, false, pic, 0, "1024+12->210c4 1030+16->110c8 ");
	BOTH_ORDERS(EM_PPC, false, lost, 0, "");
}

TEST(stubs_of_mips)
{
	static const u32 n64[] = { 0xdf998010, 0x03e07825, 0x0320f809, 0x64180006, 0xdf998010, 0x03e07825,
				   0x0320f809, 0x3418fff0, 0, 0, 0, 0 };
	static const u32 many[] = { 0xdf998010, 0x03e07825, 0x3c180001, 0x0320f809, 0x37180002, 0xdf998010,
				    0x03e07825, 0x0320f809 };
	static const u32 o32[] = { 0x8f998010, 0x03e07825, 0x0320f809, 0x24180007, 0x0320f809, 0x24180008 };

	BOTH_ORDERS(EM_MIPS, true, n64, 0, "1000+16->6 1010+16->fff0 ");
	BOTH_ORDERS(EM_MIPS, true, many, 0, "1000+20->10002 ");
	BOTH_ORDERS(EM_MIPS, false, o32, 0, "1000+16->7 ");
}

TEST(relocations_of_64_bit_mips)
{
	const struct arch_abi *m = arch_abi_of_file(EM_MIPS, true);
	u32 symbol, type;

	REQUIRE(m && m->reloc_info);
	m->reloc_info(0x0000000300000000 | 0x7f, true, &symbol, &type);
	CHECK_INT(symbol, 3);
	CHECK_INT(type, 0x7f);
	m->reloc_info(0x7f00000000000003, false, &symbol, &type);
	CHECK_INT(symbol, 3);
	CHECK_INT(type, 0x7f);
}

/* the entries of a file with .plt, each as "2830 puts@plt " */
static const char *entries(const struct mini_elf *e)
{
	static struct strbuf out;
	struct elf_addr_map map;
	struct symvec v = { 0 };
	struct elf_obj *o;

	mini_elf_write("a.out", e);
	o = elf_obj_open("a.out", NULL);
	REQUIRE(o);
	map = (struct elf_addr_map){ .runtime = o };
	strbuf_reset(&out);
	elf_obj_plt_symbols(o, &map, &v);
	symvec_finish(&v, 0);
	vec_foreach(&v.sym, s)
		strbuf_addf(&out, "%lx-%lx %s ", s->start, s->end, s->name);
	symvec_release(&v);
	elf_obj_free(o);
	return strbuf_str(&out);
}

TEST(entries_of_csky)
{
	static const struct mini_sym functions[] = {
		{ "puts", 0, 0, STB_GLOBAL, STT_FUNC }, { "free", 0, 0, STB_GLOBAL, STT_FUNC }, { 0 }
	};
	/* ldw r12,(gb,8); movi r13,N; jmp r12: an entry, and room for one before the first */
	static const u8 plt[36] = { [12] = 0x9c, 0xd9, 2, 0x20, 0x0d, 0xea, 0, 0, 0xcc, 0xe8, 0, 0,
				    0x9c, 0xd9, 2, 0x20, 0x0d, 0xea, 1, 0, 0xcc, 0xe8, 0, 0 };
	/* slot, symbol << 8 | type, address of the entry */
	static const Elf32_Rela rela[] = {
		{ 0x1200c, 2 << 8 | 12, 0x10c0c }, { 0x12010, 1 << 8 | 12, 0x10c18 }
	};

	if (HOST_IS_BE)
		SKIP("the relocations here are little-endian");
	CHECK_STR(entries(&(struct mini_elf){ .machine = EM_CSKY, .is32 = true, .text_svma = 0x10000,
					      .text_off = 0x1000, .dynsym = functions, .plt = plt,
					      .plt_len = sizeof(plt), .rela_plt = rela,
					      .rela_plt_len = sizeof(rela) }),
		  "1800-180c .plt 180c-1818 free@plt 1818-1824 puts@plt ");
}
