/* Hist stacks: see hist-stacks.h. */
#include "hist-stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../fields/field-family.h"
#include "../fields/trace-keys.h"
#include "../obj/buildid.h"
#include "../resolve/resolver.h"
#include "../session/recorded-on.h"
#include "../wall/wall-event.h"
#include "collect.h"
#include "filter-columns.h"
#include "paths.h"

/* the sampled frame as a key, for events without call chains; by STACKS_* */
#define LEAF(more) { .name = "leaf", .kind = FIELD_FRAME, .needs = NEEDS_SYM | (more), .is_frame = true, \
		     .of_frame = frame_itself }
static const struct field field_leaf = LEAF(0), field_leaf_line = LEAF(NEEDS_SRCLINE);

struct stacks_maker {
	struct hist *h;
	struct stacks *out;
	struct field_ctx ctx;
	const struct sort_order *order;
	bool host;			/* the name of the machine is a label */
	u32 *event, *module, *frame, *node, *labels;	/* numbers in out plus one, 0: not added yet */
	struct strbuf scratch, text;
};

static const struct dso *dso_at(const struct stacks_maker *m, u32 id)
{
	return id == ID_NONE ? NULL : dsos_at(machine_dsos(m->h->session->machine), id);
}

static u32 module_of(struct stacks_maker *m, u32 id)
{
	const struct dso *d = dso_at(m, id);
	struct stacks_module mod;

	if (!d)
		return STACKS_NONE;
	if (m->module[id])
		return m->module[id] - 1;
	strbuf_reset(&m->text);
	buildid_hex(&m->text, d->buildid, d->buildid_len);
	mod = (struct stacks_module){ .buildid = stacks_add_text(m->out, strbuf_str(&m->text)),
				      .name = stacks_add_text(m->out, d->short_name),
				      .path = stacks_add_text(m->out, dso_path(d)),
				      .kernel = d->kind == DSO_KERNEL || d->kind == DSO_MODULE ||
						d->kind == DSO_BPF || d->kind == DSO_GUEST_KERNEL ||
						d->kind == DSO_GUEST_MODULE };
	m->module[id] = stacks_add_module(m->out, &mod) + 1;
	return m->module[id] - 1;
}

/* the name without the remark that it was inlined */
static u32 function_text(struct stacks_maker *m, const char *name, bool inlined)
{
	static const char remark[] = " (inlined)";
	size_t len = strlen(name), cut = inlined ? strlen(remark) : 0;

	if (len < cut || strcmp(name + len - cut, remark + (cut ? 0 : strlen(remark))))
		cut = 0;
	strbuf_reset(&m->text);
	strbuf_add(&m->text, name, len - cut);
	strbuf_reset(&m->scratch);
	strbuf_add_safe(&m->scratch, strbuf_str(&m->text));
	return stacks_add_text(m->out, strbuf_str(&m->scratch));
}

static void set_line(struct stacks_maker *m, u32 frame, struct stacks_frame *ret)
{
	const char *colon;

	strbuf_reset(&m->text);
	if (!frame_line_in_function(&m->ctx, frame, &m->text))
		return;
	colon = strrchr(strbuf_str(&m->text), ':');
	ret->line = strtoul(colon + 1, NULL, 10);
	strbuf_setlen(&m->text, colon - strbuf_str(&m->text));
	ret->file = stacks_add_text(m->out, strbuf_str(&m->text));
}

/* what only exists where addresses or lines are told apart */
static void set_place(struct stacks_maker *m, u32 id, const struct frame *f, const struct named *nm,
		      struct stacks_frame *ret)
{
	const struct symbols *symbols = m->h->session->symbols;
	const struct dso *d = dso_at(m, f->dso);

	set_line(m, id, ret);
	if (nm->name)
		ret->offset = f->addr - symbols_table(symbols, nm->dso)->sym[nm->sym].start;
	ret->address = d ? symbols_off_to_svma(symbols, f->dso, dso_shown_addr(d, frame_code(symbols, f))) :
			   f->addr;
	/* what is one line is one frame: the lowest address of it that occurs would depend on the samples */
	if (m->out->by == STACKS_LINES && ret->file)
		ret->address = ret->offset = 0;
}

static u32 frame_of(struct stacks_maker *m, u32 label)
{
	const struct names *n = &m->h->names;
	bool by_name = m->out->by == STACKS_FUNCTIONS;
	const struct named *nm = &n->named.v[by_name ? label : n->named_of[label]];
	u32 id = by_name ? nm->frame : label;
	const struct frame *f = &n->frame.v[id];
	const char *mark = f->dso == ID_NONE && f->cpumode == CPUMODE_USER ?
			   stack_end_frame_name(f->addr) : NULL;
	struct stacks_frame frame = { .module = STACKS_NONE };

	if (m->frame[label])
		return m->frame[label] - 1;
	if (mark) {
		frame.mark = true;
		frame.function = stacks_add_text(m->out, mark);
	} else {
		frame.module = module_of(m, f->dso);
		frame.inlined = n->inl_start && id >= n->nr_plain;
		if (nm->name)
			frame.function = function_text(m, nm->name, frame.inlined);
		if (!by_name)
			set_place(m, id, f, nm, &frame);
	}
	m->frame[label] = stacks_add_frame(m->out, &frame) + 1;
	return m->frame[label] - 1;
}

/* parents have smaller ids, but a path can be as long as a stack */
static u32 node_of(struct stacks_maker *m, u32 node)
{
	const struct trie_node *t = &m->h->trie.node.v[node];
	u32 parent;

	if (!node || !t->parent)
		return 0;	/* a sample key, where paths start */
	if (m->node[node])
		return m->node[node] - 1;
	parent = node_of(m, t->parent);
	if (t->label == PATHS_COLD)
		return parent;
	m->node[node] = stacks_add_child(m->out, parent, frame_of(m, hist_label_text(m->h, t->label))) + 1;
	return m->node[node] - 1;
}

static u32 labels_of(struct stacks_maker *m, const struct hist_entry *e)
{
	struct stacks_label label[HIST_MAX_KEYS + 1];
	const char *host = m->h->session->data->feat.hostname;
	u32 nr = 0;

	if (m->labels[e->sample_key])
		return m->labels[e->sample_key] - 1;
	for (u32 i = 0; i < m->order->nr_keys; i++) {
		const struct field *f = m->order->key[i];
		struct view_value v;

		if (f->kind != FIELD_SLOT)
			continue;
		strbuf_reset(&m->scratch);
		strbuf_reset(&m->text);
		field_value(f, &m->ctx, hist_entry_key(m->h, e, i), &m->scratch, &v);
		if (v.type == VIEW_ABSENT)
			strbuf_addstr(&m->text, "[unknown]");
		else
			view_value_text(&v, 2, &m->text);
		label[nr++] = (struct stacks_label){ stacks_add_text(m->out, f->name),
						     stacks_add_text(m->out, strbuf_str(&m->text)) };
	}
	if (m->host)
		label[nr++] = (struct stacks_label){ stacks_add_text(m->out, "host"),
						     stacks_add_text(m->out, host ? host : "[unknown]") };
	m->labels[e->sample_key] = stacks_add_labels(m->out, label, nr) + 1;
	return m->labels[e->sample_key] - 1;
}

/* without call chains: the sampled function */
static u32 leaf_child(struct stacks_maker *m, u32 frame)
{
	return stacks_add_child(m->out, 0, frame_of(m, m->out->by == STACKS_FUNCTIONS ?
						    m->h->names.named_of[frame] : frame));
}

static u32 leaf_of(struct stacks_maker *m, const struct hist_entry *e)
{
	return m->h->opts.chains ? 0 : leaf_child(m, hist_entry_key(m->h, e, m->h->opts.nr_keys - 1));
}

static void add_entry(struct stacks_maker *m, u32 event, const struct hist_entry *e)
{
	struct stat_sums sums = hist_entry_sums(m->h, e);
	struct stack k = { .labels = labels_of(m, e), .event = m->event[event] };
	u64 weight = m->h->opts.weights && e->own != HIST_NONE ? m->h->more.v[e->own].weight[0] : 0;

	for (u32 i = 0; i < e->nr_items; i++) {
		const struct hist_item *it = &m->h->item.v[e->first_item + i];

		k.node = node_of(m, it->node);
		k.nr = it->nr;
		k.period = it->period;
		k.weight = m->h->opts.weights ? m->h->item_weight.v[e->first_item + i] : 0;
		weight -= k.weight;
		sums.nr -= it->nr;
		sums.period -= it->period;
		stacks_add(m->out, &k);
	}
	if (!sums.nr && !sums.period)
		return;
	k.node = leaf_of(m, e);
	k.nr = sums.nr;
	k.period = sums.period;
	k.weight = weight;
	stacks_add(m->out, &k);
}

/* periods are of time, on a CPU or not */
static bool counts_waits(const struct event *ev)
{
	return wall_event_is(ev) || !strcmp(ev->name, "off-cpu");
}

static bool counts_time(const struct event *ev)
{
	return (ev->attr.type == PERF_TYPE_SOFTWARE && (ev->attr.config == PERF_COUNT_SW_CPU_CLOCK ||
							ev->attr.config == PERF_COUNT_SW_TASK_CLOCK)) ||
	       counts_waits(ev);
}

/* the period is that of each sample */
static bool is_fixed(const struct event *ev)
{
	return !(ev->attr.flags & ATTR_FREQ) && !wall_event_is(ev);
}

static bool has_weights(const struct event *ev)
{
	return ev->attr.sample_type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT);
}

static int add_events(struct stacks_maker *m, struct err *err)
{
	const struct evset *set = m->h->session->data->evset;
	bool slices = wall_event_in(set);
	int ret = 0;

	for (u32 i = 0; i < m->h->nr_events && !ret; i++) {
		const struct event *ev = evset_at(set, i);

		/* slices replace the samples of all other events */
		if ((ev->dummy || (slices && !wall_event_is(ev))) && !m->h->event[i].total.nr)
			continue;
		ret = stacks_add_event(m->out, &(struct stacks_event){
			.name = ev->name, .unit = counts_time(ev) ? "nanoseconds" : "count",
			.waits = counts_waits(ev), .weights = has_weights(ev),
			.period = is_fixed(ev) ? ev->attr.sample_period : 0,
			.freq = ev->attr.flags & ATTR_FREQ ? ev->attr.sample_period : 0,
			.no_chains = !m->h->opts.chains }, &m->event[i], err);
	}
	return ret;
}

/* the stack of each end; entries were added before, so all labels are known */
static u32 *stacks_of_ends(struct stacks_maker *m)
{
	const struct hist *h = m->h;
	u32 *stack = xreallocarray(NULL, h->end.nr + 1, sizeof(*stack));

	for (u32 i = 0; i < h->end.nr; i++) {
		const struct hist_end *e = &h->end.v[i];
		u32 event = *key_table_at(&h->sample_keys, e->sample_key);

		stack[i] = stacks_add(m->out, &(struct stack){
			.node = h->opts.chains ? node_of(m, e->node) :
						 leaf_child(m, key_table_at(&h->frame_keys, e->frame_key)[0]),
			.labels = m->labels[e->sample_key] - 1, .event = m->event[event] });
	}
	return stack;
}

/* in place: they can be most of the memory that there is */
static void add_samples(struct stacks_maker *m)
{
	struct timed_samples *from = &m->h->timed;
	u64 last = m->h->session->last_time;
	size_t kept = 0;
	u32 *stack;

	if (!m->h->opts.samples)
		return;
	stack = stacks_of_ends(m);
	for (size_t i = 0; i < from->nr; i++) {
		struct stacks_sample s = *blocks_at(from, i);

		if (!(s.cpu & TIMED_ENDED))
			continue;
		s.time = MIN(s.time, last);	/* an event without times: at the end */
		s.stack = stack[s.stack];
		s.cpu &= ~TIMED_ENDED;
		s.cpu = s.cpu == TIMED_NO_CPU ? STACKS_NO_CPU : s.cpu;
		*blocks_at(from, kept) = s;
		kept++;
	}
	from->nr = kept;
	blocks_join(&m->out->sample, from);
	free(stack);
}

static void add_entries(struct stacks_maker *m)
{
	u32 nr = MAX(m->h->names.frame.nr, m->h->names.named.nr);

	m->module = xcalloc(machine_dsos(m->h->session->machine)->dso.nr + 1, sizeof(u32));
	m->frame = xcalloc(nr + 1, sizeof(u32));
	m->node = xcalloc(m->h->trie.node.nr + 1, sizeof(u32));
	m->labels = xcalloc(m->h->sample_keys.nr + 1, sizeof(u32));
	for (u32 ev = 0; ev < m->h->nr_events; ev++)
		for (size_t i = 0; i < m->h->event[ev].nr_entries; i++)
			add_entry(m, ev, blocks_at(&m->h->entry, m->h->event[ev].first + i));
	add_samples(m);
	free(m->module);
	free(m->frame);
	free(m->node);
	free(m->labels);
}

/* of all profiles: nothing if they differ */
static u32 common_text(struct stacks *out, u32 old, const char *text)
{
	u32 new = stacks_add_text(out, text ? text : "");

	return !out->nr_profiles || new == old ? new : 0;
}

static void add_facts(struct stacks *out, const struct session *s)
{
	const struct features *f = &s->data->feat;
	struct strbuf text = STRBUF_INIT;

	if (f->nr_cmdline) {
		for (u32 i = 0; i < f->nr_cmdline; i++)
			strbuf_addf(&text, "%s%s", i ? " " : "command: ", f->cmdline[i]);
		vec_push(&out->comment, stacks_add_text(out, strbuf_str(&text)));
	}
	strbuf_reset(&text);
	recorded_boot(s->data, &text);
	out->boot = common_text(out, out->boot, strbuf_str(&text));
	strbuf_release(&text);
	out->machine = common_text(out, out->machine, f->hostname);
	out->kernel = common_text(out, out->kernel, f->osrelease);
	if (f->sample_time_last > f->sample_time_first)
		out->duration_ns = MAX(out->duration_ns, f->sample_time_last - f->sample_time_first);
	if (s->data->mtime > 0)
		out->time_ns = MAX(out->time_ns, s->data->mtime * 1000000000ull);
}

static int check_labels(const struct sort_order *order, struct err *err)
{
	for (u32 i = 0; i < order->nr_keys; i++)
		if (order->key[i]->kind != FIELD_SLOT) {
			err_set(err, -EINVAL,
				"--labels: '%s' depends on the sampled address, which stacks have",
				order->key[i]->name);
			err_hint(err, "labels are what samples have beside it, such as comm,pid,tid,cpu");
			return -EINVAL;
		}
	return 0;
}

static void choose(struct hist_opts *ho, const struct session *s, const struct hist_stacks_opts *o,
		   enum stacks_by by)
{
	static const enum chain_key key[] = { CHAIN_KEY_FUNCTION, CHAIN_KEY_SRCLINE, CHAIN_KEY_ADDRESS };

	ho->chain = (struct chain_opts){ .mode = CHAIN_MODE_FOLDED, .key = key[by] };
	ho->chains = evset_samples(s->data->evset, PERF_SAMPLE_CALLCHAIN);
	ho->mark_ends = true;
	ho->inlines = o->inlines;
	ho->samples = o->samples;
	ho->weights = evset_samples(s->data->evset, PERF_SAMPLE_WEIGHT) ||
		      evset_samples(s->data->evset, PERF_SAMPLE_WEIGHT_STRUCT);
	ho->max_stack = RESOLVE_MAX_UNWOUND;	/* whole stacks */
	ho->full_path = true;
	ho->symbols = true;
	if (!ho->chains) {
		ho->key[ho->nr_keys++] = by == STACKS_FUNCTIONS ? &field_leaf : &field_leaf_line;
		ho->frames = true;
	}
	ho->join_unnamed = by == STACKS_FUNCTIONS && !ho->frames;
}

static int count_and_add(struct stacks *out, struct session *s, const struct hist_stacks_opts *o, bool host,
			 const struct sample_filter *filter, const struct sort_order *order, struct err *err)
{
	struct hist_opts ho = { 0 };
	struct stacks_maker m = { .out = out, .order = order, .host = host };
	int ret;

	sort_order_keys(order, &ho);
	choose(&ho, s, o, out->by);
	hist_use_filter(&ho, filter);
	m.h = hist_collect(s, &ho);
	m.ctx = hist_field_ctx(m.h);
	m.event = xcalloc(m.h->nr_events + 1, sizeof(u32));
	ret = add_events(&m, err);
	if (!ret) {
		sample_filter_warn_empty(filter, m.h);
		add_entries(&m);
		add_facts(out, s);
		out->nr_profiles++;
	}
	diag_merge(&s->diag, &m.h->diag);
	free(m.event);
	strbuf_release(&m.text);
	strbuf_release(&m.scratch);
	hist_free(m.h);
	return ret;
}

/* takes the word "host" out of a list; whether it was there */
static bool take_host(char *list)
{
	static const char word[] = "host";
	size_t len = strlen(word);

	for (char *p = list; *p; p += strcspn(p, ","), p += *p == ',') {
		char *after = p + len;

		if (strncmp(p, word, len) || (*after && *after != ','))
			continue;
		if (*after)
			memmove(p, after + 1, strlen(after));
		else
			*(p > list ? p - 1 : p) = '\0';
		return true;
	}
	return false;
}

int hist_stacks_add(struct stacks *out, struct session *s, const struct hist_stacks_opts *o, struct err *err)
{
	char *keys = xstrdup(o->labels);
	bool host = take_host(keys);
	struct sort_spec spec = { .sort = keys,
				  .trace = trace_keys_new(s->data->evset, &s->data->feat.tracing_data) };
	struct sample_filter filter = *o->filter;
	struct sort_order order = { 0 };
	int ret = *keys ? sort_order_parse(&order, &spec, err) : 0;

	if (!ret)
		ret = check_labels(&order, err);
	if (!ret && o->samples && !s->has_time)
		ret = err_set(err, -EINVAL, "%s has no times of samples", s->data->path);
	if (!ret)
		ret = sample_filter_parse(&filter, s, err);
	if (!ret)
		ret = count_and_add(out, s, o, host, &filter, &order, err);
	sample_filter_release(&filter);
	trace_keys_free(spec.trace);
	free(keys);
	return ret;
}
