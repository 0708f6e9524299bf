/* List: the kernel's generic events, as far as this CPU has them, and tracepoints. */
#include "collect.h"
#include "generic.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../pmu/names.h"
#include "../pmu/pmu.h"
#include "../kernel/open.h"
#include "../kernel/tracefs.h"

/* what the generic events are, by type and config */
static const struct { u32 type; u64 config; const char *desc; } descs[] = {
#define HW(name, text) { PERF_TYPE_HARDWARE, PERF_COUNT_HW_##name, text },
#define SW(name, text) { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##name, text },
	HW(CPU_CYCLES, "CPU cycles; they grow and shrink with the CPU's frequency")
	HW(INSTRUCTIONS, "instructions that were completed")
	HW(CACHE_REFERENCES, "accesses to the last-level cache, mostly")
	HW(CACHE_MISSES, "accesses that the last-level cache could not serve, mostly")
	HW(BRANCH_INSTRUCTIONS, "branch instructions that were completed")
	HW(BRANCH_MISSES, "branches that were predicted wrongly")
	HW(BUS_CYCLES, "cycles of the bus, which do not follow the CPU's frequency")
	HW(STALLED_CYCLES_FRONTEND, "cycles in which no instruction could be fetched or decoded")
	HW(STALLED_CYCLES_BACKEND, "cycles in which no instruction could be executed or completed")
	HW(REF_CPU_CYCLES, "cycles at the nominal frequency, whatever the CPU's own is")
	SW(CPU_CLOCK, "time on the CPU, by its high-resolution timer")
	SW(TASK_CLOCK, "time the task has run, by the CPU's high-resolution timer")
	SW(PAGE_FAULTS, "page faults, minor and major")
	SW(CONTEXT_SWITCHES, "switches of the CPU from one task to another")
	SW(CPU_MIGRATIONS, "moves of a task to another CPU")
	SW(PAGE_FAULTS_MIN, "page faults that needed no input or output")
	SW(PAGE_FAULTS_MAJ, "page faults that needed input or output")
	SW(ALIGNMENT_FAULTS, "unaligned accesses that the kernel had to handle; none on x86")
	SW(EMULATION_FAULTS, "instructions that the kernel had to emulate")
	SW(DUMMY, "counts nothing: carries side-band records only")
	SW(BPF_OUTPUT, "samples that a BPF program makes")
	SW(CGROUP_SWITCHES, "switches of the CPU to a task of another control group")
#undef HW
#undef SW
};

const char *list_describe_generic(u32 type, u64 config)
{
	for (size_t i = 0; i < ARRAY_SIZE(descs); i++)
		if (descs[i].type == type && descs[i].config == config)
			return descs[i].desc;
	return "";
}

/* asks the kernel */
bool list_is_supported(u32 type, u64 config)
{
	struct pe_attr attr = { .type = type, .size = PE_ATTR_SIZE_MIN, .config = config,
				.flags = ATTR_DISABLED | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV };
	int fd = open_raw(&attr, 0, -1, -1, 0);

	if (fd >= 0)
		close_raw(fd);
	return fd >= 0 || (fd != -ENOENT && fd != -EOPNOTSUPP && fd != -EINVAL && fd != -ENODEV);
}

/* the name of the PMU (of those that are asked for) that counts hardware events; "cpu" where none is told */
static const char *core_pmu(struct collect *c, bool *ret_there)
{
	struct pmus pmus = { 0 };
	const char *name = NULL;

	pmus_scan(&pmus);
	vec_foreach(&pmus.pmu, p)
		if ((*p)->is_core && !name && list_wants_pmu(c->req, (*p)->name))
			name = arena_strdup(&c->l->arena, (*p)->name);
	pmus_release(&pmus);
	*ret_there = name;
	return name ? name : "cpu";
}

static void note_absent(struct collect *c, bool have_pmu)
{
	if (have_pmu)
		list_note(c->l, "the CPU's counters do not count the generic hardware events here");
	else
		list_note(c->l, "no hardware events are listed: "
			  "this machine has no hardware counters (virtual machines often have none)");
}

static void add_generic(struct collect *c, enum list_kind kind, const struct event_name *n, const char *pmu)
{
	struct list_entry *e = list_add(c->l, kind, n->name,
					kind == LIST_HW ? "Hardware event" : "Software event");

	e->alias = n->alias ? n->alias : "";
	e->desc = list_describe_generic(n->type, n->config);
	e->pmu = pmu;
	if (kind == LIST_SW) {
		e->topic = "software";
		e->json_tag = "Kernel PMU event";
		e->encoding = list_encoding(c->l, pmu, n->config);
		if (n->config <= PERF_COUNT_SW_TASK_CLOCK)
			e->scale_unit = "1E-06msec";
	} else {
		e->encoding = list_printf(c->l, "%s/%s/", pmu, n->name);
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp((*(const struct event_name *const *)a)->name,
		      (*(const struct event_name *const *)b)->name);
}

static void collect_generic(struct collect *c, u32 type, enum list_kind kind, const char *pmu)
{
	const struct event_name *sorted[64];
	size_t nr = 0;

	if (!list_wants_pmu(c->req, pmu))
		return;
	for (size_t i = 0; i < nr_event_names && nr < ARRAY_SIZE(sorted); i++)
		if (event_names[i].type == type && list_is_supported(type, event_names[i].config))
			sorted[nr++] = &event_names[i];
	qsort(sorted, nr, sizeof(*sorted), by_name);
	for (size_t i = 0; i < nr; i++)
		add_generic(c, kind, sorted[i], pmu);
}

int list_collect_hw(struct collect *c)
{
	size_t before = c->l->nr;
	bool have_pmu;
	const char *pmu = core_pmu(c, &have_pmu);

	collect_generic(c, PERF_TYPE_HARDWARE, LIST_HW, pmu);
	if (c->l->nr == before && (c->req->kinds & LIST_BIT(HW)) && list_wants_pmu(c->req, pmu))
		note_absent(c, have_pmu);
	return 0;
}

int list_collect_sw(struct collect *c)
{
	collect_generic(c, PERF_TYPE_SOFTWARE, LIST_SW, "software");
	return 0;
}

struct cache_ctx {
	struct collect *c;
	const char *pmu;
};

static void add_cache(void *ctx, const char *name, u64 config)
{
	struct cache_ctx *x = ctx;
	struct list_entry *e;

	if (!list_is_supported(PERF_TYPE_HW_CACHE, config))
		return;
	e = list_add(x->c->l, LIST_CACHE, name, "Hardware cache event");
	e->pmu = x->pmu;
	e->topic = "legacy cache";
	e->encoding = list_printf(x->c->l, "%s/%s/", x->pmu, name);
}

int list_collect_cache(struct collect *c)
{
	size_t before = c->l->nr;
	bool have_pmu;
	struct cache_ctx x = { c, core_pmu(c, &have_pmu) };

	if (!list_wants_pmu(c->req, x.pmu))
		return 0;
	cache_names_foreach(add_cache, &x);
	if (c->l->nr == before && (c->req->kinds & LIST_BIT(CACHE)))
		note_absent(c, have_pmu);
	return 0;
}

/* ---- tracepoints ---- */

static const char *format_text(struct list *l, const char *sys, const char *name)
{
	struct strbuf sb = STRBUF_INIT;
	const char *s;

	tracefs_event_format(sys, name, &sb);
	for (size_t i = 0; i < sb.len; i++)
		if (sb.buf[i] == '\t')
			sb.buf[i] = ' ';
	s = arena_strdup(&l->arena, strbuf_str(&sb));
	strbuf_release(&sb);
	return s;
}

/* whether it can be part of the list at all: what costs a file each is read of those only */
static bool may_be_wanted(const struct list_request *req, const char *name, bool probe)
{
	if (req->kinds & (LIST_BIT(TRACEPOINT) | (probe ? LIST_BIT(PROBE) : 0)))
		return true;
	for (size_t i = 0; i < req->nr_patterns; i++)
		if (list_pattern_matches(req->patterns[i], name))
			return true;
	return false;
}

static void add_tracepoint(struct collect *c, const struct tracefs_event *tp, const struct strbuf *probes)
{
	bool probe = tracefs_is_dynamic(probes, tp->sys, tp->name);
	const char *name = list_printf(c->l, "%s:%s", tp->sys, tp->name);
	struct list_entry *e;
	u64 id;

	if (!may_be_wanted(c->req, name, probe))
		return;
	e = list_add(c->l, LIST_TRACEPOINT, name, "Tracepoint event");
	e->also = probe ? LIST_BIT(PROBE) : 0;
	e->pmu = "tracepoint";
	if (!c->req->formats)
		return;
	if (!tracefs_event_id(tp->sys, tp->name, &id, NULL))
		e->encoding = list_printf(c->l, "tracepoint/config=0x%llx/", (unsigned long long)id);
	e->long_desc = format_text(c->l, tp->sys, tp->name);
}

int list_collect_tracepoint(struct collect *c)
{
	struct tracefs_events all = { 0 };
	struct strbuf probes = STRBUF_INIT;
	struct err err = ERR_INIT;

	if (!list_wants_pmu(c->req, "tracepoint"))
		return 0;
	if (tracefs_list(&all, "*", "*", &err) && (c->req->kinds & (LIST_BIT(TRACEPOINT) | LIST_BIT(PROBE))))
		list_note_err(c->l, &err);
	/* ftrace's own records are events only if they have an id */
	tracefs_list(&all, "ftrace", "*", NULL);
	tracefs_dynamic_events(&probes);
	vec_foreach(&all, tp)
		add_tracepoint(c, tp, &probes);
	tracefs_events_release(&all);
	strbuf_release(&probes);
	return 0;
}

/* they are tracepoints, and listed among them */
int list_collect_probe(struct collect *c)
{
	return 0;
}
