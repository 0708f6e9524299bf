/*
 * Reasons: what a wait is for, by a table of rules (rules.def): the kernel functions of the stack, and the
 * state in which the thread left the CPU. A stack is reduced to the first rule that one of its functions
 * meets; a command looks a function up once, and keeps the rule.
 */
#ifndef PERF_WALL_REASONS_H
#define PERF_WALL_REASONS_H

#include "wall.h"

#define WALL_NO_RULE UINT8_MAX

/* the first rule for that kernel function, as symbols name it; WALL_NO_RULE */
u8 wall_rule_of_function(const char *name);
/* the same for a function of a program that waits for a futex */
u8 wall_rule_of_program(const char *name);
/* the same for the name of such a thread */
u8 wall_rule_of_thread(const char *comm);
/* the same for a kernel function in the stack of a thread that wakes another one, which waits for a futex */
u8 wall_rule_of_waker(const char *name);
/* the first rule for that letter of prev_state; WALL_NO_RULE */
u8 wall_rule_of_state(char letter);
/* rule: the smallest of those that apply; WALL_WAIT_OTHER of WALL_NO_RULE */
enum wall_wait wall_rule_wait(u8 rule);

/*
 * a kernel function that only takes the thread off its CPU: the scheduler's, or the end of an interrupt that
 * preempts it
 */
bool wall_function_leaves(const char *name);

/* what the first argument of a system call names, for which a thread may wait in it */
enum wall_arg {
	WALL_ARG_NONE, WALL_ARG_FILE, WALL_ARG_LOCK, WALL_ARG_TASK, WALL_ARG_SET,
	WALL_ARG_ELSEWHERE	/* a call of a 32-bit program: its arguments are in other registers */
};

/* by the name of the call: "read" */
enum wall_arg wall_call_arg(const char *call);
/* the same by the function that is the call's entry in the kernel; WALL_ARG_NONE: it is not an entry */
enum wall_arg wall_function_arg(const char *name);
/* such a wait can be for what the argument names */
bool wall_arg_explains(enum wall_arg arg, enum wall_wait wait);
/* the wait, now that the value of the argument is known: poll and select without files are sleeps */
enum wall_wait wall_wait_with_arg(enum wall_wait wait, enum wall_arg arg, u64 value);

#endif
