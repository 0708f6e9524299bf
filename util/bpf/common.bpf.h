/*
 * Common.bpf: what BPF programs in C begin with: types, helpers, and access to the payload of tracepoints,
 * whose fields lie where the format files of the running kernel say.
 */
#ifndef PERF_BPF_COMMON_BPF_H
#define PERF_BPF_COMMON_BPF_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <bpf/bpf_helpers.h>

#include "functions.h"

/* instead of util/base/types.h, which needs a C library */
#define PERF_BASE_TYPES_H
typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s8 s8;
typedef __s16 s16;
typedef __s32 s32;
typedef __s64 s64;

char LICENSE[] SEC("license") = "GPL";

/* offset is a constant for the verifier, and not for the compiler, so the context cannot be read directly */
static __always_inline u32 payload_u32(void *ctx, u32 offset)
{
	u32 value = 0;

	bpf_probe_read_kernel(&value, sizeof(value), ctx + offset);
	return value;
}

static __always_inline u64 payload_u64(void *ctx, u32 offset)
{
	u64 value = 0;

	bpf_probe_read_kernel(&value, sizeof(value), ctx + offset);
	return value;
}

/*
 * Of a structure of the kernel, to which the verifier knows a typed pointer: much cheaper than a helper. The
 * offset is a constant of `settings`. 0 if the pointer is not valid
 */
static __always_inline u64 load_u64(const void *p, u32 offset)
{
	return *(const u64 *)(p + offset);
}

static __always_inline const void *load_pointer(const void *p, u32 offset)
{
	return *(const void *const *)(p + offset);
}

static __always_inline u32 load_u32(const void *p, u32 offset)
{
	return *(const u32 *)(p + offset);
}

static __always_inline u8 load_u8(const void *p, u32 offset)
{
	return *(const u8 *)(p + offset);
}

static __always_inline u16 load_u16(const void *p, u32 offset)
{
	return *(const u16 *)(p + offset);
}

/*
 * A typed pointer to an address of the kernel, whatever is there: members are read as above. The type is a
 * number among the kernel's types, a constant of `settings`. It calls bpf_rdonly_cast(), which Linux has from
 * 6.2 on: bpf_set_kernel_function() writes the number of that function into the instruction, or takes the
 * call out. clang knows functions of the kernel by name, which libbpf 1.1 leaves to kernels that lack them,
 * and Linux 5.15 refuses
 */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define CALL_OF_KERNEL ".byte 0x85, 0x20, 0, 0; .long "
#else
#define CALL_OF_KERNEL ".byte 0x85, 0x02, 0, 0; .long "
#endif
static __always_inline const void *typed(u64 at, u32 type)
{
	const void *ret;

	asm volatile("r1 = %1; r2 = %2; " CALL_OF_KERNEL "%3; %0 = r0" : "=r"(ret) : "r"(at),
		     "r"((u64)type), "i"(BPF_FUNCTION_CAST) : "r0", "r1", "r2", "r3", "r4", "r5");
	return ret;
}

/*
 * goto label, until a loop has run for long enough: millions of times, or (x86-64, from 6.15 on) 250 ms. The
 * verifier accepts loops with it that have no other bound. Kernels from 6.9 on: others refuse the whole
 * program. The instruction (BPF_JMP | BPF_JCOND, may_goto) is newer than clang: it skips the next one
 */
#define goto_if_allowed(label) \
	asm volatile goto(".byte 0xe5, 0; .short 1; .long 0; goto %l[" #label "]" :::: label)

#endif
