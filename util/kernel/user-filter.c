/* User-filter: the BPF program that keeps the samples of one user. */
#include "user-filter.h"
#include "bpf-programs.h"
#include "open-private.h"
#include "../base/strbuf.h"

#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/*
 * returns 1, which keeps the sample, if the low half of bpf_get_current_uid_gid() is the user; else 0. A
 * descriptor or -errno
 */
static long load_program(u32 uid)
{
	const struct bpf_insn code[] = {
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_get_current_uid_gid },
		/* on 32 bits: the upper halves become 0 */
		{ .code = BPF_ALU | BPF_MOV | BPF_X, .dst_reg = BPF_REG_1, .src_reg = BPF_REG_0 },
		{ .code = BPF_ALU | BPF_MOV | BPF_K, .dst_reg = BPF_REG_2, .imm = (s32)uid },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 1 },
		{ .code = BPF_JMP | BPF_JEQ | BPF_X, .dst_reg = BPF_REG_1, .src_reg = BPF_REG_2, .off = 1 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_PERF_EVENT, .insn_cnt = ARRAY_SIZE(code), .insns = (uintptr_t)code,
		.license = (uintptr_t)"GPL", .prog_name = "perf_user",
	};

	return bpf_call(BPF_PROG_LOAD, &attr);
}

/* a program at a tracepoint or probe filters for all of its users, not only for this recording */
static bool is_shared(const struct event *ev)
{
	return ev->attr.type == PERF_TYPE_TRACEPOINT ||
	       (ev->pmu && (!strcmp(ev->pmu, "kprobe") || !strcmp(ev->pmu, "uprobe")));
}

void user_filter_choose(struct target_opts *o, const struct evset *set, struct strbuf *notes)
{
	long fd;

	if (!o->user || o->pids || o->tids || o->per_thread)
		return;
	vec_foreach(&set->ev, ev)
		if (is_shared(*ev)) {
			strbuf_addf(notes, "-u: '%s' cannot be filtered by user: only the user's current "
				    "processes and their children are recorded\n", (*ev)->name);
			return;
		}
	fd = load_program(0);
	if (fd >= 0) {
		close_raw(fd);
		o->user_is_filtered = true;
		return;
	}
	strbuf_addf(notes, "-u: only the user's current processes and their children are recorded: "
		    "later processes need a BPF program (%s)\n",
		    fd == -EPERM ? "CAP_PERFMON and CAP_BPF, or root" : strerror(-fd));
}

int user_filter_set(const struct open_fds *f, const struct evset *set, const struct target *t,
		    struct err *err)
{
	size_t per_event = (size_t)f->nr_cpus * f->nr_threads;
	long prog;
	int ret = 0;

	if (!t->by_user)
		return 0;
	prog = load_program(t->uid);
	if (prog < 0)
		return err_sys(err, -prog, "the BPF program that keeps user %u's samples cannot be loaded",
			       t->uid);
	for (u32 e = 0; !ret && e < f->nr_events; e++) {
		const struct event *ev = evset_at(set, e);

		if (ev->dummy || !ev->attr.sample_period)
			continue;
		for (size_t i = open_at(f, e, 0, 0), end = i + per_event; !ret && i < end; i++)
			ret = f->fd[i] < 0 ? 0 : open_ioctl(f->fd[i], PERF_EVENT_IOC_SET_BPF, prog);
		if (ret)
			err_sys(err, -ret, "samples of event '%s' cannot be filtered by user (-u)", ev->name);
	}
	close_raw(prog);
	return ret;
}
