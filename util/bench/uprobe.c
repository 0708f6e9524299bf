/*
 * uprobe: what a probe in a function of the C library costs its callers, with a BPF program that does nothing
 * or writes a line to the kernel's trace. The probe is there for all processes, until the benchmark ends.
 */
#include "bench.h"
#include "../base/map-lines.h"
#include "../base/units.h"
#include "../bpf/program.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define LOOPS 1000u
#define SLEEP_US 1000u

/* what this process measured before, for the differences: with "all" the benchmarks run one after another */
static double baseline_us, previous_us;

/* --- where the function is */

struct function_place {
	char path[4096];
	u64 offset;
};

struct place_search {
	u64 at;
	struct function_place *ret;
	bool found;
};

static bool note_place(void *ctx, const struct proc_map *m)
{
	struct place_search *s = ctx;

	if (s->at < m->start || s->at >= m->end || m->path[0] != '/')
		return true;
	snprintf(s->ret->path, sizeof(s->ret->path), "%s", m->path);
	s->ret->offset = s->at - m->start + m->off;
	s->found = true;
	return false;
}

/* the file that is mapped at an address of this process, and where the address is in it */
static int find_place(const void *address, struct function_place *ret_place, struct err *err)
{
	struct place_search s = { .at = (uintptr_t)address, .ret = ret_place };

	map_lines_each(0, note_place, &s);
	return s.found ? 0 : err_set(err, -ENOENT, "the C library's file is not in /proc/self/maps");
}

static int find_usleep(struct function_place *ret_place, struct err *err)
{
	const void *address = dlsym(RTLD_DEFAULT, "usleep");

	if (!address)
		return err_set(err, -ENOENT, "this program has no dynamic symbol 'usleep' to probe");
	return find_place(address, ret_place, err);
}

/* --- programs */

static void write_empty(struct bpf_code *c)
{
	bpf_return_one(c);
}

/* bpf_trace_printk("perf bench\n", size); the text is on the stack */
static void write_printk(struct bpf_code *c)
{
	static const char text[16] = "perf bench\n";
	u64 half[2];

	memcpy(half, text, sizeof(half));
	for (int i = 0; i < 2; i++) {
		bpf_set64(c, BPF_REG_1, half[i]);
		bpf_store(c, BPF_DW, BPF_REG_10, i * 8 - 16, BPF_REG_1);
	}
	bpf_frame_address(c, BPF_REG_1, -16);
	bpf_set(c, BPF_REG_2, strlen(text) + 1);
	bpf_call_helper(c, BPF_FUNC_trace_printk);
	bpf_return_one(c);
}

static int attach(struct bpf_prog *p, void (*write)(struct bpf_code *c), bool at_return, struct err *err)
{
	struct bpf_code c = { 0 };
	struct function_place place;
	int ret = find_usleep(&place, err);

	if (ret)
		return ret;
	write(&c);
	ret = bpf_prog_load_once(p, BPF_PROG_TYPE_KPROBE, "perf_bench", &c, err);
	return ret ? ret : bpf_prog_attach_uprobe(p, place.path, place.offset, at_return, err);
}

/* --- measurement */

static void put_difference(struct strbuf *line, const char *fmt, double us, double from, const char *to)
{
	if (from <= 0)
		return;
	strbuf_addf(line, fmt, us - from);
	strbuf_addf(line, " to %s", to);
}

/* as upstream: a total of whole microseconds, then a call, both with what was added to the runs before */
static void put_result(const struct bench_sink *sink, double us, u64 loops)
{
	struct strbuf total = STRBUF_INIT, each = STRBUF_INIT;
	double per_call = us / loops, before = baseline_us / loops;

	put_difference(&total, " %+.0f", us, baseline_us, "baseline");
	put_difference(&each, " %+.3f usecs/op", per_call, before, "baseline");
	if (previous_us != baseline_us) {
		put_difference(&total, " %+.0f", us, previous_us, "previous");
		put_difference(&each, " %+.3f usecs/op", per_call, previous_us / loops, "previous");
	}
	bench_put(sink, "total_time", us / 1e6, "s", -1, " %14s: %.0f usecs%s", "Total time", us,
		  strbuf_str(&total));
	bench_say(sink, "%s", "");
	bench_put(sink, "usecs_per_op", per_call, "us", 3, " %.3f usecs/op%s", per_call, strbuf_str(&each));
	strbuf_release(&total);
	strbuf_release(&each);
}

static void measure(const struct bench_opts *o, const struct bench_sink *sink)
{
	u64 loops = o->loops ? o->loops : LOOPS, begin;
	useconds_t us = o->sleep_set ? o->sleep_us : SLEEP_US;
	int slack = prctl(PR_GET_TIMERSLACK);
	double took;

	/* the kernel adds up to 50 us to a sleep, to wake several tasks at once */
	if (!us)
		prctl(PR_SET_TIMERSLACK, 1);
	begin = clock_ns(CLOCK_MONOTONIC);
	for (u64 i = 0; i < loops; i++)
		usleep(us);
	took = (clock_ns(CLOCK_MONOTONIC) - begin) / 1e3;
	if (!us && slack > 0)
		prctl(PR_SET_TIMERSLACK, slack);
	bench_say(sink, "# Executed %" PRIu64 " usleep(%u) calls", loops, us);
	put_result(sink, took, loops);
	previous_us = took;
}

int bench_uprobe_baseline(const struct bench_opts *o, const struct bench_sink *sink,
			  struct err *err UNUSED)
{
	baseline_us = previous_us = 0;
	measure(o, sink);
	baseline_us = previous_us;
	return 0;
}

static int probed(const struct bench_opts *o, const struct bench_sink *sink,
		  void (*write)(struct bpf_code *c), bool at_return, struct err *err)
{
	struct bpf_prog p = BPF_PROG_INIT;
	int ret = attach(&p, write, at_return, err);

	if (!ret)
		measure(o, sink);
	bpf_prog_release(&p);
	return ret;
}

int bench_uprobe_empty(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	return probed(o, sink, write_empty, false, err);
}

int bench_uprobe_printk(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	return probed(o, sink, write_printk, false, err);
}

int bench_uprobe_empty_ret(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	return probed(o, sink, write_empty, true, err);
}

int bench_uprobe_printk_ret(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	return probed(o, sink, write_printk, true, err);
}
