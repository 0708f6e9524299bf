/* Trace-pmu: finding rows, and what several of them ask sysfs. */
#include "trace-pmu.h"
#include "../base/fs.h"
#include "../base/units.h"
#include "../kernel/target.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES "/sys/bus/event_source/devices"

#define TRACE_PMU(symbol) extern const struct trace_pmu trace_pmu_##symbol;
#include "trace-pmus.def"
#undef TRACE_PMU

static const struct trace_pmu *const rows[] = {
#define TRACE_PMU(symbol) &trace_pmu_##symbol,
#include "trace-pmus.def"
#undef TRACE_PMU
};

const struct trace_pmu *trace_pmu_of(const struct pmu *pmu)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (glob_match(rows[i]->pmu, pmu->name))
			return rows[i];
	return NULL;
}

const struct trace_pmu *trace_pmu_named(const char *word, size_t len)
{
	char name[64];

	if (!len || len >= sizeof(name) - sizeof("_0"))
		return NULL;
	snprintf(name, sizeof(name), "%.*s", (int)len, word);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (glob_match(rows[i]->pmu, name))
			return rows[i];
	/* "arm_spe" for all PMUs arm_spe_N */
	memcpy(name + len, "_0", sizeof("_0"));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (strchr(rows[i]->pmu, '*') && glob_match(rows[i]->pmu, name))
			return rows[i];
	return NULL;
}

void trace_pmu_explain(const struct trace_pmu *row, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	bool known, other, guest;

	known = !fs_read("/proc/cpuinfo", &text);
	other = known && row->cpuinfo && !strstr(strbuf_str(&text), row->cpuinfo);
	guest = fs_exists("/sys/hypervisor/type") || (known && strstr(strbuf_str(&text), " hypervisor"));
	strbuf_release(&text);
	if (other)
		err_hint(err, "%s have %s, and the CPUs of this machine are others", row->cpus, row->title);
	else if (guest)
		err_hint(err, "this is a virtual machine: few of them give %s to their guests; record on the "
			 "host, or on a machine of your own (instances named \"metal\")", row->title);
	else
		err_hint(err, "%s", row->absent);
	err_hint(err, "this works now: samples, like perf record -g, without the trace");
}

void trace_cpus(const struct trace_info *in, struct cpulist *ret)
{
	struct cpulist all = { 0 };
	struct err err = ERR_INIT;

	for (u32 i = 0; i < in->nr_cpus; i++)
		if (in->cpu[i] >= 0)
			cpulist_add(ret, in->cpu[i]);
	if (ret->nr || cpus_online(&all, &err) < 0)
		return;
	*ret = all;
}

void trace_put(struct strbuf *out, u64 word)
{
	strbuf_add(out, &word, sizeof(word));
}

void trace_file_line(const struct pmu *pmu, const char *name, struct strbuf *out)
{
	char path[400];

	snprintf(path, sizeof(path), DEVICES "/%s/%s", pmu->name, name);
	strbuf_reset(out);
	fs_read_line(path, out);
}

bool trace_file_u64(const struct pmu *pmu, const char *name, u64 *ret)
{
	struct strbuf line = STRBUF_INIT;
	const char *text;
	char *end;
	bool found;

	trace_file_line(pmu, name, &line);
	text = strbuf_str(&line);
	*ret = strtoull(text, &end, 0);
	found = end != text;
	strbuf_release(&line);
	return found;
}

u64 trace_bits(const struct pmu *pmu, const char *name)
{
	const struct pmu_format *f = pmu_format(pmu, name, strlen(name));

	return f && !f->word ? f->mask : 0;
}

void trace_set(const struct pmu *pmu, struct pe_attr *attr, const char *name, u64 value)
{
	const struct pmu_format *f = pmu_format(pmu, name, strlen(name));

	if (f)
		pmu_format_set(f, attr, value);
}

u64 trace_get(const struct pmu *pmu, const struct pe_attr *attr, const char *name)
{
	u64 bits = trace_bits(pmu, name), value = 0, n = 0;

	for (; bits; bits &= bits - 1)
		value |= (u64)!!(attr->config & bits & -bits) << n++;
	return value;
}

/* loads after this one come after it, also the next one of the lock */
#define LOAD(field) __atomic_load_n(&page->field, __ATOMIC_ACQUIRE)

struct trace_times trace_times_of(const struct perf_event_mmap_page *page)
{
	struct trace_times t = { 0 };
	u32 seq;

	if (!page)
		return t;
	do {
		struct perf_event_mmap_page caps;

		seq = LOAD(lock);
		caps.capabilities = LOAD(capabilities);
		t = (struct trace_times){
			.shift = LOAD(time_shift), .mult = LOAD(time_mult), .zero = LOAD(time_zero),
			.cycles = LOAD(time_cycles), .mask = LOAD(time_mask),
			.known = caps.cap_user_time_zero, .is_short = caps.cap_user_time_short,
		};
	} while (seq != LOAD(lock) || seq & 1);
	return t;
}
