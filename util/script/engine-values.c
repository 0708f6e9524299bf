/* Values: what functions of scripts are given, from samples. See engine.h. */
#include "engine-values.h"

#include <linux/perf_event.h>
#include <string.h>
#include "../event/data-src.h"
#include "engine-put.h"
#include "addr-name.h"
#include "chain.h"
#include "line-more.h"
#include "line-payload.h"
#include "line-state.h"

#define NSEC_PER_SEC 1000000000ull
/* of samples that have none: not available */
#define NO_DATA_SRC (PERF_MEM_S(OP, NA) | PERF_MEM_S(LVL, NA) | PERF_MEM_S(SNOOP, NA) | \
		     PERF_MEM_S(LOCK, NA) | PERF_MEM_S(TLB, NA) | PERF_MEM_S(LVLNUM, NA))

/* ---- call chains ---- */

struct engine_chain engine_chain_of(struct engine *g, const struct line_sample *ls)
{
	struct line_worker *w = g->host->worker;

	return (struct engine_chain){
		.chain = sample_chain_of(&w->resolver, &ls->sm, &ls->at, w->sc->o->max_stack),
	};
}

bool engine_chain_next(struct engine *g, struct engine_chain *c, struct frame_at *ret)
{
	while (c->next >= c->run.nr) {
		if (!sample_chain_next(&c->chain, &c->run))
			return false;
		c->next = 0;
	}
	*ret = (struct frame_at){
		.ctx = c->chain.ctx, .ip = c->run.ip[c->next],
		.cpumode = chain_side(&g->host->worker->resolver.locator, c->chain.ctx, c->run.cpumode,
				      c->run.ip[c->next]),
		.caller = chain_run_is_caller(&c->run, c->next),
	};
	c->next++;
	return true;
}

static const struct line_info *info_of(struct engine *g, const struct resolved_frame *f)
{
	return f->loc.dso == ID_NONE ? NULL : lines_find(g->host->worker->cache.lines, f->loc.dso, f->code);
}

static void put_srcline(struct engine *g, struct script_value *v, const char *file, u32 line)
{
	const char *base = g->host->worker->sc->o->frame.full_source_path ? NULL : strrchr(file, '/');

	strbuf_reset(&g->text);
	strbuf_add_safe(&g->text, base ? base + 1 : file);
	strbuf_addf(&g->text, ":%u", line);
	engine_put_text(g, v, "sym_srcline");
}

/* name: of the function, or of one that is inlined in it; file NULL: no line is known */
static void put_frame(struct engine *g, struct script_value *ret, const struct resolved_frame *f,
		      const char *name, const char *file, u32 line)
{
	const char *dso = frame_dso_name(&g->host->worker->cache, f, false);
	struct script_value *v = new_values(g, 5), *sym;
	u32 nr = 0;

	put_uint(&v[nr++], "ip", f->ip);
	if (f->sym) {
		sym = new_values(g, 4);
		put_uint(&sym[0], "start", f->sym->start);
		put_uint(&sym[1], "end", f->sym->end);
		put_int(&sym[2], "binding", f->sym->binding == 'w' ? 2 : f->sym->binding == 'g');
		engine_put_name(g, &sym[3], "name", name);
		put_values(&v[nr++], "sym", VALUE_DICT, sym, 4);
		put_uint(&v[nr++], "sym_off", f->loc.dso_addr - f->sym->start);
		if (file)
			put_srcline(g, &v[nr++], file, line);
	}
	if (dso)
		engine_put_name(g, &v[nr++], "dso", dso);
	put_values(ret, NULL, VALUE_DICT, v, nr);
}

struct frame_list {
	VEC(struct script_value);
};

static void add_frames(struct engine *g, const struct frame_at *at, struct frame_list *out)
{
	struct frame_cache *c = &g->host->worker->cache;
	const struct line_info *info = NULL;
	struct resolved_frame f;
	struct script_value v;
	const char *name;

	frame_resolve_at(c, at, &f);
	if (f.sym)
		info = info_of(g, &f);
	for (u32 i = 0; info && g->host->worker->sc->o->inlines && i < info->nr_inlined; i++) {
		put_frame(g, &v, &f, info->inlined[i].name, info->inlined[i].file, info->inlined[i].line);
		vec_push(out, v);
	}
	name = f.sym ? frame_name(c, &f) : NULL;
	put_frame(g, &v, &f, name, info ? info->file : NULL, info ? info->line : 0);
	vec_push(out, v);
}

/* the frames of the recorded chain; none without one */
static void put_chain(struct engine *g, struct script_value *v, const char *key)
{
	struct line_worker *w = g->host->worker;
	struct frame_list list = { 0 };
	struct engine_chain c;
	struct frame_at at;

	if (!g->ls->sm.callchain || w->sc->o->hide_chain) {
		put_values(v, key, VALUE_LIST, NULL, 0);
		return;
	}
	c = engine_chain_of(g, g->ls);
	while (engine_chain_next(g, &c, &at)) {
		add_frames(g, &at, &list);
		if (line_stops_at(w, &at))
			break;
	}
	put_values(v, key, VALUE_LIST,
		   arena_memdup(&g->arena, list.v, list.nr * sizeof(*list.v)), list.nr);
	vec_release(&list);
}

/* ---- one sample ---- */

static void put_reads(struct engine *g, struct script_value *ret)
{
	const struct sample *sm = &g->ls->sm;
	/* always one at least: scripts look at the first */
	u32 nr = MAX((u32)sm->nr_reads, 1u);
	struct script_value *list = new_values(g, nr);

	for (u32 i = 0; i < nr; i++) {
		struct read_value none = { 0 };
		const struct read_value *r = sm->nr_reads ? &sm->reads[i] : &none;
		struct script_value *v = new_values(g, 3);

		put_uint(&v[0], NULL, r->id);
		put_uint(&v[1], NULL, r->value);
		put_uint(&v[2], NULL, r->lost);
		put_values(&list[i], NULL, VALUE_TUPLE, v, 3);
	}
	put_values(ret, "values", VALUE_LIST, list, nr);
}

static u64 data_src_of(const struct sample *sm)
{
	return sm->event->attr.sample_type & PERF_SAMPLE_DATA_SRC ? sm->data_src : NO_DATA_SRC;
}

/* the same one for most samples, or for many in turn */
static void put_data_src(struct engine *g, struct script_value *v, u64 src)
{
	struct strbuf *out = &g->data_src_text;

	if (out->len && g->data_src == src) {
		put_bytes(v, "datasrc_decode", VALUE_TEXT, strbuf_str(out), out->len);
		return;
	}
	g->data_src = src;
	strbuf_reset(out);
	data_src_put(out, src);
	while (out->len && out->buf[out->len - 1] == ' ')
		strbuf_setlen(out, out->len - 1);
	put_bytes(v, "datasrc_decode", VALUE_TEXT, strbuf_str(out), out->len);
}

#define MORE_VALUES 8u		/* at most those of put_addr() or put_place() */

/* where the data is, or the end of the branch, that the sample is about */
static u32 put_addr(struct engine *g, struct script_value *v)
{
	const struct line_worker *w = g->host->worker;
	const struct event *ev = g->ls->sm.event;
	struct resolved_frame f;
	u32 nr = 0;

	if (!(ev->attr.sample_type & PERF_SAMPLE_ADDR) || !line_addr_has_name(&w->sc->view[ev->idx], ev))
		return 0;
	put_bool(&v[nr++], "addr_correlates_sym", true);
	if (!engine_resolve(g, g->ls->sm.addr, true, &f))
		return nr;
	engine_put_name(g, &v[nr++], "addr_dso", frame_dso_name(&g->host->worker->cache, &f, false));
	if (f.sym) {
		engine_put_name(g, &v[nr++], "addr_symbol", frame_name(&g->host->worker->cache, &f));
		put_uint(&v[nr++], "addr_symoff", f.loc.dso_addr - f.sym->start);
	}
	return nr;
}

static void put_sample(struct engine *g, struct script_value *ret)
{
	const struct sample *sm = &g->ls->sm;
	u64 format = sm->event->attr.read_format, type = sm->event->attr.sample_type;
	struct script_value *v = new_values(g, 24);
	u32 nr = 0;

	put_uint(&v[nr++], "id", type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER) ? sm->id : UINT64_MAX);
	put_uint(&v[nr++], "stream_id", type & PERF_SAMPLE_STREAM_ID ? sm->stream_id : UINT64_MAX);
	put_int(&v[nr++], "pid", (s32)sm->pid);
	put_int(&v[nr++], "tid", (s32)sm->tid);
	put_uint(&v[nr++], "cpu", sm->cpu);
	put_uint(&v[nr++], "ip", sm->ip);
	put_uint(&v[nr++], "time", sm->time);
	put_uint(&v[nr++], "period", sm->period);
	put_uint(&v[nr++], "phys_addr", sm->phys_addr);
	put_uint(&v[nr++], "addr", sm->addr);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		put_uint(&v[nr++], "time_enabled", sm->time_enabled);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		put_uint(&v[nr++], "time_running", sm->time_running);
	put_later(&v[nr++], "values", LATER_READS);
	put_uint(&v[nr++], "weight", sm->weight);
	put_uint(&v[nr++], "ins_lat", sm->ins_lat);
	put_uint(&v[nr++], "transaction", sm->transaction);
	put_uint(&v[nr++], "datasrc", data_src_of(sm));
	put_later(&v[nr++], "datasrc_decode", LATER_DATA_SRC);
	put_uint(&v[nr++], "cpumode", sm->cpumode);
	if (type & PERF_SAMPLE_ADDR)
		put_more(&v[nr++], LATER_ADDR);
	put_values(ret, "sample", VALUE_DICT, v, nr);
}

static void put_buildid(struct engine *g, struct script_value *v, const struct dso *d)
{
	if (g->buildid_of != d || !g->buildid_text.len) {
		g->buildid_of = d;
		strbuf_reset(&g->buildid_text);
		for (u32 i = 0; i < d->buildid_len; i++)
			strbuf_add_hex(&g->buildid_text, d->buildid[i], 2, '0');
	}
	put_bytes(v, "dso_bid", VALUE_TEXT, strbuf_str(&g->buildid_text), g->buildid_text.len);
}

/* where the sampled address is: its file, map and symbol */
static u32 put_place(struct engine *g, struct script_value *v)
{
	struct frame_cache *c = &g->host->worker->cache;
	struct resolved_frame f;
	u32 nr = 0;

	if (!engine_resolve(g, g->ls->sm.ip, false, &f))
		return 0;
	engine_put_name(g, &v[nr++], "dso", frame_dso_name(c, &f, false));
	put_buildid(g, &v[nr++], dsos_at(machine_dsos(g->session->machine), f.loc.dso));
	if (f.loc.map) {
		put_uint(&v[nr++], "dso_map_start", f.loc.map->start);
		put_uint(&v[nr++], "dso_map_end", f.loc.map->end);
		/* only maps of user space are parts of files */
		put_uint(&v[nr++], "map_pgoff", f.loc.cpumode == CPUMODE_USER ? f.loc.map->pgoff : 0);
	}
	if (f.sym) {
		engine_put_name(g, &v[nr++], "symbol", frame_name(c, &f));
		put_uint(&v[nr++], "symoff", f.loc.dso_addr - f.sym->start);
	}
	return nr;
}

static void put_regs(struct engine *g, struct script_value *v, const char *key, u64 mask, u64 abi,
		     const u64 *regs)
{
	strbuf_reset(&g->text);
	line_regs(g->host->worker, mask, abi, regs, &g->text);
	engine_put_text(g, v, key);
}

/* what a plug-in asks for later, while the function that was given the sample runs */
struct script_value engine_later(struct engine *g, enum engine_later what)
{
	const struct sample *sm = &g->ls->sm;
	const struct pe_attr *attr = &sm->event->attr;
	struct script_value *more = new_values(g, MORE_VALUES), ret;

	put(&ret, NULL, VALUE_NONE);
	switch (what) {
	case LATER_COMM:
		engine_put_kept_name(g, &ret, NULL, machine_comm(g->session->machine, &g->ls->at));
		break;
	case LATER_PLACE:
		put_values(&ret, NULL, VALUE_DICT, more, put_place(g, more));
		break;
	case LATER_ADDR:
		put_values(&ret, NULL, VALUE_DICT, more, put_addr(g, more));
		break;
	case LATER_CHAIN:
		put_chain(g, &ret, NULL);
		break;
	case LATER_BRANCHES:
		engine_put_branches(g, &ret, NULL);
		break;
	case LATER_BRANCH_SYMS:
		engine_put_branch_syms(g, &ret, NULL);
		break;
	case LATER_INTR_REGS:
		put_regs(g, &ret, NULL, attr->sample_regs_intr, sm->intr_abi, sm->intr_regs);
		break;
	case LATER_USER_REGS:
		put_regs(g, &ret, NULL, attr->sample_regs_user, sm->user_abi, sm->user_regs);
		break;
	case LATER_READS:
		put_reads(g, &ret);
		break;
	case LATER_DATA_SRC:
		put_data_src(g, &ret, data_src_of(sm));
		break;
	}
	return ret;
}

#define EVENT_VALUES 24u

/* the dictionary of process_event(), and the last argument of functions for tracepoints */
static void put_event(struct engine *g, struct script_value *ret)
{
	const struct sample *sm = &g->ls->sm;
	const struct pe_attr *attr = &sm->event->attr;
	struct script_value *v = new_values(g, EVENT_VALUES);
	u32 nr = 0;

	engine_put_kept_name(g, &v[nr++], "ev_name", sm->event->name);
	put_bytes(&v[nr++], "attr", VALUE_BYTES, attr, sizeof(*attr));
	put_sample(g, &v[nr++]);
	put_bytes(&v[nr++], "raw_buf", VALUE_BYTES, sm->raw, sm->raw_size);
	put_later(&v[nr++], "comm", LATER_COMM);
	put_more(&v[nr++], LATER_PLACE);
	put_later(&v[nr++], "callchain", LATER_CHAIN);
	put_later(&v[nr++], "brstack", LATER_BRANCHES);
	put_later(&v[nr++], "brstacksym", LATER_BRANCH_SYMS);
	if (attr->sample_type & PERF_SAMPLE_REGS_INTR)
		put_later(&v[nr++], "iregs", LATER_INTR_REGS);
	if (attr->sample_type & PERF_SAMPLE_REGS_USER)
		put_later(&v[nr++], "uregs", LATER_USER_REGS);
	put_values(ret, NULL, VALUE_DICT, v, nr);
}

static u32 keyed_event(struct engine *g, struct script_value **ret)
{
	*ret = new_values(g, 1);
	put_event(g, &(*ret)[0]);
	return 1;
}

/* ---- tracepoints ---- */

static void put_field(struct engine *g, struct script_value *v, const struct tracefmt_field *f)
{
	const struct sample *sm = &g->ls->sm;
	const struct tracefmt *t = g->host->worker->trace;
	const void *bytes;
	u64 number;
	u32 len;

	if (tracefmt_value(t, f, sm->raw, sm->raw_size, &number)) {
		put(v, f->name, f->is_signed ? VALUE_INT : VALUE_UINT)->u = number;
		return;
	}
	bytes = tracefmt_bytes(t, f, sm->raw, sm->raw_size, &len);
	if (!bytes) {
		put(v, f->name, VALUE_NONE);
	} else if (f->is_string) {
		engine_put_name(g, v, f->name, arena_strndup(&g->arena, bytes, strnlen(bytes, len)));
		v->key = f->name;
	} else {
		put_bytes(v, f->name, VALUE_BYTEARRAY, bytes, len);
	}
}

static u64 number_in(struct engine *g, const struct tracefmt_field *f, u64 otherwise)
{
	const struct sample *sm = &g->ls->sm;
	u64 v;

	return f && tracefmt_value(g->host->worker->trace, f, sm->raw, sm->raw_size, &v) ? v : otherwise;
}

static u64 common_number(struct engine *g, const char *name)
{
	return number_in(g, g->at && g->at->format ? tracefmt_field(g->at->format, name) : NULL, 0);
}

/* what all functions are given, as arguments and in dictionaries */
#define COMMON_VALUES 6u
static void put_common(struct engine *g, struct script_value *v)
{
	const struct sample *sm = &g->ls->sm;

	put_int(&v[0], "common_cpu", (s32)sm->cpu);
	put_uint(&v[1], "common_s", sm->time / NSEC_PER_SEC);
	put_uint(&v[2], "common_ns", sm->time % NSEC_PER_SEC);
	put_int(&v[3], "common_pid", (s32)number_in(g, g->at->pid, sm->tid));
	engine_put_kept_name(g, &v[4], "common_comm", machine_comm(g->session->machine, &g->ls->at));
	put_chain(g, &v[5], "common_callchain");
}

u32 engine_trace_args(struct engine *g, struct script_value **ret)
{
	const struct tracefmt_event *e = g->at->format;
	u32 fields = g->at->nr_fields, nr = 2 + COMMON_VALUES;
	struct script_value *v = new_values(g, nr + fields + 1);

	put_bytes(&v[0], NULL, VALUE_TEXT, g->at->name, g->at->name_len);
	put(&v[1], NULL, VALUE_CONTEXT);
	put_common(g, &v[2]);
	for (u32 i = 0; i < fields; i++)
		put_field(g, &v[nr++], tracefmt_nth_field(e, i));
	/* the whole sample where the function has room for it */
	if (g->at->nr_args > nr)
		put_event(g, &v[nr++]);
	*ret = v;
	return nr;
}

static u32 keyed_unhandled(struct engine *g, struct script_value **ret)
{
	const struct tracefmt_event *e = g->at->format;
	u32 fields = g->at->nr_fields, nr = COMMON_VALUES;
	struct script_value *v = new_values(g, 4), *dict = new_values(g, COMMON_VALUES + fields);

	put_common(g, dict);
	for (u32 i = 0; i < fields; i++)
		put_field(g, &dict[nr++], tracefmt_nth_field(e, i));
	put_bytes(&v[0], NULL, VALUE_TEXT, g->at->name, g->at->name_len);
	put(&v[1], NULL, VALUE_CONTEXT);
	put_values(&v[2], NULL, VALUE_DICT, dict, nr);
	*ret = v;
	if (g->unhandled_args < 4)
		return 3;
	put_event(g, &v[3]);
	return 4;
}

const struct engine_calls calls_keyed = { .event = keyed_event, .unhandled = keyed_unhandled };

/* the record, the attributes of its event, the sample as a dictionary, and the raw bytes */
static u32 positional_event(struct engine *g, struct script_value **ret)
{
	const struct sample *sm = &g->ls->sm;
	struct script_value *v = new_values(g, 4);

	put_bytes(&v[0], NULL, VALUE_BYTES, g->rec->p, g->rec->size);
	put_bytes(&v[1], NULL, VALUE_BYTES, &sm->event->attr, sizeof(sm->event->attr));
	put_event(g, &v[2]);
	put_bytes(&v[3], NULL, VALUE_BYTES, sm->raw, sm->raw_size);
	*ret = v;
	return 4;
}

const struct engine_calls calls_positional = {
	.event = positional_event, .unhandled = engine_trace_args, .event_of_all = true,
};

/* ---- questions ---- */

static struct script_value source_of(struct engine *g, bool with_text)
{
	struct script_value *v = new_values(g, 3), ret;
	const struct line_info *info = NULL;
	struct resolved_frame f;
	const char *file, *text;
	u32 line;

	if (engine_resolve(g, g->ls->sm.ip, false, &f)) {
		g->host->load_lines(g->host->ctx, &(struct line_query){ f.loc.dso, f.code }, 1);
		info = info_of(g, &f);
	}
	file = !info ? NULL : info->nr_inlined ? info->inlined[0].file : info->file;
	line = !info ? 0 : info->nr_inlined ? info->inlined[0].line : info->line;
	if (!file) {
		put(&v[0], NULL, VALUE_NONE);
		put_uint(&v[1], NULL, 0);
	} else {
		engine_put_name(g, &v[0], NULL, file);
		put_uint(&v[1], NULL, line);
	}
	text = file && with_text ? source_line(&g->sources, file, line) : NULL;
	if (text)
		engine_put_name(g, &v[2], NULL, text);
	else
		put(&v[2], NULL, VALUE_NONE);
	put_values(&ret, NULL, VALUE_TUPLE, v, with_text ? 3 : 2);
	return ret;
}

static struct script_value insn_of(struct engine *g)
{
	struct line_more *more = line_more_of(g->host->worker);
	struct script_value ret;
	struct resolved_frame f;
	const u8 *bytes;
	bool is_64bit;
	u64 left;
	int len;

	put(&ret, NULL, VALUE_NONE);
	if (!engine_resolve(g, g->ls->sm.ip, false, &f))
		return ret;
	left = line_more_code(more, f.loc.dso, f.loc.dso_addr, &bytes, &is_64bit);
	len = left ? line_more_insn_len(more, bytes, left, is_64bit) : 0;
	if (len > 0)
		put_bytes(&ret, NULL, VALUE_BYTES, bytes, len);
	return ret;
}

struct script_value engine_answer(struct engine *g, enum script_question q)
{
	struct script_value ret;

	put(&ret, NULL, VALUE_NONE);
	if (!g->ls)
		return ret;
	switch (q) {
	case ASK_COMMON_PC:
		put_uint(&ret, NULL, common_number(g, "common_preempt_count"));
		return ret;
	case ASK_COMMON_FLAGS:
		put_uint(&ret, NULL, common_number(g, "common_flags"));
		return ret;
	case ASK_COMMON_LOCK_DEPTH:
		put_uint(&ret, NULL, common_number(g, "common_lock_depth"));
		return ret;
	case ASK_INSN:
		return insn_of(g);
	case ASK_SRCLINE:
		return source_of(g, false);
	case ASK_SRCCODE:
		return source_of(g, true);
	case NR_SCRIPT_QUESTIONS:
		break;
	}
	return ret;
}
