/* Tasks: see tasks.h. */
#include "tasks.h"
#include "../kernel/cgroup.h"
#include "../kernel/target.h"
#include "../kernel/tracefs.h"

#include <errno.h>
#include <unistd.h>

#define AT_TID (-4)		/* u32 */
#define AT_VALUE (-8)		/* u32 */

static void note_task(struct bpf_code *c, s16 at_tid)
{
	bpf_call_helper(c, BPF_FUNC_get_current_pid_tgid);
	bpf_store(c, BPF_W, BPF_REG_10, at_tid, BPF_REG_0);
	bpf_alu_imm(c, BPF_RSH, BPF_REG_0, 32);
}

static void choose_cgroup(struct bpf_code *c, const struct bpf_tasks *t, u32 out)
{
	bpf_set_map(c, BPF_REG_1, t->cgroup.fd);
	bpf_set(c, BPF_REG_2, 0);
	bpf_call_helper(c, BPF_FUNC_current_task_under_cgroup);
	bpf_jump_imm(c, BPF_JNE, BPF_REG_0, 1, out);
}

void bpf_tasks_choose(struct bpf_code *c, const struct bpf_tasks *t, s16 at_tid, u8 keep, u32 out)
{
	note_task(c, at_tid);
	if (t->opts.not_pid)
		bpf_jump_imm(c, BPF_JEQ, BPF_REG_0, (s32)t->opts.not_pid, out);
	if (t->opts.nr_not_tid)
		bpf_load(c, BPF_W, BPF_REG_1, BPF_REG_10, at_tid);
	for (u32 i = 0; i < t->opts.nr_not_tid; i++)
		bpf_jump_imm(c, BPF_JEQ, BPF_REG_1, t->opts.not_tid[i], out);
	if (t->opts.all && !t->opts.cgroup)
		return;
	bpf_copy(c, keep, BPF_REG_0);
	if (t->opts.cgroup)
		choose_cgroup(c, t, out);
	if (!t->opts.all) {
		bpf_lookup(c, t->map.fd, at_tid);
		bpf_jump_imm(c, BPF_JEQ, BPF_REG_0, 0, out);
	}
	bpf_copy(c, BPF_REG_0, keep);
}

/* a task is created: child_at is the offset of child_pid in the tracepoint's payload */
static void write_fork(struct bpf_code *c, const struct bpf_tasks *t, s16 child_at)
{
	u32 out = bpf_label(c);

	bpf_copy(c, BPF_REG_6, BPF_REG_1);
	note_task(c, AT_TID);
	bpf_lookup(c, t->map.fd, AT_TID);
	bpf_jump_imm(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_load(c, BPF_W, BPF_REG_1, BPF_REG_6, child_at);
	bpf_store(c, BPF_W, BPF_REG_10, AT_TID, BPF_REG_1);
	bpf_store_imm(c, BPF_W, BPF_REG_10, AT_VALUE, 1);
	bpf_update(c, t->map.fd, AT_TID, AT_VALUE, BPF_ANY);
	bpf_place(c, out);
	bpf_return_one(c);
}

static void write_end(struct bpf_code *c, const struct bpf_tasks *t, const struct bpf_map *also)
{
	note_task(c, AT_TID);
	if (also)
		bpf_remove(c, also->fd, AT_TID);
	if (!t->opts.all)
		bpf_remove(c, t->map.fd, AT_TID);
	bpf_return_one(c);
}

static int load_programs(struct bpf_tasks *t, const struct bpf_map *also, struct err *err)
{
	struct bpf_code c = { 0 };
	u32 child_at;
	int ret;

	write_end(&c, t, also);
	ret = bpf_prog_load_once(&t->end, BPF_PROG_TYPE_RAW_TRACEPOINT, "perf_end", &c, err);
	if (ret || !t->opts.inherit || t->opts.all)
		return ret;
	/* its place differs between kernels */
	ret = tracefs_field_offset("sched", "sched_process_fork", "child_pid", &child_at);
	if (ret)
		return err_set(err, ret, "tracepoint sched:sched_process_fork cannot be read: "
			       "new tasks would be missed");
	write_fork(&c, t, child_at);
	return bpf_prog_load_once(&t->fork, BPF_PROG_TYPE_TRACEPOINT, "perf_fork", &c, err);
}

static int open_cgroup(struct bpf_tasks *t, struct err *err)
{
	int ret, fd = cgroup_open(t->opts.cgroup, err);
	u32 first = 0;

	if (fd < 0)
		return fd;
	ret = bpf_map_create(&t->cgroup, BPF_MAP_TYPE_CGROUP_ARRAY, "perf_cgroup", 4, 4, 1, 0, err);
	if (!ret && bpf_map_set(&t->cgroup, &first, &fd))
		ret = err_set(err, -EOPNOTSUPP, "cgroup '%s' is not in the hierarchy of version 2",
			      t->opts.cgroup);
	close(fd);
	return ret;
}

int bpf_tasks_open(struct bpf_tasks *t, const struct bpf_tasks_opts *o, const struct bpf_map *also,
		   struct err *err)
{
	int ret = 0;

	*t = (struct bpf_tasks)BPF_TASKS_INIT;
	t->opts = *o;
	if (!o->all)
		ret = bpf_map_create(&t->map, BPF_MAP_TYPE_HASH, "perf_tasks", 4, 4, BPF_TASKS_MAX,
				     BPF_F_NO_PREALLOC, err);
	if (!ret && o->cgroup)
		ret = open_cgroup(t, err);
	if (!ret && (!o->all || also))
		ret = load_programs(t, also, err);
	if (ret)
		bpf_tasks_close(t);
	return ret;
}

int bpf_tasks_add(struct bpf_tasks *t, u32 tid)
{
	const u32 yes = 1;

	return bpf_map_set(&t->map, &tid, &yes);
}

int bpf_tasks_add_target(struct bpf_tasks *t, const struct target *target, struct err *err)
{
	for (u32 i = 0; i < target->tids.nr && !t->opts.all; i++)
		if (bpf_tasks_add(t, target->tids.v[i]))
			return err_set(err, -EIO, "task %d cannot be observed by BPF", target->tids.v[i]);
	return 0;
}

int bpf_tasks_attach(struct bpf_tasks *t, struct err *err)
{
	int ret = 0;

	if (t->end.fd >= 0)
		ret = bpf_prog_attach_raw(&t->end, "sched_process_exit", err);
	if (!ret && t->fork.fd >= 0)
		ret = bpf_prog_attach_tracepoint(&t->fork, "sched", "sched_process_fork", err);
	if (ret)
		bpf_tasks_detach(t);
	return ret;
}

void bpf_tasks_detach(struct bpf_tasks *t)
{
	/* it only adds to the table, which nobody reads any more */
	bpf_prog_detach_later(&t->fork);
	bpf_prog_detach(&t->end);
}

void bpf_tasks_close(struct bpf_tasks *t)
{
	bpf_prog_release(&t->fork);
	bpf_prog_release(&t->end);
	bpf_map_release(&t->map);
	bpf_map_release(&t->cgroup);
}
