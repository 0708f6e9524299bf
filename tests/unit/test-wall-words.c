/* Wall time: reasons of waits by functions, arguments of calls, words of states. */
#include "test.h"

#include <errno.h>
#include "../../util/wall/reasons.h"
#include "../../util/wall/wall.h"

static const char *wait_of(const char *function)
{
	return wall_wait_word(wall_rule_wait(wall_rule_of_function(function)));
}

TEST(wall_reasons)
{
	CHECK_STR(wait_of("futex_wait_queue"), "futex");
	CHECK_STR(wait_of("futex_wait_queue.constprop.0"), "futex");
	CHECK_STR(wait_of("__x64_sys_clock_nanosleep_time32"), "timer");
	CHECK_STR(wait_of("__arm64_sys_epoll_pwait"), "epoll");
	CHECK_STR(wait_of("pipe_read"), "pipe");
	CHECK_STR(wait_of("pipe_reader"), "other");
	CHECK_STR(wait_of("pipe_read.isra.0"), "pipe");
	CHECK_STR(wait_of("io_schedule_timeout"), "disk");
	CHECK_STR(wait_of("flock_lock_inode_wait"), "file-lock");
	CHECK_STR(wait_of("timerfd_read_iter"), "timer");
	CHECK_STR(wait_of("signalfd_read_iter"), "signal");
	CHECK_STR(wait_of("pipe_wait_readable"), "pipe");
	CHECK_STR(wait_of("__do_semtimedop"), "semaphore");
	CHECK_STR(wait_of("do_msgrcv"), "message");
	CHECK_STR(wait_of("__x64_sys_mq_timedreceive"), "message");
	CHECK_STR(wait_of("wb_wait_for_completion"), "disk");
	CHECK_STR(wait_of("synchronize_rcu_normal"), "rcu");
	CHECK_STR(wait_of("schedule"), "other");
	CHECK_STR(wall_wait_word(wall_rule_wait(wall_rule_of_state('T'))), "stopped");
	CHECK_STR(wall_wait_word(wall_rule_wait(wall_rule_of_state('Q'))), "throttled");
	CHECK_STR(wall_wait_word(wall_rule_wait(wall_rule_of_state('S'))), "other");
	/* a page that is read from a disk: the earlier rule counts */
	CHECK(wall_rule_of_function("handle_mm_fault") < wall_rule_of_function("io_schedule"));
	/* functions of programs */
	CHECK_STR(wall_wait_word(wall_rule_wait(wall_rule_of_program("runtime.stopm"))), "no-work");
	CHECK_STR(wall_wait_word(wall_rule_wait(wall_rule_of_program("pthread_join@@GLIBC_2.34"))), "join");
	CHECK_INT(wall_rule_of_program("runtime.stopmore"), WALL_NO_RULE);
	CHECK_STR(wait_of("runtime.stopm"), "other");
	CHECK(wall_rule_of_program("runtime.lock2") < wall_rule_of_program("runtime.stopm"));
	CHECK_STR(wall_wait_word(wall_rule_wait(wall_rule_of_program("__new_sem_wait_slow64.constprop.0"))),
		  "semaphore");
	CHECK_STR(wall_wait_word(wall_rule_wait(wall_rule_of_program("pthread_cond_wait@@GLIBC_2.3.2"))),
		  "condition");
	/* a condition is left with the lock of it */
	CHECK(wall_rule_of_program("__GI___lll_lock_wait") < wall_rule_of_program("pthread_cond_wait"));
	/* names of threads; that it waits for a lock counts more */
	CHECK_STR(wall_wait_word(wall_rule_wait(wall_rule_of_thread("GC Thread#12"))), "no-work");
	CHECK_INT(wall_rule_of_thread("VM Threads"), WALL_NO_RULE);
	CHECK(wall_rule_of_program("__lll_lock_wait_private") < wall_rule_of_thread("VM Thread"));
	/* who wakes a thread counts for what that waits for, not for what itself waits for */
	CHECK_STR(wall_wait_word(wall_rule_wait(wall_rule_of_waker("do_exit"))), "join");
	CHECK_STR(wait_of("do_exit"), "other");
	CHECK_INT(wall_rule_of_waker("futex_wake"), WALL_NO_RULE);
	CHECK(wall_wait_is_idle(WALL_WAIT_ACCEPT));
	CHECK(!wall_wait_is_idle(WALL_WAIT_SOCKET));
}

TEST(wall_functions_that_only_leave_the_cpu)
{
	CHECK(wall_function_leaves("__schedule"));
	CHECK(wall_function_leaves("schedule_timeout"));
	CHECK(wall_function_leaves("preempt_schedule_irq"));
	CHECK(wall_function_leaves("exit_to_user_mode_loop.isra.0"));
	CHECK(wall_function_leaves("asm_sysvec_apic_timer_interrupt"));
	CHECK(!wall_function_leaves("io_schedule"));
	CHECK(!wall_function_leaves("do_nanosleep"));
	CHECK(!wall_function_leaves("asm_exc_page_fault"));
	CHECK(!wall_function_leaves(""));
}

TEST(wall_arguments_of_calls)
{
	CHECK_INT(wall_call_arg("read"), WALL_ARG_FILE);
	CHECK_INT(wall_call_arg("splice"), WALL_ARG_NONE);
	CHECK_INT(wall_function_arg("__x64_sys_epoll_wait"), WALL_ARG_FILE);
	CHECK_INT(wall_function_arg("ksys_read"), WALL_ARG_FILE);
	CHECK_INT(wall_function_arg("__sys_recvfrom"), WALL_ARG_FILE);
	CHECK_INT(wall_function_arg("__arm64_sys_futex"), WALL_ARG_LOCK);
	CHECK_INT(wall_function_arg("futex_wait"), WALL_ARG_NONE);
	/* entries that jump there are not in the stack */
	CHECK_INT(wall_function_arg("do_preadv"), WALL_ARG_FILE);
	CHECK_INT(wall_function_arg("do_preadv.isra.0"), WALL_ARG_FILE);
	CHECK_INT(wall_function_arg("do_futex"), WALL_ARG_LOCK);
	CHECK_INT(wall_function_arg("do_preadv2"), WALL_ARG_NONE);
	CHECK_INT(wall_function_arg("__ia32_sys_read"), WALL_ARG_ELSEWHERE);
	CHECK_INT(wall_function_arg("do_int80_emulation"), WALL_ARG_ELSEWHERE);
	CHECK_INT(wall_function_arg("__do_fast_syscall_32"), WALL_ARG_ELSEWHERE);
	CHECK(wall_arg_explains(WALL_ARG_FILE, WALL_WAIT_DISK));
	CHECK(!wall_arg_explains(WALL_ARG_FILE, WALL_WAIT_FAULT));
	CHECK(!wall_arg_explains(WALL_ARG_LOCK, WALL_WAIT_LOCK));
	CHECK(wall_arg_explains(WALL_ARG_LOCK, WALL_WAIT_MUTEX));
	CHECK(!wall_arg_explains(WALL_ARG_NONE, WALL_WAIT_OTHER));
}

TEST(wall_state_words)
{
	u32 bits = 0;

	CHECK_INT(wall_states_parse("on,blocked", &bits), 0);
	CHECK_U64(bits, 1u << WALL_ON | 1u << WALL_BLOCKED);
	CHECK_INT(wall_states_parse("all", &bits), 0);
	CHECK_U64(bits, (1u << WALL_NR_STATES) - 1);
	CHECK_INT(wall_states_parse("on,off", &bits), -EINVAL);
	CHECK_INT(wall_states_parse("", &bits), -EINVAL);
	CHECK_INT(wall_states_parse("on,", &bits), -EINVAL);
}

/* sleeps of older programs, and of some languages */
TEST(wall_polls_of_nothing_are_sleeps)
{
	enum wall_arg set = wall_function_arg("__x64_sys_pselect6");

	CHECK_INT(wall_wait_with_arg(WALL_WAIT_POLL, set, 0), WALL_WAIT_TIMER);
	CHECK_INT(wall_wait_with_arg(WALL_WAIT_POLL, set, 1), WALL_WAIT_POLL);
	CHECK_INT(wall_wait_with_arg(WALL_WAIT_POLL, WALL_ARG_ELSEWHERE, 0), WALL_WAIT_POLL);
	CHECK_INT(wall_wait_with_arg(WALL_WAIT_FUTEX, set, 0), WALL_WAIT_FUTEX);
	CHECK_INT(wall_call_arg("poll"), set);
	CHECK(!wall_arg_explains(set, WALL_WAIT_POLL));
}
