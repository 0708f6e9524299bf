/* -F of perf script: parsing, defaults, and checks against what the file's events carry. */
#include "fields.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "../base/list-word.h"
#include "../base/units.h"
#include "../event/insn-flags.h"
#include "../fields/recorded-by.h"

struct field_row {
	const char *name;
	u64 sample_bits;
	const char *attr, *text;
};

static const struct field_row rows[SF_NR] = {
#define FIELD(name_, id, bit, attr_, text_) [SF_##id] = { name_, bit, attr_, text_ },
#include "fields.def"
#undef FIELD
};

#define BASIC (FIELD_BIT(COMM) | FIELD_BIT(TID) | FIELD_BIT(CPU) | FIELD_BIT(TIME) | FIELD_BIT(EVENT))
#define WHERE (FIELD_BIT(IP) | FIELD_BIT(SYM) | FIELD_BIT(SYMOFF) | FIELD_BIT(DSO))
#define NEVER_RAW (FIELD_BIT(TRACE) | FIELD_BIT(BPF_OUTPUT))

static const struct {
	const char *name;	/* in "not valid for NAME events" */
	u64 defaults, invalid;
} types[ST_NR] = {
	[ST_HARDWARE]	= { "hardware", BASIC | WHERE | FIELD_BIT(PERIOD), NEVER_RAW },
	[ST_SOFTWARE]	= { "software", BASIC | WHERE | FIELD_BIT(PERIOD) | FIELD_BIT(BPF_OUTPUT),
			    FIELD_BIT(TRACE) },
	[ST_TRACEPOINT]	= { "tracepoint", BASIC | FIELD_BIT(TRACE), 0 },
	[ST_HW_CACHE]	= { "hardware-cache", BASIC | WHERE | FIELD_BIT(PERIOD), NEVER_RAW },
	[ST_RAW]	= { "raw", BASIC | WHERE | FIELD_BIT(PERIOD) | FIELD_BIT(ADDR) | FIELD_BIT(DATA_SRC)
#define RAW(id) | FIELD_BIT(id)
#define ASKED(id)
#define FIELD(...)
#define NUMBER(name_, id, bits, attr, member, where, form, shown) shown(id)
#include "fields.def"
#undef FIELD
			    , NEVER_RAW },
	[ST_BREAKPOINT]	= { "breakpoint", BASIC | WHERE | FIELD_BIT(PERIOD), NEVER_RAW },
	[ST_OTHER]	= { "unknown", BASIC | WHERE | FIELD_BIT(PERIOD), NEVER_RAW },
	[ST_SYNTH]	= { "unknown", BASIC | WHERE | FIELD_BIT(SYNTH), NEVER_RAW },
};

/* prefixes of -F that users may type */
static const struct { const char *name; u32 types; } prefixes[] = {
	{ "hw", 1u << ST_HARDWARE }, { "sw", 1u << ST_SOFTWARE }, { "trace", 1u << ST_TRACEPOINT },
	{ "raw", 1u << ST_RAW }, { "break", 1u << ST_BREAKPOINT }, { "synth", 1u << ST_SYNTH },
};
#define ALL_TYPES ((1u << ST_NR) - 1)

void script_fields_init(struct script_fields *f)
{
	memset(f, 0, sizeof(*f));
	for (int t = 0; t < ST_NR; t++)
		f->mask[t] = types[t].defaults;
}

void script_fields_release(struct script_fields *f)
{
	strbuf_release(&f->notes);
}

void script_fields_list(struct strbuf *out)
{
	for (int i = 0; i < SF_NR; i++)
		strbuf_addf(out, "%s%s", i ? "," : "", rows[i].name);
}

static int find_field(const char *s, size_t len)
{
	for (int i = 0; i < SF_NR; i++)
		if (strlen(rows[i].name) == len && !memcmp(rows[i].name, s, len))
			return i;
	return -1;
}

static int unknown_field(const char *s, size_t len, struct err *err)
{
	char name[64];
	unsigned int best = 4;
	const char *near = NULL;

	snprintf(name, sizeof(name), "%.*s", (int)len, s);
	for (int i = 0; i < SF_NR; i++) {
		unsigned int d = edit_distance(name, rows[i].name);

		if (d < best) {
			best = d;
			near = rows[i].name;
		}
	}
	err_set(err, -EINVAL, near ? "Invalid field requested: there is no '%s' (did you mean '%s'?)." :
			"Invalid field requested: there is no '%s'.", name, near);
	err_hint(err, "'perf help script' lists the fields");
	return -EINVAL;
}

static void note_invalid(struct script_fields *f, int field, int type)
{
	strbuf_addf(&f->notes, "'%s' not valid for %s events. Ignoring.\n", rows[field].name,
		    types[type].name);
}

/*
 * how: '+', '-' or 0. A field that does not fit the kind that was named is an error; in a list for all
 * kinds it is left out
 */
static int set_field(struct script_fields *f, int field, u32 type_mask, char how, struct err *err)
{
	u64 bit = 1ull << field;

	for (int t = 0; t < ST_NR; t++) {
		if (!(type_mask >> t & 1))
			continue;
		if (type_mask != ALL_TYPES && types[t].invalid & bit)
			return err_set(err, -EINVAL, "'%s' not valid for %s events.", rows[field].name,
				       types[t].name);
		if (how == '-') {
			f->mask[t] &= ~bit;
			f->user_added[t] &= ~bit;
			f->user_removed[t] |= bit;
		} else if (types[t].invalid & bit) {
			note_invalid(f, field, t);
		} else {
			f->mask[t] |= bit;
			f->user_added[t] |= bit;
			f->user_removed[t] &= ~bit;
		}
	}
	return 0;
}

static int set_list(struct script_fields *f, const char *list, u32 type_mask, struct err *err)
{
	bool started = false;
	size_t len;
	char how = 0;

	for (const char *p = list; *p; p += len + (p[len] == ',')) {
		int field, ret;

		len = list_word_len(p);
		if (!len)
			continue;
		if (*p == '+' || *p == '-') {
			if (started && !how)
				return err_set(err, -EINVAL, "Cannot mix +-field with overridden fields");
			how = *p;
		} else if (how) {
			return err_set(err, -EINVAL, "Cannot mix +-field with overridden fields");
		} else if (!started) {
			for (int t = 0; t < ST_NR; t++) {
				if (!(type_mask >> t & 1))
					continue;
				f->mask[t] = 0;
				f->user_set[t] = true;
			}
		}
		started = true;
		field = find_field(p + !!how, len - !!how);
		if (field < 0)
			return unknown_field(p + !!how, len - !!how, err);
		ret = set_field(f, field, type_mask, how, err);
		if (ret)
			return ret;
	}
	return 0;
}

static bool names_none(const char *list)
{
	return !list[strspn(list, ",")];
}

int script_fields_parse(struct script_fields *f, const char *arg, struct err *err)
{
	const char *colon = strchr(arg, ':');
	u32 type_mask = 0;

	if (!colon) {
		if (names_none(arg))
			return err_set(err, -EINVAL, "Cannot set fields to 'none' for all event types.");
		f->any_set = true;
		return set_list(f, arg, ALL_TYPES, err);
	}
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (strlen(prefixes[i].name) == (size_t)(colon - arg) &&
		    !memcmp(prefixes[i].name, arg, colon - arg))
			type_mask = prefixes[i].types;
	if (!type_mask)
		return err_set(err, -EINVAL, "Invalid event type in field string.");
	if (names_none(colon + 1)) {
		for (int t = 0; t < ST_NR; t++) {
			if (type_mask >> t & 1) {
				f->mask[t] = 0;
				f->user_set[t] = true;
			}
		}
		return 0;
	}
	return set_list(f, colon + 1, type_mask, err);
}

enum script_type script_type_of(const struct event *ev)
{
	static const enum script_type by_type[] = { ST_HARDWARE, ST_SOFTWARE, ST_TRACEPOINT, ST_HW_CACHE,
						    ST_RAW, ST_BREAKPOINT };

	return ev->attr.type < ARRAY_SIZE(by_type) ? by_type[ev->attr.type] :
	       ev->attr.type == MADE_EVENT_TYPE ? ST_SYNTH : ST_OTHER;
}

bool script_fields_any(const struct script_fields *f, u64 bits)
{
	for (int t = 0; t < ST_NR; t++)
		if (f->mask[t] & bits)
			return true;
	return false;
}

bool script_fields_chosen(const struct script_fields *f, enum script_type t)
{
	return f->user_set[t] || ((f->user_added[t] | f->user_removed[t]) & ~FIELD_BIT(FLAGS));
}

/* it was sampled, and says something */
static bool has_field(const struct event *ev, int i)
{
	return ev->attr.sample_type & rows[i].sample_bits && !(ev->no_cpus && i == SF_CPU);
}

/*
 * Drops a default field that was not sampled; an asked-for one is an error, but for events next to a trace,
 * whose samples may have it
 */
static int check_sampled(struct script_fields *f, enum script_type t, const struct event *ev, bool made,
			 struct err *err)
{
	for (int i = 0; i < SF_NR; i++) {
		const struct field_row *row = &rows[i];
		u64 bit = 1ull << i;

		if (!row->sample_bits || !(f->mask[t] & bit) || has_field(ev, i))
			continue;
		if (!f->user_set[t] && !(f->user_added[t] & bit)) {
			f->mask[t] &= ~bit;
			continue;
		}
		if (made || ev->attr.sample_type & row->sample_bits)
			continue;
		err_set(err, -EINVAL,
			"Samples for '%s' event do not have %s attribute set. Cannot print '%s' field.",
			ev->name, row->attr, row->text);
		if (recorded_by(row->sample_bits))
			err_hint(err, "record it with perf record %s", recorded_by(row->sample_bits));
		return err->code;
	}
	return 0;
}

/* code between two branches was executed only if no other branch is in it */
static int check_branches(u64 mask, const struct event *ev, struct err *err)
{
	const u64 code = FIELD_BIT(BRSTACKINSN) | FIELD_BIT(BRSTACKINSNLEN) | FIELD_BIT(BRSTACKDISASM);

	if (!(mask & code) || (ev->attr.sample_type & PERF_SAMPLE_BRANCH_STACK &&
			       ev->attr.branch_sample_type & ABI_BRANCH_ANY))
		return 0;
	err_set(err, -EINVAL, "instructions between branches need all branches of '%s'", ev->name);
	err_hint(err, "record them with perf record -b");
	return err->code;
}

static int check_event(struct script_fields *f, const struct event *ev, const struct script_caps *caps,
		       struct err *err)
{
	enum script_type t = script_type_of(ev);
	u64 st = ev->attr.sample_type, branch = st & PERF_SAMPLE_BRANCH_STACK;
	bool has_addr = st & (PERF_SAMPLE_IP | PERF_SAMPLE_ADDR) || branch;
	u64 m;
	int ret;

	if (f->mask[t] & FIELD_BIT(DSOFF))	/* it is shown after the name */
		f->mask[t] |= FIELD_BIT(DSO);
	ret = check_sampled(f, t, ev, caps->made, err);
	if (ret)
		return ret;
	m = f->mask[t];
	if (m & FIELD_BIT(SYM) && !has_addr)
		return err_set(err, -EINVAL, "samples of '%s' have no address: 'sym' has nothing to name",
			       ev->name);
	if (m & FIELD_BIT(SYMOFF) && !(m & FIELD_BIT(SYM)))
		return err_set(err, -EINVAL, "'symoff' needs the field 'sym', too: it is the offset from it");
	if (m & FIELD_BIT(DSO) && !has_addr)
		return err_set(err, -EINVAL, "samples of '%s' have no address: 'dso' has nothing to name",
			       ev->name);
	if (m & (FIELD_BIT(SRCLINE) | FIELD_BIT(SRCCODE)) && !(m & FIELD_BIT(IP)))
		return err_set(err, -EINVAL, "'%s' needs the field 'ip', too: it is the line of that address",
			       m & FIELD_BIT(SRCLINE) ? "srcline" : "srccode");
	if (m & FIELD_BIT(BRCNTR) && !(ev->attr.branch_sample_type & ABI_BRANCH_COUNTERS)) {
		err_set(err, -EINVAL, "samples of '%s' have no counters of branches for 'brcntr'", ev->name);
		err_hint(err, "record them with perf record -j any,counter");
		return err->code;
	}
	return check_branches(m, ev, err);
}

/* upstream looks at the first event of each kind; chains bring the address fields of tracepoints with them */
static int check_type(struct script_fields *f, const struct evset *set, enum script_type t,
		      const struct script_caps *caps, struct err *err)
{
	bool first = true;

	for (size_t i = 0; i < set->ev.nr; i++) {
		const struct event *ev = set->ev.v[i];
		int ret;

		if (script_type_of(ev) != t || (caps->made && ev->dummy))
			continue;
		if (t == ST_TRACEPOINT && caps->callchain && ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN &&
		    !f->user_set[t] && !f->user_added[t] && !f->user_removed[t])
			f->mask[t] |= WHERE;
		ret = first ? check_event(f, ev, caps, err) : 0;
		if (ret)
			return ret;
		first = false;
	}
	return 0;
}

/* lines of a file without branch stacks would be empty */
static int check_stacks(const struct script_fields *f, const struct evset *set, bool made, struct err *err)
{
	if (!script_fields_any(f, FIELD_BIT(BRSTACK) | FIELD_BIT(BRSTACKSYM) | FIELD_BIT(BRSTACKOFF)))
		return 0;
	for (size_t i = 0; i < set->ev.nr; i++)
		if (set->ev.v[i]->attr.sample_type & PERF_SAMPLE_BRANCH_STACK)
			return 0;
	err_set(err, -EINVAL, "no event of the file has branch stacks for 'brstack'");
	err_hint(err, made ? "--itrace=il decodes those of the trace" : "record them with perf record -b");
	return err->code;
}

int script_fields_check(struct script_fields *f, const struct evset *set, const struct script_caps *caps,
			struct err *err)
{
	int ret = check_stacks(f, set, caps->made, err);

	if (ret)
		return ret;
	if (script_fields_any(f, FIELD_BIT(TOD)) && !caps->clock_data) {
		err_set(err, -EINVAL, "the file does not say which time of day its times are, for 'tod'");
		err_hint(err, "record it with perf record -k CLOCK_MONOTONIC");
		return err->code;
	}
	for (int t = 0; !ret && t < ST_NR; t++)
		ret = check_type(f, set, t, caps, err);
	return ret;
}
