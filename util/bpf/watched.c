/* Watched: see watched.h. */
#include "watched.h"
#include "../kernel/cgroup.h"
#include "../kernel/rights.h"
#include "../kernel/target.h"
#include "../kernel/tracefs.h"

#include <errno.h>
#include <unistd.h>

int watched_prepare(struct bpf_set *s, const struct watched_opts *o, struct watched_settings *ret,
		    struct err *err)
{
	int code = 0;

	*ret = (struct watched_settings){
		.all = o->all, .not_pid = o->not_pid, .leaves_out = o->nr_not_tid > 0,
		.in_cgroup = o->cgroup != NULL,
	};
	rights_in_pid_namespace(&ret->ns_dev, &ret->ns_inode);
	if (!o->all)
		bpf_set_resize(s, "watched", 0, 0, WATCHED_MAX);
	if (o->nr_not_tid)
		bpf_set_resize(s, "unwatched", 0, 0, o->nr_not_tid);
	/* its place differs between kernels */
	if (o->inherit && !o->all)
		code = tracefs_field_offset("sched", "sched_process_fork", "child_pid", &ret->child_pid);
	return code ? err_set(err, code, "tracepoint sched:sched_process_fork cannot be read: "
			      "new tasks would be missed") : 0;
}

static int choose_cgroup(struct bpf_set *s, const char *name, struct err *err)
{
	int ret = 0, fd = cgroup_open(name, err);
	struct bpf_map map;
	u32 first = 0;

	if (fd < 0)
		return fd;
	bpf_set_get_map(s, "cgroup", &map);
	if (bpf_map_set(&map, &first, &fd))
		ret = err_set(err, -EOPNOTSUPP, "cgroup '%s' is not in the hierarchy of version 2", name);
	close(fd);
	return ret;
}

int watched_fill(struct bpf_set *s, const struct watched_opts *o, struct err *err)
{
	const u32 yes = 1;
	struct bpf_map map;

	bpf_set_get_map(s, "unwatched", &map);
	for (u32 i = 0; i < o->nr_not_tid; i++)
		if (bpf_map_set(&map, &o->not_tid[i], &yes))
			return err_set(err, -EIO, "a BPF map cannot be filled");
	return o->cgroup ? choose_cgroup(s, o->cgroup, err) : 0;
}

int watched_add(struct bpf_set *s, u32 tid)
{
	const u32 yes = 1;
	struct bpf_map map;

	bpf_set_get_map(s, "watched", &map);
	return bpf_map_set(&map, &tid, &yes);
}

int watched_add_target(struct bpf_set *s, const struct watched_opts *o, const struct target *t,
		       struct err *err)
{
	for (u32 i = 0; i < t->tids.nr && !o->all; i++)
		if (watched_add(s, t->tids.v[i]))
			return err_set(err, -EIO, "task %d cannot be observed by BPF", t->tids.v[i]);
	return 0;
}
