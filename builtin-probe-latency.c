/* perf probe --latency: how long calls of functions take, while they are observed. */
#include "arch/arch.h"
#include "builtin-probe-latency.h"
#include "builtin-probe-target.h"
#include "ui/format.h"
#include "util/base/log.h"
#include "util/pmu/parse-events.h"
#include "util/probe/call-times.h"
#include "util/probe/cost.h"
#include "util/probe/spec-parse.h"
#include "util/tracing/live.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FUNCTIONS 64u

struct latency_run {
	struct probe_cmd *c;
	struct observer ob;
	struct tracing_opts tracing;
	struct tracing_live *live;
	struct tracing_row *row;	/* entry and return of each function */
	u32 nr_rows;
	struct call_times times;
	struct call_times_cost cost;
	struct strbuf names[2];		/* "g:a,g:b": events of entries and of returns */
};

/* ---- probes ---- */

/* "%sp": the stack pointer as the kernel's definitions name it */
static const char *stack_pointer(char buf[16])
{
	const struct arch *a = arch_native();
	const char *name = a && a->reg_sp < a->nr_regs ? a->reg[a->reg_sp].name : NULL;
	size_t i = 0;

	for (; name && name[i] && i < 15; i++)
		buf[i] = tolower((u8)name[i]);
	buf[i] = 0;
	return i ? buf : NULL;
}

/* bytes by which a return moves the stack pointer: where calls push the return address */
static u32 popped_bytes(void)
{
	const struct arch *a = arch_native();
	const struct arch_abi *abi = a ? &a->abi[1] : NULL;

	return abi && abi->dwarf_ra && abi->dwarf_ra == abi->dwarf_ip ? abi->word : 0;
}

/* a function, or a glob of functions; probes of this command have the arguments that it needs */
static int check_function(const char *text, struct err *err)
{
	struct probe_spec spec = { 0 };
	int ret = probe_spec_parse(&spec, text, err);

	if (!ret && (spec.place.kind != PROBE_FUNCTION || spec.place.is_return || spec.arg.nr)) {
		ret = err_set(err, -EINVAL, "'%s' is not the name of a function", text);
		err_hint(err, "--latency takes a function or a glob, without offset, %%return and arguments");
	}
	probe_spec_release(&spec);
	return ret;
}

/* the probe of an entry or a return, with what pairs them: call-times.h */
static void add_probe(struct strbuf *text, const char *where, const char *function, bool is_return,
		      const char *sp)
{
	strbuf_addf(text, "%sprobe(%s%s%s sp=%%%s:u64", text->len ? "," : "", where, function,
		    is_return ? "%return" : "", sp);
	if (!is_return && popped_bytes())
		strbuf_addf(text, " back=+0(%%%s):u64", sp);
	strbuf_addch(text, ')');
}

static int make_probes(struct latency_run *r, struct err *err)
{
	struct probe_cmd *c = r->c;
	const struct target_arg *t = c->target.nr ? &c->target.v[0] : NULL;
	struct strbuf where = STRBUF_INIT, text[2] = { STRBUF_INIT, STRBUF_INIT };
	const char *texts[2];
	char sp[16];
	int ret = 0;

	vec_foreach(&c->latency.function, f) {
		ret = check_function(*f, err);
		if (ret)
			return ret;
	}
	if (!stack_pointer(sp))
		return err_set(err, -ENOTSUP, "the stack pointer of this machine is not known: calls cannot "
			       "be paired with their returns");
	if (t)
		strbuf_addf(&where, "-%c %s ", t->is_module ? 'm' : 'x', t->name);
	for (int i = 0; i < 2; i++) {
		vec_foreach(&c->latency.function, f)
			add_probe(&text[i], strbuf_str(&where), *f, i, sp);
		texts[i] = strbuf_str(&text[i]);
	}
	c->latency.once.program = c->latency.observe.argv ? c->latency.observe.argv[0] : NULL;
	c->latency.once.pid = c->latency.observe.target.pids ? atoi(c->latency.observe.target.pids) : 0;
	ret = probe_once_begin(&c->latency.once, texts, r->names, 2, err);
	for (int i = 0; i < 2; i++)
		strbuf_release(&text[i]);
	strbuf_release(&where);
	return ret;
}

/* "a:b,a:c" to texts of the arena; returns how many */
static u32 split_names(const struct strbuf *list, struct arena *arena, const char **ret, u32 max)
{
	char *copy = xstrdup(strbuf_str((struct strbuf *)list)), *rest = copy;
	u32 nr = 0;

	for (char *word; (word = strsep(&rest, ",")) && nr < max;)
		ret[nr++] = arena_strdup(arena, word);
	free(copy);
	return nr;
}

/* a row for each probe, an event for each row */
static int add_events(struct latency_run *r, struct err *err)
{
	struct evset *set = r->c->latency.observe.set;
	const char *name[2][MAX_FUNCTIONS + 1];
	u32 nr[2];
	int ret = 0;

	for (int i = 0; i < 2; i++)
		nr[i] = split_names(&r->names[i], &set->arena, name[i], MAX_FUNCTIONS + 1);
	if (nr[0] > MAX_FUNCTIONS || nr[1] > MAX_FUNCTIONS)
		return err_set(err, -E2BIG, "--latency takes at most %u functions", MAX_FUNCTIONS);
	if (nr[0] != nr[1])
		return err_set(err, -ENOTSUP, "the functions have %u entries and %u returns: inlined copies "
			       "do not return (--no-inlines leaves them out)", nr[0], nr[1]);
	r->nr_rows = 2 * nr[0];
	r->row = arena_zalloc(&set->arena, r->nr_rows * sizeof(*r->row));
	for (u32 i = 0; i < r->nr_rows && !ret; i++) {
		bool is_return = i % 2;

		r->row[i] = (struct tracing_row){
			.event = name[is_return][i / 2],
			.field = is_return ? call_times_return_fields : call_times_entry_fields,
			.handle = is_return ? call_times_on_return : call_times_on_entry };
		ret = parse_events(set, r->row[i].event, NULL, err);
	}
	return ret < 0 ? ret : 0;
}

/* ---- operations of the observer ---- */

static int configure(void *ctx, struct observer *ob, struct err *err)
{
	struct latency_run *r = ctx;
	struct sample_attr_opts attr = { .timestamp = true, .timestamp_given = true, .identifier = true,
					 .no_bpf_event = true, .sample[ABI_SAMPLE_NR_CPU] = true };

	return sample_attr_config(r->c->latency.observe.set, &attr, &ob->target, &ob->notes, err);
}

static int start(void *ctx, struct observer *ob, struct err *err)
{
	struct latency_run *r = ctx;
	const struct tracing_live_opts o = { .set = r->c->latency.observe.set, .target = &ob->target,
					     .sym = SYM_OPTS_INIT, .maps = true,
					     .map_timeout_ns = 500000000 };
	int ret;

	observer_log_notes(ob);
	r->tracing = (struct tracing_opts){ .row = r->row, .nr_rows = r->nr_rows, .ctx = &r->times,
					    .record = "perf probe --latency" };
	ret = tracing_live_open(&r->live, &o, &r->tracing, err);
	if (!ret)
		call_times_set_session(&r->times, tracing_live_session(r->live));
	return ret;
}

static int drain(void *ctx, struct observer *ob, struct err *err UNUSED)
{
	struct latency_run *r = ctx;

	tracing_live_read(r->live, &ob->rings);
	return 0;
}

static int end(void *ctx, struct observer *ob, int failed, struct err *err)
{
	struct latency_run *r = ctx;
	const struct ring_counts *counts;
	struct err ignored = ERR_INIT;
	bool json = r->c->latency.json;
	struct text_opts text = { 0 };

	open_disable(&ob->fds, r->c->latency.observe.set, &ignored);
	observer_end_command(ob);
	if (failed)
		return 0;
	tracing_live_end(r->live, &ob->rings);
	counts = tracing_live_counts(r->live);
	return format_answer(call_times_view(&r->times, &r->cost, counts->lost, format_form(json, 0)), json,
			     &text, err);
}

/* uprobes have a file; the events of the kernel's functions are in the group "probe" */
static bool is_kernel(const struct latency_run *r)
{
	const char *event = r->row[0].event;

	return !strncmp(event, "probe:", 6);
}

static int observe(struct latency_run *r, struct err *err)
{
	const struct observer_ops ops = { .configure = configure, .start = start, .drain = drain,
					  .tick = drain, .end = end };
	int ret = make_probes(r, err);

	if (!ret)
		ret = add_events(r, err);
	if (ret)
		return ret;
	call_times_init(&r->times, &(struct call_times_opts){ .pop = popped_bytes(), .row = r->row,
							      .is_kernel = is_kernel(r) });
	for (u32 i = 0; i < r->nr_rows; i += 2)
		call_times_add_function(&r->times, r->row[i].event);
	r->cost.ns_per_call = probe_cost_measure(PROBE_COST_ENTRY | PROBE_COST_RETURN, r->times.is_kernel);
	ret = observer_run(&r->ob, &ops, r, err);
	observer_log_notes(&r->ob);
	call_times_release(&r->times);
	tracing_live_close(r->live);
	return ret;
}

int probe_cmd_latency(struct probe_cmd *c, struct err *err)
{
	struct latency_run r = { .c = c };
	struct observe_opts *w = &c->latency.observe;
	int ret;

	if (c->target.nr > 1)
		return err_set(err, -EINVAL, "--latency takes one -x or -m");
	w->set = evset_new();
	w->interval_ms = 100;
	w->target.has_workload = w->argv != NULL;
	ret = observer_resolve(&r.ob, w, err);
	if (!ret)
		ret = observe(&r, err);
	probe_once_end(&c->latency.once);
	c->latency.command = observer_result(&r.ob);
	observer_release(&r.ob);
	for (int i = 0; i < 2; i++)
		strbuf_release(&r.names[i]);
	evset_free(w->set);
	return ret;
}
