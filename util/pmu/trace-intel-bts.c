/* Intel BTS: a list of branches in memory. */
#include "trace-pmu.h"

static void bts_words(const struct trace_info *in, struct strbuf *out)
{
	struct trace_times t = trace_times_of(in->page);

	trace_put(out, in->ev->attr.type);
	trace_put(out, t.shift);
	trace_put(out, t.mult);
	trace_put(out, t.zero);
	trace_put(out, t.known);
	trace_put(out, in->snapshot);
}

const struct trace_pmu trace_pmu_intel_bts = {
	.title = "Intel BTS", .pmu = "intel_bts", .type = 2, .head_wraps = true, .walks_code = true,
	.words = bts_words,
	.cpus = "Intel CPUs", .cpuinfo = "GenuineIntel",
	.absent = "Intel CPUs have it, with flag bts in /proc/cpuinfo; a kernel that boots with Intel PT may "
		  "leave it out",
};
