/* The header as report --header shows it: a few lines about the file, then those of each feature's row. */
#include "header-print.h"
#include "events.h"
#include "header-facts.h"
#include "header-lists.h"
#include "../base/cursor.h"
#include "../event/attr.h"

#include <stdlib.h>
#include <time.h>

typedef void (*feature_print)(const struct data *d, struct strbuf *out);
typedef unsigned long long ull;

static void line_safe(struct strbuf *out, const char *head, const char *value)
{
	strbuf_addstr(out, head);
	strbuf_add_safe(out, value ? value : "");
	strbuf_addch(out, '\n');
}

#define PRINT_CONSTANT(name, text) \
static void print_##name(const struct data *d, struct strbuf *out) \
{ \
	strbuf_addstr(out, text "\n"); \
}
PRINT_CONSTANT(branch_stack, "# contains samples with branch stack")
PRINT_CONSTANT(auxtrace, "# contains AUX area data (e.g. instruction trace)")
PRINT_CONSTANT(stat, "# contains stat data")

static void print_cmdline(const struct data *d, struct strbuf *out)
{
	strbuf_addstr(out, "# cmdline : ");
	for (u32 i = 0; i < d->feat.nr_cmdline; i++) {
		const char *arg = d->feat.cmdline[i], *quote;

		/* only quotes are escaped, as upstream does */
		while ((quote = strchr(arg, '\''))) {
			char *head = xstrndup(arg, quote - arg);

			strbuf_add_safe(out, head);
			strbuf_addstr(out, "\\'");
			free(head);
			arg = quote + 1;
		}
		strbuf_add_safe(out, arg);
		strbuf_addch(out, ' ');
	}
	strbuf_addch(out, '\n');
}

static void print_event(const struct data *d, const char *name, const struct pe_attr *attr, const u64 *ids,
			u32 nr_ids, struct strbuf *out)
{
	strbuf_addstr(out, "# event : name = ");
	strbuf_add_safe(out, name);
	strbuf_addstr(out, ", , ");
	for (u32 i = 0; i < nr_ids; i++)
		strbuf_addf(out, "%s%llu%s", i ? ", " : "id = { ", (ull)ids[i],
			    i + 1 == nr_ids ? " }, " : "");
	pe_attr_print(attr, data_pmu_name(d, attr), data_tracepoint_name(d, attr), " = ", out);
	strbuf_addch(out, '\n');
}

/* from the feature, which may differ from the attribute section */
static void print_event_desc(const struct data *d, struct strbuf *out)
{
	const struct feat_blob *raw = &d->feat.raw[FEAT_EVENT_DESC];
	struct cursor c = cursor_of(raw->data, raw->size, d->swap);
	u32 nr = cursor_u32(&c), attr_size = cursor_u32(&c);

	for (u32 i = 0; i < nr && !c.bad; i++) {
		const void *bytes = cursor_bytes(&c, attr_size);
		u32 nr_ids = cursor_u32(&c);
		const char *name = cursor_str(&c, cursor_u32(&c));
		struct pe_attr attr;
		u64 *ids;

		if (c.bad || nr_ids > cursor_left(&c) / 8)
			return;
		ids = xcalloc(nr_ids + 1, sizeof(*ids));
		for (u32 k = 0; k < nr_ids; k++)
			ids[k] = cursor_u64(&c);
		pe_attr_decode(&attr, bytes, attr_size, d->swap);
		if (!attr.size)
			attr.size = PE_ATTR_SIZE_MIN;	/* the meaning of 0 in the first version */
		print_event(d, name, &attr, ids, nr_ids, out);
		free(ids);
	}
}

static void print_siblings(struct strbuf *out, const char *what, const char **list, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		strbuf_addf(out, "# sibling %s : ", what);
		strbuf_add_safe(out, list[i]);
		strbuf_addch(out, '\n');
	}
}

static void print_cpu_topology(const struct data *d, struct strbuf *out)
{
	const struct features *f = &d->feat;

	print_siblings(out, "sockets", f->core_siblings, f->nr_core_siblings);
	print_siblings(out, "dies   ", f->die_siblings, f->nr_die_siblings);
	print_siblings(out, "threads", f->thread_siblings, f->nr_thread_siblings);
	if (!f->cpu_core) {
		strbuf_addstr(out, "# Core ID and Socket ID information is not available\n");
		return;
	}
	for (u32 i = 0; i < f->nr_cpus_avail; i++) {
		strbuf_addf(out, "# CPU %u: Core ID %d, ", i, f->cpu_core[i]);
		if (f->cpu_die)
			strbuf_addf(out, "Die ID %d, ", f->cpu_die[i]);
		strbuf_addf(out, "Socket ID %d\n", f->cpu_socket[i]);
	}
}

static void print_numa_topology(const struct data *d, struct strbuf *out)
{
	for (u32 i = 0; i < d->feat.nr_nodes; i++) {
		const struct feat_node *n = &d->feat.nodes[i];

		strbuf_addf(out, "# node%u meminfo  : total = %llu kB, free = %llu kB\n# node%u cpu list : ",
			    n->node, (ull)n->mem_total_kb, (ull)n->mem_free_kb, n->node);
		strbuf_add_safe(out, n->cpus);
		strbuf_addch(out, '\n');
	}
}

static void print_pmu_mappings(const struct data *d, struct strbuf *out)
{
	strbuf_addstr(out, "# pmu mappings: ");
	for (u32 i = 0; i < d->feat.nr_pmus; i++) {
		strbuf_addstr(out, i ? ", " : "");
		strbuf_add_safe(out, d->feat.pmus[i].name);
		strbuf_addf(out, " = %u", d->feat.pmus[i].type);
	}
	strbuf_addstr(out, d->feat.nr_pmus ? "\n" : "not available\n");
}

static void print_group_desc(const struct data *d, struct strbuf *out)
{
	const struct evset *set = d->evset;

	for (u32 i = 0; i < d->feat.nr_groups; i++) {
		const struct feat_group *g = &d->feat.groups[i];

		if (g->nr_members < 2 || g->leader >= set->ev.nr)
			continue;
		strbuf_addstr(out, "# group: ");
		if (strcmp(g->name, "{anon_group}"))
			strbuf_add_safe(out, g->name);
		for (u64 k = g->leader; k < (u64)g->leader + g->nr_members && k < set->ev.nr; k++) {
			strbuf_addch(out, k == g->leader ? '{' : ',');
			strbuf_add_safe(out, set->ev.v[k]->name);
		}
		strbuf_addstr(out, "}\n");
	}
}

static void print_cache(const struct data *d, struct strbuf *out)
{
	strbuf_addstr(out, "# CPU cache info:\n");
	for (u32 i = 0; i < d->feat.nr_caches; i++) {
		const struct feat_cache *c = &d->feat.caches[i];

		strbuf_addf(out, "#  L%u %-15s %8s [%s]\n", c->level, c->type, c->size, c->map);
	}
}

static void print_sample_time(const struct data *d, struct strbuf *out)
{
	u64 first = d->feat.sample_time_first, last = d->feat.sample_time_last;

	header_facts_text(d, FEAT_SAMPLE_TIME, out);
	strbuf_addf(out, "# sample duration : %10.3f ms\n", (double)(last - first) / 1e6);
}

static void print_size(struct strbuf *out, u64 bytes)
{
	static const char units[] = "BKMGTPE";
	const char *u = units;

	for (; bytes / 1024 > 1 && u[1]; u++)
		bytes /= 1024;
	strbuf_addf(out, "%llu%c", (ull)bytes, *u);
}

static void print_mem_topology(const struct data *d, struct strbuf *out)
{
	const struct features *f = &d->feat;
	struct strbuf ranges = STRBUF_INIT;

	strbuf_addf(out, "# memory nodes (nr %u, block size 0x%llx):\n", f->nr_mem_nodes,
		    (ull)f->mem_block_size);
	for (u32 i = 0; i < f->nr_mem_nodes; i++) {
		const struct feat_mem_node *n = &f->mem_nodes[i];
		u64 nr = header_memory_blocks(n, &ranges);

		strbuf_addf(out, "#  %3llu [", (ull)n->node);
		print_size(out, nr * f->mem_block_size);
		strbuf_addf(out, "]: %s\n", strbuf_str(&ranges));
		strbuf_reset(&ranges);
	}
	strbuf_release(&ranges);
}

static void print_clockid(const struct data *d, struct strbuf *out)
{
	strbuf_addf(out, "# clockid frequency: %llu MHz\n", (ull)d->feat.clockid_res_ns * 1000);
}

static void print_clock_data(const struct data *d, struct strbuf *out)
{
	const struct features *f = &d->feat;
	time_t sec = f->clock_tod_ns / 1000000000;
	ull usec = f->clock_tod_ns % 1000000000 / 1000;
	const char *name = header_clock_name(f->clockid);
	char date[64] = "";
	struct tm tm;

	name = name ? name : "(not found)";
	if (localtime_r(&sec, &tm))
		strftime(date, sizeof(date), "%F %T", &tm);
	strbuf_addf(out, "# clockid: %s (%u)\n# reference time: %s.%06llu = %llu.%06llu (TOD) = "
		    "%llu.%09llu (%s)\n", name, f->clockid, date, usec, (ull)sec, usec,
		    (ull)(f->clock_ns / 1000000000), (ull)(f->clock_ns % 1000000000), name);
}

static void print_bpf_program(const struct bpf_info *b, struct strbuf *out)
{
	u32 nr = bpf_info_nr_functions(b);
	struct strbuf name = STRBUF_INIT;

	strbuf_addf(out, nr ? "# bpf_prog_info %u:" : "# bpf_prog_info of id %u", bpf_info_id(b));
	for (u32 i = 0; i < nr; i++) {
		struct bpf_function f;

		strbuf_reset(&name);
		f = bpf_info_function(b, i, &name);
		if (nr > 1)
			strbuf_addf(out, "\n# \tsub_prog %u:", i);
		strbuf_addch(out, ' ');
		strbuf_add_safe(out, strbuf_str(&name));
		strbuf_addf(out, " addr 0x%llx size %u", (ull)f.addr, f.len);
	}
	strbuf_addch(out, '\n');
	strbuf_release(&name);
}

/* how many there are, which is the first number of the feature */
static bool says_none(const struct feat_blob *blob)
{
	struct cursor c = cursor_of(blob->data, blob->size, false);

	return !cursor_u32(&c);
}

static void print_bpf_prog_info(const struct data *d, struct strbuf *out)
{
	struct header_bpf bpf;

	if (says_none(&d->feat.bpf_prog_info))
		strbuf_addstr(out, "# bpf_prog_info empty\n");
	header_bpf_read(d, &bpf);
	vec_foreach(&bpf.program, b)
		print_bpf_program(b, out);
	header_bpf_release(&bpf);
}

static void print_bpf_btf(const struct data *d, struct strbuf *out)
{
	struct header_bpf bpf;

	if (says_none(&d->feat.bpf_btf))
		strbuf_addstr(out, "# btf info empty\n");
	header_bpf_read_types(d, &bpf);
	vec_foreach(&bpf.types, t)
		strbuf_addf(out, "# btf info of id %u\n", t->id);
	header_bpf_release(&bpf);
}

static void print_cpu_domains(const struct data *d, struct strbuf *out)
{
	const struct features *f = &d->feat;

	strbuf_addf(out, "# schedstat version	: %u\n# Maximum sched domains	: %u\n", f->schedstat_version,
		    f->max_domains);
	for (u32 i = 0; i < f->nr_cpu_domains; i++) {
		const struct feat_cpu_domains *c = &f->cpu_domains[i];

		strbuf_addf(out, "# cpu		: %u\n# nr_domains	: %u\n", c->cpu, c->nr);
		for (u32 k = 0; k < c->nr; k++) {
			const struct feat_domain *dom = &c->domain[k];

			strbuf_addf(out, "# Domain		: %u\n", dom->number);
			if (f->schedstat_version >= SCHEDSTAT_NAMED)
				line_safe(out, "# Domain name      : ", dom->name);
			line_safe(out, "# Domain cpu map   : ", dom->mask);
			line_safe(out, "# Domain cpu list  : ", dom->cpus);
		}
	}
}

static void print_compressed(const struct data *d, struct strbuf *out)
{
	strbuf_addf(out, "# compressed : %s, level = %u, ratio = %u\n",
		    d->feat.comp_type == 1 ? "Zstd" : "Unknown", d->feat.comp_level, d->feat.comp_ratio);
}

static void print_caps(struct strbuf *out, const char *pmu, const char **name, const char **value, u32 nr)
{
	strbuf_addstr(out, "# ");
	strbuf_add_safe(out, pmu);
	strbuf_addstr(out, nr ? " pmu capabilities: " : " pmu capabilities: not available");
	for (u32 i = 0; i < nr; i++) {
		strbuf_addstr(out, i ? ", " : "");
		strbuf_add_safe(out, name[i]);
		strbuf_addch(out, '=');
		strbuf_add_safe(out, value[i]);
	}
	strbuf_addch(out, '\n');
}

static void print_cpu_pmu_caps(const struct data *d, struct strbuf *out)
{
	print_caps(out, "cpu", d->feat.cpu_cap_name, d->feat.cpu_cap_value, d->feat.nr_cpu_caps);
}

static void print_pmu_caps(const struct data *d, struct strbuf *out)
{
	for (u32 i = 0; i < d->feat.nr_pmu_caps; i++) {
		const struct feat_caps *p = &d->feat.pmu_caps[i];

		print_caps(out, p->pmu, p->name, p->value, p->nr);
	}
}

static void print_hybrid(const struct data *d, struct strbuf *out)
{
	strbuf_addstr(out, "# hybrid cpu system:\n");
	for (u32 i = 0; i < d->feat.nr_hybrid; i++) {
		strbuf_addstr(out, "# ");
		strbuf_add_safe(out, d->feat.hybrid[i].pmu);
		strbuf_addstr(out, " cpu list : ");
		strbuf_add_safe(out, d->feat.hybrid[i].cpus);
		strbuf_addch(out, '\n');
	}
}

static void print_e_machine(const struct data *d, struct strbuf *out)
{
	strbuf_addf(out, "# e_machine : %u\n#   e_flags : %u\n", d->feat.e_machine, d->feat.e_flags);
}

static void print_cacheline(const struct data *d, struct strbuf *out)
{
	strbuf_addf(out, "# cacheline size: %u\n", d->feat.cacheline_size);
}

enum when { ALWAYS, FULL };

static const struct row {
	u32 bit;
	const char *name;
	feature_print print;
	enum when when;
} rows[] = {
#define FEATURE(bit, name, decode, print, when) { bit, #name, print, when },
#include "features.def"
#undef FEATURE
};

static void print_row(const struct data *d, const struct row *r, bool full, struct strbuf *out)
{
	if (!feature_present(&d->feat, r->bit))
		return;
	if (r->when == FULL && !full)
		strbuf_addf(out, "# %s info available, use -I to display\n", r->name);
	else if (r->print)
		r->print(d, out);
	else
		header_facts_text(d, r->bit, out);
}

void feature_print_one(const struct data *d, u64 bit, bool full, struct strbuf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].bit == bit)
			print_row(d, &rows[i], full, out);
}

static void print_features(const struct data *d, struct strbuf *out, bool full)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		print_row(d, &rows[i], full, out);
}

/* symbols are not missing in files that are not packed */
static void print_missing(const struct data *d, struct strbuf *out)
{
	strbuf_addstr(out, "# missing features: ");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (!feature_present(&d->feat, rows[i].bit) && rows[i].bit != FEAT_PACKED_SYMBOLS)
			strbuf_addf(out, "%s ", rows[i].name);
	strbuf_addch(out, '\n');
}

void features_print(const struct data *d, struct strbuf *out, bool full)
{
	u64 off = d->is_pipe ? 0 : d->data_offset, size = d->is_pipe ? 0 : d->data_size;
	time_t mtime = d->mtime;
	char date[32] = "\n";

	ctime_r(&mtime, date);
	/* the oldest files, with the magic PERFFILE, have version 0 here */
	strbuf_addf(out, "# ========\n# captured on    : %s# header version : %u\n", date, d->version != 1);
	strbuf_addf(out, "# data offset    : %llu\n# data size      : %llu\n# feat offset    : %llu\n",
		    (ull)off, (ull)size, (ull)(off + size));
	if (d->is_pipe) {	/* the header ends before the first record, and features come after it */
		strbuf_addstr(out, "# ========\n#\n");
		print_features(d, out, full);
		return;
	}
	print_features(d, out, full);
	print_missing(d, out);
	strbuf_addstr(out, "# ========\n#\n");
}
