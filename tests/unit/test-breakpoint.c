/* Unit tests of breakpoints on symbols of programs and libraries: where they are. */
#include "test.h"
#include "err-text.h"
#include "fake-root.h"
#include "mini-elf.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "../../util/pmu/parse-events.h"
#include "../../util/kernel/breakpoint.h"

static const struct mini_sym syms[] = {
	{ "counter", 0x401010, 8, STB_GLOBAL, STT_OBJECT },
	{ "table", 0x401020, 100, STB_GLOBAL, STT_OBJECT }, { "main", 0x401100, 50, STB_GLOBAL, STT_FUNC },
	{ NULL },
};
static struct err err;
static struct evset *set;

static void file(const char *path, u16 type)
{
	const struct mini_elf e = { .type = type, .text_svma = 0x401000, .text_off = 0x1000, .sym = syms };

	mini_elf_write(path, &e);
}

/* 10 and 11 have lib.so at 0x7f0000001000 - 0x401000 + ... */
static void maps(int pid, const char *start)
{
	char path[64], text[PATH_MAX + 200], real[PATH_MAX];

	REQUIRE(realpath("lib.so", real));
	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	snprintf(text, sizeof(text), "400000-401000 r-xp 00000000 00:01 5 /bin/other\n"
		 "7ffd0000-7ffe0000 rw-p 00000000 00:00 0 [stack]\n"
		 "%s-7fffffff0000 r-xp 00001000 00:01 7 %s\n", start, real);
	fake_file(path, text);
}

static int resolve(const char *event, enum target_kind kind, s32 pid, s32 pid2)
{
	struct target t = { .kind = kind };

	evset_free(set);
	set = evset_new();
	err = (struct err)ERR_INIT;
	REQUIRE(!parse_events(set, event, NULL, &err));
	if (pid)
		vec_push(&t.pids, pid);
	if (pid2)
		vec_push(&t.pids, pid2);
	return breakpoints_resolve(set, &t, &err);
}

TEST(fixed_addresses)
{
	fake_file("/proc/x", "");
	file("prog", ET_EXEC);
	REQUIRE(!resolve("mem:./prog:counter:w", TARGET_WORKLOAD, 0, 0));
	CHECK_U64(evset_at(set, 0)->attr.config1, 0x401010);
	CHECK_U64(evset_at(set, 0)->attr.config2, 8);
	REQUIRE(!resolve("mem:prog:table+4:w", TARGET_SYSTEM, 0, 0));
	CHECK_U64(evset_at(set, 0)->attr.config1, 0x401024);
	CHECK_U64(evset_at(set, 0)->attr.config2, 4);
	CHECK_INT(resolve("mem:./prog:nope:w", TARGET_WORKLOAD, 0, 0), -ENOENT);
	CHECK_STR(err_text(&err), "breakpoint: './prog' has no symbol 'nope'");
	CHECK_INT(resolve("mem:./none:nope:w", TARGET_WORKLOAD, 0, 0), -ENOENT);
	CHECK_STR(err_text(&err), "breakpoint: there is no file './none'");
}

TEST(where_processes_have_it)
{
	file("lib.so", ET_DYN);
	maps(10, "7f0000001000");
	maps(11, "7f0000009000");
	REQUIRE(!resolve("mem:./lib.so:counter:w", TARGET_TASKS, 10, 0));
	CHECK_U64(evset_at(set, 0)->attr.config1, 0x7f0000001010);
	REQUIRE(!resolve("mem:lib.so:main:x", TARGET_TASKS, 11, 0));
	CHECK_U64(evset_at(set, 0)->attr.config1, 0x7f0000009100);
	CHECK_INT(resolve("mem:lib.so:main:x", TARGET_TASKS, 10, 11), -EINVAL);
	CHECK_STR(err_text(&err),
		  "breakpoint: the processes have 'lib.so' at different addresses: choose one with -p");
	fake_file("/proc/12/maps", "400000-401000 r-xp 00000000 00:01 5 /bin/other\nrubbish\n");
	CHECK_INT(resolve("mem:./lib.so:main:x", TARGET_TASKS, 12, 0), -ENOENT);
	CHECK_STR(err_text(&err), "breakpoint: process 12 has not mapped './lib.so'");
}

TEST(no_address_yet)
{
	fake_file("/proc/x", "");
	file("lib.so", ET_DYN);
	CHECK_INT(resolve("mem:./lib.so:main:x", TARGET_WORKLOAD, 0, 0), -EINVAL);
	CHECK(!!strstr(err_text(&err), "has no address before the program runs: "
		       "the file is position-independent\nHint: link the program with"));
	CHECK_INT(resolve("mem:./lib.so:main:x", TARGET_SYSTEM, 0, 0), -EINVAL);
	CHECK(!!strstr(err_text(&err), "has another address in every process: use -p PID"));
	fake_file("/text", "no ELF file");
	REQUIRE(!rename("root/text", "text"));
	CHECK(resolve("mem:./text:main:x", TARGET_SYSTEM, 0, 0) < 0);
}
