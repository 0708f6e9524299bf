/*
 * Types of arguments, private to util/syscall: how a value, or the bytes that an argument points to, become
 * text. A type is a const row: of types.def, or made from a list of names (names.def). Bytes are read through
 * a cursor only; what is missing at their end is printed as "...".
 */
#ifndef PERF_SYSCALL_TYPE_H
#define PERF_SYSCALL_TYPE_H

#include "../base/cursor.h"
#include "../base/strbuf.h"
#include "syscall.h"

/* families of architectures whose numbers of flags, signals and errors differ: bits of syscall_name.on */
enum syscall_family {
	ON_X86 = 1, ON_ARM = 2, ON_GENERIC = 4, ON_POWERPC = 8, ON_S390 = 16, ON_MIPS = 32,
	ON_ALL = 63,
};

struct syscall_table {
	const char *name;
	u16 e_machine[2];		/* of 64-bit and of 32-bit ELF files with such programs; 0: none */
	u8 abi;				/* 64, 32, SYSCALL_ABI_* */
	u8 word;			/* bytes of a long and of a pointer */
	u8 family;			/* enum syscall_family */
	/* numbers in row[] less than in programs by that much; bits of a number that say nothing */
	u32 base, ignore;
	u32 nr, nr_more;
	const u16 *row;			/* index + 1; 0: no such call */
	/* a second list, of numbers that are far above: less more_base */
	const u16 *more;
	u32 more_base;
};

/* what is being printed */
struct put {
	const struct syscall_call *call;
	const struct syscall_text_opts *o;
	const struct syscall_row *row;
	unsigned int i;			/* the argument, SYSCALL_ARGS: the result */
	struct strbuf *out;
};

#define SYSCALL_NAME 39
struct syscall_name {
	u64 value;
	u8 on;				/* enum syscall_family; 0: the end of the list */
	char name[SYSCALL_NAME];
};

/* numbers that have names */
#define SYSCALL_PREFIX 25
struct syscall_names {
	/* these bits are one number, the others are flags; 0: all are flags; ~0: all are one number */
	u64 number;
	char prefix[SYSCALL_PREFIX];	/* which most of the names have */
	struct syscall_name row[];
};

/* a field of a structure */
#define SYSCALL_FIELD 20
struct syscall_field {
	char name[SYSCALL_FIELD];
	u16 type;			/* enum syscall_type_index; NR_TYPES: bytes that are skipped */
	u8 size32, size64;		/* bytes by the size of a long */
};

struct btf;
struct syscall_type {
	/* prints a value: an argument, or what was read from memory. NULL: it is an address */
	void (*put)(const struct put *p, const struct syscall_type *type, u64 value);
	/* prints one element from memory; NULL: a number of that size, which put() prints */
	void (*put_mem)(const struct put *p, const struct syscall_type *type, struct cursor *c);
	/* whether this call does not have the argument; NULL: it always has */
	bool (*absent)(const struct put *p);
	const struct syscall_names *names;
	const struct syscall_field *field;
	u8 nr_fields;
	bool is_klong;			/* x32 programs have the 64-bit layout */
	bool hide;			/* fields that are 0 */
	/*
	 * bytes of an element in memory, by the size of a long; 0: it has none. 1 with put_mem: the element
	 * is as long as the count of the argument says
	 */
	u16 size32, size64;
	bool zero;			/* 0 says something: it is printed without show_zeros, too */
	u8 bits;			/* of the value that count: 32; 64: a register; 0: a long */
	const struct btf *btf;		/* put_btf: the kernel's types, and the one to print */
	u32 btf_type;
};

#endif
