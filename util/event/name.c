/* Names for events that neither a user nor a file named, and the names of the constants in attributes. */
#include "attr.h"
#include "names.h"

const struct event_name event_names[] = {
#define EVENT_HW(config, name, alias, unnamed, symbol) \
	{ PERF_TYPE_HARDWARE, config, name, alias, unnamed, symbol },
#define EVENT_SW(config, name, alias, unnamed, symbol) \
	{ PERF_TYPE_SOFTWARE, config, name, alias, unnamed, symbol },
#include "names.def"
};
const size_t nr_event_names = ARRAY_SIZE(event_names);

/* the three lists of names.def for caches: each pass uses one and ignores the others */
#define EVENT_CACHE(names, symbol, ops) { names, symbol, NULL, ops },
#define EVENT_CACHE_OP(names, of_misses, symbol)
#define EVENT_CACHE_RESULT(names, symbol)
const struct event_cache_name event_caches[EVENT_NR_CACHES] = {
#include "names.def"
};
#define EVENT_CACHE(names, symbol, ops)
#define EVENT_CACHE_OP(names, of_misses, symbol) { names, symbol, of_misses, 0 },
#define EVENT_CACHE_RESULT(names, symbol)
const struct event_cache_name event_cache_ops[EVENT_NR_CACHE_OPS] = {
#include "names.def"
};
#define EVENT_CACHE(names, symbol, ops)
#define EVENT_CACHE_OP(names, of_misses, symbol)
#define EVENT_CACHE_RESULT(names, symbol) { names, symbol, NULL, 0 },
const struct event_cache_name event_cache_results[EVENT_NR_CACHE_RESULTS] = {
#include "names.def"
};

const struct event_name *event_name_by_config(u32 type, u64 config)
{
	for (size_t i = 0; i < nr_event_names; i++)
		if (event_names[i].type == type && event_names[i].config == config)
			return &event_names[i];
	return NULL;
}

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

	if (c.cache >= EVENT_NR_CACHES)
		strbuf_addstr(out, "unknown-ext-hardware-cache-type");
	else if (c.op >= EVENT_NR_CACHE_OPS)
		strbuf_addstr(out, "unknown-ext-hardware-cache-op");
	else if (c.result >= EVENT_NR_CACHE_RESULTS)
		strbuf_addstr(out, "unknown-ext-hardware-cache-result");
	else if (!(event_caches[c.cache].ops >> c.op & 1))
		strbuf_addstr(out, "invalid-cache");
	else if (c.result)
		strbuf_addf(out, "%s-%s-misses", event_caches[c.cache].name[0],
			    event_cache_ops[c.op].of_misses);
	else
		strbuf_addf(out, "%s-%s", event_caches[c.cache].name[0], event_cache_ops[c.op].name[0]);
}

static bool cache_symbol(u64 config, struct strbuf *out)
{
	struct cache_config c = cache_config_of(config);

	if (c.cache >= EVENT_NR_CACHES || c.op >= EVENT_NR_CACHE_OPS || c.result >= EVENT_NR_CACHE_RESULTS)
		return false;
	strbuf_addf(out, "PERF_COUNT_HW_CACHE_RESULT_%s | PERF_COUNT_HW_CACHE_OP_%s | PERF_COUNT_HW_CACHE_%s",
		    event_cache_results[c.result].symbol, event_cache_ops[c.op].symbol,
		    event_caches[c.cache].symbol);
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

/* ":kuhpGH": the modifiers that a user would have typed to get these bits */
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

/* the upper 32 bits of a hardware or cache event's config select one of several core PMUs */
static void hw_name(const struct pe_attr *attr, const char *pmu, struct strbuf *out)
{
	const struct event_name *row = event_name_by_config(PERF_TYPE_HARDWARE, (u32)attr->config);
	const char *name = row ? row->unnamed : "unknown-hardware";

	if (attr->config >> 32 && pmu)
		strbuf_addf(out, "%s/%s/", pmu, name);
	else
		strbuf_addstr(out, name);
}

void pe_attr_make_name(const struct pe_attr *attr, const char *pmu, struct strbuf *out)
{
	u64 config = attr->config;
	const struct event_name *row;

	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		hw_name(attr, pmu, out);
		break;
	case PERF_TYPE_SOFTWARE:
		row = event_name_by_config(attr->type, config);
		strbuf_addstr(out, row && row->unnamed ? row->unnamed : "unknown-software");
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

bool pe_attr_config_symbol(const struct pe_attr *attr, const char *pmu, const char *tracepoint,
			   struct strbuf *out)
{
	const struct event_name *row;

	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		row = event_name_by_config(attr->type, (u32)attr->config);
		if (!row)
			return false;
		if (attr->config >> 32 && pmu)
			strbuf_addf(out, "%s/PERF_COUNT_HW_%s/", pmu, row->symbol);
		else
			strbuf_addf(out, "PERF_COUNT_HW_%s", row->symbol);
		return true;
	case PERF_TYPE_SOFTWARE:
		row = event_name_by_config(attr->type, attr->config);
		if (!row)
			return false;
		strbuf_addf(out, "PERF_COUNT_SW_%s", row->symbol);
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
