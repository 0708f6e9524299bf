/* Kernel-calls: loads the programs of kernel-calls-code, and reads what they write. */
#include "kernel-calls.h"
#include "kernel-calls-code.h"
#include "../../arch/arch.h"
#include "../kernel/open.h"
#include "../kernel/tracefs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TASKS_MAX 65536u

static const struct kernel_calls none = {
	.pending = BPF_MAP_INIT, .tasks = BPF_MAP_INIT, .rules = BPF_MAP_INIT, .scratch = BPF_MAP_INIT,
	.output = BPF_MAP_INIT, .missed = BPF_MAP_INIT,
	.enter = BPF_PROG_INIT, .exit = BPF_PROG_INIT, .fork = BPF_PROG_INIT, .end = BPF_PROG_INIT,
};

static int create_maps(struct kernel_calls *k, const struct kernel_calls_opts *o, struct err *err)
{
	int ret = bpf_map_create(&k->pending, BPF_MAP_TYPE_HASH, "perf_pending", 4,
				 sizeof(struct pending_call), TASKS_MAX, 0, err);

	if (!ret)
		ret = bpf_map_create(&k->tasks, BPF_MAP_TYPE_HASH, "perf_tasks", 4, 4, TASKS_MAX,
				     BPF_F_NO_PREALLOC, err);
	if (!ret)
		ret = bpf_map_create(&k->rules, BPF_MAP_TYPE_ARRAY, "perf_rules", 4,
				     sizeof(struct kernel_call_rule), 2 * KERNEL_CALLS_NR_MAX, 0, err);
	if (!ret)
		ret = bpf_map_create(&k->scratch, BPF_MAP_TYPE_PERCPU_ARRAY, "perf_room", 4,
				     sizeof(struct call_room), 1, 0, err);
	if (!ret)
		ret = bpf_map_create(&k->output, BPF_MAP_TYPE_PERF_EVENT_ARRAY, "perf_output", 4, 4,
				     o->nr_cpus, 0, err);
	if (!ret)
		ret = bpf_map_create(&k->missed, BPF_MAP_TYPE_ARRAY, "perf_missed", 4, 8, 1, 0, err);
	for (u32 i = 0; !ret && i < 2 * KERNEL_CALLS_NR_MAX; i++)
		ret = bpf_map_set(&k->rules, &i, &o->rule[i]);
	return ret;
}

/* the offset of child_pid in sched:sched_process_fork; its place differs between kernels */
static int find_child_at(s16 *ret, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int code = tracefs_event_format("sched", "sched_process_fork", &text);
	const char *at = code ? NULL : strstr(strbuf_str(&text), " child_pid;");

	at = at ? strstr(at, "offset:") : NULL;
	*ret = at ? (s16)atoi(at + strlen("offset:")) : 0;
	strbuf_release(&text);
	if (*ret >= 8)
		return 0;
	return err_set(err, code ? code : -EBADMSG,
		       "tracepoint sched:sched_process_fork cannot be read: new tasks would be missed");
}

static int load(struct bpf_prog *p, enum bpf_prog_type type, const char *name, struct bpf_code *c,
		struct err *err)
{
	int ret = bpf_prog_load(p, type, name, c, err);

	bpf_code_release(c);
	return ret;
}

static int load_programs(struct kernel_calls *k, const struct kernel_calls_opts *o,
			 const struct call_regs *regs, struct err *err)
{
	struct bpf_code c = { 0 };
	s16 child_at;
	int ret;

	write_enter(&c, k, o, regs);
	ret = load(&k->enter, BPF_PROG_TYPE_RAW_TRACEPOINT, "perf_enter", &c, err);
	if (ret)
		return ret;
	write_exit(&c, k, o);
	ret = load(&k->exit, BPF_PROG_TYPE_RAW_TRACEPOINT, "perf_exit", &c, err);
	if (ret)
		return ret;
	write_end(&c, k, o);
	ret = load(&k->end, BPF_PROG_TYPE_RAW_TRACEPOINT, "perf_end", &c, err);
	if (ret || !o->inherit || o->all_tasks)
		return ret;
	ret = find_child_at(&child_at, err);
	if (ret)
		return ret;
	write_fork(&c, k, child_at);
	return load(&k->fork, BPF_PROG_TYPE_TRACEPOINT, "perf_fork", &c, err);
}

int kernel_calls_open(struct kernel_calls *k, const struct kernel_calls_opts *o, struct err *err)
{
	const struct arch *arch = arch_native();
	const struct call_regs *regs = arch ? call_regs_of(arch->abi[1].e_machine) : NULL;
	int ret;

	*k = none;
	if (!regs)
		return err_set(err, -ENOTSUP, "calls cannot be recorded by BPF on this architecture");
	ret = create_maps(k, o, err);
	if (!ret)
		ret = load_programs(k, o, regs, err);
	if (ret)
		kernel_calls_close(k);
	return ret;
}

int kernel_calls_add_task(struct kernel_calls *k, u32 tid)
{
	const u32 yes = 1;

	return bpf_map_set(&k->tasks, &tid, &yes);
}

int kernel_calls_set_output(struct kernel_calls *k, u32 cpu, int event_fd)
{
	return bpf_map_set(&k->output, &cpu, &event_fd);
}

int kernel_calls_attach(struct kernel_calls *k, struct err *err)
{
	int ret = bpf_prog_attach_raw(&k->end, "sched_process_exit", err);

	if (!ret && k->fork.fd >= 0)
		ret = bpf_prog_attach_tracepoint(&k->fork, "sched", "sched_process_fork", err);
	if (!ret)
		ret = bpf_prog_attach_raw(&k->exit, "sys_exit", err);
	if (!ret)
		ret = bpf_prog_attach_raw(&k->enter, "sys_enter", err);
	if (ret)
		kernel_calls_detach(k);
	return ret;
}

void kernel_calls_detach(struct kernel_calls *k)
{
	bpf_prog_detach(&k->enter);
	bpf_prog_detach(&k->exit);
	bpf_prog_detach(&k->fork);
	bpf_prog_detach(&k->end);
}

u64 kernel_calls_missed(const struct kernel_calls *k)
{
	const u32 key = 0;
	u64 nr = 0;

	return bpf_map_get(&k->missed, &key, &nr) ? 0 : nr;
}

bool kernel_calls_next_pending(const struct kernel_calls *k, u32 *tid, struct kernel_call *ret)
{
	struct pending_call p;

	while (!bpf_map_next(&k->pending, *tid ? tid : NULL, tid)) {
		if (bpf_map_get(&k->pending, tid, &p) || !p.state)
			continue;
		*ret = (struct kernel_call){ .enter_ns = p.enter_ns, .nr = p.nr, .pid = p.pid, .tid = *tid,
					     .flags = p.flags | KERNEL_CALL_IS_OPEN };
		memcpy(ret->arg, p.arg, sizeof(ret->arg));
		return true;
	}
	return false;
}

void kernel_calls_close(struct kernel_calls *k)
{
	bpf_prog_release(&k->enter);
	bpf_prog_release(&k->exit);
	bpf_prog_release(&k->fork);
	bpf_prog_release(&k->end);
	bpf_map_release(&k->pending);
	bpf_map_release(&k->tasks);
	bpf_map_release(&k->rules);
	bpf_map_release(&k->scratch);
	bpf_map_release(&k->output);
	bpf_map_release(&k->missed);
}

bool kernel_call_decode(const void *raw, u32 size, struct kernel_call *ret,
			const void *data[KERNEL_CALLS_ARGS])
{
	const u8 *at = (const u8 *)raw + sizeof(*ret);
	u32 left;

	if (size < sizeof(*ret))
		return false;
	memcpy(ret, raw, sizeof(*ret));
	left = size - sizeof(*ret);
	for (u32 i = 0; i < KERNEL_CALLS_ARGS; i++) {
		data[i] = ret->len[i] ? at : NULL;
		if (ret->len[i] > left)
			return false;
		at += ret->len[i];
		left -= ret->len[i];
	}
	return true;
}
