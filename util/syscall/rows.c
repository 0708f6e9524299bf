/*
 * Rows of system calls. They are linked without addresses: those of a program that can be loaded anywhere are
 * written at each start, and few commands ask for system calls. The first one that does makes the rows.
 */
#include "rows.h"

#include <pthread.h>
#include "table.h"

/* words of syscalls.def */
#define FILE SYSCALL_GROUP_FILE
#define DESC SYSCALL_GROUP_DESC
#define NETWORK SYSCALL_GROUP_NETWORK
#define PROCESS SYSCALL_GROUP_PROCESS
#define MEMORY SYSCALL_GROUP_MEMORY
#define SIGNAL SYSCALL_GROUP_SIGNAL
#define IPC SYSCALL_GROUP_IPC
#define PURE SYSCALL_GROUP_PURE
#define CREDS SYSCALL_GROUP_CREDS
#define CLOCK SYSCALL_GROUP_CLOCK

#define ROW_NAME 29
#define ARG_NAME 17
struct packed_row {
	char name[ROW_NAME];
	u8 nr_args;
	u16 result, groups;
};

struct packed_arg {
	char name[ARG_NAME];
	u8 when, count, count_arg;
	u16 type;			/* enum syscall_type_index */
};

#define ARG(type, name, when, count, i) { name, when, count, i, TYPE_##type + FITS(name, ARG_NAME) }
#define V(type, name) ARG(type, #name, SYSCALL_NEVER, 0, 0)
#define STR(type, name) ARG(type, #name, SYSCALL_ENTER, SYSCALL_COUNT_STRING, 0)
#define IN(type, name) ARG(type, #name, SYSCALL_ENTER, SYSCALL_COUNT_ONE, 0)
#define OUT(type, name) ARG(type, #name, SYSCALL_EXIT, SYSCALL_COUNT_ONE, 0)
#define IN_N(type, name, i) ARG(type, #name, SYSCALL_ENTER, SYSCALL_COUNT_ARG, i)
#define OUT_N(type, name, i) ARG(type, #name, SYSCALL_EXIT, SYSCALL_COUNT_ARG, i)
#define OUT_AT(type, name, i) ARG(type, #name, SYSCALL_EXIT, SYSCALL_COUNT_AT, i)
#define IN_TWO(type, name) ARG(type, #name, SYSCALL_ENTER, SYSCALL_COUNT_TWO, 0)
#define OUT_TWO(type, name) ARG(type, #name, SYSCALL_EXIT, SYSCALL_COUNT_TWO, 0)
#define IN_BITS(type, name, i) ARG(type, #name, SYSCALL_ENTER, SYSCALL_COUNT_BITS, i)
#define OUT_BITS(type, name, i) ARG(type, #name, SYSCALL_EXIT, SYSCALL_COUNT_BITS, i)
#define IN_STRS(type, name) ARG(type, #name, SYSCALL_ENTER, SYSCALL_COUNT_STRINGS, 0)
#define OUT_R(type, name, i) ARG(type, #name, SYSCALL_EXIT, SYSCALL_COUNT_RESULT, i)

#define NR_ARGS(...) (sizeof((const struct packed_arg[]){ __VA_ARGS__ }) / sizeof(struct packed_arg))
#define SYSCALL(name, ...) SYSCALL_AS(name, #name, __VA_ARGS__)
#define SYSCALL_AS(row, name, groups, result, ...) \
	{ name, NR_ARGS(__VA_ARGS__), TYPE_##result + FITS(name, ROW_NAME), groups },
static const struct packed_row packed_rows[NR_ROWS] = {
#include "syscalls.def"
};
#undef SYSCALL_AS

/* of all rows, one after another */
#define SYSCALL_AS(row, name, groups, result, ...) __VA_ARGS__ __VA_OPT__(,)
static const struct packed_arg packed_args[] = {
#include "syscalls.def"
};
#undef SYSCALL_AS

#define SYSCALL_AS(row, name, groups, result, ...) \
	_Static_assert(NR_ARGS(__VA_ARGS__) <= SYSCALL_ARGS, name " has too many arguments");
#include "syscalls.def"

static struct syscall_row rows[NR_ROWS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_rows(void)
{
	const struct packed_arg *arg = packed_args;

	syscall_types_make();
	for (u32 i = 0; i < NR_ROWS; i++) {
		const struct packed_row *from = &packed_rows[i];
		struct syscall_row *row = &rows[i];

		*row = (struct syscall_row){
			.name = from->name, .groups = from->groups, .index = i, .nr_args = from->nr_args,
			.result = &syscall_types[from->result],
		};
		for (u32 k = 0; k < row->nr_args; k++, arg++)
			row->arg[k] = (struct syscall_arg){
				.name = arg->name, .type = &syscall_types[arg->type], .when = arg->when,
				.count = arg->count, .count_arg = arg->count_arg,
			};
	}
}

const struct syscall_row *syscall_rows(void)
{
	pthread_once(&once, make_rows);
	return rows;
}
