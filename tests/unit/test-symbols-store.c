/* Tables of symbols that a store keeps from one recording to the next. */
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "../../util/sym/store.h"
#include "../../util/sym/sym.h"
#include "mini-elf.h"
#include "one-dso.h"

TEST(a_store_keeps_tables_by_build_id)
{
	static const struct mini_sym more[] = { { "changed", 0x1010, 0x30, STB_GLOBAL, STT_FUNC }, { NULL } };
	struct mini_elf e = { .text_svma = 0x1000, .text_off = 0x3000, .buildid = id_a, .sym = full };
	struct machine_of_one w;

	mini_elf_write("prog", &e);
	init(&w, DSO_USER, "prog", id_a);
	w.opts.store = sym_store_new(0);
	CHECK_STR(look_up(&w, 0x3018), "hidden_one");
	again(&w);
	unlink("prog");
	CHECK_STR(look_up(&w, 0x3018), "hidden_one");
	CHECK_U64(sym_store_facts(w.opts.store).nr_reused, 1);
	again(&w);
	/* another build of that name; and no build-id, which says nothing of the build */
	e.buildid = id_b;
	e.sym = more;
	mini_elf_write("prog", &e);
	memcpy(w.dso.buildid, id_b, 20);
	CHECK_STR(look_up(&w, 0x3018), "changed");
	again(&w);
	w.dso.buildid_len = 0;
	CHECK_STR(look_up(&w, 0x3018), "changed");
	again(&w);
	unlink("prog");
	CHECK_STR(look_up(&w, 0x3018), "-");
	again(&w);
	CHECK_U64(sym_store_facts(w.opts.store).nr_reused, 1);
	sym_store_free(w.opts.store);
}

TEST(a_store_looks_again_for_what_was_not_there)
{
	struct mini_elf e = { .text_svma = 0x1000, .text_off = 0x3000, .buildid = id_a, .sym = full };
	struct machine_of_one w;

	init(&w, DSO_USER, "prog", id_a);
	w.opts.store = sym_store_new(0);
	CHECK_STR(look_up(&w, 0x3018), "-");
	again(&w);
	mini_elf_write("prog", &e);
	CHECK_STR(look_up(&w, 0x3018), "hidden_one");
	again(&w);
	sym_store_free(w.opts.store);
}

TEST(a_store_frees_what_was_not_used_for_longest)
{
	struct mini_elf e = { .text_svma = 0x1000, .text_off = 0x3000, .buildid = id_a, .sym = full };
	struct machine_of_one w;
	u64 one;

	mini_elf_write("a", &e);
	mini_elf_write("b", &e);
	init(&w, DSO_USER, "a", id_a);
	w.opts.store = sym_store_new(0);
	look_up(&w, 0x3018);
	again(&w);
	one = sym_store_facts(w.opts.store).bytes;
	CHECK(one > 0);
	sym_store_free(w.opts.store);

	w.opts.store = sym_store_new(one);
	look_up(&w, 0x3018);
	again(&w);
	w.dso.long_name = "b";
	look_up(&w, 0x3018);
	again(&w);
	CHECK(sym_store_facts(w.opts.store).bytes <= one);
	look_up(&w, 0x3018);
	again(&w);
	CHECK_U64(sym_store_facts(w.opts.store).nr_reused, 1);
	w.dso.long_name = "a";
	look_up(&w, 0x3018);
	again(&w);
	CHECK_U64(sym_store_facts(w.opts.store).nr_reused, 1);
	sym_store_free(w.opts.store);
}

/* what a converter that runs for months meets: a service that is built and started anew again and again */
TEST(a_store_is_bounded_however_many_files_there_were)
{
	struct mini_elf e = { .text_svma = 0x1000, .text_off = 0x3000, .sym = full };
	struct machine_of_one w;
	u8 id[20] = { 1 };
	u64 one = 0;

	init(&w, DSO_USER, "prog", id);
	w.opts.store = sym_store_new(100000);
	for (u32 i = 0; i < 3 * SYM_STORE_ENTRIES; i++) {
		memcpy(id + 1, &i, sizeof(i));
		memcpy(w.dso.buildid, id, 20);
		e.buildid = id;
		mini_elf_write("prog", &e);
		CHECK_STR(look_up(&w, 0x3018), "hidden_one");
		again(&w);
		one = one ?: sym_store_facts(w.opts.store).bytes;
		if (sym_store_facts(w.opts.store).nr > MIN(SYM_STORE_ENTRIES, 100000 / one) ||
		    sym_store_facts(w.opts.store).bytes > 100000)
			break;
	}
	CHECK_U64(sym_store_facts(w.opts.store).nr_loaded, 3 * SYM_STORE_ENTRIES);
	CHECK(sym_store_facts(w.opts.store).nr > 1);
	sym_store_free(w.opts.store);
	/* entries are bounded, too: each can have a file open */
	w.opts.store = sym_store_new(0);
	for (u32 i = 0; i < SYM_STORE_ENTRIES + 10; i++) {
		memcpy(id + 1, &i, sizeof(i));
		memcpy(w.dso.buildid, id, 20);
		mini_elf_write("prog", &e);
		look_up(&w, 0x3018);
		again(&w);
	}
	CHECK_U64(sym_store_facts(w.opts.store).nr, SYM_STORE_ENTRIES);
	sym_store_free(w.opts.store);
}

static void write_list(const char *text)
{
	FILE *f = fopen("list", "w");

	fputs(text, f);
	fclose(f);
}

TEST(a_store_tells_boots_of_a_kernel_apart)
{
	struct machine_of_one w;

	init(&w, DSO_KERNEL, "[kernel.kallsyms]", id_a);
	w.dso.ref_reloc_sym = "_text";
	w.dso.ref_reloc_addr = 0xffffffff81000000;
	w.opts.kallsyms = "list";
	w.opts.store = sym_store_new(0);
	write_list("ffffffff81000000 T _text\nffffffff81000100 T here\n");
	CHECK_STR(look_up(&w, 0xffffffff81000110), "here");
	again(&w);
	unlink("list");
	CHECK_STR(look_up(&w, 0xffffffff81000110), "here");
	again(&w);
	w.dso.ref_reloc_addr = 0xffffffff82000000;
	CHECK_STR(look_up(&w, 0xffffffff81000110), "-");
	again(&w);
	write_list("ffffffff81000000 T _text\nffffffff81000100 T here\n");
	CHECK_STR(look_up(&w, 0xffffffff82000110), "here");
	again(&w);
	sym_store_free(w.opts.store);
}
