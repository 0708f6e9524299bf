/* Names for events that neither a user nor a file named. */
#include "attr.h"

static const char *const hw_names[] = {
#define EVENT_HW(config, name) [config] = name,
#include "names.def"
};

static const char *const sw_names[] = {
#define EVENT_SW(config, name) [config] = name,
#include "names.def"
};

/* type HW_CACHE: config is cache | op << 8 | result << 16 */
static const char *const cache_names[] = {
	"L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node"
};
static const char *const op_names[][2] = {	/* accesses, and the word in front of "misses" */
	{ "loads", "load" }, { "stores", "store" }, { "prefetches", "prefetch" }
};

static void cache_name(u64 config, struct strbuf *out)
{
	unsigned int cache = config & 0xff, op = config >> 8 & 0xff, result = config >> 16 & 0xff;

	if (config >> 24 || cache >= ARRAY_SIZE(cache_names) || op >= ARRAY_SIZE(op_names) || result > 1)
		strbuf_addstr(out, "unknown-ext-hardware-cache-type");
	else if (result)
		strbuf_addf(out, "%s-%s-misses", cache_names[cache], op_names[op][1]);
	else
		strbuf_addf(out, "%s-%s", cache_names[cache], op_names[op][0]);
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

/* ":ukhpGH" as the user would have typed it to get these bits */
static void add_modifiers(const struct pe_attr *attr, struct strbuf *out)
{
	size_t start = out->len;
	u64 f = attr->flags;

	strbuf_addch(out, ':');
	if (f & (ATTR_EXCLUDE_USER | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV)) {
		if (!(f & ATTR_EXCLUDE_KERNEL))
			strbuf_addch(out, 'k');
		if (!(f & ATTR_EXCLUDE_USER))
			strbuf_addch(out, 'u');
		if (!(f & ATTR_EXCLUDE_HV))
			strbuf_addch(out, 'h');
	}
	strbuf_pad(out, 'p', attr_precise(attr));
	if ((f & ATTR_EXCLUDE_HOST) && !(f & ATTR_EXCLUDE_GUEST))
		strbuf_addch(out, 'G');
	if (out->len == start + 1)
		strbuf_setlen(out, start);
}

void pe_attr_make_name(const struct pe_attr *attr, struct strbuf *out)
{
	u64 config = attr->config;

	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		if (config < ARRAY_SIZE(hw_names))
			strbuf_addstr(out, hw_names[config]);
		else
			strbuf_addstr(out, "unknown-hardware");
		break;
	case PERF_TYPE_SOFTWARE:
		if (config < ARRAY_SIZE(sw_names))
			strbuf_addstr(out, sw_names[config]);
		else
			strbuf_addstr(out, "unknown-software");
		break;
	case PERF_TYPE_TRACEPOINT:
		strbuf_addstr(out, "unknown tracepoint");
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
		strbuf_addf(out, "unknown attr type: %u", attr->type);
		return;
	}
	add_modifiers(attr, out);
}
