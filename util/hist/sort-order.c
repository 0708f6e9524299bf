/* Sort order: --sort and --fields to keys and columns. */
#include "sort-order.h"

#include <errno.h>
#include <string.h>
#include "../base/alloc.h"
#include "../base/log.h"
#include "../base/units.h"
#include "../fields/field-family.h"
#include "../fields/data-src-columns.h"
#include "../fields/recorded-by.h"
#include "../fields/trace-keys.h"

_Static_assert(TRACE_KEYS_MAX > HIST_MAX_KEYS, "too many fields of a tracepoint are refused, not left out");

static bool has_field(const struct field *const *list, u32 nr, const struct field *f)
{
	for (u32 i = 0; i < nr; i++)
		if (list[i] == f)
			return true;
	return false;
}

static void add_column(struct sort_order *o, const struct field *f)
{
	if (!has_field(o->column, o->nr_columns, f))
		o->column[o->nr_columns++] = f;
}

static void add_by(struct sort_order *o, const struct field *f)
{
	if (!has_field(o->by, o->nr_by, f))
		o->by[o->nr_by++] = f;
}

static int add_key(struct sort_order *o, const struct field *f, struct err *err)
{
	if (f->kind == FIELD_STAT || has_field(o->key, o->nr_keys, f))
		return 0;
	if (o->nr_keys == HIST_MAX_KEYS)
		return err_set(err, -E2BIG, "there can be at most %d sort keys: leave some out",
			       HIST_MAX_KEYS);
	o->key[o->nr_keys++] = f;
	return 0;
}

void sort_order_add_key(struct sort_order *o, const struct field *f)
{
	struct err err = ERR_INIT;

	add_key(o, f, &err);
}

void sort_order_show_key(struct sort_order *o, const struct field *f)
{
	sort_order_add_key(o, f);
	add_column(o, f);
}

static u32 drop_field(const struct field **list, u32 nr, const struct field *f)
{
	u32 kept = 0;

	for (u32 i = 0; i < nr; i++)
		if (list[i] != f)
			list[kept++] = list[i];
	return kept;
}

void sort_order_drop(struct sort_order *o, const struct field *f)
{
	o->nr_columns = drop_field(o->column, o->nr_columns, f);
	o->nr_by = drop_field(o->by, o->nr_by, f);
}

bool sort_order_has_key(const struct sort_order *o, const struct field *f)
{
	return has_field(o->key, o->nr_keys, f);
}

static int unknown_field(const struct sort_spec *spec, const char *what, const char *name, struct err *err)
{
	const struct field *parts[DATA_SRC_NR_PARTS];
	const char *missing = field_missing(name);
	const struct field *best = NULL;
	unsigned int best_distance = MIN(4u, (unsigned int)strlen(name) / 2 + 1);
	bool of_event = strchr(name, '.') || !strcmp(name, "trace_fields");

	if (missing)
		return err_set(err, -EINVAL, "--%s key '%s': %s", what, name, missing);
	if (mem_parts_find(name, parts))
		return err_set(err, -EINVAL, "--%s key '%s' is a column of memory accesses: use it with "
			       "--mem-mode and --fields", what, name);
	if (of_event && !trace_keys_any(spec->trace))
		return err_set(err, -EINVAL, "--%s key '%s': the profile has no tracepoints", what, name);

	for (const struct field *const *f = fields; *f && !of_event; f++) {
		unsigned int d = edit_distance(name, (*f)->name);

		if (d < best_distance) {
			best_distance = d;
			best = *f;
		}
	}
	if (best)
		return err_set(err, -EINVAL, "unknown --%s key '%s' (did you mean '%s'?)", what, name,
			       best->name);
	err_set(err, -EINVAL, "unknown --%s key '%s'", what, name);
	if (!of_event)
		err_hint(err, "'perf report -h' lists the keys");
	if (trace_keys_any(spec->trace))
		err_hint(err, "'perf evlist --trace-fields' lists the fields of tracepoints");
	return -EINVAL;
}

static int check_mode(const struct field *f, const char *what, u32 has, struct err *err)
{
	if (f->needs & NEEDS_MEM & ~has)
		return err_set(err, -EINVAL,
			       "--%s key '%s' is a key of memory accesses: use it with --mem-mode", what,
			       f->name);
	if (f->needs & NEEDS_STATES & ~has)
		return err_set(err, -EINVAL, "--%s key '%s' is a column of wall time: use it with "
			       "perf report --wall", what, f->name);
	if (f->needs & NEEDS_IPC & ~has && has & NEEDS_BRANCH)
		return err_set(err, -EINVAL, "--%s key '%s' is a key of perf report alone", what, f->name);
	if (f->needs & NEEDS_HISTORY & ~has)
		return err_set(err, -EINVAL, "--%s key '%s' is a key of branch histories: use it with "
			       "--branch-history", what, f->name);
	if (!(f->needs & NEEDS_BRANCH & ~has))
		return 0;
	err_set(err, -EINVAL, "--%s key '%s' is a key of branches, and no branch stacks are counted here",
		what, f->name);
	err_hint(err, "record with perf record -b, and report without --no-branch-stack");
	return -EINVAL;
}

enum { AS_COLUMN = 1, AS_KEY = 2, AS_ORDER = 4 };

/* the meaning of a word: one field, or several of tracepoints */
static u32 find_fields(const struct sort_spec *spec, const char *word, u32 as,
		       const struct field *ret[TRACE_KEYS_MAX])
{
	u32 nr = as & AS_COLUMN && spec->has & NEEDS_MEM ? mem_parts_find(word, ret) : 0;
	bool ambiguous;

	if (nr)
		return nr;
	ret[0] = field_find(word, &ambiguous);
	if (ret[0])
		return 1;
	return spec->trace ? trace_keys_find(spec->trace, word, ret) : 0;
}

/* handles each name of a comma-separated list; adds columns and keys as requested */
static int parse_list(struct sort_order *o, const struct sort_spec *spec, const char *what, const char *list,
		      u32 as, struct err *err)
{
	char *copy = xstrdup(list), *save = NULL;
	const struct field *found[TRACE_KEYS_MAX];
	int ret = 0;

	for (char *name = strtok_r(copy, ", ", &save); name && !ret; name = strtok_r(NULL, ", ", &save)) {
		u32 nr = find_fields(spec, name, as, found);

		if (!nr)
			ret = unknown_field(spec, what, name, err);
		for (u32 i = 0; i < nr && !ret; i++) {
			const struct field *f = as & AS_COLUMN &&
						found[i]->as_column ? found[i]->as_column : found[i];

			ret = check_mode(f, what, spec->has, err);
			if (as & AS_COLUMN)
				add_column(o, f);
			if (!ret && as & AS_KEY)
				ret = add_key(o, f, err);
			if (as & AS_ORDER)
				add_by(o, f);
		}
	}
	free(copy);
	return ret;
}

/* true if the list contains a share, and so is complete; before other lists the usual shares are added */
static bool chooses_shares(const struct sort_spec *spec)
{
	const char *list = spec->sort ? spec->sort : "";
	bool overhead = strstr(list, "overhead"), latency = strstr(list, "latency");

	return spec->latency_first ? overhead && latency : overhead || latency;
}

static void default_stats(struct sort_order *o, const struct sort_spec *spec)
{
	static const struct field *const shares[2][2] = {
		{ &field_overhead, &field_latency }, { &field_overhead_children, &field_latency_children }
	};
	bool first = spec->latency_first;

	for (int callees = spec->children; callees >= 0; callees--) {
		if (!first || spec->has_latency)
			add_by(o, shares[callees][first]);
		if (first || spec->has_latency)
			add_by(o, shares[callees][!first]);
	}
	o->maybe_latency = spec->has_latency && !first;
}

/*
 * columns of numbers come before the others, whatever the list's order; if rows are a tree, numbers are in
 * the list's order
 */
static void front_columns(struct sort_order *o, const struct sort_spec *spec)
{
	static const struct field *const shares[] = {
		&field_overhead_children, &field_latency_children, &field_overhead, &field_latency
	};
	/* by enum wall_state */
	static const struct field *const states[] = {
		&field_wall_on, &field_wall_run, &field_wall_blocked, &field_wall_idle
	};

	o->self = spec->children;
	for (u32 i = 0; i < o->nr_by && spec->hierarchy; i++)
		if (has_field(shares, ARRAY_SIZE(shares), o->by[i]))
			add_column(o, o->by[i]);
	for (u32 i = 0; i < ARRAY_SIZE(shares); i++) {
		const struct field *f = shares[i ^ spec->latency_first];

		if (has_field(o->by, o->nr_by, f))
			add_column(o, f);
	}
	for (u32 i = 0; i < ARRAY_SIZE(states); i++)
		if (spec->wall_states >> i & 1)
			add_column(o, states[i]);
	if (spec->wall_path)
		add_column(o, &field_wall_saves);
	if (spec->show_cpu_utilization) {
		add_column(o, &field_overhead_sys);
		add_column(o, &field_overhead_us);
	}
	if (spec->show_nr)
		add_column(o, &field_sample);
	if (spec->show_total_period)
		add_column(o, &field_period);
}

int sort_order_parse(struct sort_order *o, const struct sort_spec *spec, struct err *err)
{
	bool plus_sort = spec->sort && *spec->sort == '+', plus_fields = spec->fields && *spec->fields == '+';
	bool shares = !spec->fields || plus_fields;
	u32 nr_default;
	int ret = 0;

	*o = (struct sort_order){ 0 };
	if (shares && !chooses_shares(spec))
		default_stats(o, spec);
	nr_default = o->nr_by;
	if (spec->sort && !plus_sort)
		ret = parse_list(o, spec, "sort", spec->sort, AS_KEY | AS_ORDER, err);
	else if (shares || plus_sort)
		ret = parse_list(o, spec, "sort", spec->default_sort, AS_KEY | AS_ORDER, err);
	if (!ret && plus_sort)
		ret = parse_list(o, spec, "sort", spec->sort + 1, AS_KEY | AS_ORDER, err);
	if (!ret && shares)
		front_columns(o, spec);
	o->names_rows = !spec->fields && o->nr_by > nr_default && o->by[nr_default]->is_name;
	/* without --sort, rows are ordered by the columns */
	if (!ret && spec->fields)
		ret = parse_list(o, spec, "fields", spec->fields + plus_fields,
				 plus_fields || !spec->sort ?
				 AS_COLUMN | AS_KEY | AS_ORDER : AS_COLUMN | AS_KEY, err);
	for (u32 i = 0; i < o->nr_by; i++)
		add_column(o, o->by[i]);
	return ret;
}

bool sort_order_needs(const struct sort_order *o, u32 needs)
{
	for (u32 i = 0; i < o->nr_keys; i++)
		if (o->key[i]->needs & needs)
			return true;
	for (u32 i = 0; i < o->nr_columns; i++)
		if (o->column[i]->needs & needs)
			return true;
	return false;
}

u64 sort_order_samples(const struct sort_order *o)
{
	u64 ret = 0;

	for (u32 i = 0; i < o->nr_keys; i++)
		ret |= o->key[i]->sample;
	for (u32 i = 0; i < o->nr_columns; i++)
		ret |= o->column[i]->sample;
	return ret;
}

static bool is_recorded(const struct field *f, const struct evset *events)
{
	const u64 weights = ABI_SAMPLE_WEIGHT | ABI_SAMPLE_WEIGHT_STRUCT;

	if (f->sample & weights)
		return evset_samples(events, ABI_SAMPLE_WEIGHT) ||
		       evset_samples(events, ABI_SAMPLE_WEIGHT_STRUCT);
	return !f->sample || evset_samples(events, f->sample);
}

void sort_order_warn_unrecorded(const struct sort_order *o, const struct evset *events)
{
	for (u32 i = 0; i < o->nr_columns; i++) {
		const struct field *f = o->column[i];

		if (!is_recorded(f, events) && recorded_by(f->sample))
			log_warn("no sample has a value for the column '%s'; perf record %s records it",
				 f->title, recorded_by(f->sample));
	}
}

void sort_order_keys(const struct sort_order *o, struct hist_opts *ho)
{
	for (u32 i = 0; i < o->nr_keys && ho->nr_keys < HIST_MAX_KEYS; i++) {
		const struct field *f = o->key[i];

		ho->key[ho->nr_keys++] = f;
		ho->frames |= f->kind == FIELD_FRAME;
		ho->symbols |= (f->needs & NEEDS_SYM) != 0;
		ho->trace |= (f->needs & NEEDS_TRACE) != 0;
	}
	for (u32 i = 0; i < o->nr_columns; i++) {
		ho->weights |= (o->column[i]->needs & NEEDS_WEIGHTS) != 0;
		ho->mem_parts |= (o->column[i]->needs & NEEDS_MEM_PARTS) != 0;
		ho->branch_sums |= (o->column[i]->needs & (NEEDS_BRANCH_SUMS | NEEDS_STATES)) != 0;
		ho->states |= (o->column[i]->needs & NEEDS_STATES) != 0;
	}
}
