/* Reasons: see reasons.h. */
#include "reasons.h"

#include <string.h>

enum rule_kind { RULE_STATE, RULE_FUNCTION, RULE_PROGRAM, RULE_THREAD, RULE_WAKER };

static const struct rule {
	enum rule_kind kind;
	const char *text;
	enum wall_wait wait;
} rules[] = {
#define WALL_RULE(where, text, WAIT) { RULE_##where, text, WALL_WAIT_##WAIT },
#include "rules.def"
#undef WALL_RULE
};

_Static_assert(ARRAY_SIZE(rules) < WALL_NO_RULE, "rules are numbered by u8");

/* entries of system calls have names of their architecture and of the compiler's wrappers */
static const char *const call_prefixes[] = {
	"__x64_", "__ia32_", "__arm64_", "__riscv_", "__s390x_", "__s390_", "__se_", "__do_", "__powerpc_",
};

static const char *strip_prefix(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(call_prefixes); i++) {
		size_t len = strlen(call_prefixes[i]);

		if (!strncmp(name, call_prefixes[i], len) && !strncmp(name + len, "sys_", 4))
			return name + len;
	}
	return name;
}

static bool matches(const char *pattern, const char *name)
{
	size_t len = strlen(pattern);

	if (pattern[len - 1] == '*')
		return !strncmp(name, pattern, len - 1);
	return !strncmp(name, pattern, len) && (!name[len] || name[len] == '.');
}

static u8 rule_of_name(enum rule_kind kind, const char *name)
{
	if (kind == RULE_FUNCTION || kind == RULE_WAKER)
		name = strip_prefix(name);
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].kind == kind && matches(rules[i].text, name))
			return i;
	return WALL_NO_RULE;
}

u8 wall_rule_of_function(const char *name)
{
	return rule_of_name(RULE_FUNCTION, name);
}

u8 wall_rule_of_program(const char *name)
{
	return rule_of_name(RULE_PROGRAM, name);
}

u8 wall_rule_of_thread(const char *comm)
{
	return rule_of_name(RULE_THREAD, comm);
}

u8 wall_rule_of_waker(const char *name)
{
	return rule_of_name(RULE_WAKER, name);
}

u8 wall_rule_of_state(char letter)
{
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].kind == RULE_STATE && *rules[i].text == letter)
			return i;
	return WALL_NO_RULE;
}

enum wall_wait wall_rule_wait(u8 rule)
{
	return rule < ARRAY_SIZE(rules) ? rules[rule].wait : WALL_WAIT_OTHER;
}

bool wall_function_leaves(const char *name)
{
	static const char *const functions[] = {
		"__schedule*", "schedule*", "preempt_schedule*", "__cond_resched*", "_cond_resched",
		"dynamic_cond_resched", "arm64_preempt_schedule_irq",
		"exit_to_user_mode*", "syscall_exit_to_user_mode*", "prepare_exit_to_usermode",
		"irqentry_exit*", "raw_irqentry_exit_cond_resched",
		"asm_sysvec_*", "sysvec_*", "asm_common_interrupt", "common_interrupt",
		"el0_interrupt", "el0t_64_irq*", "el0t_32_irq*", "el1_interrupt", "el1h_64_irq*",
	};

	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		if (matches(functions[i], name))
			return true;
	return false;
}

/* ---- arguments of system calls ---- */

static const struct call {
	const char *name;
	enum wall_arg arg;
} calls[] = {
#define WALL_CALL(name, ARG) { name, WALL_ARG_##ARG },
#define WALL_CALL_WORK(function, ARG)
#include "calls.def"
#undef WALL_CALL
#undef WALL_CALL_WORK
}, works[] = {
#define WALL_CALL(name, ARG)
#define WALL_CALL_WORK(function, ARG) { function, WALL_ARG_##ARG },
#include "calls.def"
#undef WALL_CALL
#undef WALL_CALL_WORK
};

enum wall_arg wall_call_arg(const char *call)
{
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		if (!strcmp(calls[i].name, call))
			return calls[i].arg;
	return WALL_ARG_NONE;
}

enum wall_arg wall_function_arg(const char *name)
{
	static const char *const entries[] = { "sys_", "ksys_", "__sys_" };
	static const char *const elsewhere[] = {	/* calls of 32-bit programs on x86-64 */
		"__ia32_*", "do_int80_*", "do_fast_syscall_32", "__do_fast_syscall_32", "do_SYSENTER_32",
		"entry_INT80_compat*", "entry_SYSENTER_compat*", "entry_SYSCALL_compat*",
	};
	const char *entry = strip_prefix(name);

	for (size_t i = 0; i < ARRAY_SIZE(elsewhere); i++)
		if (matches(elsewhere[i], name))
			return WALL_ARG_ELSEWHERE;
	/* entries end with a jump to the function that does the work, so only that may be in the stack */
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++)
		if (!strncmp(entry, entries[i], strlen(entries[i])))
			return wall_call_arg(entry + strlen(entries[i]));
	for (size_t i = 0; i < ARRAY_SIZE(works); i++)
		if (matches(works[i].name, name))
			return works[i].arg;
	return WALL_ARG_NONE;
}

/* a page fault or a lock of the kernel in the midst of a call is not a wait for its file */
bool wall_arg_explains(enum wall_arg arg, enum wall_wait wait)
{
#define BIT(WAIT) (1ull << WALL_WAIT_##WAIT)
	static const u64 waits[] = {
		[WALL_ARG_FILE] = BIT(DISK) | BIT(PIPE) | BIT(SOCKET) | BIT(TERMINAL) | BIT(TIMER) |
				  BIT(POLL) | BIT(EPOLL) | BIT(ACCEPT) | BIT(FILE_LOCK) | BIT(SIGNAL) |
				  BIT(RCU) | BIT(OTHER),
		[WALL_ARG_LOCK] = BIT(FUTEX) | BIT(MUTEX) | BIT(CONDITION) | BIT(SEMAPHORE) | BIT(BARRIER),
		[WALL_ARG_TASK] = BIT(CHILD),
		[WALL_ARG_SET] = 0, [WALL_ARG_ELSEWHERE] = 0,
	};
#undef BIT

	return waits[arg] >> wait & 1;
}

enum wall_wait wall_wait_with_arg(enum wall_wait wait, enum wall_arg arg, u64 value)
{
	return wait == WALL_WAIT_POLL && arg == WALL_ARG_SET && !value ? WALL_WAIT_TIMER : wait;
}
