/* Reasons: what a thread waits for, by the kernel functions in which it sleeps. */
#include "reasons.h"

#include <string.h>

/* functions of the kernel by the beginning of their names, and what those that sleep in them wait for */
static const struct {
	const char *prefix;
	enum sched_reason reason;
} reasons[] = {
	{ "futex_", SCHED_REASON_LOCK }, { "__futex_", SCHED_REASON_LOCK }, { "do_futex", SCHED_REASON_LOCK },
	{ "mutex_lock", SCHED_REASON_LOCK }, { "__mutex_lock", SCHED_REASON_LOCK },
	{ "ww_mutex_lock", SCHED_REASON_LOCK }, { "__ww_mutex_lock", SCHED_REASON_LOCK },
	{ "rt_mutex_", SCHED_REASON_LOCK }, { "__rt_mutex_", SCHED_REASON_LOCK },
	{ "rwsem_down_", SCHED_REASON_LOCK }, { "down_read", SCHED_REASON_LOCK },
	{ "down_write", SCHED_REASON_LOCK }, { "__down", SCHED_REASON_LOCK },
	{ "percpu_rwsem_wait", SCHED_REASON_LOCK }, { "__percpu_down_read", SCHED_REASON_LOCK },
	{ "io_schedule", SCHED_REASON_DISK }, { "bit_wait_io", SCHED_REASON_DISK },
	{ "folio_wait_", SCHED_REASON_DISK }, { "wait_on_page_", SCHED_REASON_DISK },
	{ "blk_mq_get_tag", SCHED_REASON_DISK }, { "submit_bio_wait", SCHED_REASON_DISK },
	{ "jbd2_log_wait_commit", SCHED_REASON_DISK },
};
/* where processors enter interrupts, by the beginning of names: x86, arm64, riscv and s390, powerpc */
static const char *const entries[] = {
	"asm_sysvec_", "asm_common_interrupt", "apic_timer_interrupt", "ret_from_intr",
	"reschedule_interrupt", "el1h_64_irq", "el0t_64_irq", "el0t_32_irq", "el1_irq", "el0_irq", "do_irq",
	"do_io_irq", "do_ext_irq", "do_IRQ", "timer_interrupt", "hardware_interrupt_common",
	"decrementer_common",
};
static const char *const scheduler[] = { "__schedule", "schedule", "preempt_schedule" };

void sched_describe(struct tracing_frame *f, const char *symbol)
{
	for (u32 i = 0; i < ARRAY_SIZE(scheduler); i++)
		f->skip |= !strcmp(symbol, scheduler[i]);
	for (u32 i = 0; i < ARRAY_SIZE(entries); i++)
		f->is_entry |= !strncmp(symbol, entries[i], strlen(entries[i]));
	for (u32 i = 0; i < ARRAY_SIZE(reasons) && f->mark == SCHED_REASON_NONE; i++)
		if (!strncmp(symbol, reasons[i].prefix, strlen(reasons[i].prefix)))
			f->mark = reasons[i].reason;
}
