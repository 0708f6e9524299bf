/*
 * callgrind: the format of valgrind's tool, which callgrind_annotate and KCachegrind read: the cost of
 * lines of functions, and the cost of their calls. Columns are periods of each event, then numbers of
 * samples, then weights. A set of labels is a function that calls the outermost functions of its stacks:
 * readers take the sum of its calls as the cost of a function, so each needs a caller.
 *
 * A function that is twice in a stack would count twice in such sums. As in valgrind's files, its outermost
 * activation is FUNCTION, whose sums equal report's, and all inner ones are FUNCTION'2. Between inner
 * activations a call counts once per stack, and calls of FUNCTION'2 by itself do not count.
 */
#include "format.h"
#include "markup.h"
#include "../util/base/alloc.h"
#include "../util/base/hash.h"
#include "../util/base/sort.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* all frames of equal function and module */
struct callgrind_function {
	u32 frame;		/* its first one */
	u32 file;		/* of most of its lines; a text, 0: not known */
};

/*
 * A line of costs. Functions are activations: twice the number of the function, plus one for inner
 * activations; sets of labels have numbers after those of functions
 */
struct callgrind_line {
	u32 function, frame;	/* frame NONE: a set of labels */
	u32 callee;		/* NONE: what the function costs itself */
	u32 id;			/* before lines were sorted */
};

struct callgrind_cost {
	u32 line, event;
	u64 value[NR_STACKS_VALUES];
};

struct callgrind_sum {
	u64 value[NR_STACKS_VALUES];
};

struct callgrind {
	const struct stacks *s;
	struct markup m;
	struct { VEC(struct callgrind_function); } function;
	u32 *function_of;	/* by frame */
	struct { VEC(struct callgrind_line); } line;
	struct hidx by_line;
	/* by node */
	u32 *activation;
	u32 *top;		/* the outermost node */
	u32 *call;		/* the line of the call by its parent, or NONE */
	/* by stack: lines of its innermost function, and of the call by its labels (or NONE) */
	u32 *self, *root;
	struct { VEC(struct callgrind_cost); } cost;
	struct sort_pair *order;	/* of cost: by line, then by event */
	struct callgrind_sum *total;	/* by event */
	bool *has_module, *has_file, *has_function;	/* by number: its name is written */
};

/* ---- functions and lines ---- */

/* frames are in the order of functions, modules and files */
static void find_functions(struct callgrind *o)
{
	const struct stacks_frame *old = NULL;
	u32 run = 0, longest = 0;

	o->function_of = xcalloc(o->s->frame.nr + 1, sizeof(u32));
	for (u32 i = 0; i < o->s->frame.nr; i++) {
		const struct stacks_frame *f = &o->s->frame.v[i];
		bool begins = !old || f->function != old->function || f->module != old->module;

		if (begins) {
			vec_push(&o->function, (struct callgrind_function){ i, 0 });
			longest = 0;
		}
		o->function_of[i] = o->function.nr - 1;
		run = begins || f->file != old->file ? 1 : run + 1;
		if (f->file && run > longest) {
			longest = run;
			o->function.v[o->function.nr - 1].file = f->file;
		}
		old = f;
	}
}

static u32 add_line(struct callgrind *o, u32 function, u32 frame, u32 callee)
{
	u64 hash = hash_u64(hash_mix(hash_mix(hash_u64(function), frame), callee));
	u32 id;

	HIDX_FOREACH(&o->by_line, hash, id) {
		const struct callgrind_line *l = &o->line.v[id];

		if (l->function == function && l->frame == frame && l->callee == callee)
			return id;
	}
	id = o->line.nr;
	vec_push(&o->line, (struct callgrind_line){ function, frame, callee, id });
	hidx_insert(&o->by_line, hash, id);
	return id;
}

/* the functions and calls between the root and a node of the tree */
struct callgrind_path {
	u32 *depth;		/* by function: its activations */
	struct { VEC(u64); } pair;	/* calls between inner activations: caller and callee */
	struct { VEC(u32); } nr;	/* of each pair */
	struct hidx by_pair;
	u32 *pair_of;		/* by node, or NONE */
};

static u32 add_pair(struct callgrind_path *p, u32 caller, u32 callee)
{
	u64 pair = (u64)caller << 32 | callee, hash = hash_u64(pair);
	u32 id;

	HIDX_FOREACH(&p->by_pair, hash, id)
		if (p->pair.v[id] == pair)
			return id;
	id = p->pair.nr;
	vec_push(&p->pair, pair);
	vec_push(&p->nr, 0);
	hidx_insert(&p->by_pair, hash, id);
	return id;
}

static void enter_node(struct callgrind *o, struct callgrind_path *p, u32 n)
{
	const struct stacks_node *node = &o->s->node.v[n];
	u32 function = o->function_of[node->frame], parent = node->parent, caller, callee;
	bool counts = true;

	callee = o->activation[n] = 2 * function + (p->depth[function]++ > 0);
	o->top[n] = parent ? o->top[parent] : n;
	o->call[n] = p->pair_of[n] = NONE;
	if (!parent)
		return;
	caller = o->activation[parent];
	if (caller & callee & 1) {
		p->pair_of[n] = add_pair(p, caller, callee);
		counts = !p->nr.v[p->pair_of[n]]++ && caller != callee;
	}
	if (counts)
		o->call[n] = add_line(o, caller, o->s->node.v[parent].frame, callee);
}

static void leave_node(const struct callgrind *o, struct callgrind_path *p, u32 n)
{
	p->depth[o->activation[n] / 2]--;
	if (p->pair_of[n] != NONE)
		p->nr.v[p->pair_of[n]]--;
}

/* nodes are followed by their children */
static void find_calls(struct callgrind *o)
{
	u32 nr = o->s->node.nr, at = 0;
	struct callgrind_path p = { .depth = xcalloc(o->function.nr + 1, sizeof(u32)),
				    .pair_of = xcalloc(nr, sizeof(u32)) };

	o->activation = xcalloc(nr, sizeof(u32));
	o->top = xcalloc(nr, sizeof(u32));
	o->call = xcalloc(nr, sizeof(u32));
	for (u32 n = 1; n < nr; n++) {
		for (; at != o->s->node.v[n].parent; at = o->s->node.v[at].parent)
			leave_node(o, &p, at);
		enter_node(o, &p, n);
		at = n;
	}
	free(p.depth);
	free(p.pair_of);
	vec_release(&p.pair);
	vec_release(&p.nr);
	hidx_release(&p.by_pair);
}

static void find_ends(struct callgrind *o)
{
	const struct stacks *s = o->s;

	o->self = xcalloc(s->stack.nr + 1, sizeof(u32));
	o->root = xcalloc(s->stack.nr + 1, sizeof(u32));
	for (size_t i = 0; i < s->stack.nr; i++) {
		const struct stack *k = &s->stack.v[i];
		u32 labels = 2 * (o->function.nr + k->labels);

		o->root[i] = NONE;
		if (k->node) {
			o->root[i] = add_line(o, labels, NONE, o->activation[o->top[k->node]]);
			o->self[i] = add_line(o, o->activation[k->node], s->node.v[k->node].frame, NONE);
		} else {
			o->self[i] = add_line(o, labels, NONE, NONE);
		}
	}
}

/* ---- costs ---- */

static void add_sum(struct callgrind_sum *to, const struct callgrind_sum *sum)
{
	for (u32 v = VALUE_PERIOD; v < NR_STACKS_VALUES; v++)
		to->value[v] += sum->value[v];
}

/* node and line have room for the sums of all nodes and lines */
static void add_event(struct callgrind *o, u32 event, struct callgrind_sum *node, struct callgrind_sum *line)
{
	const struct stacks *s = o->s;

	for (size_t i = 0; i < s->stack.nr; i++) {
		const struct stack *k = &s->stack.v[i];
		const struct callgrind_sum sum = { { [VALUE_PERIOD] = k->period, [VALUE_SAMPLES] = k->nr,
						     [VALUE_WEIGHT] = k->weight } };

		if (k->event != event)
			continue;
		add_sum(&node[k->node], &sum);
		add_sum(&line[o->self[i]], &sum);
		if (o->root[i] != NONE)
			add_sum(&line[o->root[i]], &sum);
		add_sum(&o->total[event], &sum);
	}
	for (u32 n = s->node.nr; n-- > 1;) {
		add_sum(&node[s->node.v[n].parent], &node[n]);
		if (o->call[n] != NONE)
			add_sum(&line[o->call[n]], &node[n]);
	}
	for (u32 l = 0; l < o->line.nr; l++) {
		struct callgrind_cost c = { .line = l, .event = event };

		memcpy(c.value, line[l].value, sizeof(c.value));
		if (c.value[VALUE_SAMPLES] || c.value[VALUE_PERIOD])
			vec_push(&o->cost, c);
	}
}

static void find_costs(struct callgrind *o)
{
	size_t node_size = o->s->node.nr * sizeof(struct callgrind_sum);
	size_t line_size = (o->line.nr + 1) * sizeof(struct callgrind_sum);
	struct callgrind_sum *node = xcalloc(1, node_size), *line = xcalloc(1, line_size);

	o->total = xcalloc(o->s->event.nr + 1, sizeof(*o->total));
	for (u32 e = 0; e < o->s->event.nr; e++) {
		memset(node, 0, node_size);
		memset(line, 0, line_size);
		add_event(o, e, node, line);
	}
	free(node);
	free(line);
}

/* what the function costs itself stands before its calls: NONE + 1 is 0 */
static int cmp_lines(const void *pa, const void *pb)
{
	const struct callgrind_line *a = pa, *b = pb;
	u64 place_a = (u64)a->function << 32 | a->frame, place_b = (u64)b->function << 32 | b->frame;

	if (place_a != place_b)
		return place_a < place_b ? -1 : 1;
	return (a->callee + 1 > b->callee + 1) - (a->callee + 1 < b->callee + 1);
}

static void find_order(struct callgrind *o)
{
	u32 *to = xcalloc(o->line.nr + 1, sizeof(u32));

	if (o->line.nr)
		qsort(o->line.v, o->line.nr, sizeof(*o->line.v), cmp_lines);
	for (u32 i = 0; i < o->line.nr; i++)
		to[o->line.v[i].id] = i;
	o->order = xreallocarray(NULL, 2 * o->cost.nr + 1, sizeof(*o->order));
	for (u32 i = 0; i < o->cost.nr; i++) {
		o->cost.v[i].line = to[o->cost.v[i].line];
		o->order[i] = (struct sort_pair){ o->cost.v[i].line, i };
	}
	sort_pairs(o->order, o->order + o->cost.nr, o->cost.nr);
	free(to);
}

/* ---- names ---- */

/* readers take a number without a name for one that they know already */
static void add_name(struct strbuf *out, const char *name)
{
	strbuf_add_safe(out, name[strspn(name, " ")] ? name : "???");
}

/* "KEY=(N)", and the name if the number is new: false if it is not */
static bool add_number(struct callgrind *o, const char *key, u32 number, bool *has)
{
	bool is_new = !has[number];

	strbuf_addf(&o->m.text, "%s=(%u)%s", key, number + 1, is_new ? " " : "\n");
	has[number] = true;
	return is_new;
}

static void add_module(struct callgrind *o, const char *key, u32 module)
{
	u32 number = module == STACKS_NONE ? o->s->module.nr : module;

	if (!add_number(o, key, number, o->has_module))
		return;
	add_name(&o->m.text, module == STACKS_NONE ? "" :
			     stacks_text(o->s, o->s->module.v[module].path));
	strbuf_addch(&o->m.text, '\n');
}

static void add_file(struct callgrind *o, const char *key, u32 file)
{
	if (!add_number(o, key, file, o->has_file))
		return;
	add_name(&o->m.text, stacks_text(o->s, file));
	strbuf_addch(&o->m.text, '\n');
}

/* "comm=nginx, tid=12": threads are often called as their main function is, so there is the key, too */
static void add_labels(struct callgrind *o, const struct stacks_labels *l)
{
	for (u32 i = 0; i < l->nr; i++) {
		const struct stacks_label *label = &o->s->label.v[l->first + i];

		strbuf_addstr(&o->m.text, i ? ", " : "");
		strbuf_add_safe(&o->m.text, stacks_text(o->s, label->key));
		strbuf_addch(&o->m.text, '=');
		strbuf_add_safe(&o->m.text, stacks_text(o->s, label->value));
	}
	strbuf_addstr(&o->m.text, l->nr ? "" : "[all]");
}

/* module, file and name of an activation; keys are those of callers, or those of callees */
static void add_function(struct callgrind *o, u32 activation, const char *ob, const char *fl, const char *fn)
{
	struct strbuf scratch = STRBUF_INIT;
	u32 id = activation / 2;
	bool labels = id >= o->function.nr;
	const struct callgrind_function *function = labels ? NULL : &o->function.v[id];
	const struct stacks_frame *frame = labels ? NULL : &o->s->frame.v[function->frame];

	add_module(o, ob, labels ? STACKS_NONE : frame->module);
	add_file(o, fl, labels ? 0 : function->file);
	if (!add_number(o, fn, activation, o->has_function))
		return;
	if (labels)
		add_labels(o, &o->s->labels.v[id - o->function.nr]);
	else
		add_name(&o->m.text, stacks_frame_name(o->s, frame, &scratch));
	strbuf_addstr(&o->m.text, activation & 1 ? "'2\n" : "\n");
	strbuf_release(&scratch);
}

/* ---- parts of the file ---- */

/* readers take letters and digits alone: "cpu-clock" is "cpuClock" */
static void add_event_name(struct strbuf *out, const char *name)
{
	size_t begin = out->len;
	bool upper = false;

	for (; *name; name++) {
		bool lower = *name >= 'a' && *name <= 'z', digit = *name >= '0' && *name <= '9';

		if (digit && out->len == begin)
			strbuf_addch(out, 'e');
		if (lower || digit || (*name >= 'A' && *name <= 'Z'))
			strbuf_addch(out, lower && upper && out->len > begin ? *name - 'a' + 'A' : *name);
		upper = !lower && !digit && !(*name >= 'A' && *name <= 'Z');
	}
	if (out->len == begin)
		strbuf_addstr(out, "event");
}

struct callgrind_names {
	struct strtab known;
	struct strbuf all;	/* with blanks between them */
	u32 nr;			/* of those that needed a number */
};

/* readers find columns by name, so a name that is there already gets a number */
static void add_column_name(struct callgrind *o, struct callgrind_names *n, const struct stacks_event *event,
			    enum stacks_value value)
{
	struct strbuf name = STRBUF_INIT, full = STRBUF_INIT;

	stacks_add_value_name(event, value, &full);
	add_event_name(&name, strbuf_str(&full));
	while (strtab_find(&n->known, strbuf_str(&name), name.len) != HIDX_NONE)
		strbuf_addf(&name, "x%u", ++n->nr);
	strtab_add(&n->known, strbuf_str(&name));
	strbuf_addf(&n->all, " %s", strbuf_str(&name));
	strbuf_addf(&o->m.text, "event: %s : ", strbuf_str(&name));
	strbuf_add_safe(&o->m.text, strbuf_str(&full));
	strbuf_addf(&o->m.text, " (%s)\n", stacks_value_unit(event, value));
	strbuf_release(&name);
	strbuf_release(&full);
}

#define FOREACH_COLUMN(o, v, e) \
	for (enum stacks_value v = VALUE_PERIOD; v < NR_STACKS_VALUES; v++) \
		for (u32 e = 0; e < (o)->s->event.nr; e++) \
			if (stacks_has_value(&(o)->s->event.v[e], v))

static void add_events(struct callgrind *o)
{
	struct callgrind_names n = { 0 };

	FOREACH_COLUMN(o, v, e)
		add_column_name(o, &n, &o->s->event.v[e], v);
	strbuf_addf(&o->m.text, "events:%s\n", strbuf_str(&n.all));
	strbuf_release(&n.all);
	strtab_release(&n.known);
}

static void add_header(struct callgrind *o)
{
	const struct stacks *s = o->s;
	struct strbuf *out = &o->m.text;

	strbuf_addstr(out, "# callgrind format\nversion: 1\ncreator: perf\n");
	vec_foreach(&s->comment, c) {
		strbuf_addstr(out, "desc: ");
		strbuf_add_safe(out, stacks_text(s, *c));
		strbuf_addch(out, '\n');
	}
	vec_foreach(&s->constant, l) {
		strbuf_addstr(out, "desc: ");
		strbuf_add_safe(out, stacks_text(s, l->key));
		strbuf_addch(out, '=');
		strbuf_add_safe(out, stacks_text(s, l->value));
		strbuf_addch(out, '\n');
	}
	strbuf_addf(out, "positions: %s\n", s->by == STACKS_ADDRESSES ? "instr line" : "line");
	add_events(o);
	strbuf_addstr(out, "summary:");
	FOREACH_COLUMN(o, v, e)
		strbuf_addf(out, " %lu", o->total[e].value[v]);
	strbuf_addstr(out, "\n");
}

static void add_place(struct callgrind *o, u64 address, u32 line)
{
	if (o->s->by == STACKS_ADDRESSES)
		strbuf_addf(&o->m.text, "0x%lx ", address);
	strbuf_addf(&o->m.text, "%u", line);
}

static u64 cost_of(const struct callgrind *o, const struct sort_pair *cost, size_t nr, u32 event,
		   enum stacks_value value)
{
	for (size_t i = 0; i < nr; i++)
		if (o->cost.v[cost[i].val].event == event)
			return o->cost.v[cost[i].val].value[value];
	return 0;
}

/* zeros at the end are left out; a line of costs has a number that is not zero */
static void add_columns(struct callgrind *o, const struct sort_pair *cost, size_t nr)
{
	u32 zeros = 0;

	FOREACH_COLUMN(o, v, e) {
		u64 value = cost_of(o, cost, nr, e, v);

		if (!value) {
			zeros++;
			continue;
		}
		for (; zeros; zeros--)
			strbuf_addstr(&o->m.text, " 0");
		strbuf_addf(&o->m.text, " %lu", value);
	}
}

/* the costs of one line: the first of nr in the order of events */
static void add_line_costs(struct callgrind *o, const struct callgrind_line *l, const struct sort_pair *cost,
			   size_t nr)
{
	const struct stacks_frame *f = l->frame == NONE ? NULL : &o->s->frame.v[l->frame];
	u64 calls = 0;

	if (l->callee != NONE) {
		for (size_t i = 0; i < nr; i++)
			calls += o->cost.v[cost[i].val].value[VALUE_SAMPLES];
		add_function(o, l->callee, "cob", "cfi", "cfn");
		strbuf_addf(&o->m.text, "calls=%lu ", calls);
		add_place(o, 0, 0);
		strbuf_addch(&o->m.text, '\n');
	}
	add_place(o, f ? f->address : 0, f && f->file ? f->line : 0);
	add_columns(o, cost, nr);
	strbuf_addch(&o->m.text, '\n');
	markup_drain(&o->m);
}

static void add_costs(struct callgrind *o)
{
	u32 function = NONE, file = 0;

	for (size_t i = 0, nr; i < o->cost.nr; i += nr) {
		const struct callgrind_line *l = &o->line.v[o->order[i].key];
		u32 own, now;

		for (nr = 1; i + nr < o->cost.nr && o->order[i + nr].key == o->order[i].key;)
			nr++;
		own = now = l->frame == NONE ? 0 : o->function.v[l->function / 2].file;
		if (l->frame != NONE && o->s->frame.v[l->frame].file)
			now = o->s->frame.v[l->frame].file;
		if (l->function != function) {
			strbuf_addch(&o->m.text, '\n');
			add_function(o, l->function, "ob", "fl", "fn");
			function = l->function;
			file = own;
		}
		if (now != file)
			add_file(o, now == own ? "fe" : "fi", now);
		file = now;
		add_line_costs(o, l, o->order + i, nr);
	}
}

static void release(struct callgrind *o)
{
	vec_release(&o->function);
	vec_release(&o->line);
	vec_release(&o->cost);
	hidx_release(&o->by_line);
	free(o->function_of);
	free(o->activation);
	free(o->top);
	free(o->call);
	free(o->self);
	free(o->root);
	free(o->order);
	free(o->total);
	free(o->has_module);
	free(o->has_file);
	free(o->has_function);
}

int callgrind_stacks(const struct stacks *s, FILE *out)
{
	struct callgrind o = { .s = s, .m.file = out };

	find_functions(&o);
	find_calls(&o);
	find_ends(&o);
	find_costs(&o);
	find_order(&o);
	o.has_module = xcalloc(s->module.nr + 1, sizeof(bool));
	o.has_file = xcalloc(s->text.nr + 1, sizeof(bool));
	o.has_function = xcalloc(2 * ((size_t)o.function.nr + s->labels.nr) + 1, sizeof(bool));
	add_header(&o);
	add_costs(&o);
	release(&o);
	return markup_end(&o.m);
}
