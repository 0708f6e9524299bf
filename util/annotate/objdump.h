/*
 * Objdump: instructions as an objdump program prints them, for users who prefer its text to capstone's. Only
 * an option or the configuration asks for it. The program gets the bytes of one function as a file of binary
 * data, and the machine and the address as arguments: nothing that a profile or a program contains.
 */
#ifndef PERF_ANNOTATE_OBJDUMP_H
#define PERF_ANNOTATE_OBJDUMP_H

#include "../base/vec.h"
#include "../obj/disasm.h"
#include "../resolve/code.h"

struct objdump_text {
	struct { VEC(struct disasm_insn); } insn;	/* without gaps, in all of the code; no details */
};

/* program: a name in PATH, or a path. 0, or a negative errno with err */
int objdump_run(struct objdump_text *o, const char *program, const struct code *c, struct err *err);
void objdump_release(struct objdump_text *o);

#endif
