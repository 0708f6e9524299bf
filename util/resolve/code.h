/*
 * Code: the machine code of one function, from the file that was mapped, a vmlinux, the copy of the kernel
 * that was recorded, the running kernel, a jitdump file, or the file's header (BPF programs). Never of
 * another build. Owns its bytes.
 */
#ifndef PERF_RESOLVE_CODE_H
#define PERF_RESOLVE_CODE_H

#include "../obj/disasm.h"
#include "../session/session.h"

/* no function has more: a wrong size in a file must not cost memory */
#define CODE_MAX (4u << 20)

struct code {
	u8 *byte;
	size_t nr;
	u64 svma;			/* of the first byte */
	struct disasm_target target;	/* but for intel */
};

/*
 * 0, or a negative errno with err: there is no code of this build, or the function is outside of it. sym is
 * one of the dso's symbols
 */
int code_read(struct code *c, const struct session *s, u32 dso, const struct symbol *sym, struct err *err);
void code_release(struct code *c);

#endif
