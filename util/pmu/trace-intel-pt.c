/* Intel PT: default terms by what the CPU can do, and how its packets are to be read. */
#include "trace-pmu.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "../../arch/time-counter.h"

#define DEFAULT_PERIOD 3u	/* of MTC and PSB packets, where they can be chosen */
#define PSB_PLUS_BYTES 256u	/* the packets from PSB to PSBEND */

/* fields whose values are numbers of bits in a file of caps/, where bit N allows the value N */
static const struct limit {
	const char *field, *cap, *values;
} limits[] = {
	{ "cyc_thresh", "caps/psb_cyc", "caps/cycle_thresholds" },
	{ "mtc_period", "caps/mtc", "caps/mtc_periods" },
	{ "psb_period", "caps/psb_cyc", "caps/psb_periods" },
};

/* a file of caps/: hexadecimal digits */
static u64 read_cap(const struct pmu *pmu, const char *name)
{
	struct strbuf line = STRBUF_INIT;
	unsigned long long v = 0;

	trace_file_line(pmu, name, &line);
	if (sscanf(strbuf_str(&line), "%llx", &v) != 1)
		v = 0;
	strbuf_release(&line);
	return v;
}

/* allowed values of a field; 0 is always one of them */
static u64 values_of(const struct pmu *pmu, const struct limit *l)
{
	return (read_cap(pmu, l->cap) ? read_cap(pmu, l->values) : 0) | 1;
}

static u64 nearest_value(const struct pmu *pmu, const struct limit *l)
{
	u64 values = values_of(pmu, l) & ((2ull << DEFAULT_PERIOD) - 1);

	return 63 - __builtin_clzll(values);
}

static void pt_defaults(const struct pmu *pmu, struct pe_attr *attr)
{
	trace_set(pmu, attr, "tsc", 1);
	trace_set(pmu, attr, "pt", 1);
	if (trace_bits(pmu, "pt"))
		trace_set(pmu, attr, "branch", 1);
	if (!read_cap(pmu, "caps/mtc"))
		return;
	trace_set(pmu, attr, "mtc", 1);
	trace_set(pmu, attr, "mtc_period", nearest_value(pmu, &limits[1]));
	trace_set(pmu, attr, "psb_period", nearest_value(pmu, &limits[2]));
}

/* "0-5", "0,3,6,9" */
static void describe_values(u64 values, struct strbuf *out)
{
	for (int first = 0; first < 64; first++) {
		int last = first;

		if (!(values >> first & 1))
			continue;
		while (last < 63 && values >> (last + 1) & 1)
			last++;
		strbuf_addf(out, "%s%d", out->len ? "," : "", first);
		if (last > first)
			strbuf_addf(out, "-%d", last);
		first = last;
	}
}

static int pt_check(const struct pmu *pmu, const struct pe_attr *attr, struct err *err)
{
	struct strbuf list = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		u64 v = trace_get(pmu, attr, limits[i].field), values = values_of(pmu, &limits[i]);

		if (v < 64 && values >> v & 1)
			continue;
		describe_values(values, &list);
		err_set(err, -EINVAL, "this CPU does not have %s=%llu: valid values are %s", limits[i].field,
			(unsigned long long)v, strbuf_str(&list));
		strbuf_release(&list);
		return -EINVAL;
	}
	return 0;
}

/* a sample is useful only from its first PSB packet on */
static void pt_sampled(const struct pmu *pmu, struct pe_attr *attr, u32 sample_size, struct strbuf *notes)
{
	struct pe_attr by_default = { 0 };
	u64 bytes;

	pt_defaults(pmu, &by_default);
	if (attr->config == by_default.config)
		trace_set(pmu, attr, "psb_period", 0);
	bytes = 1ull << (trace_get(pmu, attr, "psb_period") + 11);
	if (sample_size <= bytes + PSB_PLUS_BYTES)
		strbuf_addf(notes, "samples of %u bytes of the trace may be too small: packets from which it "
			    "can be decoded are %llu bytes apart (psb_period)\n", sample_size,
			    (unsigned long long)bytes);
}

/* the clock of MTC packets, as a part of the TSC's: sysfs says it, else the CPU */
static void read_ratio(const struct pmu *pmu, u32 *num, u32 *den)
{
	struct strbuf line = STRBUF_INIT;

	*num = *den = 0;
	trace_file_line(pmu, "tsc_art_ratio", &line);
	if (sscanf(strbuf_str(&line), "%u:%u", num, den) == 2) {
		strbuf_release(&line);
		return;
	}
	strbuf_release(&line);
	*num = *den = 0;
	arch_crystal_ratio(num, den);
}

/* 1: a tracepoint tells of switches, 2: records of the tasks' own, 3: records of whole CPUs; 0: nothing */
static u64 switch_kind(const struct trace_info *in)
{
	bool records = false;

	vec_foreach(&in->set->ev, ev) {
		if ((*ev)->tp_system && !strcmp((*ev)->name, "sched:sched_switch"))
			return 1;
		records |= !!((*ev)->attr.flags & ATTR_CONTEXT_SWITCH);
	}
	return !records ? 0 : in->system_wide ? 3 : 2;
}

static void put_filter(const char *filter, struct strbuf *out)
{
	size_t len = filter ? strlen(filter) : 0;

	trace_put(out, len);
	if (!len)
		return;
	strbuf_add(out, filter, len);
	strbuf_pad(out, '\0', ALIGN_UP(len + 1, (size_t)8) - len);
}

static void pt_words(const struct trace_info *in, struct strbuf *out)
{
	struct trace_times t = trace_times_of(in->page);
	u64 ratio = 0;
	u32 num, den;

	read_ratio(in->pmu, &num, &den);
	trace_file_u64(in->pmu, "max_nonturbo_ratio", &ratio);
	trace_put(out, in->ev->attr.type);
	trace_put(out, t.shift);
	trace_put(out, t.mult);
	trace_put(out, t.zero);
	trace_put(out, t.known);
	trace_put(out, trace_bits(in->pmu, "tsc"));
	trace_put(out, trace_bits(in->pmu, "noretcomp"));
	trace_put(out, switch_kind(in));
	trace_put(out, in->snapshot);
	trace_put(out, in->per_cpu);
	trace_put(out, trace_bits(in->pmu, "mtc"));
	trace_put(out, trace_bits(in->pmu, "mtc_period"));
	trace_put(out, num);
	trace_put(out, den);
	trace_put(out, trace_bits(in->pmu, "cyc"));
	trace_put(out, ratio);
	put_filter(in->ev->filter, out);
	trace_put(out, read_cap(in->pmu, "caps/event_trace"));
}

const struct trace_pmu trace_pmu_intel_pt = {
	.title = "Intel PT", .pmu = "intel_pt", .type = 1, .head_wraps = true, .switches = true,
	.walks_code = true, .defaults = pt_defaults, .check = pt_check, .sampled = pt_sampled,
	.words = pt_words,
	.cpus = "Intel CPUs", .cpuinfo = "GenuineIntel",
	.absent = "Intel CPUs since Broadwell have it, with flag intel_pt in /proc/cpuinfo; the firmware "
		  "(BIOS setup: processor trace) may have switched it off, or another program uses it",
};
