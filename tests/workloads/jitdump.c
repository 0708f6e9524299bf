/*
 * jitdump: generated code that runs, and a jitdump file that describes it, mapped as the format wants it so
 * that the recorder sees where it is. Format: jitdump-specification.txt of the kernel's documentation,
 * version 1.
 */
#include "workload.h"
#include "../../util/base/fs.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define JIT_MAGIC	0x4a695444
#define JIT_CODE_LOAD	0

struct jit_header {
	u32 magic, version, total_size, elf_mach, pad1, pid;
	u64 timestamp, flags;
};

struct jit_code_load {
	u32 id, total_size;
	u64 timestamp;
	u32 pid, tid;
	u64 vma, code_addr, code_size, code_index;
};

/* a function that counts its argument down to 0 */
#if defined(__x86_64__)
#define JIT_MACHINE EM_X86_64
static const u8 jit_code[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };	/* 1: dec %rdi; jnz 1b; ret */
#elif defined(__aarch64__)
#define JIT_MACHINE EM_AARCH64
static const u8 jit_code[] = { 0, 4, 0, 0xf1, 0xe1, 0xff, 0xff, 0x54, 0xc0, 3, 0x5f, 0xd6 };
				/* 1: subs x0, x0, #1; b.ne 1b; ret */
#elif defined(__riscv) && __riscv_xlen == 64
#define JIT_MACHINE EM_RISCV
static const u8 jit_code[] = { 0x13, 5, 0xf5, 0xff, 0xe3, 0x1e, 5, 0xfe, 0x67, 0x80, 0, 0 };
				/* 1: addi a0, a0, -1; bnez a0, 1b; ret */
#else
#define JIT_MACHINE EM_NONE
static const u8 jit_code[] = { 0 };
#endif

static u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static int write_dump(int fd, u64 addr)
{
	static const char name[] = "jit_function";
	struct jit_header h = { .magic = JIT_MAGIC, .version = 1, .total_size = sizeof(h),
				.elf_mach = JIT_MACHINE, .pid = getpid(), .timestamp = now_ns() };
	struct jit_code_load l = { .id = JIT_CODE_LOAD,
				   .total_size = sizeof(l) + sizeof(name) + sizeof(jit_code),
				   .timestamp = now_ns(), .pid = getpid(), .tid = syscall(SYS_gettid),
				   .vma = addr, .code_addr = addr, .code_size = sizeof(jit_code) };
	int ret = fd_write_all(fd, &h, sizeof(h));

	ret = ret ? ret : fd_write_all(fd, &l, sizeof(l));
	ret = ret ? ret : fd_write_all(fd, name, sizeof(name));
	return ret ? ret : fd_write_all(fd, jit_code, sizeof(jit_code));
}

static int fail(const char *what)
{
	fprintf(stderr, "Error: %s: %s\n", what, strerror(errno));
	return 1;
}

int jitdump(int argc, const char **argv)
{
	double seconds = 0.1;
	char path[64];
	void (*run)(u64 rounds);
	void *code, *marker;
	int fd;

	if (!workload_seconds(argc, argv, 0, &seconds))
		return 1;
	if (JIT_MACHINE == EM_NONE) {
		fprintf(stderr, "Error: jitdump does not know how to generate code for this architecture\n");
		return 1;
	}
	code = mmap(NULL, page_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (code == MAP_FAILED)
		return fail("cannot map memory for code");
	memcpy(code, jit_code, sizeof(jit_code));
	__builtin___clear_cache(code, (char *)code + sizeof(jit_code));
	if (mprotect(code, page_size(), PROT_READ | PROT_EXEC))
		return fail("cannot make generated code executable");
	snprintf(path, sizeof(path), "jit-%d.dump", getpid());
	fd = open(path, O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0644);
	if (fd < 0)
		return fail(path);
	/* this mapping is how a profiler learns of the file */
	marker = mmap(NULL, page_size(), PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (marker == MAP_FAILED || write_dump(fd, (u64)(uintptr_t)code))
		return fail(path);
	run = (void (*)(u64))(uintptr_t)code;
	workload_timer(seconds);
	while (!workload_done)
		run(100000);
	munmap(marker, page_size());
	munmap(code, page_size());
	return close(fd) ? fail(path) : 0;
}
