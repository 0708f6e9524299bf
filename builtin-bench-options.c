/* perf bench: the options of each benchmark. */
#include "builtin-bench.h"

#include <stdlib.h>
#include <string.h>
#include "util/base/alloc.h"
#include "util/base/units.h"
#include "util/cli/parse-options.h"

static struct bench_opts o;
static struct bench_output output = { .format = "default" };
static char *cgroup_names;

static int parse_bytes(const struct option *opt, const char *arg, bool unset UNUSED)
{
	u64 *bytes = opt->value;

	if (parse_size(arg, bytes) < 0 || !*bytes || *bytes > 1ull << 40)
		return opt_error(opt, "'%s' is not a size such as 64KB or 4MB", arg);
	return 0;
}

static int parse_page(const struct option *opt, const char *arg, bool unset UNUSED)
{
	u64 *page = opt->value;

	if (parse_size(arg, page) < 0 || (*page != 4 << 10 && *page != 2 << 20 && *page != 1 << 30))
		return opt_error(opt, "pages of '%s' are not known: say 4KB, 2MB or 1GB", arg);
	return 0;
}

static int parse_seed(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct bench_opts *to = opt->value;

	if (parse_u64(arg, &to->seed) < 0)
		return opt_error(opt, "'%s' is not a number", arg);
	to->random = true;
	return 0;
}

static int parse_buckets(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct bench_opts *to = opt->value;
	u64 nr;

	if (parse_u64(arg, &nr) < 0 || nr > 1 << 30 || (nr & (nr - 1)))
		return opt_error(opt, "'%s' is not a power of two", arg);
	to->buckets = nr;
	to->buckets_set = true;
	return 0;
}

/* both are below the root of the control groups */
static int parse_cgroups(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct bench_opts *to = opt->value;
	char *comma;

	free(cgroup_names);
	cgroup_names = xstrdup(arg);
	comma = strchr(cgroup_names, ',');
	if (!comma || comma == cgroup_names || !comma[1] || strchr(comma + 1, ',') || strstr(arg, ".."))
		return opt_error(opt, "'%s' is not two names of control groups, such as a,b", arg);
	*comma = '\0';
	to->send_cgroup = cgroup_names;
	to->receive_cgroup = comma + 1;
	return 0;
}

/* ---- options by benchmark ---- */

static const struct option messaging_options[] = {
#define SCHED_MESSAGING
#include "builtin-bench.def"
#undef SCHED_MESSAGING
	OPT_END(),
};

static const struct option pipe_options[] = {
#define SCHED_PIPE
#include "builtin-bench.def"
#undef SCHED_PIPE
	OPT_END(),
};

static const struct option seccomp_options[] = {
#define SCHED_SECCOMP
#include "builtin-bench.def"
#undef SCHED_SECCOMP
	OPT_END(),
};

static const struct option syscall_options[] = {
#define SYSCALL
#include "builtin-bench.def"
#undef SYSCALL
	OPT_END(),
};

static const struct option copy_options[] = {
#define MEM_COPY
#include "builtin-bench.def"
#undef MEM_COPY
	OPT_END(),
};

static const struct option find_bit_options[] = {
#define MEM_FIND_BIT
#include "builtin-bench.def"
#undef MEM_FIND_BIT
	OPT_END(),
};

static const struct option mmap_options[] = {
#define MEM_MMAP
#include "builtin-bench.def"
#undef MEM_MMAP
	OPT_END(),
};

static const struct option numa_options[] = {
#define NUMA_MEM
#include "builtin-bench.def"
#undef NUMA_MEM
	OPT_END(),
};

#define FUTEX
static const struct option wake_options[] = {
#define FUTEX_WAKE
#include "builtin-bench.def"
#undef FUTEX_WAKE
	OPT_END(),
};

static const struct option wake_parallel_options[] = {
#define FUTEX_WAKE_PARALLEL
#include "builtin-bench.def"
#undef FUTEX_WAKE_PARALLEL
	OPT_END(),
};

static const struct option requeue_options[] = {
#define FUTEX_REQUEUE
#include "builtin-bench.def"
#undef FUTEX_REQUEUE
	OPT_END(),
};

#define FUTEX_RATE
static const struct option hash_options[] = {
#define FUTEX_HASH
#include "builtin-bench.def"
#undef FUTEX_HASH
	OPT_END(),
};

static const struct option lock_pi_options[] = {
#define FUTEX_LOCK_PI
#include "builtin-bench.def"
#undef FUTEX_LOCK_PI
	OPT_END(),
};
#undef FUTEX_RATE
#undef FUTEX

#define EPOLL
static const struct option epoll_wait_options[] = {
#define EPOLL_WAIT
#include "builtin-bench.def"
#undef EPOLL_WAIT
	OPT_END(),
};

static const struct option epoll_ctl_options[] = {
#include "builtin-bench.def"
	OPT_END(),
};
#undef EPOLL

static const struct option thread_options[] = {
#define BREAKPOINT_THREAD
#include "builtin-bench.def"
#undef BREAKPOINT_THREAD
	OPT_END(),
};

static const struct option enable_options[] = {
#define BREAKPOINT_ENABLE
#include "builtin-bench.def"
#undef BREAKPOINT_ENABLE
	OPT_END(),
};

static const struct option uprobe_options[] = {
#define UPROBE
#include "builtin-bench.def"
#undef UPROBE
	OPT_END(),
};

static const struct option synthesize_options[] = {
#define INTERNALS_SYNTHESIZE
#include "builtin-bench.def"
#undef INTERNALS_SYNTHESIZE
	OPT_END(),
};

#define INTERNALS
static const struct option internals_options[] = {
#include "builtin-bench.def"
	OPT_END(),
};

static const struct option open_options[] = {
#define INTERNALS_OPEN
#include "builtin-bench.def"
#undef INTERNALS_OPEN
	OPT_END(),
};
#undef INTERNALS

static const struct {
	const char *name;
	const struct option *options;
} lists[] = {
	{ "sched/messaging", messaging_options },
	{ "sched/pipe", pipe_options },
	{ "sched/seccomp-notify", seccomp_options },
	{ "syscall/", syscall_options },
	{ "mem/memcpy", copy_options },
	{ "mem/memset", copy_options },
	{ "mem/find_bit", find_bit_options },
	{ "mem/mmap", mmap_options },
	{ "numa/mem", numa_options },
	{ "futex/hash", hash_options },
	{ "futex/wake-parallel", wake_parallel_options },
	{ "futex/wake", wake_options },
	{ "futex/requeue", requeue_options },
	{ "futex/lock-pi", lock_pi_options },
	{ "epoll/wait", epoll_wait_options },
	{ "epoll/ctl", epoll_ctl_options },
	{ "breakpoint/thread", thread_options },
	{ "breakpoint/enable", enable_options },
	{ "uprobe/", uprobe_options },
	{ "internals/synthesize", synthesize_options },
	{ "internals/evlist-open-close", open_options },
	{ "internals/", internals_options },
};

const struct option *bench_options_of(const struct bench *b)
{
	static const struct option none[] = { OPT_END() };
	char *name = xasprintf("%s/%s", b->collection, b->name);
	const struct option *found = none;

	for (size_t i = ARRAY_SIZE(lists); i-- > 0;)
		if (!strncmp(lists[i].name, name, strlen(lists[i].name)))
			found = lists[i].options;
	free(name);
	return found;
}

const struct option bench_common_options[] = {
#include "builtin-bench-common.def"
	OPT_END(),
};

const struct option bench_all_options[] = {	/* for -h, completion and the manual */
#include "builtin-bench-common.def"
#include "builtin-bench-all.def"
	OPT_END(),
};

static const struct option uprobe_all_options[] = {
#define UPROBE
#include "builtin-bench-common.def"
#include "builtin-bench.def"
#undef UPROBE
	OPT_END(),
};

static const struct option syscall_all_options[] = {
#define SYSCALL
#include "builtin-bench-common.def"
#include "builtin-bench.def"
#undef SYSCALL
	OPT_END(),
};

const struct option *bench_options_of_all(const char *collection)
{
	static const struct {
		const char *name;
		const struct option *options;
	} all[] = {
		{ "uprobe", uprobe_all_options },
		{ "syscall", syscall_all_options },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (!strcmp(all[i].name, collection))
			return all[i].options;
	return bench_common_options;
}

const struct bench_opts *bench_cmd_opts(void)
{
	return &o;
}

const struct bench_output *bench_output(void)
{
	return &output;
}
