/*
 * Kernel-patches: where a kernel changes its own code while it runs, from the tables in its vmlinux: branches
 * that are switched on (static keys), and code after faults. Const once made.
 */
#ifndef PERF_OBJ_KERNEL_PATCHES_H
#define PERF_OBJ_KERNEL_PATCHES_H

#include "elf-image.h"

struct kernel_patches;

/*
 * of a linked kernel; NULL: the file is none. Of a module, whose tables are not linked yet, there is none
 * either
 */
struct kernel_patches *kernel_patches_new(struct elf_image *im);
void kernel_patches_free(struct kernel_patches *p);

/* whether the instruction at an address may become a jump; *ret_to: where to */
bool kernel_patches_jump(const struct kernel_patches *p, u64 addr, u64 *ret_to);
/* the addresses in [start, end) to which code goes that is not seen: calls found for each */
void kernel_patches_targets(const struct kernel_patches *p, u64 start, u64 end,
			    void (*found)(void *ctx, u64 addr), void *ctx);
/* address of the function that the kernel's tracer calls at the beginning of functions; 0: there is none */
u64 kernel_patches_fentry(const struct kernel_patches *p);

#endif
