/* Values: what functions of scripts are given, from samples. See python.h. */
#include "python-private.h"

#include <linux/perf_event.h>
#include <string.h>
#include "../event/data-src.h"
#include "line-state.h"

#define NSEC_PER_SEC 1000000000ull
/* of samples that have none: not available */
#define NO_DATA_SRC (PERF_MEM_S(OP, NA) | PERF_MEM_S(LVL, NA) | PERF_MEM_S(SNOOP, NA) | \
		     PERF_MEM_S(LOCK, NA) | PERF_MEM_S(TLB, NA) | PERF_MEM_S(LVLNUM, NA))

/* ---- making values ---- */

static struct script_value *put(struct script_value *v, const char *key, enum script_value_kind kind)
{
	*v = (struct script_value){ .key = key, .kind = kind };
	return v;
}

static void put_uint(struct script_value *v, const char *key, u64 n)
{
	put(v, key, VALUE_UINT)->u = n;
}

static void put_int(struct script_value *v, const char *key, s64 n)
{
	put(v, key, VALUE_INT)->i = n;
}

static void put_bool(struct script_value *v, const char *key, bool b)
{
	put(v, key, VALUE_BOOL)->u = b;
}

static void put_bytes(struct script_value *v, const char *key, enum script_value_kind kind, const void *p,
		      size_t len)
{
	put(v, key, kind)->bytes.p = p ? p : "";
	v->bytes.len = p ? len : 0;
}

static void put_values(struct script_value *v, const char *key, enum script_value_kind kind,
		       const struct script_value *of, u32 nr)
{
	put(v, key, kind)->of.v = of;
	v->of.nr = nr;
}

static struct script_value *new_values(struct python *p, u32 nr)
{
	return arena_alloc(&p->arena, MAX(nr, 1u) * sizeof(struct script_value));
}

/* what p->text has, without blanks around it */
static void put_text(struct python *p, struct script_value *v, const char *key)
{
	const char *start = strbuf_str(&p->text) + strspn(strbuf_str(&p->text), " ");
	size_t len = strlen(start);

	while (len && start[len - 1] == ' ')
		len--;
	put_bytes(v, key, VALUE_TEXT, arena_strndup(&p->arena, start, len), len);
}

/* scripts print what they are given: control characters are escaped */
static void put_name(struct python *p, struct script_value *v, const char *key, const char *name)
{
	strbuf_reset(&p->text);
	strbuf_add_safe(&p->text, name ? name : "");
	put_bytes(v, key, VALUE_TEXT, arena_memdup(&p->arena, strbuf_str(&p->text), p->text.len + 1),
		  p->text.len);
}

/* ---- call chains ---- */

struct python_chain python_chain_of(struct python *p, const struct line_sample *ls)
{
	struct line_worker *w = p->host->worker;

	return (struct python_chain){
		.chain = sample_chain_of(&w->resolver, &ls->sm, &ls->at, w->sc->o->max_stack),
	};
}

bool python_chain_next(struct python *p, struct python_chain *c, struct frame_at *ret)
{
	while (c->next >= c->run.nr) {
		if (!sample_chain_next(&c->chain, &c->run))
			return false;
		c->next = 0;
	}
	*ret = (struct frame_at){
		.ctx = c->chain.ctx, .ip = c->run.ip[c->next],
		.cpumode = chain_side(&p->host->worker->resolver.locator, c->chain.ctx, c->run.cpumode,
				      c->run.ip[c->next]),
		.caller = chain_run_is_caller(&c->run, c->next),
	};
	c->next++;
	return true;
}

bool python_resolve(struct python *p, u64 ip, bool data, struct resolved_frame *ret)
{
	struct frame_cache *c = &p->host->worker->cache;
	const struct line_sample *ls = p->ls;

	c->blocked = false;
	frame_resolve(c, &ls->at, ls->sm.cpumode, ip, data, ret);
	if (c->blocked) {
		c->blocked = false;
		p->host->load(p->host->ctx);
		frame_resolve(c, &ls->at, ls->sm.cpumode, ip, data, ret);
	}
	return ret->loc.dso != ID_NONE;
}

static const struct line_info *info_of(struct python *p, const struct resolved_frame *f)
{
	return f->loc.dso == ID_NONE ? NULL : lines_find(p->host->worker->cache.lines, f->loc.dso, f->code);
}

static void put_srcline(struct python *p, struct script_value *v, const char *file, u32 line)
{
	const char *base = p->host->worker->sc->o->frame.full_source_path ? NULL : strrchr(file, '/');

	strbuf_reset(&p->text);
	strbuf_add_safe(&p->text, base ? base + 1 : file);
	strbuf_addf(&p->text, ":%u", line);
	put_text(p, v, "sym_srcline");
}

/* name: of the function, or of one that is inlined in it; file NULL: no line is known */
static void put_frame(struct python *p, struct script_value *ret, const struct resolved_frame *f,
		      const char *name, const char *file, u32 line)
{
	const char *dso = frame_dso_name(&p->host->worker->cache, f, false);
	struct script_value *v = new_values(p, 5), *sym;
	u32 nr = 0;

	put_uint(&v[nr++], "ip", f->ip);
	if (f->sym) {
		sym = new_values(p, 4);
		put_uint(&sym[0], "start", f->sym->start);
		put_uint(&sym[1], "end", f->sym->end);
		put_int(&sym[2], "binding", f->sym->binding == 'w' ? 2 : f->sym->binding == 'g');
		put_name(p, &sym[3], "name", name);
		put_values(&v[nr++], "sym", VALUE_DICT, sym, 4);
		put_uint(&v[nr++], "sym_off", f->loc.dso_addr - f->sym->start);
		if (file)
			put_srcline(p, &v[nr++], file, line);
	}
	if (dso)
		put_name(p, &v[nr++], "dso", dso);
	put_values(ret, NULL, VALUE_DICT, v, nr);
}

struct frame_list {
	VEC(struct script_value);
};

static void add_frames(struct python *p, const struct frame_at *at, struct frame_list *out)
{
	struct frame_cache *c = &p->host->worker->cache;
	const struct line_info *info = NULL;
	struct resolved_frame f;
	struct script_value v;
	const char *name;

	frame_resolve_at(c, at, &f);
	if (f.sym)
		info = info_of(p, &f);
	for (u32 i = 0; info && p->host->worker->sc->o->inlines && i < info->nr_inlined; i++) {
		put_frame(p, &v, &f, info->inlined[i].name, info->inlined[i].file, info->inlined[i].line);
		vec_push(out, v);
	}
	name = f.sym ? frame_name(c, &f) : NULL;
	put_frame(p, &v, &f, name, info ? info->file : NULL, info ? info->line : 0);
	vec_push(out, v);
}

/* the frames of the recorded chain; none without one */
static void put_chain(struct python *p, struct script_value *v, const char *key)
{
	struct python_chain c = python_chain_of(p, p->ls);
	struct line_worker *w = p->host->worker;
	struct frame_list list = { 0 };
	struct frame_at at;

	while (p->ls->sm.callchain && !w->sc->o->hide_chain && python_chain_next(p, &c, &at)) {
		add_frames(p, &at, &list);
		if (line_stops_at(w, &at))
			break;
	}
	put_values(v, key, VALUE_LIST,
		   arena_memdup(&p->arena, list.v, list.nr * sizeof(*list.v)), list.nr);
	vec_release(&list);
}

/* ---- branches ---- */

static void put_branch_dso(struct python *p, struct script_value *v, const char *key, u64 ip)
{
	struct resolved_frame f;

	put_name(p, v, key, python_resolve(p, ip, false, &f) ?
			    frame_dso_name(&p->host->worker->cache, &f, false) : "");
}

static void put_branches(struct python *p, struct script_value *ret, const char *key)
{
	const struct sample *sm = &p->ls->sm;
	struct script_value *list = new_values(p, sm->nr_branches);

	for (u64 i = 0; i < sm->nr_branches; i++) {
		const struct branch_entry *b = &sm->branches[i];
		struct script_value *v = new_values(p, 9);

		put_uint(&v[0], "from", b->from);
		put_uint(&v[1], "to", b->to);
		put_bool(&v[2], "mispred", b->flags & BRANCH_MISPRED);
		put_bool(&v[3], "predicted", b->flags & BRANCH_PREDICTED);
		put_bool(&v[4], "in_tx", b->flags & BRANCH_IN_TX);
		put_bool(&v[5], "abort", b->flags & BRANCH_ABORT);
		put_uint(&v[6], "cycles", BRANCH_CYCLES(b->flags));
		put_branch_dso(p, &v[7], "from_dsoname", b->from);
		put_branch_dso(p, &v[8], "to_dsoname", b->to);
		put_values(&list[i], NULL, VALUE_DICT, v, 9);
	}
	put_values(ret, key, VALUE_LIST, list, sm->nr_branches);
}

static void put_branch_sym(struct python *p, struct script_value *v, const char *key, u64 ip)
{
	struct resolved_frame f;

	python_resolve(p, ip, false, &f);
	strbuf_reset(&p->text);
	frame_put_sym(&p->host->worker->cache, &f, true, &p->text);
	put_text(p, v, key);
}

static void put_letter(struct script_value *v, const char *key, const char *letter)
{
	put_bytes(v, key, VALUE_TEXT, letter, 1);
}

static void put_branch_syms(struct python *p, struct script_value *ret, const char *key)
{
	const struct sample *sm = &p->ls->sm;
	struct script_value *list = new_values(p, sm->nr_branches);

	for (u64 i = 0; i < sm->nr_branches; i++) {
		const struct branch_entry *b = &sm->branches[i];
		struct script_value *v = new_values(p, 5);

		put_branch_sym(p, &v[0], "from", b->from);
		put_branch_sym(p, &v[1], "to", b->to);
		put_letter(&v[2], "pred", b->flags & BRANCH_MISPRED ? "M" :
					  b->flags & BRANCH_PREDICTED ? "P" : "-");
		put_letter(&v[3], "in_tx", b->flags & BRANCH_IN_TX ? "X" : "-");
		put_letter(&v[4], "abort", b->flags & BRANCH_ABORT ? "A" : "-");
		put_values(&list[i], NULL, VALUE_DICT, v, 5);
	}
	put_values(ret, key, VALUE_LIST, list, sm->nr_branches);
}

/* ---- one sample ---- */

static void put_reads(struct python *p, struct script_value *ret)
{
	const struct sample *sm = &p->ls->sm;
	/* always one at least: scripts look at the first */
	u32 nr = MAX((u32)sm->nr_reads, 1u);
	struct script_value *list = new_values(p, nr);

	for (u32 i = 0; i < nr; i++) {
		struct read_value none = { 0 };
		const struct read_value *r = sm->nr_reads ? &sm->reads[i] : &none;
		struct script_value *v = new_values(p, 3);

		put_uint(&v[0], NULL, r->id);
		put_uint(&v[1], NULL, r->value);
		put_uint(&v[2], NULL, r->lost);
		put_values(&list[i], NULL, VALUE_TUPLE, v, 3);
	}
	put_values(ret, "values", VALUE_LIST, list, nr);
}

static void put_data_src(struct python *p, struct script_value *v, u64 src)
{
	struct strbuf *out = &p->text;

	strbuf_reset(out);
	strbuf_addstr(out, "|OP ");
	data_src_op(out, src);
	strbuf_addstr(out, "|LVL ");
	data_src_level(out, src);
	strbuf_addstr(out, "|SNP ");
	data_src_snoop(out, src);
	strbuf_addstr(out, "|TLB ");
	data_src_tlb(out, src);
	strbuf_addstr(out, "|LCK ");
	data_src_lock(out, src);
	strbuf_addstr(out, "|BLK ");
	data_src_blocked(out, src);
	put_text(p, v, "datasrc_decode");
}

/* where the data is, or the end of the branch, that the sample is about */
static u32 put_addr(struct python *p, struct script_value *v)
{
	const struct line_worker *w = p->host->worker;
	const struct event *ev = p->ls->sm.event;
	struct resolved_frame f;
	u32 nr = 0;

	if (!(ev->attr.sample_type & PERF_SAMPLE_ADDR) || !line_addr_has_name(&w->sc->view[ev->idx], ev))
		return 0;
	put_bool(&v[nr++], "addr_correlates_sym", true);
	if (!python_resolve(p, p->ls->sm.addr, true, &f))
		return nr;
	put_name(p, &v[nr++], "addr_dso", frame_dso_name(&p->host->worker->cache, &f, false));
	if (f.sym) {
		put_name(p, &v[nr++], "addr_symbol", frame_name(&p->host->worker->cache, &f));
		put_uint(&v[nr++], "addr_symoff", f.loc.dso_addr - f.sym->start);
	}
	return nr;
}

static void put_sample(struct python *p, struct script_value *ret)
{
	const struct sample *sm = &p->ls->sm;
	u64 format = sm->event->attr.read_format, type = sm->event->attr.sample_type;
	u64 src = type & PERF_SAMPLE_DATA_SRC ? sm->data_src : NO_DATA_SRC;
	struct script_value *v = new_values(p, 24);
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
	put_reads(p, &v[nr++]);
	put_uint(&v[nr++], "weight", sm->weight);
	put_uint(&v[nr++], "ins_lat", sm->ins_lat);
	put_uint(&v[nr++], "transaction", sm->transaction);
	put_uint(&v[nr++], "datasrc", src);
	put_data_src(p, &v[nr++], src);
	put_uint(&v[nr++], "cpumode", sm->cpumode);
	nr += put_addr(p, &v[nr]);
	put_values(ret, "sample", VALUE_DICT, v, nr);
}

static void put_buildid(struct python *p, struct script_value *v, const struct dso *d)
{
	strbuf_reset(&p->text);
	for (u32 i = 0; i < d->buildid_len; i++)
		strbuf_add_hex(&p->text, d->buildid[i], 2, '0');
	put_text(p, v, "dso_bid");
}

/* where the sampled address is: its file, map and symbol */
static u32 put_place(struct python *p, struct script_value *v)
{
	struct frame_cache *c = &p->host->worker->cache;
	struct resolved_frame f;
	u32 nr = 0;

	if (!python_resolve(p, p->ls->sm.ip, false, &f))
		return 0;
	put_name(p, &v[nr++], "dso", frame_dso_name(c, &f, false));
	put_buildid(p, &v[nr++], dsos_at(machine_dsos(p->session->machine), f.loc.dso));
	if (f.loc.map) {
		put_uint(&v[nr++], "dso_map_start", f.loc.map->start);
		put_uint(&v[nr++], "dso_map_end", f.loc.map->end);
		/* only maps of user space are parts of files */
		put_uint(&v[nr++], "map_pgoff", f.loc.cpumode == CPUMODE_USER ? f.loc.map->pgoff : 0);
	}
	if (f.sym) {
		put_name(p, &v[nr++], "symbol", frame_name(c, &f));
		put_uint(&v[nr++], "symoff", f.loc.dso_addr - f.sym->start);
	}
	return nr;
}

static void put_regs(struct python *p, struct script_value *v, const char *key, u64 mask, u64 abi,
		     const u64 *regs)
{
	strbuf_reset(&p->text);
	line_regs(p->host->worker, mask, abi, regs, &p->text);
	put_text(p, v, key);
}

#define EVENT_VALUES 24u

/* the dictionary of process_event(), and the last argument of functions for tracepoints */
static void put_event(struct python *p, struct script_value *ret)
{
	const struct sample *sm = &p->ls->sm;
	const struct pe_attr *attr = &sm->event->attr;
	struct script_value *v = new_values(p, EVENT_VALUES);
	u32 nr = 0;

	put_name(p, &v[nr++], "ev_name", sm->event->name);
	put_bytes(&v[nr++], "attr", VALUE_BYTES, attr, sizeof(*attr));
	put_sample(p, &v[nr++]);
	put_bytes(&v[nr++], "raw_buf", VALUE_BYTES, sm->raw, sm->raw_size);
	put_name(p, &v[nr++], "comm", machine_comm(p->session->machine, &p->ls->at));
	nr += put_place(p, &v[nr]);
	put_chain(p, &v[nr++], "callchain");
	put_branches(p, &v[nr++], "brstack");
	put_branch_syms(p, &v[nr++], "brstacksym");
	if (attr->sample_type & PERF_SAMPLE_REGS_INTR)
		put_regs(p, &v[nr++], "iregs", attr->sample_regs_intr, sm->intr_abi, sm->intr_regs);
	if (attr->sample_type & PERF_SAMPLE_REGS_USER)
		put_regs(p, &v[nr++], "uregs", attr->sample_regs_user, sm->user_abi, sm->user_regs);
	put_values(ret, NULL, VALUE_DICT, v, nr);
}

u32 python_event_args(struct python *p, struct script_value **ret)
{
	*ret = new_values(p, 1);
	put_event(p, &(*ret)[0]);
	return 1;
}

/* ---- tracepoints ---- */

static void put_field(struct python *p, struct script_value *v, const struct tracefmt_field *f)
{
	const struct sample *sm = &p->ls->sm;
	const struct tracefmt *t = p->host->worker->trace;
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
		put_name(p, v, f->name, arena_strndup(&p->arena, bytes, strnlen(bytes, len)));
		v->key = f->name;
	} else {
		put_bytes(v, f->name, VALUE_BYTEARRAY, bytes, len);
	}
}

static u32 nr_fields(const struct tracefmt_event *e)
{
	u32 nr = 0;

	while (tracefmt_nth_field(e, nr))
		nr++;
	return nr;
}

static u64 common_number(struct python *p, const char *name, u64 otherwise)
{
	const struct tracefmt_field *f = p->at && p->at->format ? tracefmt_field(p->at->format, name) : NULL;
	const struct sample *sm = &p->ls->sm;
	u64 v;

	return f && tracefmt_value(p->host->worker->trace, f, sm->raw, sm->raw_size, &v) ? v : otherwise;
}

/* what all functions are given, as arguments and in dictionaries */
#define COMMON_VALUES 6u
static void put_common(struct python *p, struct script_value *v)
{
	const struct sample *sm = &p->ls->sm;

	put_int(&v[0], "common_cpu", (s32)sm->cpu);
	put_uint(&v[1], "common_s", sm->time / NSEC_PER_SEC);
	put_uint(&v[2], "common_ns", sm->time % NSEC_PER_SEC);
	put_int(&v[3], "common_pid", (s32)common_number(p, "common_pid", sm->tid));
	put_name(p, &v[4], "common_comm", machine_comm(p->session->machine, &p->ls->at));
	put_chain(p, &v[5], "common_callchain");
}

u32 python_trace_args(struct python *p, struct script_value **ret)
{
	const struct tracefmt_event *e = p->at->format;
	u32 fields = nr_fields(e), nr = 2 + COMMON_VALUES;
	struct script_value *v = new_values(p, nr + fields + 1);

	put_bytes(&v[0], NULL, VALUE_TEXT, p->at->name, strlen(p->at->name));
	put(&v[1], NULL, VALUE_CONTEXT);
	put_common(p, &v[2]);
	for (u32 i = 0; i < fields; i++)
		put_field(p, &v[nr++], tracefmt_nth_field(e, i));
	/* the whole sample where the function has room for it */
	if (p->at->nr_args > nr)
		put_event(p, &v[nr++]);
	*ret = v;
	return nr;
}

u32 python_unhandled_args(struct python *p, struct script_value **ret)
{
	const struct tracefmt_event *e = p->at->format;
	u32 fields = nr_fields(e), nr = COMMON_VALUES;
	struct script_value *v = new_values(p, 4), *dict = new_values(p, COMMON_VALUES + fields);

	put_common(p, dict);
	for (u32 i = 0; i < fields; i++)
		put_field(p, &dict[nr++], tracefmt_nth_field(e, i));
	put_bytes(&v[0], NULL, VALUE_TEXT, p->at->name, strlen(p->at->name));
	put(&v[1], NULL, VALUE_CONTEXT);
	put_values(&v[2], NULL, VALUE_DICT, dict, nr);
	*ret = v;
	if (p->unhandled_args < 4)
		return 3;
	put_event(p, &v[3]);
	return 4;
}

/* ---- questions ---- */

static struct script_value source_of(struct python *p, bool with_text)
{
	struct script_value *v = new_values(p, 3), ret;
	const struct line_info *info = NULL;
	struct resolved_frame f;
	const char *file, *text;
	u32 line;

	if (python_resolve(p, p->ls->sm.ip, false, &f)) {
		p->host->load_lines(p->host->ctx, &(struct line_query){ f.loc.dso, f.code }, 1);
		info = info_of(p, &f);
	}
	file = !info ? NULL : info->nr_inlined ? info->inlined[0].file : info->file;
	line = !info ? 0 : info->nr_inlined ? info->inlined[0].line : info->line;
	if (!file) {
		put(&v[0], NULL, VALUE_NONE);
		put_uint(&v[1], NULL, 0);
	} else {
		put_name(p, &v[0], NULL, file);
		put_uint(&v[1], NULL, line);
	}
	text = file && with_text ? source_line(&p->sources, file, line) : NULL;
	if (text)
		put_name(p, &v[2], NULL, text);
	else
		put(&v[2], NULL, VALUE_NONE);
	put_values(&ret, NULL, VALUE_TUPLE, v, with_text ? 3 : 2);
	return ret;
}

static struct script_value insn_of(struct python *p)
{
	struct line_more *more = line_more_of(p->host->worker);
	struct script_value ret;
	struct resolved_frame f;
	const u8 *bytes;
	u64 left;
	int len;

	put(&ret, NULL, VALUE_NONE);
	if (!python_resolve(p, p->ls->sm.ip, false, &f))
		return ret;
	left = line_more_code(more, f.loc.dso, f.loc.dso_addr, &bytes);
	len = left ? line_more_insn_len(more, bytes, left,
					dsos_at(machine_dsos(p->session->machine), f.loc.dso)->is_64bit) : 0;
	if (len > 0)
		put_bytes(&ret, NULL, VALUE_BYTES, bytes, len);
	return ret;
}

struct script_value python_answer(struct python *p, enum script_question q)
{
	struct script_value ret;

	put(&ret, NULL, VALUE_NONE);
	if (!p->ls)
		return ret;
	switch (q) {
	case ASK_COMMON_PC:
		put_uint(&ret, NULL, common_number(p, "common_preempt_count", 0));
		return ret;
	case ASK_COMMON_FLAGS:
		put_uint(&ret, NULL, common_number(p, "common_flags", 0));
		return ret;
	case ASK_COMMON_LOCK_DEPTH:
		put_uint(&ret, NULL, common_number(p, "common_lock_depth", 0));
		return ret;
	case ASK_INSN:
		return insn_of(p);
	case ASK_SRCLINE:
		return source_of(p, false);
	case ASK_SRCCODE:
		return source_of(p, true);
	case NR_SCRIPT_QUESTIONS:
		break;
	}
	return ret;
}
