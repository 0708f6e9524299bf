/* Symbol sources of programs: which file is used, which is refused, and what the messages say. */
#include "bytes.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../../util/base/fs.h"
#include "../../util/obj/crc32.h"
#include "../../util/sym/sym.h"
#include "fake-root.h"
#include "mini-elf.h"
#include "one-dso.h"

static const struct mini_sym exported[] = { { "exported", 0x1020, 0x10, STB_GLOBAL, STT_FUNC }, { NULL } };

TEST(file_of_the_recorded_build)
{
	struct mini_elf e = { .text_svma = 0x1000, .text_off = 0x3000, .buildid = id_a, .sym = full };
	struct machine_of_one w;

	mini_elf_write("bin/prog", &e);
	init(&w, DSO_USER, "bin/prog", id_a);
	CHECK_STR(look_up(&w, 0x3018), "hidden_one");
	CHECK_STR(symbols_table(w.s, 0)->file, "bin/prog");
	CHECK(!symbols_reason(w.s, 0));
	CHECK_U64(symbols_off_to_svma(w.s, 0, 0x3018), 0x1018);
	CHECK(!symbols_find(w.s, 7, 0));
	CHECK(!symbols_table(w.s, 7));
}

TEST(tables_are_forgotten_and_loaded_again)
{
	struct mini_elf e = { .text_svma = 0x1000, .text_off = 0x3000, .buildid = id_a, .sym = full };
	const bool used[] = { true }, unused[] = { false };
	struct machine_of_one w;

	mini_elf_write("bin/prog", &e);
	init(&w, DSO_USER, "bin/prog", id_a);
	CHECK_STR(look_up(&w, 0x3018), "hidden_one");
	symbols_forget_unused(w.s, used, 1);
	CHECK_STR(look_up(&w, 0x3018), "hidden_one");
	symbols_forget_unused(w.s, unused, 1);
	CHECK_STR(look_up(&w, 0x3018), "-");
	CHECK(!symbols_table(w.s, 0));
	load(&w);
	CHECK_STR(look_up(&w, 0x3018), "hidden_one");
	/* who has no number there is not used */
	symbols_forget_unused(w.s, NULL, 0);
	CHECK(!symbols_table(w.s, 0));
	again(&w);
}

TEST(callers_are_looked_up_in_their_calls)
{
	static const struct mini_sym syms[] = {
		{ "ends_in_call", 0x1010, 0x10, STB_GLOBAL, STT_FUNC },
		{ "next", 0x1020, 0x10, STB_GLOBAL, STT_FUNC },
		{ "after_gap", 0x1038, 0x10, STB_GLOBAL, STT_FUNC },
		{ NULL },
	};
	struct mini_elf e = { .text_svma = 0x1000, .text_off = 0x3000, .buildid = id_a, .sym = syms };
	struct machine_of_one w;
	u64 code = 0;

	mini_elf_write("bin/prog", &e);
	init(&w, DSO_USER, "bin/prog", id_a);
	CHECK_STR(look_up(&w, 0x3018), "ends_in_call");
	CHECK_INT(symbols_find_call(w.s, 0, 0x3018, &code), symbols_find_idx(w.s, 0, 0x3018));
	CHECK_U64(code, 0x3017);
	CHECK_INT(symbols_find_call(w.s, 0, 0x3020, &code), symbols_find_idx(w.s, 0, 0x3018));
	CHECK_U64(code, 0x301f);
	/* no call ends there: a signal handler returns to it */
	CHECK_INT(symbols_find_call(w.s, 0, 0x3038, &code), symbols_find_idx(w.s, 0, 0x3038));
	CHECK_U64(code, 0x3038);
	CHECK_INT(symbols_find_call(w.s, 0, 0x3034, &code), SYMVEC_NONE);
	/* in the kernel it may have been interrupted there */
	w.dso.kind = DSO_KERNEL;
	CHECK_INT(symbols_find_call(w.s, 0, 0x3020, &code), symbols_find_idx(w.s, 0, 0x3020));
	CHECK_U64(symbols_call_addr(w.s, 0, 0x3020), 0x3020);
	CHECK_U64(symbols_call_addr(w.s, 0, 0x3018), 0x3017);
	CHECK_INT(symbols_find_call(w.s, 7, 0x3018, &code), SYMVEC_NONE);
}

/*
 * Addresses as pc-relative 32-bit numbers, in both byte orders: CIE "zR", and three entries whose code begins
 * at 0x1010, in "exported", and outside of the file's code
 */
#define FRAMES(n) \
	n(16), n(0), 0x01, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b, 0, 0, 0, \
	n(16), n(24), n(0x1010 - 28), n(0x10), n(0), \
	n(16), n(44), n(0x1024 - 48), n(4), n(0), \
	n(16), n(64), n(0x5000 - 68), n(0x10), n(0), \
	n(16), n(4), n(0x1040), n(0x10), n(0), \
	n(16), n(104), n(0x1050 - 108), n(0x8000), n(0), \
	n(0)
#define LITTLE(v) (u8)(v), (u8)((v) >> 8), (u8)((v) >> 16), (u8)((v) >> 24)
#define BIG(v) (u8)((v) >> 24), (u8)((v) >> 16), (u8)((v) >> 8), (u8)(v)

TEST(functions_of_a_stripped_program)
{
	static const u8 little[] = { FRAMES(LITTLE) }, big[] = { FRAMES(BIG) };
	struct mini_elf e = { .text_svma = 0x1000, .text_off = 0x3000, .buildid = id_a, .dynsym = exported };
	struct machine_of_one w;

	for (int order = 0; order < 2; order++) {
		e.big_endian = order;
		e.machine = order ? EM_S390 : EM_X86_64;
		e.eh_frame = order ? big : little;
		e.eh_frame_len = sizeof(little);
		mini_elf_write("bin/prog", &e);
		init(&w, DSO_USER, "bin/prog", id_a);
		w.dso.short_name = "prog";
		CHECK_STR(look_up(&w, 0x301f), "[prog+0x3010]");
		CHECK_STR(look_up(&w, 0x3026), "exported");
		CHECK_STR(look_up(&w, 0x3044), "-");
		/* it would end after the file's code */
		CHECK_STR(look_up(&w, 0x3fff), "[prog+0x3050]");
		CHECK_STR(look_up(&w, 0x4000), "-");
		CHECK_INT(symbols_table(w.s, 0)->nr, 3);
		CHECK(symbols_guessed(w.s, 0, 0));
		CHECK(!symbols_guessed(w.s, 0, 1));
		CHECK(symbols_stripped(w.s, 0));
		again(&w);
	}
	e.sym = full;
	mini_elf_write("bin/prog", &e);
	CHECK_STR(look_up(&w, 0x3060), "-");
	again(&w);
}

TEST(another_build_is_refused)
{
	struct mini_elf e = { .text_svma = 0x1000, .text_off = 0x3000, .buildid = id_b, .sym = full };
	struct machine_of_one w;

	mini_elf_write("bin/prog", &e);
	init(&w, DSO_USER, "bin/prog", id_a);
	CHECK_STR(look_up(&w, 0x3018), "-");
	CHECK(strstr(symbols_reason(w.s, 0), "bin/prog is another build (build-id dd02"));
	CHECK(strstr(symbols_reason(w.s, 0), "recorded was aabbcc01"));
}

TEST(cache_before_a_replaced_file)
{
	struct mini_elf e = { .text_svma = 0x1000, .text_off = 0x3000, .buildid = id_a, .sym = full };
	struct machine_of_one w;

	mini_elf_write("cache/.build-id/aa/bbcc0100000000000000000000000000000000/elf", &e);
	e.buildid = id_b;
	mini_elf_write("bin/prog", &e);
	init(&w, DSO_USER, "bin/prog", id_a);
	CHECK_STR(look_up(&w, 0x3018), "hidden_one");
	/* caches of old perf versions: the file itself */
	again(&w);
	unlink("cache/.build-id/aa/bbcc0100000000000000000000000000000000/elf");
	rmdir("cache/.build-id/aa/bbcc0100000000000000000000000000000000");
	CHECK_STR(look_up(&w, 0x3018), "-");
	again(&w);
	e.buildid = id_a;
	mini_elf_write("cache/.build-id/aa/bbcc0100000000000000000000000000000000", &e);
	CHECK_STR(look_up(&w, 0x3018), "hidden_one");
}

TEST(stripped_file_and_its_debug_file)
{
	struct mini_elf e = { .text_svma = 0x1000, .text_off = 0x3000, .buildid = id_a, .dynsym = exported };
	struct mini_elf debug = { .text_svma = 0x1000, .text_off = 0x1000, .buildid = id_a, .sym = full,
				  .no_text = true };
	struct machine_of_one w;

	mini_elf_write("bin/prog", &e);
	init(&w, DSO_USER, "bin/prog", id_a);
	CHECK_STR(look_up(&w, 0x3028), "exported");
	CHECK_STR(look_up(&w, 0x3018), "-");
	/* its offsets are those of the stripped file */
	mini_elf_write("root/usr/lib/debug/.build-id/aa/bbcc0100000000000000000000000000000000.debug",
		       &debug);
	again(&w);
	CHECK_STR(look_up(&w, 0x3018), "hidden_one");
	CHECK_STR(look_up(&w, 0x3028), "exported");
	CHECK_INT(symbols_table(w.s, 0)->source, 'D');
}

/* what runs on after its file went away, as long as it runs */
TEST(deleted_library_of_a_process)
{
	struct mini_elf e = { .text_svma = 0x1000, .text_off = 0x3000, .buildid = id_a, .sym = full };
	struct machine_of_one w;

	init(&w, DSO_USER, "/gone/lib.so (deleted)", id_a);
	w.dso.pid = 4242;
	w.opts.is_local = true;
	fake_file("/proc/4242/maps", "10000-20000 r-xp 00000000 08:01 7    /gone/other.so (deleted)\n"
		  "7f0000001000-7f0000002000 r-xp 00000000 08:01 8    /gone/lib.so (deleted)\n");
	fs_set_root("root");
	CHECK_STR(look_up(&w, 0x3018), "-");
	mini_elf_write("root/proc/4242/map_files/7f0000001000-7f0000002000", &e);
	again(&w);
	CHECK_STR(look_up(&w, 0x3018), "hidden_one");
	/* another process has the pid by now */
	again(&w);
	memcpy(w.dso.buildid, id_b, 20);
	CHECK_STR(look_up(&w, 0x3018), "-");
}

static const char *reason_of(struct machine_of_one *w, const char *name)
{
	w->dso.long_name = name;
	again(w);
	look_up(w, 0x3018);
	return symbols_reason(w->s, 0);
}

TEST(reasons_name_the_program_and_what_helps)
{
	struct mini_elf e = { .text_svma = 0x1000, .text_off = 0x3000, .buildid = id_b, .sym = full };
	struct machine_of_one w;
	const char *why;

	init(&w, DSO_USER, "-", id_a);
	why = reason_of(&w, "/gone/prog");
	CHECK(!strncmp(why, "/gone/prog was not found; --symfs DIR", 37));
	why = reason_of(&w, "/gone/prog (deleted)");
	CHECK(!strncmp(why, "/gone/prog was not found; it was deleted while it ran: ", 55));
	mini_elf_write("bin/prog", &e);
	CHECK(strstr(reason_of(&w, "bin/prog (deleted)"), "; it was replaced while it ran: "));
	CHECK(strstr(reason_of(&w, "bin/prog"), "; it was replaced after the recording: "));
	/* a debug file of another build is not the program */
	mini_elf_write("root/usr/lib/debug/gone/prog", &e);
	CHECK(!strncmp(reason_of(&w, "/gone/prog"),
		       "/gone/prog was not found, root/usr/lib/debug/gone/prog is another build", 71));
	/* what exists only in memory is in no directory */
	why = reason_of(&w, "/memfd:jit (deleted)");
	CHECK(!strncmp(why, "/memfd:jit is memory, not a file", 32));
	CHECK(strstr(why, "cache/.build-id/aa/bbcc0100000000000000000000000000000000/elf"));
	CHECK(!strstr(why, "--symfs"));
	CHECK(!reason_of(&w, "anon_inode:[x]"));
	CHECK(!reason_of(&w, "[uprobes]"));
	/* another mount namespace than this one, whose number is never 1 */
	fake_file("/proc/self/ns/mnt", "");
	fs_set_root("root");
	w.opts.is_local = true;
	w.dso.mnt_ns = 1;
	CHECK(strstr(reason_of(&w, "/gone/prog"), "; it ran in a container: "));
	again(&w);
}

/* names that it exports are known; the functions between them are not */
TEST(reason_of_a_stripped_program)
{
	struct mini_elf e = { .text_svma = 0x1000, .text_off = 0x3000, .buildid = id_a, .dynsym = exported };
	struct machine_of_one w;
	const char *why;

	init(&w, DSO_USER, "-", id_a);
	mini_elf_write("bin/prog", &e);
	CHECK_STR(reason_of(&w, "bin/prog"),
		  "bin/prog is stripped: build without -s or strip to see all functions");
	CHECK_STR(look_up(&w, 0x3028), "exported");
	mini_elf_write("there/usr/bin/prog", &e);
	w.opts.symfs = "there";
	why = reason_of(&w, "/usr/bin/prog");
	CHECK(!strncmp(why, "/usr/bin/prog is stripped: install debug symbols", 48));
	CHECK(strstr(why, ", or fetch them with --debuginfod"));
	CHECK(strstr(why, ", build-id aabbcc01"));
	e.sym = full;
	mini_elf_write("there/usr/bin/prog", &e);
	CHECK(!reason_of(&w, "/usr/bin/prog"));
	again(&w);
}

TEST(debuglink_without_buildid)
{
	struct mini_elf debug = { .text_svma = 0x1000, .text_off = 0x3000, .sym = full, .no_text = true };
	struct mini_elf e = { .text_svma = 0x1000, .text_off = 0x3000, .debuglink = "prog.debug" };
	struct machine_of_one w;

	mini_elf_write("bin/.debug/prog.debug", &debug);
	REQUIRE(!crc32_of_file("bin/.debug/prog.debug", &e.crc));
	mini_elf_write("bin/prog", &e);
	init(&w, DSO_USER, "bin/prog", NULL);
	CHECK_STR(look_up(&w, 0x3018), "hidden_one");
	again(&w);
	e.crc ^= 1;
	mini_elf_write("bin/prog", &e);
	CHECK_STR(look_up(&w, 0x3018), "-");
	CHECK(strstr(symbols_reason(w.s, 0), "bin/prog is stripped"));
}

/* what was stripped when it went into the cache has its symbols where the program is */
TEST(stripped_copy_in_the_cache)
{
	struct mini_elf copy = { .text_svma = 0x1000, .text_off = 0x3000, .buildid = id_a, .dynsym = exported,
				 .debuglink = "prog.debug" };
	struct mini_elf debug = { .text_svma = 0x1000, .text_off = 0x3000, .buildid = id_a, .sym = full,
				  .no_text = true };
	struct mini_elf whole = { .text_svma = 0x1000, .text_off = 0x3000, .buildid = id_a, .sym = full };
	struct machine_of_one w;

	mini_elf_write("cache/.build-id/aa/bbcc0100000000000000000000000000000000/elf", &copy);
	init(&w, DSO_USER, "bin/prog", id_a);
	CHECK_STR(look_up(&w, 0x3018), "-");
	mini_elf_write("bin/prog.debug", &debug);
	again(&w);
	CHECK_STR(look_up(&w, 0x3018), "hidden_one");
	CHECK_INT(symbols_table(w.s, 0)->source, 'l');
	unlink("bin/prog.debug");
	mini_elf_write("bin/prog", &whole);
	again(&w);
	CHECK_STR(look_up(&w, 0x3018), "hidden_one");
	whole.buildid = id_b;
	mini_elf_write("bin/prog", &whole);
	again(&w);
	CHECK_STR(look_up(&w, 0x3018), "-");
	CHECK_STR(look_up(&w, 0x3028), "exported");
}

TEST(symfs_prefix)
{
	struct mini_elf e = { .text_svma = 0x1000, .text_off = 0x3000, .buildid = id_a, .sym = full };
	struct machine_of_one w;

	mini_elf_write("target/opt/app/prog", &e);
	init(&w, DSO_USER, "/opt/app/prog", id_a);
	w.opts.symfs = "target";
	CHECK_STR(look_up(&w, 0x3018), "hidden_one");
	again(&w);
	mini_elf_write("flat/prog", &e);
	w.opts.symfs = "flat";
	CHECK_STR(look_up(&w, 0x3018), "-");
	again(&w);
	w.opts.symfs_flat = true;
	CHECK_STR(look_up(&w, 0x3018), "hidden_one");
}

TEST(process_root_of_a_container)
{
	struct mini_elf e = { .text_svma = 0x1000, .text_off = 0x3000, .buildid = id_a, .sym = full };
	struct machine_of_one w;

	mini_elf_write("root/proc/77/root/opt/inside", &e);
	init(&w, DSO_USER, "/opt/inside (deleted)", id_a);
	w.dso.pid = 77;
	CHECK_STR(look_up(&w, 0x3018), "-");
	again(&w);
	w.opts.is_local = true;
	CHECK_STR(look_up(&w, 0x3018), "hidden_one");
}

TEST(perf_map_of_the_process)
{
	struct machine_of_one w;

	init(&w, DSO_PERFMAP, "//anon", NULL);
	w.dso.pid = 4242;
	CHECK_STR(look_up(&w, 0x7f0000001010), "-");
	CHECK(strstr(symbols_reason(w.s, 0), "perf-4242.map"));
	again(&w);
	fake_file("/tmp/perf-4242.map", "7f0000001000 40 Lbar;::run\n7f0000001040 40 _ZN3fooEv\n");
	fs_set_root("root");
	CHECK_STR(look_up(&w, 0x7f0000001010), "Lbar;::run");
	CHECK_STR(look_up(&w, 0x7f0000001050), "_ZN3fooEv");
}

TEST(perf_map_in_a_container)
{
	struct machine_of_one w;

	init(&w, DSO_PERFMAP, "//anon", NULL);
	w.dso.pid = 4242;
	w.opts.is_local = true;
	fake_file("/proc/4242/status", "Name:\tnode\nNSpid:\t4242\t7\nThreads:\t1\n");
	fake_file("/proc/4242/root/tmp/perf-7.map", "7f0000001000 40 inside\n");
	fake_file("/tmp/perf-4242.map", "7f0000001000 40 of_an_older_process\n");
	fs_set_root("root");
	CHECK_STR(look_up(&w, 0x7f0000001010), "inside");
	again(&w);
	unlink("root/proc/4242/root/tmp/perf-7.map");
	CHECK_STR(look_up(&w, 0x7f0000001010), "of_an_older_process");
	again(&w);
	unlink("root/tmp/perf-4242.map");
	CHECK_STR(look_up(&w, 0x7f0000001010), "-");
	CHECK(!strncmp(symbols_reason(w.s, 0), "/tmp/perf-4242.map was not found; ", 34));
	CHECK(strstr(symbols_reason(w.s, 0), "copy it to this name"));
	/* another root, the pids of the host */
	again(&w);
	fake_file("/proc/4242/status", "Name:\tnode\nNSpid:\t4242\nThreads:\t1\n");
	fake_file("/proc/4242/root/tmp/perf-4242.map", "7f0000001000 40 below\n");
	fs_set_root("root");
	CHECK_STR(look_up(&w, 0x7f0000001010), "below");
	again(&w);
}

static void note_dso(void *ctx, u32 dso)
{
	u32 *loaded = ctx;

	loaded[dso]++;
}

TEST(work_behind_each_load)
{
	struct mini_elf e = { .text_svma = 0x1000, .text_off = 0x3000, .buildid = id_a, .sym = full };
	u32 ids[] = { 0, 0 }, loaded[1] = { 0 };
	struct pool *pool = pool_new(2);
	struct machine_of_one w;

	mini_elf_write("bin/prog", &e);
	init(&w, DSO_USER, "bin/prog", id_a);
	w.s = symbols_new(&w.dsos, &w.opts);
	symbols_load_then(w.s, pool, ids, 2, note_dso, loaded);
	CHECK_U64(loaded[0], 1);
	/* also if it was loaded before */
	symbols_load_then(w.s, pool, ids, 2, note_dso, loaded);
	CHECK_U64(loaded[0], 2);
	pool_free(pool);
}

TEST(no_demangling_when_asked)
{
	static const struct mini_sym syms[] = { { "_ZN3foo3barEi", 0x1010, 0x10, STB_GLOBAL, STT_FUNC },
						{ NULL } };
	struct mini_elf e = { .text_svma = 0x1000, .text_off = 0x1000, .sym = syms };
	struct machine_of_one w;

	mini_elf_write("prog", &e);
	init(&w, DSO_USER, "prog", NULL);
	w.opts.demangle = false;
	CHECK_STR(look_up(&w, 0x1010), "_ZN3foo3barEi");
#ifdef HAVE_LIBIBERTY
	again(&w);
	w.opts.demangle = true;
	CHECK_STR(look_up(&w, 0x1010), "foo::bar(int)");
	CHECK_STR(symbols_name(w.s, 0, 0, &w.arena), "foo::bar(int)");
#endif
}

TEST(quiet_about_what_has_no_symbols)
{
	struct machine_of_one w;

	init(&w, DSO_VSYSCALL, "[vsyscall]", NULL);
	CHECK_STR(look_up(&w, 0xffffffffff600000), "-");
	CHECK(!symbols_reason(w.s, 0));
}
