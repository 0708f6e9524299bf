/*
 * numa mem: how fast threads of several processes read and write memory that all, their process, or they
 * alone use, on all CPUs and nodes or bound to some. Memory is touched before it is measured, so that it lies
 * on a node: that of its first user, or of -M.
 */
#include "bench.h"
#include "team.h"
#include "../base/alloc.h"
#include "../base/cpulist.h"
#include "../base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MB ((u64)1 << 20)
#define SECONDS 5u
#define NODES_MAX 1024u

/* what one thread did; in memory that processes share */
struct numa_result {
	u64 ns, bytes;
} CACHE_ALIGNED;

struct numa {
	const struct bench_opts *o;
	u32 processes, threads;		/* threads of each process */
	u64 global_size, process_size, thread_size;
	u64 *global, *process;
	struct { VEC(int); } cpu, node;	/* of the first tasks */
	struct numa_result *result;
	u32 nr_process;			/* in a child: which one it is */
};

/* --- memory */

static u64 *map_memory(u64 size, int flags, int huge)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	if (huge >= 0)
		madvise(p, size, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	memset(p, 1, size);
	return p;
}

static u64 read_words(const u64 *p, u64 nr)
{
	u64 sum = 0;

	for (u64 i = 0; i < nr; i++)
		sum += p[i];
	return sum;
}

static void write_words(u64 *p, u64 nr, bool read)
{
	for (u64 i = 0; i < nr; i++)
		p[i] = read ? p[i] + 1 : i;
}

static u64 walk_backwards(u64 *p, u64 nr, bool write)
{
	u64 sum = 0;

	while (nr-- > 0) {
		sum += p[nr];
		if (write)
			p[nr] = sum;
	}
	return sum;
}

/* as many words as there are, each at a place that the one before does not tell the CPU */
static u64 walk_randomly(u64 *p, u64 nr, bool write)
{
	u64 sum = 0, x = 0x9e3779b97f4a7c15ull;

	for (u64 i = 0; i < nr; i++) {
		u64 at;

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		at = x % nr;
		sum += p[at];
		if (write)
			p[at] = sum;
	}
	return sum;
}

/* goes over the memory once; returns the bytes that were accessed */
static u64 access_once(const struct bench_opts *o, u64 *p, u64 size)
{
	bool write = o->data_writes || !o->data_reads;
	u64 nr = size / sizeof(*p), sum = 0;

	if (!nr)
		return 0;
	if (o->data_zero) {
		memset(p, 0, size);
	} else if (o->random) {
		sum += walk_randomly(p, nr, write);
	} else if (write) {
		write_words(p, nr, o->data_reads || !o->data_writes);
	} else {
		sum += read_words(p, nr);
	}
	if (o->data_backwards)
		sum += walk_backwards(p, nr, write && !o->data_zero);
	__asm__ volatile("" : : "r"(sum) : "memory");
	return size * (1 + o->data_backwards);
}

/* --- tasks */

static int bind_task(const struct numa *n, u32 task)
{
	unsigned long nodes[NODES_MAX / (8 * sizeof(long))] = { 0 };
	cpu_set_t cpus;

	if (task < n->cpu.nr) {
		CPU_ZERO(&cpus);
		CPU_SET(n->cpu.v[task], &cpus);
		if (sched_setaffinity(0, sizeof(cpus), &cpus))
			return -errno;
	}
	if (task < n->node.nr) {
		nodes[n->node.v[task] / (8 * sizeof(long))] = 1ul << n->node.v[task] % (8 * sizeof(long));
		if (syscall(SYS_set_mempolicy, MPOL_BIND, nodes, NODES_MAX))
			return -errno;
	}
	return 0;
}

static int run_thread(struct bench_member *m)
{
	const struct numa *n = m->team->ctx;
	const struct bench_opts *o = n->o;
	u32 task = n->nr_process * n->threads + m->nr;
	u64 limit = o->loops, begin, now, end, bytes = 0, *own = NULL;
	int ret = bind_task(n, task);

	if (!ret && n->thread_size) {
		own = map_memory(n->thread_size, MAP_PRIVATE, o->huge_set ? (int)o->huge : -1);
		ret = own ? 0 : -ENOMEM;
	}
	if (ret)
		return ret;
	begin = now = clock_ns(CLOCK_MONOTONIC);
	end = begin + (o->runtime ? o->runtime : SECONDS) * 1000000000ull;
	for (u64 i = 0; (!limit || i < limit) && now < end; i++) {
		bytes += access_once(o, n->global, n->global_size);
		bytes += access_once(o, n->process, n->process_size);
		bytes += access_once(o, own, n->thread_size);
		now = clock_ns(CLOCK_MONOTONIC);
	}
	n->result[task].ns = now - begin;
	n->result[task].bytes = bytes;
	if (own)
		munmap(own, n->thread_size);
	return 0;
}

static int run_process(struct bench_member *m)
{
	struct numa *n = m->team->ctx;
	struct bench_team threads = { .size = n->threads, .work = run_thread, .ctx = n };
	int ret = 0;

	n->nr_process = m->nr;
	if (n->process_size) {
		ret = bind_task(n, m->nr * n->threads);
		n->process = map_memory(n->process_size, MAP_PRIVATE,
					n->o->huge_set ? (int)n->o->huge : -1);
		if (!ret && !n->process)
			ret = -ENOMEM;
	}
	if (!ret)
		ret = bench_team_start(&threads, NULL, NULL);
	if (!ret) {
		ret = bench_team_join(&threads);
		bench_team_release(&threads);
	}
	return ret;
}

/* --- what it measured */

static void put(const struct bench_sink *sink, const char *key, double value, const char *unit,
		const char *text_unit, const char *name)
{
	struct strbuf words = STRBUF_INIT;

	strbuf_addf(&words, "%s,", text_unit);
	bench_put(sink, key, value, unit, !strcmp(key, "total_speed") ? 3 : -1, " %-30s %15.3f, %-15s %s",
		  "main,", value, strbuf_str(&words), name);
	strbuf_release(&words);
}

static void put_results(const struct numa *n, const struct bench_sink *sink)
{
	u32 nr = n->processes * n->threads;
	double max = 0, min = 0, sum = 0, bytes = 0, each;

	for (u32 i = 0; i < nr; i++) {
		double s = n->result[i].ns / 1e9;

		max = MAX(max, s);
		min = i ? MIN(min, s) : s;
		sum += s;
		bytes += n->result[i].bytes / 1e9;
		if (n->o->show_details)
			bench_say(sink, " # process %2u: thread %2u: %.3f secs, %.3f GB", i / n->threads,
				  i % n->threads, s, n->result[i].bytes / 1e9);
	}
	each = bytes / nr;
	put(sink, "runtime_max", max, "s", "secs", "runtime-max/thread");
	put(sink, "runtime_min", min, "s", "secs", "runtime-min/thread");
	put(sink, "runtime_avg", sum / nr, "s", "secs", "runtime-avg/thread");
	put(sink, "runtime_spread", max > 0 ? (max - min) / 2 / max * 100 : 0, "%", "%",
	    "spread-runtime/thread");
	put(sink, "data_thread", each, "GB", "GB", "data/thread");
	put(sink, "data_total", bytes, "GB", "GB", "data-total");
	put(sink, "runtime_byte", each > 0 ? max / each : 0, "ns", "nsecs", "runtime/byte/thread");
	put(sink, "thread_speed", max > 0 ? each / max : 0, "GB/s", "GB/sec", "thread-speed");
	put(sink, "total_speed", max > 0 ? bytes / max : 0, "GB/s", "GB/sec", "total-speed");
}

/* how many nodes and CPUs the system has that are in use */
static u32 count_online(const char *path)
{
	struct cpulist list = { 0 };
	u32 nr;

	cpulist_read(&list, path);
	nr = MAX(list.nr, 1);
	vec_release(&list);
	return nr;
}

static void put_plan(const struct numa *n, const struct bench_sink *sink)
{
	u32 nr = n->processes * n->threads;
	long loops = n->o->loops ? (long)n->o->loops : -1;

	bench_say(sink, " # %u task%s will execute (on %u nodes, %u CPUs):", nr, nr == 1 ? "" : "s",
		  count_online("/sys/devices/system/node/online"),
		  count_online("/sys/devices/system/cpu/online"));
	bench_say(sink, " # %10ldx %5" PRIu64 "MB global  shared mem operations", loops, n->global_size / MB);
	bench_say(sink, " # %10ldx %5" PRIu64 "MB process shared mem operations", loops,
		  n->process_size / MB);
	bench_say(sink, " # %10ldx %5" PRIu64 "MB thread  local  mem operations", loops, n->thread_size / MB);
	bench_say(sink, "%s", "");
}

/* --- start */

/* "0,2,0": the CPU or node of the first tasks; numbers below limit */
static int parse_places(const char *text, const char *what, u32 limit, struct numa *n, bool cpus,
			struct err *err)
{
	while (text && *text) {
		size_t len = strcspn(text, ",");
		char *word = xstrndup(text, len);
		u64 nr;
		int ret = parse_u64(word, &nr);

		free(word);
		if (ret || nr >= limit)
			return err_set(err, -EINVAL, "'%s' is not a list of %s, such as 0,1", text, what);
		if (cpus)
			vec_push(&n->cpu, nr);
		else
			vec_push(&n->node, nr);
		text += len + (text[len] == ',');
	}
	return 0;
}

static int prepare(struct numa *n, struct err *err)
{
	const struct bench_opts *o = n->o;
	u64 nr = (u64)n->processes * n->threads;
	int ret;

	if (nr > 65536)
		return err_set(err, -EINVAL, "%" PRIu64 " tasks are too many", nr);
	if (MAX(o->mb_global, MAX(o->mb_process, o->mb_thread)) > 1u << 24)
		return err_set(err, -EINVAL, "more memory than any machine has");
	n->process_size = o->mb_process * MB;
	n->thread_size = o->mb_thread * MB;
	/* as upstream, which always uses some */
	n->global_size = MAX(o->mb_global, 1) * MB;
	ret = parse_places(o->cpus, "CPUs", CPU_SETSIZE, n, true, err);
	if (!ret)
		ret = parse_places(o->nodes, "memory nodes", NODES_MAX, n, false, err);
	if (ret)
		return ret;
	n->result = mmap(NULL, nr * sizeof(*n->result), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			 -1, 0);
	if (n->result == MAP_FAILED) {
		n->result = NULL;
		return err_sys(err, errno, "no memory for results");
	}
	n->global = map_memory(n->global_size, MAP_SHARED, o->huge_set ? (int)o->huge : -1);
	return n->global ? 0 : err_sys(err, errno, "no memory of %" PRIu64 " MB", n->global_size / MB);
}

static void release(struct numa *n)
{
	if (n->global)
		munmap(n->global, n->global_size);
	if (n->result)
		munmap(n->result, (u64)n->processes * n->threads * sizeof(*n->result));
	vec_release(&n->cpu);
	vec_release(&n->node);
}

int bench_numa_mem(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	struct numa n = { .o = o, .processes = MAX(o->processes, 1), .threads = MAX(o->threads, 1) };
	struct bench_team team = { .size = n.processes, .processes = true, .work = run_process, .ctx = &n };
	int ret = prepare(&n, err);

	if (!ret) {
		put_plan(&n, sink);
		ret = bench_team_start(&team, NULL, err);
	}
	if (!ret) {
		ret = bench_team_join(&team);
		bench_team_release(&team);
		if (ret) {
			err_set(err, ret, "a task could not run: memory is short, or a CPU or node of -C or "
				"-M cannot be used");
			err_hint(err, "/sys/devices/system/node/online and /sys/devices/system/cpu/online "
				 "list those that can");
		}
	}
	if (!ret)
		put_results(&n, sink);
	release(&n);
	return ret;
}
