/* Attributes as text, for --header and evlist -v: fields that are 0 are left out. */
#include "attr.h"

#define BIT_NAMES(...) static const char *const __VA_ARGS__

BIT_NAMES(read_format_names[]) = { "TOTAL_TIME_ENABLED", "TOTAL_TIME_RUNNING", "ID", "GROUP", "LOST" };

BIT_NAMES(branch_names[]) = {
	"USER", "KERNEL", "HV", "ANY", "ANY_CALL", "ANY_RETURN", "IND_CALL", "ABORT_TX", "IN_TX", "NO_TX",
	"COND", "CALL_STACK", "IND_JUMP", "CALL", "NO_FLAGS", "NO_CYCLES", "TYPE_SAVE", "HW_INDEX",
	"PRIV_SAVE", "COUNTERS",
};

/*
 * by place: upstream's order, which is neither the order of the bits nor of the fields in a
 * sample; 0 is unused
 */
static const struct {
	u64 bit;
	const char *name;
} sample_types[] = {
#define SAMPLE_FIELD(name, bit, place, ...) [place] = { ABI_SAMPLE_##name, #name },
#include "sample-fields.def"
#undef SAMPLE_FIELD
};

BIT_NAMES(flag_names[]) = {
	"disabled", "inherit", "pinned", "exclusive", "exclude_user", "exclude_kernel", "exclude_hv",
	"exclude_idle", "mmap", "comm", "freq", "inherit_stat", "enable_on_exec", "task", "watermark",
	"precise_ip", NULL, "mmap_data", "sample_id_all", "exclude_host", "exclude_guest",
	"exclude_callchain_kernel", "exclude_callchain_user", "mmap2", "comm_exec", "use_clockid",
	"context_switch", "write_backward", "namespaces", "ksymbol", "bpf_event", "aux_output", "cgroup",
	"text_poke", "build_id", "inherit_thread", "remove_on_exec", "sigtrap", "defer_callchain",
	"defer_output",
};

struct attr_out {
	struct strbuf *sb;
	const char *assign;
	bool first;
};

static void begin(struct attr_out *o, const char *name)
{
	if (o->assign)
		strbuf_addf(o->sb, "%s%s%s", o->first ? "" : ", ", name, o->assign);
	else
		strbuf_addf(o->sb, "%s  %-32s ", o->first ? "" : "\n", name);
	o->first = false;
}

static void put_dec(struct attr_out *o, const char *name, s64 v)
{
	if (!v)
		return;
	begin(o, name);
	strbuf_addf(o->sb, "%lld", (long long)v);
}

static void put_u64(struct attr_out *o, const char *name, u64 v)
{
	if (!v)
		return;
	begin(o, name);
	strbuf_addf(o->sb, "%llu", (unsigned long long)v);
}

static void put_hex(struct attr_out *o, const char *name, u64 v)
{
	if (!v)
		return;
	begin(o, name);
	strbuf_addf(o->sb, "%#llx", (unsigned long long)v);
}

static void put_bits(struct attr_out *o, const char *name, u64 v, const char *const *names, size_t nr)
{
	const char *sep = "";

	if (!v)
		return;
	begin(o, name);
	for (size_t i = 0; i < nr; i++) {
		if (!(v >> i & 1))
			continue;
		strbuf_addf(o->sb, "%s%s", sep, names[i]);
		sep = "|";
	}
}

static void put_sample_type(struct attr_out *o, u64 v)
{
	const char *sep = "";

	if (!v)
		return;
	begin(o, "sample_type");
	for (size_t i = 1; i < ARRAY_SIZE(sample_types); i++) {
		if (!(v & sample_types[i].bit))
			continue;
		strbuf_addf(o->sb, "%s%s", sep, sample_types[i].name);
		sep = "|";
	}
}

static void put_flags(struct attr_out *o, const struct pe_attr *a)
{
	for (size_t i = 0; i < ARRAY_SIZE(flag_names); i++)
		if (flag_names[i])
			put_dec(o, flag_names[i],
				i == ATTR_PRECISE_SHIFT ? attr_precise(a) : a->flags >> i & 1);
}

static void put_type(struct attr_out *o, const struct pe_attr *a, const char *pmu)
{
	static const char *const names[] = { "HARDWARE", "SOFTWARE", "TRACEPOINT", "HW_CACHE", "RAW",
					     "BREAKPOINT" };

	begin(o, "type");
	strbuf_addf(o->sb, "%u", a->type);
	if (a->type < ARRAY_SIZE(names) && (a->type != PERF_TYPE_RAW || !pmu))
		strbuf_addf(o->sb, " (PERF_TYPE_%s)", names[a->type]);
	else if (pmu)
		strbuf_addf(o->sb, " (%s)", pmu);
}

static void put_config(struct attr_out *o, const struct pe_attr *a, const char *pmu, const char *tracepoint)
{
	size_t start;

	begin(o, "config");
	strbuf_addf(o->sb, "%#llx", (unsigned long long)a->config);
	start = o->sb->len;
	strbuf_addstr(o->sb, " (");
	if (pe_attr_config_symbol(a, pmu, tracepoint, o->sb))
		strbuf_addch(o->sb, ')');
	else
		strbuf_setlen(o->sb, start);
}

void pe_attr_print(const struct pe_attr *a, const char *pmu, const char *tracepoint, const char *assign,
		   struct strbuf *out)
{
	struct attr_out o = { .sb = out, .assign = assign, .first = true };

	put_type(&o, a, pmu);
	put_dec(&o, "size", a->size);
	put_config(&o, a, pmu, tracepoint);
	put_u64(&o, "{ sample_period, sample_freq }", a->sample_period);
	put_sample_type(&o, a->sample_type);
	put_bits(&o, "read_format", a->read_format, read_format_names, ARRAY_SIZE(read_format_names));
	put_flags(&o, a);
	put_dec(&o, "{ wakeup_events, wakeup_watermark }", a->wakeup_events);
	put_dec(&o, "bp_type", a->bp_type);
	put_hex(&o, "{ bp_addr, config1 }", a->config1);
	put_hex(&o, "{ bp_len, config2 }", a->config2);
	put_bits(&o, "branch_sample_type", a->branch_sample_type, branch_names, ARRAY_SIZE(branch_names));
	put_hex(&o, "sample_regs_user", a->sample_regs_user);
	put_dec(&o, "sample_stack_user", a->sample_stack_user);
	put_dec(&o, "clockid", a->clockid);
	put_hex(&o, "sample_regs_intr", a->sample_regs_intr);
	put_dec(&o, "aux_watermark", a->aux_watermark);
	put_dec(&o, "sample_max_stack", a->sample_max_stack);
	put_dec(&o, "aux_sample_size", a->aux_sample_size);
	put_u64(&o, "sig_data", a->sig_data);
	put_dec(&o, "aux_start_paused", a->aux_action & 1);
	put_dec(&o, "aux_pause", a->aux_action >> 1 & 1);
	put_dec(&o, "aux_resume", a->aux_action >> 2 & 1);
}
