/* Names for events that neither a user nor a file named, and the names of the constants in attributes. */
#include "attr.h"

struct generic_name {
	const char *name, *symbol;
};

static const struct generic_name hw_names[] = {
#define EVENT_HW(config, name, symbol) [config] = { name, symbol },
#include "names.def"
};

static const struct generic_name sw_names[] = {
#define EVENT_SW(config, name, symbol) [config] = { name, symbol },
#include "names.def"
};

enum { OP_READ = 1, OP_WRITE = 2, OP_PREFETCH = 4, OP_ALL = 7 };

/* type HW_CACHE: config is cache | op << 8 | result << 16 */
static const struct {
	const char *name, *symbol;
	u8 ops;			/* those that exist */
} caches[] = {
	{ "L1-dcache", "L1D", OP_ALL }, { "L1-icache", "L1I", OP_READ | OP_PREFETCH }, { "LLC", "LL", OP_ALL },
	{ "dTLB", "DTLB", OP_ALL }, { "iTLB", "ITLB", OP_READ }, { "branch", "BPU", OP_READ }, { "node", "NODE", OP_ALL },
};
static const struct {
	const char *accesses, *of_misses, *symbol;
} cache_ops[] = {
	{ "loads", "load", "READ" }, { "stores", "store", "WRITE" }, { "prefetches", "prefetch", "PREFETCH" },
};
static const char *const cache_results[] = { "ACCESS", "MISS" };

struct cache_config {
	u8 cache, op, result;
};

static struct cache_config cache_config_of(u64 config)
{
	return (struct cache_config){ config, config >> 8, config >> 16 };
}

static void cache_name(u64 config, struct strbuf *out)
{
	struct cache_config c = cache_config_of(config);

	if (c.cache >= ARRAY_SIZE(caches))
		strbuf_addstr(out, "unknown-ext-hardware-cache-type");
	else if (c.op >= ARRAY_SIZE(cache_ops))
		strbuf_addstr(out, "unknown-ext-hardware-cache-op");
	else if (c.result >= ARRAY_SIZE(cache_results))
		strbuf_addstr(out, "unknown-ext-hardware-cache-result");
	else if (!(caches[c.cache].ops >> c.op & 1))
		strbuf_addstr(out, "invalid-cache");
	else if (c.result)
		strbuf_addf(out, "%s-%s-misses", caches[c.cache].name, cache_ops[c.op].of_misses);
	else
		strbuf_addf(out, "%s-%s", caches[c.cache].name, cache_ops[c.op].accesses);
}

static bool cache_symbol(u64 config, struct strbuf *out)
{
	struct cache_config c = cache_config_of(config);

	if (c.cache >= ARRAY_SIZE(caches) || c.op >= ARRAY_SIZE(cache_ops) || c.result >= ARRAY_SIZE(cache_results))
		return false;
	strbuf_addf(out, "PERF_COUNT_HW_CACHE_RESULT_%s | PERF_COUNT_HW_CACHE_OP_%s | PERF_COUNT_HW_CACHE_%s",
		    cache_results[c.result], cache_ops[c.op].symbol, caches[c.cache].symbol);
	return true;
}

static void breakpoint_name(const struct pe_attr *attr, struct strbuf *out)
{
	strbuf_addf(out, "mem:0x%llx:", (unsigned long long)attr->config1);
	if (attr->bp_type & 1)
		strbuf_addch(out, 'r');
	if (attr->bp_type & 2)
		strbuf_addch(out, 'w');
	if (attr->bp_type & 4)
		strbuf_addch(out, 'x');
}

/* ":kuhpGH", what the user would have typed to get these bits */
static void add_modifiers(const struct pe_attr *attr, struct strbuf *out)
{
	const u64 rings = ATTR_EXCLUDE_USER | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV;
	const u64 guests = ATTR_EXCLUDE_HOST | ATTR_EXCLUDE_GUEST;
	u64 f = attr->flags;
	size_t start = out->len;

	strbuf_addch(out, ':');
	if (f & rings) {
		if (!(f & ATTR_EXCLUDE_KERNEL))
			strbuf_addch(out, 'k');
		if (!(f & ATTR_EXCLUDE_USER))
			strbuf_addch(out, 'u');
		if (!(f & ATTR_EXCLUDE_HV))
			strbuf_addch(out, 'h');
	}
	strbuf_pad(out, 'p', attr_precise(attr));
	if ((f & guests) == ATTR_EXCLUDE_HOST)
		strbuf_addch(out, 'G');
	if ((f & guests) == ATTR_EXCLUDE_GUEST)
		strbuf_addch(out, 'H');
	if (out->len == start + 1)
		strbuf_setlen(out, start);
}

/* the highest 32 bits of a hardware or cache event's config choose one of several core PMUs */
static void hw_name(const struct pe_attr *attr, const char *pmu, struct strbuf *out)
{
	u32 config = attr->config;
	const char *name = config < ARRAY_SIZE(hw_names) ? hw_names[config].name : "unknown-hardware";

	if (attr->config >> 32 && pmu)
		strbuf_addf(out, "%s/%s/", pmu, name);
	else
		strbuf_addstr(out, name);
}

void pe_attr_make_name(const struct pe_attr *attr, const char *pmu, struct strbuf *out)
{
	u64 config = attr->config;
	const char *name;

	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		hw_name(attr, pmu, out);
		break;
	case PERF_TYPE_SOFTWARE:
		name = config < ARRAY_SIZE(sw_names) ? sw_names[config].name : NULL;
		strbuf_addstr(out, name ? name : "unknown-software");
		break;
	case PERF_TYPE_TRACEPOINT:
		strbuf_addf(out, "unknown tracepoint id=%#llx", (unsigned long long)config);
		return;
	case PERF_TYPE_HW_CACHE:
		cache_name(config, out);
		break;
	case PERF_TYPE_RAW:
		strbuf_addf(out, "raw 0x%llx", (unsigned long long)config);
		break;
	case PERF_TYPE_BREAKPOINT:
		breakpoint_name(attr, out);
		break;
	default:
		strbuf_addf(out, "unknown event PMU=%u config=%#llx", attr->type, (unsigned long long)config);
		return;
	}
	add_modifiers(attr, out);
}

bool pe_attr_config_symbol(const struct pe_attr *attr, const char *pmu, const char *tracepoint, struct strbuf *out)
{
	u32 config = attr->config;

	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		if (config >= ARRAY_SIZE(hw_names))
			return false;
		if (attr->config >> 32 && pmu)
			strbuf_addf(out, "%s/PERF_COUNT_HW_%s/", pmu, hw_names[config].symbol);
		else
			strbuf_addf(out, "PERF_COUNT_HW_%s", hw_names[config].symbol);
		return true;
	case PERF_TYPE_SOFTWARE:
		if (attr->config >= ARRAY_SIZE(sw_names))
			return false;
		strbuf_addf(out, "PERF_COUNT_SW_%s", sw_names[config].symbol);
		return true;
	case PERF_TYPE_HW_CACHE:
		return cache_symbol(attr->config, out);
	case PERF_TYPE_TRACEPOINT:
		if (tracepoint)
			strbuf_add_safe(out, tracepoint);
		return tracepoint;
	}
	return false;
}
