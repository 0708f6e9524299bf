/* Wall-offsets: see wall-offsets.h. */
#include "wall-offsets.h"
#include "../bpf/wall-switches-types.h"
#include "../obj/btf.h"
#include "../syscall/syscall.h"
#include "../wall/reasons.h"

#include <errno.h>
#include <linux/btf.h>

/* where the preemption count is; what is not found stays 0 */
static void find_count(const struct btf *b, struct wall_switches_settings *c)
{
	u32 info, at, se, queues, count, member = 0;

	/* elsewhere than on x86 it is the task's */
	if (!btf_offset(b, "task_struct", "thread_info", &info, NULL) &&
	    !btf_offset(b, "thread_info", "preempt_count", &at, NULL)) {
		c->task_count = info + at;
		return;
	}
	if (btf_offset(b, "task_struct", "se", &se, NULL) ||
	    btf_offset(b, "sched_entity", "cfs_rq", &at, NULL) ||
	    btf_offset(b, "cfs_rq", "rq", &c->cfs_rq_rq, NULL) || !btf_cpu_variable(b, "runqueues", &queues))
		return;
	/* Linux 6.2 to 6.14 have it in a struct */
	if (!btf_cpu_variable(b, "__preempt_count", &count) &&
	    (!btf_cpu_variable(b, "pcpu_hot", &count) ||
	     btf_offset(b, "pcpu_hot", "preempt_count", &member, NULL)))
		return;
	c->task_cfs_rq = se + at;
	c->count_from_rq = (s64)count + member - queues;
}

/* registers of 64-bit programs on x86; elsewhere their stacks are the kernel's to unwind */
static void find_registers(const struct btf *b, struct wall_switches_settings *c)
{
	const u32 user_cs = 0x33;

	if (!btf_offset(b, "pt_regs", "ip", &c->regs_ip, NULL) &&
	    !btf_offset(b, "pt_regs", "sp", &c->regs_sp, NULL) &&
	    !btf_offset(b, "pt_regs", "bp", &c->regs_bp, NULL) &&
	    !btf_offset(b, "pt_regs", "cs", &c->regs_cs, NULL) &&
	    !btf_offset(b, "pt_regs", "orig_ax", &c->regs_call, NULL) &&
	    !btf_offset(b, "pt_regs", "di", &c->regs_arg, NULL))
		c->user_cs = user_cs;
}

static void find_file_calls(struct wall_switches_settings *c)
{
	const struct syscall_table *t = syscall_table_native();
	const struct syscall_row *row;
	u32 nr;

	for (size_t i = 0; t && (row = syscall_table_row(t, i, &nr)); i++)
		if (nr < WALL_FILE_CALLS && wall_call_arg(row->name) == WALL_ARG_FILE)
			c->file_calls[nr / 64] |= 1ull << nr % 64;
}

/* from an open file to its name, or to a socket's peer; false: the kernel's types lack something */
static bool find_files(const struct btf *b, struct wall_switches_settings *c)
{
	u32 inode, path = 0, dentry = 0, hash_name = 0, name = 0;
	const struct {
		const char *type, *member;
		u32 *ret;
	} rows[] = {
		{ "task_struct", "files", &c->task_files }, { "files_struct", "fdt", &c->files_table },
		{ "fdtable", "max_fds", &c->table_max }, { "fdtable", "fd", &c->table_files },
		{ "file", "f_inode", &inode }, { "file", "f_path", &path }, { "path", "dentry", &dentry },
		{ "file", "private_data", &c->file_data }, { "inode", "i_mode", &c->inode_mode },
		{ "inode", "i_ino", &c->inode_number }, { "dentry", "d_name", &hash_name },
		{ "qstr", "name", &name }, { "socket", "sk", &c->socket_sock },
		{ "sock_common", "skc_family", &c->sock_family },
		{ "sock_common", "skc_dport", &c->sock_port },
		{ "sock_common", "skc_num", &c->sock_own_port },
		{ "sock_common", "skc_daddr", &c->sock_address },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (btf_offset(b, rows[i].type, rows[i].member, rows[i].ret, NULL))
			return false;
	/* kernels may be built without IPv6; the common part is the first one of a struct sock */
	if (btf_offset(b, "sock_common", "skc_v6_daddr", &c->sock_address6, NULL))
		c->sock_address6 = c->sock_address;
	c->file_dentry = path + dentry;
	c->dentry_name = hash_name + name;
	c->file_inode = inode;
	return true;
}

/* how tasks are throttled; what is not found stays 0 */
static void find_quotas(const struct btf *b, struct wall_switches_settings *c)
{
	u32 se, queue;

	if (btf_offset(b, "task_struct", "se", &se, NULL) ||
	    btf_offset(b, "sched_entity", "cfs_rq", &queue, NULL))
		return;
	c->task_queue = se + queue;
	/* Linux 6.18 and newer take tasks from their queues one by one, when they return to their programs */
	if (btf_offset(b, "task_struct", "throttled", &c->task_throttled, NULL) &&
	    btf_offset(b, "cfs_rq", "throttle_count", &c->queue_throttled, NULL))
		return;
	if (btf_offset(b, "cfs_rq", "throttled_clock_self", &c->queue_since, NULL) ||
	    btf_offset(b, "cfs_rq", "rq", &c->queue_rq, NULL) ||
	    btf_offset(b, "rq", "clock", &c->rq_clock, NULL) ||
	    btf_offset(b, "cfs_rq", "throttled_clock_self_time", &c->queue_sum, NULL))
		c->queue_sum = 0;
}

/* how often a thread left CPUs, in two numbers that follow each other; what is not found stays 0 */
static void find_counts(const struct btf *b, struct wall_switches_settings *c)
{
	u32 voluntary, others;

	if (!btf_offset(b, "task_struct", "nvcsw", &voluntary, NULL) &&
	    !btf_offset(b, "task_struct", "nivcsw", &others, NULL) && others == voluntary + sizeof(u64))
		c->task_switches = voluntary;
	if (c->user_cs && btf_offset(b, "pt_regs", "flags", &c->regs_flags, NULL))
		c->regs_flags = 0;
}

/* how to read any address without a helper; 0: not possible. Elsewhere than on x86 nobody has measured it */
static u32 find_cast(const struct btf *b, struct wall_switches_settings *c)
{
	u32 cast = c->user_cs ? btf_find(b, BTF_KIND_FUNC, "bpf_rdonly_cast") : 0;

	c->word_type = cast ? btf_find(b, BTF_KIND_STRUCT, "timespec64") : 0;
	return c->word_type ? cast : 0;
}

int wall_offsets_find(struct wall_switches_settings *c, u32 *ret_cast, struct err *err)
{
	u32 space = 0, inode = 0;
	const struct {
		const char *type, *member;
		u32 *ret;
	} rows[] = {
		{ "task_struct", "pid", &c->task_pid }, { "task_struct", "tgid", &c->task_tgid },
		{ "task_struct", "thread_pid", &c->task_thread_pid },
		{ "task_struct", "group_leader", &c->task_leader }, { "pid", "level", &c->pid_level },
		{ "pid", "numbers", &c->pid_numbers }, { "upid", "nr", &c->number_nr },
		{ "upid", "ns", &c->number_space }, { "pid_namespace", "ns", &space },
		{ "ns_common", "inum", &inode }, { "task_struct", "start_time", &c->task_start },
		{ "task_struct", "comm", &c->task_name },
		{ "task_struct", "flags", &c->task_flags },
	};
	struct btf *b = btf_read_kernel(err);
	int ret = b ? 0 : -ENOTSUP;

	for (size_t i = 0; i < ARRAY_SIZE(rows) && !ret; i++)
		ret = btf_offset(b, rows[i].type, rows[i].member, rows[i].ret, err);
	if (!ret) {
		c->number_size = btf_size(b, btf_find(b, BTF_KIND_STRUCT, "upid"));
		c->space_inode = space + inode;
		find_count(b, c);
		find_quotas(b, c);
		find_registers(b, c);
		find_counts(b, c);
		*ret_cast = find_cast(b, c);
		if (c->user_cs && find_files(b, c))
			find_file_calls(c);
	}
	btf_free(b);
	return ret;
}
