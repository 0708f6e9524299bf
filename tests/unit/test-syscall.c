/* Text of system calls: arguments with the bytes they point to, and results. */
#include "test.h"

#include <elf.h>
#include <string.h>
#include "../../util/base/err.h"
#include "../../util/base/strbuf.h"
#include "../../util/syscall/syscall.h"

static struct strbuf text;

static const char *args(const struct syscall_call *call, const struct syscall_text_opts *o)
{
	strbuf_reset(&text);
	syscall_add_args(call, o, &text);
	return strbuf_str(&text);
}

static const char *result(struct syscall_call *call, s64 ret)
{
	call->ret = ret;
	call->has_ret = true;
	strbuf_reset(&text);
	syscall_add_result(call, NULL, &text);
	return strbuf_str(&text);
}

/* .swap of bytes that are little-endian */
#define LITTLE_ENDIAN_SWAP (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

static struct syscall_call call_of(const char *name)
{
	const struct syscall_table *t = syscall_table_find(EM_X86_64, 64);

	return (struct syscall_call){ .table = t, .nr = syscall_nr_of(t, syscall_by_name(name)) };
}

TEST(a_string_that_was_copied)
{
	struct syscall_call c = call_of("openat");

	c.arg[0] = (u32)-100;
	c.arg[1] = 0x7ffc1000;
	c.arg[2] = 0x80000;
	CHECK_STR(args(&c, NULL), "dfd: CWD, filename: 0x7ffc1000, flags: RDONLY|CLOEXEC");
	c.data[1] = (struct syscall_data){ "/etc/pass\x1bwd\0x", 14 };
	CHECK_STR(args(&c, NULL), "dfd: CWD, filename: \"/etc/pass\\33wd\", flags: RDONLY|CLOEXEC");
	CHECK_STR(result(&c, 3), "3");
	CHECK_STR(result(&c, -2), "-1 ENOENT (No such file or directory)");
}

TEST(a_buffer_that_the_kernel_fills)
{
	struct syscall_call c = call_of("read");

	c.arg[1] = 0x1000;
	c.arg[2] = 64;
	c.data[1] = (struct syscall_data){ "hello, wo", 9 };
	CHECK_STR(args(&c, NULL), "fd: 0, buf: 0x1000, count: 64");
	CHECK_STR(result(&c, 5), "5");
	CHECK_STR(args(&c, NULL), "fd: 0, buf: \"hello\", count: 64");
	CHECK_STR(result(&c, 12), "12");
	CHECK_STR(args(&c, NULL), "fd: 0, buf: \"hello, wo\"..., count: 64");
}

TEST(words_name_calls)
{
	const struct syscall_table *t = syscall_table_find(EM_X86_64, 64);
	struct syscall_set set = { { 0 } };
	struct err err = ERR_INIT;

	CHECK_INT(syscall_find_names(t, "openat", &set, &err), 1);
	CHECK(syscall_set_has(&set, syscall_by_name("openat")));
	CHECK(!syscall_set_has(&set, syscall_by_name("open")));
	CHECK(syscall_find_names(t, "open*", &set, &err) >= 2);
	CHECK(syscall_set_has(&set, syscall_by_name("open")));
	CHECK(syscall_find_names(t, "%desc", &set, &err) >= 5);
	CHECK(syscall_find_names(t, "opena", &set, &err) < 0);
	CHECK_STR(err.msg, "system call 'opena' not found for x86-64 programs "
		  "(did you mean 'open', 'openat', 'openat2'?)");
}

static struct syscall_call call_on(u16 e_machine, unsigned int bits, const char *name)
{
	const struct syscall_table *t = syscall_table_find(e_machine, bits);
	struct syscall_call c = { .table = t };
	const struct syscall_row *row;
	u32 nr;

	/* by name, as a row of another architecture can have the same name */
	for (size_t i = 0; t && (row = syscall_table_row(t, i, &nr)); i++)
		if (!strcmp(row->name, name))
			c.nr = nr;
	return c;
}

TEST(numbers_of_other_machines)
{
	static const struct {
		u16 machine, bits;
		u32 nr;
		const char *name;
	} rows[] = {
		{ EM_X86_64, 64, 257, "openat" }, { EM_X86_64, 64, 469, "file_setattr" },
		{ EM_X86_64, 32, 5, "open" }, { EM_386, 32, 90, "mmap" },
		{ EM_386, 32, 403, "clock_gettime64" },
		{ EM_X86_64, SYSCALL_ABI_X32, 0x40000000, "read" },
		{ EM_X86_64, SYSCALL_ABI_X32, 0x40000000 + 512, "rt_sigaction" },
		{ EM_AARCH64, 64, 56, "openat" }, { EM_AARCH64, 32, 322, "openat" },
		{ EM_ARM, 32, 0xf0002, "cacheflush" }, { EM_RISCV, 64, 259, "riscv_flush_icache" },
		{ EM_RISCV, 32, 403, "clock_gettime64" }, { EM_PPC64, 64, 286, "openat" },
		{ EM_PPC, 32, 5, "open" }, { EM_S390, 64, 288, "openat" }, { EM_S390, 32, 192, "mmap2" },
		{ EM_MIPS, 32, 4005, "open" }, { EM_MIPS, 64, 5000, "read" },
		{ EM_MIPS, SYSCALL_ABI_N32, 6000, "read" }, { 258 /* LoongArch */, 64, 220, "clone" },
		{ 252 /* C-SKY */, 32, 64, "write" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct syscall_table *t = syscall_table_find(rows[i].machine, rows[i].bits);
		const struct syscall_row *row = t ? syscall_by_nr(t, rows[i].nr) : NULL;

		CHECK_STR(row ? row->name : "none", rows[i].name);
	}
	CHECK(!syscall_table_find(0, 64));
	CHECK(!syscall_table_find(EM_X86_64, 16));
	CHECK(!syscall_by_nr(syscall_table_find(EM_X86_64, 64), 9999));
	CHECK(!syscall_by_nr(syscall_table_find(EM_MIPS, 64), 1));
}

TEST(each_row_has_a_number_somewhere)
{
	struct syscall_set seen = { { 0 } };
	const struct syscall_table *t;
	const struct syscall_row *row;
	u32 nr, tables = 0, lines = 0, rows = 0;

	for (; (t = syscall_table_at(tables)); tables++)
		for (size_t i = 0; (row = syscall_table_row(t, i, &nr)); i++, lines++) {
			CHECK(syscall_by_nr(t, nr) == row);
			CHECK_INT(syscall_nr_of(t, row) >= 0, 1);
			rows += !syscall_set_has(&seen, row);
			syscall_set_add(&seen, row);
		}
	CHECK_INT(tables, 16);
	CHECK(lines > 5000);
	CHECK(rows > 500);
}

TEST(calls_of_32_bit_programs)
{
	static const u8 spec[] = { 1, 0, 0, 0, 2, 0, 0, 0 };
	struct syscall_call c = call_on(EM_386, 32, "pread64");

	c.swap = LITTLE_ENDIAN_SWAP;
	/* an offset in two registers, and what the upper half of the others has says nothing */
	c.arg[0] = 0x100000003;
	c.arg[2] = 16;
	c.arg[3] = 0x80000000;
	c.arg[4] = 1;
	CHECK_STR(args(&c, NULL), "fd: 3, count: 16, pos: 6442450944");
	c = call_on(EM_ARM, 32, "pread64");
	c.swap = LITTLE_ENDIAN_SWAP;
	c.arg[4] = 5;
	CHECK_STR(args(&c, NULL), "fd: 0, pos: 5");
	c = call_on(EM_S390, 32, "truncate64");
	c.swap = !LITTLE_ENDIAN_SWAP;
	c.arg[1] = 1;
	c.arg[2] = 2;
	CHECK_STR(args(&c, NULL), "length: 4294967298");
	c = call_on(EM_386, 32, "nanosleep");
	c.swap = LITTLE_ENDIAN_SWAP;
	c.arg[0] = 0x1000;
	c.data[0] = (struct syscall_data){ spec, sizeof(spec) };
	CHECK_STR(args(&c, NULL), "rqtp: { .tv_sec: 1, .tv_nsec: 2 }");
	c.swap = !LITTLE_ENDIAN_SWAP;
	CHECK_STR(args(&c, NULL), "rqtp: { .tv_sec: 16777216, .tv_nsec: 33554432 }");
	CHECK_STR(result(&c, (u32)-4), "-1 EINTR (Interrupted system call)");
}

TEST(flags_and_errors_of_other_machines)
{
	struct syscall_call c = call_on(EM_MIPS, 32, "open");

	c.arg[0] = 1;
	c.arg[1] = 0x100 | 0x80 | 1;
	c.arg[2] = 0644;
	CHECK_STR(args(&c, NULL), "filename: 0x1, flags: WRONLY|CREAT|NONBLOCK, mode: 0644");
	CHECK_STR(result(&c, -89), "-1 ENOSYS (Function not implemented)");
	c = call_on(EM_AARCH64, 64, "openat");
	c.arg[1] = 1;
	c.arg[2] = 0x4000;
	CHECK_STR(args(&c, NULL), "dfd: 0, filename: 0x1, flags: RDONLY|DIRECTORY");
	c = call_on(EM_AARCH64, 64, "clone");
	c.arg[0] = 0x80000 | 0x100000 | 17;
	c.arg[2] = 2;
	c.arg[3] = 3;
	c.arg[4] = 4;
	CHECK_STR(args(&c, NULL), "clone_flags: SETTLS|PARENT_SETTID|CHLD, parent_tidptr: 0x2, tls: 0x3");
	c = call_on(EM_S390, 64, "clone");
	c.arg[0] = 5;
	c.arg[1] = 17;
	CHECK_STR(args(&c, NULL), "newsp: 0x5, clone_flags: CHLD");
}

TEST(arguments_that_others_decide)
{
	struct syscall_call c = call_of("openat");

	c.arg[0] = 3;
	c.arg[2] = 0x42;
	c.arg[3] = 0600;
	CHECK_STR(args(&c, NULL), "dfd: 3, flags: RDWR|CREAT, mode: 0600");
	c = call_of("futex");
	c.arg[0] = 0x1000;
	c.arg[1] = 0x81;
	c.arg[2] = 1;
	c.arg[3] = c.arg[4] = c.arg[5] = 7;
	CHECK_STR(args(&c, NULL), "uaddr: 0x1000, op: WAKE|PRIVATE_FLAG, val: 1");
	c = call_of("fcntl");
	c.arg[1] = 3;
	c.arg[2] = 99;
	CHECK_STR(args(&c, NULL), "fd: 0, cmd: GETFL");
	CHECK_STR(result(&c, 0x402), "RDWR|APPEND");
	c = call_of("mmap");
	c.arg[1] = 4096;
	c.arg[2] = 3;
	c.arg[3] = 0x22;
	c.arg[4] = (u32)-1;
	CHECK_STR(args(&c, NULL), "len: 4096, prot: READ|WRITE, flags: PRIVATE|ANONYMOUS");
	CHECK_STR(result(&c, 0x7f0000001000), "0x7f0000001000");
	c = call_of("ioctl");
	c.arg[1] = 0x5413;
	CHECK_STR(args(&c, NULL), "fd: 0, cmd: TIOCGWINSZ");
	c.arg[1] = 0xc0081234;
	CHECK_STR(args(&c, NULL), "fd: 0, cmd: _IOC(_IOC_READ|_IOC_WRITE, 0x12, 0x34, 0x8)");
}

static bool path_of(void *ctx, s32 pid, s32 fd, struct strbuf *out)
{
	if (pid != 7 || fd != 3)
		return false;
	strbuf_addstr(out, "/etc/passwd");
	return true;
}

static bool name_of(void *ctx, s32 tid, struct strbuf *out)
{
	strbuf_addstr(out, "cat");
	return true;
}

TEST(a_status_that_the_kernel_did_not_write)
{
	static const u32 status = 9;
	struct syscall_call c = call_of("wait4");

	c.swap = false;
	c.arg[0] = (u32)-1;
	c.arg[1] = 0x1000;
	c.arg[2] = 1;
	c.data[1] = (struct syscall_data){ &status, 4 };
	c.ret = 12;
	c.has_ret = true;
	CHECK_STR(args(&c, NULL), "upid: -1, stat_addr: [killed by KILL], options: NOHANG");
	/* WNOHANG, and all children run */
	c.ret = 0;
	CHECK_STR(args(&c, NULL), "upid: -1, stat_addr: 0x1000, options: NOHANG");
}

TEST(options_of_the_text)
{
	struct syscall_text_opts o = { .fd_path = path_of, .task_name = name_of };
	struct syscall_call c = call_of("read");

	c.pid = 7;
	c.arg[0] = 3;
	CHECK_STR(args(&c, &o), "fd: 3</etc/passwd>");
	c.arg[0] = 4;
	o.show_zeros = true;
	CHECK_STR(args(&c, &o), "fd: 4, buf: NULL, count: 0");
	o.hide_names = true;
	CHECK_STR(args(&c, &o), "4, NULL, 0");
	c = call_of("kill");
	c.arg[0] = 1;
	c.arg[1] = 9;
	CHECK_STR(args(&c, &o), "1 (cat), KILL");
	/* the caller itself, whose name the line has */
	c.tid = 1;
	CHECK_STR(args(&c, &o), "1, KILL");
	c.tid = 0;
	o.show_prefix = true;
	CHECK_STR(args(&c, &o), "1 (cat), SIGKILL");
	c.nr = 9999;
	CHECK_STR(args(&c, NULL), "arg0: 0x1, arg1: 0x9, arg2: 0, arg3: 0, arg4: 0, arg5: 0");
	CHECK_STR(result(&c, -9999), "-9999");
	CHECK_STR(result(&c, -4000), "-1 (error 4000)");
	c.has_ret = false;
	strbuf_reset(&text);
	syscall_add_result(&c, NULL, &text);
	CHECK_STR(strbuf_str(&text), "?");
}

TEST(addresses_of_sockets)
{
	static const u8 inet[] = { 2, 0, 0, 80, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0 };
	static const u8 name[] = { 1, 0, 0, 'a', 27, 'b' };
	struct syscall_call c = call_of("connect");

	c.swap = LITTLE_ENDIAN_SWAP;
	c.arg[1] = 0x1000;
	c.arg[2] = 16;
	c.data[1] = (struct syscall_data){ inet, 16 };
	CHECK_STR(args(&c, NULL),
		  "fd: 0, uservaddr: { .family: INET, port: 80, addr: 127.0.0.1 }, addrlen: 16");
	c.data[1].len = 5;
	CHECK_STR(args(&c, NULL), "fd: 0, uservaddr: { .family: INET, ... }, addrlen: 16");
	c.data[1].len = 1;
	CHECK_STR(args(&c, NULL), "fd: 0, uservaddr: 0x1000, addrlen: 16");
	c.arg[2] = 6;
	c.data[1] = (struct syscall_data){ name, 6 };
	CHECK_STR(args(&c, NULL), "fd: 0, uservaddr: { .family: UNIX, path: @\"a\\33b\" }, addrlen: 6");
}

TEST(rules_for_copying)
{
	const struct syscall_table *t = syscall_table_find(EM_X86_64, 64);
	const struct syscall_table *t32 = syscall_table_find(EM_386, 32);
	struct syscall_copy c;

	syscall_copy_rule(t, syscall_by_name("openat"), 1, &c);
	CHECK_INT(c.when, SYSCALL_ENTER);
	CHECK_INT(c.count, SYSCALL_COUNT_STRING);
	syscall_copy_rule(t, syscall_by_name("read"), 1, &c);
	CHECK_INT(c.when, SYSCALL_EXIT);
	CHECK_INT(c.count, SYSCALL_COUNT_RESULT);
	CHECK_INT(c.arg, 2);
	CHECK_INT(c.size, 1);
	syscall_copy_rule(t, syscall_by_name("nanosleep"), 0, &c);
	CHECK_INT(c.size, 16);
	syscall_copy_rule(t32, syscall_by_name("nanosleep"), 0, &c);
	CHECK_INT(c.size, 8);
	CHECK_INT(c.max, 8);
	syscall_copy_rule(t, syscall_by_name("poll"), 0, &c);
	CHECK_INT(c.count, SYSCALL_COUNT_ARG);
	CHECK_INT(c.size, 8);
	syscall_copy_rule(t, syscall_by_name("read"), 0, &c);
	CHECK_INT(c.when, SYSCALL_NEVER);
	syscall_copy_rule(t, syscall_by_name("read"), 6, &c);
	CHECK_INT(c.when, SYSCALL_NEVER);
}

TEST(groups_of_calls)
{
	const struct syscall_table *t = syscall_table_find(EM_X86_64, 64);
	struct syscall_set set = { { 0 } };
	struct err err = ERR_INIT;

	CHECK(syscall_find_names(t, "network", &set, &err) > 15);
	CHECK(syscall_set_has(&set, syscall_by_name("connect")));
	CHECK(!syscall_set_has(&set, syscall_by_name("openat")));
	CHECK(syscall_find_names(t, "@string", &set, &err) > 60);
	CHECK(syscall_set_has(&set, syscall_by_name("openat")));
	CHECK(syscall_find_names(t, "%qqqqqqqq", &set, &err) < 0);
	CHECK_STR(err.msg, "group of system calls 'qqqqqqqq' not found for x86-64 programs");
	CHECK(syscall_find_names(syscall_table_find(EM_AARCH64, 64), "open", &set, &err) < 0);
}

TEST(sets_of_cpus_and_descriptors)
{
	struct syscall_text_opts list = { .bitmask_list = true };
	struct syscall_call c = call_of("sched_setaffinity");
	u64 set[2] = { 0x8f, 1 };

	c.arg[1] = 16;
	c.arg[2] = 0x1000;
	c.data[2] = (struct syscall_data){ set, 16 };
	CHECK_STR(args(&c, NULL), "len: 16, user_mask_ptr: [0 1 2 3 7 64]");
	CHECK_STR(args(&c, &list), "len: 16, user_mask_ptr: [0-3,7,64]");
	c = call_of("select");
	c.arg[0] = 3;
	c.arg[1] = 0x1000;
	c.data[1] = (struct syscall_data){ set, 16 };
	CHECK_STR(args(&c, NULL), "n: 3, inp: [0 1 2 3 7]");
}

TEST(structures_that_are_cut)
{
	static const struct {
		s32 fd;
		s16 events, revents;
	} poll[40] = { { 3, 1, 0 }, { 4, 5, 4 } };
	static const u64 how[] = { 0x80000, 0, 8 };
	struct syscall_call c = call_of("poll");

	c.arg[0] = 0x1000;
	c.arg[1] = 2;
	c.data[0] = (struct syscall_data){ poll, 15 };
	CHECK_STR(args(&c, NULL),
		  "ufds: [{ .fd: 3, .events: IN, .revents: 0 }, ...], nfds: 2, timeout_msecs: 0");
	c.arg[1] = 1ull << 40;
	c.data[0].len = 8;
	CHECK_STR(args(&c, NULL), "ufds: [{ .fd: 3, .events: IN, .revents: 0 }, ...], nfds: 0, "
		  "timeout_msecs: 0");
	c = call_of("openat2");
	c.arg[2] = 0x1000;
	c.arg[3] = 24;
	c.data[2] = (struct syscall_data){ how, 24 };
	CHECK_STR(args(&c, NULL),
		  "dfd: 0, how: { .flags: RDONLY|CLOEXEC, .mode: 0, .resolve: BENEATH }, usize: 24");
	c.data[2].len = 20;
	CHECK_STR(args(&c, NULL), "dfd: 0, how: { .flags: RDONLY|CLOEXEC, .mode: 0 }, usize: 24");
	c = call_of("nanosleep");
	c.arg[0] = 0x1000;
	c.data[0] = (struct syscall_data){ how, 15 };
	CHECK_STR(args(&c, NULL), "rqtp: 0x1000");
}

TEST(what_a_child_did)
{
	static const u32 status[] = { 3 << 8, 9, 0x137f, 0xffff, 0x8b };
	static const char *const texts[] = { "exited with 3", "killed by KILL", "stopped by STOP",
					     "continued", "killed by SEGV, core dumped" };
	struct syscall_call c = call_of("wait4");
	char want[100];

	c.arg[0] = (u32)-1;
	c.arg[1] = 0x1000;
	for (size_t i = 0; i < ARRAY_SIZE(status); i++) {
		c.data[1] = (struct syscall_data){ &status[i], 4 };
		CHECK_STR(result(&c, 7), "7");
		snprintf(want, sizeof(want), "upid: -1, stat_addr: [%s]", texts[i]);
		CHECK_STR(args(&c, NULL), want);
	}
}
