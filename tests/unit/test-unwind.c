/*
 * Unwinding: our own stack, copied as the kernel would record it, against the functions that are
 * known to be on it.
 */
#include "mini-elf.h"
#include "side.h"
#include "test.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include "../../arch/arch.h"
#include "../../util/base/fs.h"
#include "../../util/base/strbuf.h"
#include "../../util/obj/cfi.h"
#include "../../util/obj/elf-obj.h"
#include "../../util/unwind/unwind.h"

#define STACK 16384
#define NOINLINE __attribute__((noinline))

static struct {
	u8 stack[STACK];
	u64 regs[33];
	struct event event;
	struct sample sample;
} recorded;

/* good until the next call */
static const struct sample_ctx *first_task(const struct machine *machine)
{
	static struct sample_ctx ctx;

	ctx = machine_sample_ctx(machine, 1, 1, (struct when){ .time = 1 });
	return &ctx;
}

/* the sanitizers keep their own marks between variables: bytes are copied without asking them */
__attribute__((no_sanitize("address", "undefined"), noinline))
static void copy_stack(u64 sp)
{
	const volatile u8 *p = (const volatile u8 *)(uintptr_t)sp;

	for (int i = 0; i < STACK; i++)
		recorded.stack[i] = p[i];
}

#ifdef __x86_64__
#define MACHINE EM_X86_64
static const u8 gregs[] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_RIP };
static const u8 high[] = { REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };

static u64 save_registers(const ucontext_t *uc)
{
	u32 n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(gregs); i++)
		recorded.regs[n++] = uc->uc_mcontext.gregs[gregs[i]];
	for (size_t i = 0; i < ARRAY_SIZE(high); i++)
		recorded.regs[n++] = uc->uc_mcontext.gregs[high[i]];
	recorded.event.attr.sample_regs_user = 0x1ff | 0xffull << 16;
	return uc->uc_mcontext.gregs[REG_RSP];
}
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
static u64 save_registers(const ucontext_t *uc)
{
	for (u32 i = 0; i < 31; i++)
		recorded.regs[i] = uc->uc_mcontext.regs[i];
	recorded.regs[31] = uc->uc_mcontext.sp;
	recorded.regs[32] = uc->uc_mcontext.pc;
	recorded.event.attr.sample_regs_user = (1ull << 33) - 1;
	return uc->uc_mcontext.sp;
}
#elif defined(__riscv) && __riscv_xlen == 64
#define MACHINE EM_RISCV
static u64 save_registers(const ucontext_t *uc)
{
	for (u32 i = 0; i < 32; i++)
		recorded.regs[i] = uc->uc_mcontext.__gregs[i];	/* the program counter in place of x0 */
	recorded.event.attr.sample_regs_user = (1ull << 32) - 1;
	return uc->uc_mcontext.__gregs[REG_SP];
}
#else
#define MACHINE 0
static u64 save_registers(const ucontext_t *uc)
{
	volatile bool known = false;	/* for a compiler that warns of calls which never return */

	if (!known)
		SKIP("stacks of this machine are not unwound");
	return 0;
}
#endif

static u64 ip_outer, ip_middle, ip_inner;

NOINLINE static void inner(int n)
{
	ucontext_t uc;

	ip_inner = (u64)(uintptr_t)__builtin_return_address(0);
	getcontext(&uc);
	copy_stack(save_registers(&uc));
	recorded.sample = (struct sample){
		.event = &recorded.event, .user_abi = 2, .user_regs = recorded.regs,
		.user_stack = recorded.stack, .user_stack_size = STACK,
	};
	__asm__ volatile("" : : "r"(n) : "memory");
}

NOINLINE static void middle(int n)
{
	char room[n];	/* a frame whose size is known at run time only */

	room[0] = n;
	ip_middle = (u64)(uintptr_t)__builtin_return_address(0);
	inner(room[0]);
	__asm__ volatile("" : : "r"(room) : "memory");
}

NOINLINE static void outer(int n)
{
	ip_outer = (u64)(uintptr_t)__builtin_return_address(0);
	middle(n);
	__asm__ volatile("" : : : "memory");
}

NOINLINE static void deeper(int n)
{
	if (n)
		deeper(n - 1);
	else
		outer(100);
	__asm__ volatile("" : : : "memory");
}

/* a frame so large that the copy ends inside it, not above the top of the stack; n more frames below it */
NOINLINE static void record_stack(int n)
{
	u8 room[STACK];

	/* escapes: clang keeps only the bytes that are used of an array, volatile or not */
	__asm__ volatile("" : : "r"(room) : "memory");
	deeper(n);
	__asm__ volatile("" : : "r"(room) : "memory");
}

/* our own executable mappings, as side-band */
static struct machine *own_machine(struct side *s, struct diag *diag)
{
	struct strbuf maps = STRBUF_INIT;
	char path[512], prot[8];
	unsigned long start, end, off;

	REQUIRE(!fs_read("/proc/self/maps", &maps));
	side_comm(s, 0, 1, 1, "self", false);
	for (const char *p = strbuf_str(&maps); p && *p; p = strchr(p, '\n'), p = p ? p + 1 : p)
		if (sscanf(p, "%lx-%lx %7s %lx %*s %*s %511[^\n]", &start, &end, prot, &off, path) == 5 &&
		    prot[2] == 'x' && strlen(path) < 300)
			side_mmap2(s, 0, CPUMODE_USER, 1, 1, start, end - start, off, path);
	strbuf_release(&maps);
	return side_machine(s, diag);
}

static struct machine *machine;
static struct symbols *symbols;

/* forgets what it knew of another machine */
static struct locator *test_locator(const struct machine *m)
{
	static struct locator locator;

	locator_release(&locator);
	locator_init(&locator, m);
	return &locator;
}

static void prepare(void)
{
	static struct side side;
	static struct diag diag;
	static struct sym_opts opts = SYM_OPTS_INIT;

	record_stack(0);
	machine = own_machine(&side, &diag);
	symbols = symbols_new(machine_dsos(machine), &opts);
}

static bool has(const u64 *ips, int nr, u64 ip)
{
	for (int i = 0; i < nr; i++)
		if (ips[i] == ip)
			return true;
	return false;
}

TEST(own_stack)
{
	u64 ips[64];
	struct unwind *u;
	int nr, few;

	prepare();
	u = unwind_new(test_locator(machine), symbols, MACHINE, false, NULL);
	nr = unwind_dwarf(u, &recorded.sample, first_task(machine), ips, 64);
	CHECK(nr > 3);
	CHECK_U64(ips[1], ip_inner - 1);
	CHECK_U64(ips[2], ip_middle - 1);
	CHECK_U64(ips[3], ip_outer - 1);
	few = unwind_dwarf(u, &recorded.sample, first_task(machine), ips, 2);
	CHECK_INT(few, 2);
	unwind_free(u);
}

static u64 cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/*
 * a stack that was unwound before gives the same frames. With PERF_BENCH_UNWIND=FILE, appends to it for make
 * bench how many frames a stack has and how many nanoseconds it takes
 */
TEST(again_and_again)
{
	const char *file = getenv("PERF_BENCH_UNWIND");
	u64 first[64], ips[64], start, best = UINT64_MAX;
	struct unwind *u;
	FILE *out;
	int nr;

	prepare();
	record_stack(16);
	u = unwind_new(test_locator(machine), symbols, MACHINE, false, NULL);
	nr = unwind_dwarf(u, &recorded.sample, first_task(machine), first, 64);
	CHECK(nr >= 20);
	for (int round = 0; round < (file ? 20 : 1); round++) {
		start = cpu_ns();
		for (int i = 0; i < 10000; i++)
			nr = unwind_dwarf(u, &recorded.sample, first_task(machine), ips, 20);
		best = MIN(best, (cpu_ns() - start) / 10000);
	}
	CHECK_INT(nr, 20);
	CHECK(!memcmp(first, ips, 20 * sizeof(*ips)));
	unwind_free(u);
	if (!file)
		return;
	out = fopen(file, "a");
	REQUIRE(out);
	fprintf(out, "%d %lu\n", nr, best);
	fclose(out);
}

TEST(stack_ends)
{
	u64 ips[64];
	struct unwind *u;

	prepare();
	u = unwind_new(test_locator(machine), symbols, MACHINE, false, NULL);
	/* the copy ends inside the frame of record_stack() */
	recorded.sample.user_stack_full = true;
	CHECK(unwind_dwarf(u, &recorded.sample, first_task(machine), ips, 64) > 3);
	CHECK_INT(unwind_end(u), STACK_CUT);
	/* the same copy, but the kernel could not read more than this */
	recorded.sample.user_stack_full = false;
	unwind_dwarf(u, &recorded.sample, first_task(machine), ips, 64);
	CHECK_INT(unwind_end(u), STACK_MEMORY);
	unwind_dwarf(u, &recorded.sample, first_task(machine), ips, 2);
	CHECK_INT(unwind_end(u), STACK_DEPTH);
	recorded.sample.user_abi = 0;
	unwind_dwarf(u, &recorded.sample, first_task(machine), ips, 64);
	CHECK_INT(unwind_end(u), STACK_NONE);
	unwind_free(u);
}

TEST(words_of_stack_ends)
{
	struct stack_ends e = { 0 };
	struct strbuf sb = STRBUF_INIT;

	prepare();
	stack_ends_add(&e, STACK_COMPLETE, ID_NONE, 712);
	stack_ends_add(&e, STACK_CUT, 0, 240);
	stack_ends_add(&e, STACK_NO_RULES, ID_NONE, 48);
	stack_ends_add(&e, STACK_NONE, ID_NONE, 5000);
	CHECK_U64(stack_ends_total(&e), 1000);
	stack_ends_text(&e, machine_dsos(machine), 8192, &sb);
	CHECK_STR(strbuf_str(&sb), "71.2% complete, 24.0% cut by the 8192-byte dump (try --call-graph "
		  "dwarf,16384), 4.8% no unwind info in [unknown]");
	e.whole = 20000;
	strbuf_reset(&sb);
	stack_ends_text(&e, machine_dsos(machine), 8192, &sb);
	CHECK(strstr(strbuf_str(&sb), "dump (--call-graph dwarf,20480 would have been enough), 4.8%"));
	e.whole = 100000;
	strbuf_reset(&sb);
	stack_ends_text(&e, machine_dsos(machine), 8192, &sb);
	CHECK(strstr(strbuf_str(&sb), "dump (stacks have up to 100000 bytes, dumps at most 65528), 4.8%"));
	stack_ends_release(&e);
	strbuf_release(&sb);
}

TEST(short_and_damaged_stacks)
{
	u64 ips[1024];
	struct unwind *u;
	struct sample_ctx ctx;
	int nr;

	prepare();
	u = unwind_new(test_locator(machine), symbols, MACHINE, false, NULL);
	ctx = machine_sample_ctx(machine, 1, 1, (struct when){ .time = 1 });
	/* as while a program is replaced by exec: its memory is gone */
	recorded.sample.user_stack_size = 0;
	CHECK_INT(unwind_dwarf(u, &recorded.sample, &ctx, ips, 1024), 0);
	recorded.sample.user_stack_size = 1;
	nr = unwind_dwarf(u, &recorded.sample, &ctx, ips, 1024);
	CHECK(nr >= 1 && !has(ips, nr, ip_middle - 1));
	/* whatever the bytes are, the chain ends */
	for (u32 seed = 1; seed < 200; seed++) {
		u32 x = seed;

		recorded.sample.user_stack_size = STACK;
		for (u32 i = 0; i < STACK; i += 1 + (x & 63)) {
			x = x * 1664525 + 1013904223;
			recorded.stack[i] = x >> 24;
		}
		nr = unwind_dwarf(u, &recorded.sample, &ctx, ips, 1024);
		CHECK(nr >= 1 && nr <= 1024);
	}
	recorded.sample.user_abi = 0;
	CHECK_INT(unwind_dwarf(u, &recorded.sample, &ctx, ips, 1024), 0);
	unwind_free(u);
}

/* arm64: a leaf function of 16 bytes at 0x1000 and one with a frame record at 0x1010, absolute addresses */
static const u8 frames[] = {
	/* CFA x31 */
	20, 0, 0, 0,  0, 0, 0, 0,  1, 0,  4, 0x78, 30,  12, 31, 0,  0, 0, 0, 0, 0, 0, 0, 0,
	28, 0, 0, 0,  28, 0, 0, 0,  0, 0x10, 0, 0, 0, 0, 0, 0,  16, 0, 0, 0, 0, 0, 0, 0,  0, 0, 0, 0, 0, 0, 0,
	0, 28, 0, 0, 0,  60, 0, 0, 0,  0x10, 0x10, 0, 0, 0, 0, 0, 0,  16, 0, 0, 0, 0, 0, 0, 0,
	/* from the second instruction on: CFA x31+16, x29 and x30 saved there */
	0x41, 14, 16, 0x9d, 2, 0x9e, 1, 0,
	0, 0, 0, 0,
};

/* x86-64: a PLT at 0x1000, where the CFA is rsp+8, or rsp+16 from byte 11 of an entry on */
static const u8 plt_frames[] = {
	20, 0, 0, 0,  0, 0, 0, 0,  1, 0,  1, 0x78, 16,  12, 7, 8, 0x90, 1,  0, 0, 0, 0, 0, 0,
	36, 0, 0, 0,  28, 0, 0, 0,  0, 0x10, 0, 0, 0, 0, 0, 0,  0x40, 0, 0, 0, 0, 0, 0, 0,
	0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22, 0, 0, 0,
	0, 0, 0, 0,
};

static struct arena scratch;

/* the caller of 0x1000 + off in "plt" that the first two words of the stack give */
static u64 plt_caller(u64 off)
{
	struct side side = { 0 };
	struct sym_opts opts = SYM_OPTS_INIT;
	struct diag diag = { 0 };
	const u64 regs[] = { 0x7000, 0x400000 + off }, stack[] = { 0x400101, 0x400201 };
	struct event event = { .attr.sample_regs_user = 1 << 7 | 1 << 8 };	/* SP, IP */
	struct sample s = { .event = &event, .user_abi = 2, .user_regs = regs,
			    .user_stack = (const u8 *)stack, .user_stack_size = sizeof(stack) };
	struct unwind *u;
	u64 ips[2];

	side_comm(&side, 0, 1, 1, "x", false);
	side_mmap2(&side, 0, CPUMODE_USER, 1, 1, 0x400000, 0x2000, 0x1000, "plt");
	machine = side_machine(&side, &diag);
	symbols = symbols_new(machine_dsos(machine), &opts);
	u = unwind_new(test_locator(machine), symbols, EM_X86_64, false, NULL);
	CHECK_INT(unwind_dwarf(u, &s, first_task(machine), ips, 2), 2);
	unwind_free(u);
	return ips[1];
}

TEST(caller_of_a_plt_entry)
{
	mini_elf_write("plt", &(struct mini_elf){ .text_svma = 0x1000, .text_off = 4096,
						  .eh_frame = plt_frames,
						  .eh_frame_len = sizeof(plt_frames) });
	CHECK_U64(plt_caller(0x20), 0x400100);
	CHECK_U64(plt_caller(0x26), 0x400100);
	CHECK_U64(plt_caller(0x2b), 0x400200);
}

/* arm64: the entries have no frames; the caller is in the link register, not where the frame pointer leads */
TEST(caller_of_a_plt_entry_without_frames)
{
	struct side side = { 0 };
	struct sym_opts opts = SYM_OPTS_INIT;
	struct diag diag = { 0 };
	static const u8 plt[64], nothing[4];
	const u64 regs[] = { 0x7000, 0x400011, 0x7000, 0x400828 }, stack[] = { 0, 0x400030 };
	struct event event = { .attr.sample_regs_user = 1ull << 29 | 1ull << 30 | 1ull << 31 | 1ull << 32 };
	struct sample s = { .event = &event, .user_abi = 2, .user_regs = regs,
			    .user_stack = (const u8 *)stack, .user_stack_size = sizeof(stack) };
	struct unwind *u;
	u64 ips[3] = { 0 };

	mini_elf_write("arm-plt", &(struct mini_elf){ .machine = EM_AARCH64, .text_svma = 0x1000,
						      .text_off = 4096, .plt = plt, .plt_len = sizeof(plt),
						      .eh_frame = nothing, .eh_frame_len = sizeof(nothing) });
	side_comm(&side, 0, 1, 1, "x", false);
	side_mmap2(&side, 0, CPUMODE_USER, 1, 1, 0x400000, 0x1000, 0x1000, "arm-plt");
	machine = side_machine(&side, &diag);
	symbols = symbols_new(machine_dsos(machine), &opts);
	u = unwind_new(test_locator(machine), symbols, EM_AARCH64, false, NULL);
	CHECK_INT(unwind_dwarf(u, &s, first_task(machine), ips, 3), 3);
	CHECK_U64(ips[1], 0x400010);
	CHECK_U64(ips[2], 0x40002f);
	unwind_free(u);
}

/* x86-64: a function at 0x1000 that leaves rbx alone, called by one at 0x1010, whose CFA is rbx+16 */
static const u8 rbx_frames[] = {
	20, 0, 0, 0,  0, 0, 0, 0,  1, 0,  1, 0x78, 16,  12, 7, 8, 0x90, 1,  0, 0, 0, 0, 0, 0,
	20, 0, 0, 0,  28, 0, 0, 0,  0, 0x10, 0, 0, 0, 0, 0, 0,  16, 0, 0, 0, 0, 0, 0, 0,
	28, 0, 0, 0,  52, 0, 0, 0,  0x10, 0x10, 0, 0, 0, 0, 0, 0,  16, 0, 0, 0, 0, 0, 0, 0,
	12, 3, 16, 0, 0, 0, 0, 0,
	0, 0, 0, 0,
};

TEST(frame_at_a_register_that_callees_do_not_mention)
{
	struct side side = { 0 };
	struct sym_opts opts = SYM_OPTS_INIT;
	struct diag diag = { 0 };
	const u64 regs[] = { 0x7010, 0x7000, 0x400004 }, stack[] = { 0x400015, 0, 0, 0x400101 };
	struct event event = { .attr.sample_regs_user = 1 << 1 | 1 << 7 | 1 << 8 };	/* BX, SP, IP */
	struct sample s = { .event = &event, .user_abi = 2, .user_regs = regs,
			    .user_stack = (const u8 *)stack, .user_stack_size = sizeof(stack) };
	struct unwind *u;
	u64 ips[3];

	mini_elf_write("rbx", &(struct mini_elf){ .text_svma = 0x1000, .text_off = 4096,
						  .eh_frame = rbx_frames,
						  .eh_frame_len = sizeof(rbx_frames) });
	side_comm(&side, 0, 1, 1, "x", false);
	side_mmap2(&side, 0, CPUMODE_USER, 1, 1, 0x400000, 0x2000, 0x1000, "rbx");
	machine = side_machine(&side, &diag);
	symbols = symbols_new(machine_dsos(machine), &opts);
	u = unwind_new(test_locator(machine), symbols, EM_X86_64, false, NULL);
	CHECK_INT(unwind_dwarf(u, &s, first_task(machine), ips, 3), 3);
	CHECK_U64(ips[1], 0x400014);
	CHECK_U64(ips[2], 0x400100);
	unwind_free(u);
}

/*
 * the chain of a sample of 0x1000 + ip, with lr as the link register; "ip ip ..." relative to 0x400000,
 * markers as they are
 */
static const char *leaf_chain(u64 mask, u64 ip, u64 lr)
{
	static struct side side;
	static struct sym_opts opts = SYM_OPTS_INIT;
	static char text[200];
	struct diag diag = { 0 };
	struct event event = { .attr.sample_regs_user = mask };
	const u64 chain[] = { CHAIN_KERNEL, 5, CHAIN_USER, 0x400000 + ip, 0x401100 };
	struct sample s = { .event = &event, .user_abi = 2, .user_regs = &lr, .callchain = chain,
			    .nr_callchain = ARRAY_SIZE(chain) };
	struct unwind *u;
	size_t n = 0;

	side = (struct side){ 0 };
	side_comm(&side, 0, 1, 1, "x", false);
	side_mmap2(&side, 0, CPUMODE_USER, 1, 1, 0x400000, 0x2000, 0x1000, "leaf");
	machine = side_machine(&side, &diag);
	symbols = symbols_new(machine_dsos(machine), &opts);
	u = unwind_new(test_locator(machine), symbols, EM_AARCH64, false, NULL);
	CHECK(unwind_leaf_possible(&s));
	unwind_leaf(u, &s, first_task(machine), &scratch);
	for (u64 i = 3; i < s.nr_callchain; i++)
		n += snprintf(text + n, sizeof(text) - n, "%s%llx", n ? " " : "",
			      (unsigned long long)(s.callchain[i] - 0x400000));
	unwind_free(u);
	return text;
}

TEST(caller_of_a_leaf_function)
{
	const u64 lr = 1ull << 30;

	mini_elf_write("leaf", &(struct mini_elf){ .machine = EM_AARCH64, .text_svma = 0x1000,
						   .text_off = 4096, .eh_frame = frames,
						   .eh_frame_len = sizeof(frames) });
	CHECK_STR(leaf_chain(lr, 0x4, 0x400048), "4 47 1100");
	CHECK_STR(leaf_chain(lr, 0x10, 0x400048), "10 47 1100");	/* before its frame record is made */
	CHECK_STR(leaf_chain(lr, 0x14, 0x400048), "14 1100");	/* the frame record is in the chain */
	CHECK_STR(leaf_chain(lr, 0x4, 0x401100), "4 1100");		/* the chain has it already */
	CHECK_STR(leaf_chain(lr, 0x80, 0x400048), "80 1100");	/* there is no information about that code */
	CHECK_STR(leaf_chain(lr, 0x4, 0x77777), "4 1100");		/* nothing is mapped there */
	CHECK_STR(leaf_chain(lr, 0x4, 0), "4 1100");
	CHECK_STR(leaf_chain(1ull << 29, 0x4, 0x400048), "4 1100");	/* another register */
	CHECK_STR(leaf_chain(lr, 0x4, 0xabull << 56 | 0x400048), "4 47 1100");	/* signed */
}

static u8 *put(u8 *p, u64 v, unsigned int size, bool big)
{
	for (unsigned int i = 0; i < size; i++)
		p[big ? size - 1 - i : i] = v >> 8 * i;
	return p + size;
}

/*
 * .eh_frame of 256 bytes of code at 0x1000: the CFA is two words above the stack pointer, the caller's
 * address one word below the CFA. p is zeroed. Returns the length
 */
static size_t frames_of(const struct arch *a, const struct arch_abi *abi, bool big, u8 *p)
{
	u8 ra = a->dwarf_high && abi->dwarf_ra == ARCH_DWARF_REGS - 1 ? a->dwarf_high : abi->dwarf_ra,
			w = abi->word;
	/* version 1, alignments 1 and -w, DW_CFA_def_cfa */
	const u8 cie[] = { 1, 0, 1, 128 - w, ra, 12, abi->dwarf_sp, 2 * w };
	const u8 rule[] = { 5, ra, 1 };						/* DW_CFA_offset_extended */
	u8 *start = p;

	p = put(put(p, 20, 4, big), 0, 4, big);
	memcpy(p, cie, sizeof(cie));
	p += 16;
	p = put(put(p, 4 + 2 * w + 4, 4, big), 28, 4, big);
	p = put(put(p, 0x1000, w, big), 256, w, big);
	memcpy(p, rule, sizeof(rule));
	return p + 4 + 4 - start;
}

/*
 * the first instruction of a program is longer than a byte: both bytes have the row of the same rules. On
 * POWER its function has no rules, but the next one has
 */
TEST(equal_rules_are_kept_once)
{
	struct elf_obj *o = elf_obj_open("/proc/self/exe", NULL);
	struct cfi *c = cfi_new(o, 0);
	const struct cfi_rule *first;
	u64 addr;

	REQUIRE(c);
	addr = o->ehdr.e_entry;
	while (!(first = cfi_find(c, addr)) && addr < o->ehdr.e_entry + 4096)
		addr += 4;
	REQUIRE(first);
	CHECK(first == cfi_find(c, addr + 1));
	CHECK(first == cfi_find(c, addr));
	cfi_free(c);
}

/* whether libdw reads the frames of that machine: old ones do not know all of them */
static bool libdw_knows(const struct arch *a)
{
	struct cfi *c = cfi_new(elf_obj_open("frames", NULL), a->dwarf_high);
	bool known;

	REQUIRE(c);
	known = cfi_find(c, 0x1004);
	cfi_free(c);
	return known;
}

/* false: libdw does not know the machine */
static bool check_caller(const struct arch *a, int is64, bool big)
{
	const struct arch_abi *abi = &a->abi[is64];
	struct side side = { 0 };
	struct sym_opts opts = SYM_OPTS_INIT;
	struct diag diag = { 0 };
	struct event event = { .attr.sample_regs_user = 1ull << a->reg_ip | 1ull << a->reg_sp };
	u64 regs[2] = { 0x7000, 0x7000 }, ips[4] = { 0 };
	u8 stack[16] = { 0 }, eh[64] = { 0 };
	struct sample s = { .event = &event, .user_abi = is64 + 1, .user_regs = regs, .user_stack = stack,
			    .user_stack_size = 2 * abi->word };
	struct unwind *u;

	regs[a->reg_ip > a->reg_sp] = 0x400004;
	put(stack + abi->word, 0x400010, abi->word, big);
	mini_elf_write("frames",
		       &(struct mini_elf){ .machine = abi->e_machine, .is32 = !is64, .big_endian = big,
					   .text_svma = 0x1000, .text_off = 4096, .eh_frame = eh,
					   .eh_frame_len = frames_of(a, abi, big, eh) });
	if (!libdw_knows(a))
		return false;
	side_comm(&side, 0, 1, 1, "x", false);
	side_mmap2(&side, 0, CPUMODE_USER, 1, 1, 0x400000, 0x1000, 0x1000, "frames");
	machine = side_machine(&side, &diag);
	symbols = symbols_new(machine_dsos(machine), &opts);
	u = unwind_new(test_locator(machine), symbols, abi->e_machine,
		       big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__), NULL);
	CHECK_INT(unwind_dwarf(u, &s, first_task(machine), ips, 4), 2);
	if (ips[1] != 0x40000f)
		CHECK_STR(a->name, is64 ? "64 bits: the caller at 0x40000f" :
			  "32 bits: the caller at 0x40000f");
	unwind_free(u);
	return true;
}

TEST(callers_on_all_machines_in_both_byte_orders)
{
	const struct arch *a;
	int nr = 0;

	for (size_t i = 0; (a = arch_row(i)); i++)
		for (int k = 0; k < 2; k++)
			for (int big = 0; big < 2 && arch_abi_unwound(a, k + 1); big++)
				nr += check_caller(a, k, big);
	/* x86, arm64, arm, riscv, powerpc and s390, in both byte orders */
	CHECK(nr >= 16);
}
