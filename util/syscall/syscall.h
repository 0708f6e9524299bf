/*
 * Syscall: what the kernel's system calls are called, what their arguments mean, and their text. All tables
 * are const and always linked: a recording may come from another machine. A row (syscalls.def) describes a
 * system call; a table (numbers.def) says which number is which row for programs of one kind, such as 32-bit
 * ARM. Nothing here asks the running system: bytes at pointers, and what a file descriptor is open on,
 * come from the caller, and none of those bytes is trusted.
 *
 *	const struct syscall_table *t = syscall_table_find(EM_X86_64, 64);
 *	struct syscall_call call = { .table = t, .nr = 257, .arg = { AT_FDCWD, ptr, O_CLOEXEC } };
 *
 *	call.data[1] = (struct syscall_data){ "/etc/passwd", 12 };
 *	syscall_add_args(&call, &opts, &line);
 *
 *	dfd: CWD, filename: "/etc/passwd", flags: RDONLY|CLOEXEC
 *
 * HOWTO-add-a-syscall-argument-type.md says how the tables grow.
 */
#ifndef PERF_SYSCALL_SYSCALL_H
#define PERF_SYSCALL_SYSCALL_H

#include "../base/types.h"

struct err;
struct strbuf;
struct syscall_type;

#define SYSCALL_ARGS 6

/* what a system call is about, a bit each: groups.def has their names and texts */
enum syscall_group {
#define GROUP(id, bit, name, help) SYSCALL_GROUP_##id = 1 << (bit),
#include "groups.def"
#undef GROUP
};

/* when the bytes that an argument points to are worth reading */
enum syscall_when {
	SYSCALL_NEVER,		/* it is not a pointer, or what it points to is not printed */
	SYSCALL_ENTER,		/* the program wrote them before the call */
	SYSCALL_EXIT,		/* the kernel wrote them, if the call succeeded */
};

/* how many elements there are */
enum syscall_count {
	SYSCALL_COUNT_ONE,	/* one */
	SYSCALL_COUNT_STRING,	/* characters, up to a NUL */
	SYSCALL_COUNT_ARG,	/* the value of argument number `arg` */
	SYSCALL_COUNT_RESULT,	/* the result of the call, and at most the value of argument `arg` */
	SYSCALL_COUNT_TWO,	/* two */
	SYSCALL_COUNT_AT,	/* the u32 that argument `arg` points to, once the call has returned */
	SYSCALL_COUNT_BITS,	/* bytes for as many bits as the value of argument `arg`, in whole longs */
	/*
	 * an array of pointers to strings up to a NULL: the caller gives the strings one after another,
	 * each with its NUL
	 */
	SYSCALL_COUNT_STRINGS,
};

/* what the bytes of an argument point to in turn, which is worth copying, too */
enum syscall_parts {
	SYSCALL_PARTS_NONE,
	SYSCALL_PARTS_IOVEC,	/* buffers of an array of struct iovec */
	SYSCALL_PARTS_MSGHDR,	/* address, control data, vectors and their buffers of a struct user_msghdr */
};
#define SYSCALL_PARTS_VECTORS 4u	/* buffers of an array that are copied, at most */
#define SYSCALL_PARTS_MAX (SYSCALL_PARTS_VECTORS + 3)
#define SYSCALL_PART_MAX 128u		/* bytes of a part, but for buffers: as many as the caller shows */

/*
 * which bytes to copy for one argument: `size` bytes an element, and never more than `max` bytes in total
 * (0: as many as the caller likes to show of a string or a buffer)
 */
struct syscall_copy {
	u8 when;		/* enum syscall_when */
	u8 count;		/* enum syscall_count */
	u8 arg;			/* SYSCALL_COUNT_ARG and _RESULT: the argument, from 0 */
	u8 parts;		/* enum syscall_parts */
	u16 size, max;
};

struct syscall_arg {
	const char *name;			/* "filename" */
	const struct syscall_type *type;	/* how its value and the bytes it points to are printed */
	u8 when, count, count_arg;		/* as in struct syscall_copy */
};

struct syscall_row {
	const char *name;		/* "openat" */
	u32 groups;			/* SYSCALL_GROUP_* */
	u16 index;			/* the place of the row among all rows, below SYSCALL_ROWS_MAX */
	u8 nr_args;
	const struct syscall_type *result;
	struct syscall_arg arg[SYSCALL_ARGS];
};

struct syscall_table;

/*
 * The table of programs for e_machine (EM_* of their ELF files); abi_bits: 64, 32, or SYSCALL_ABI_X32,
 * SYSCALL_ABI_N32 for 32-bit programs in the 64-bit mode of x86-64 and MIPS. NULL: not known
 */
#define SYSCALL_ABI_X32 33
#define SYSCALL_ABI_N32 34
const struct syscall_table *syscall_table_find(u16 e_machine, unsigned int abi_bits);
/* number i of all tables; NULL after the last */
const struct syscall_table *syscall_table_at(size_t i);
/* the table of 64-bit (or if there are none, 32-bit) programs of this machine */
const struct syscall_table *syscall_table_native(void);
/* "x86-64", "i386", "mips n32" */
const char *syscall_table_name(const struct syscall_table *t);

/*
 * numbers are as raw_syscalls:sys_enter has them: those of x32 may have bit 30 set, and those of MIPS begin
 * with 4000, 5000 and 6000. NULL: not known
 */
const struct syscall_row *syscall_by_nr(const struct syscall_table *t, u32 nr);
/* NULL: no system call of any architecture has that name */
const struct syscall_row *syscall_by_name(const char *name);
/* the number of a row; -1: such programs do not have the call */
s64 syscall_nr_of(const struct syscall_table *t, const struct syscall_row *row);
/* number i of the rows of a table, in the order of their numbers; NULL after the last */
const struct syscall_row *syscall_table_row(const struct syscall_table *t, size_t i, u32 *ret_nr);

/* rows, as bits by syscall_row.index */
#define SYSCALL_ROWS_MAX 640
struct syscall_set {
	u64 bit[SYSCALL_ROWS_MAX / 64];
};

static inline bool syscall_set_has(const struct syscall_set *s, const struct syscall_row *row)
{
	return s->bit[row->index / 64] >> row->index % 64 & 1;
}

static inline void syscall_set_add(struct syscall_set *s, const struct syscall_row *row)
{
	s->bit[row->index / 64] |= 1ull << row->index % 64;
}

/*
 * Adds to *set the calls of a table that a word names: a name, a glob ("*stat*"), or a group ("file",
 * "%file", "@file": with a sign it can only be a group). Without a sign the name of a call is tried before
 * that of a group (ipc, signal). Returns the number of rows that the word names; -ENOENT with the nearest
 * names in err if there is none.
 */
int syscall_find_names(const struct syscall_table *t, const char *word, struct syscall_set *set,
		       struct err *err);
/* number i of all groups: its name; NULL after the last. *ret_bit: SYSCALL_GROUP_* */
const char *syscall_group_at(size_t i, u32 *ret_bit, const char **ret_help);

/* the bytes that were at an argument's address; p NULL: not known */
struct syscall_data {
	const void *p;
	u32 len;
};

/* bytes that other bytes point to */
struct syscall_part {
	u64 addr;
	const void *p;
	u32 len;
};

/* one call of a task */
struct syscall_call {
	const struct syscall_table *table;
	u32 nr;
	u64 arg[SYSCALL_ARGS];
	s64 ret;			/* -errno, as the kernel returns it */
	bool has_ret;			/* false: not returned yet, or lost */
	bool swap;			/* the bytes in data are in the other byte order */
	s32 pid, tid;
	struct syscall_data data[SYSCALL_ARGS];
	const struct syscall_part *part;
	u32 nr_parts;
};

struct syscall_prototypes;
struct syscall_text_opts {
	bool hide_names;		/* "3, 4" instead of "fd: 3, count: 4" */
	bool show_zeros;		/* arguments that are 0 and say nothing by that */
	bool show_prefix;		/* "O_RDONLY|O_CLOEXEC" instead of "RDONLY|CLOEXEC" */
	bool bitmask_list;		/* masks of CPUs as "0-3,7" instead of "0x8f" */
	/* characters of strings and bytes of buffers, not of file names; 0: SYSCALL_STRING_LIMIT */
	u32 string_limit;
	/* appends the name of a task and returns true; false: not known. May be NULL */
	bool (*task_name)(void *ctx, s32 tid, struct strbuf *out);
	/*
	 * appends what a descriptor is open on, such as "/etc/passwd", and returns true; false: not known.
	 * May be NULL. The text is printed as it is: it must be safe
	 */
	bool (*fd_path)(void *ctx, s32 pid, s32 fd, struct strbuf *out);
	void *ctx;
	/* what the kernel says of its calls, beside the rows (prototypes.h); NULL: nothing */
	const struct syscall_prototypes *prototypes;
};
#define SYSCALL_STRING_LIMIT 32

/*
 * Appends the arguments: "fd: 3, buf: 0x7ffc0, count: 10", also of calls that no table knows ("arg0: 0x1").
 * Pointers that the kernel writes to are only followed once the call has returned.
 */
void syscall_add_args(const struct syscall_call *call, const struct syscall_text_opts *o,
		      struct strbuf *out);
/* "3", "0x7f0000", "3</etc/passwd>", "-1 ENOENT (No such file or directory)"; "?" if it has not returned */
void syscall_add_result(const struct syscall_call *call, const struct syscall_text_opts *o,
			struct strbuf *out);
/* whether the result is an error, by the rules of the kernel; *ret_errno is positive then */
bool syscall_failed(const struct syscall_call *call, int *ret_errno);
/*
 * "ENOENT" and (ret_text may be NULL) "No such file or directory"; NULL: not known. t may be NULL; the
 * numbers of MIPS programs differ from those of others
 */
const char *syscall_errno_name(const struct syscall_table *t, int errnum, const char **ret_text);

/* what to copy for argument i of calls of that row; `when` is SYSCALL_NEVER where there is nothing */
void syscall_copy_rule(const struct syscall_table *t, const struct syscall_row *row, unsigned int i,
		       struct syscall_copy *ret);

#endif
