/* perf evlist: lists the events in a profile. */
#include "ui/format.h"
#include "util/base/json-out.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"
#include "util/data/events.h"
#include "util/data/header-facts.h"
#include "util/data/open.h"
#include "util/event/attr.h"
#include "util/tep/tracefmt.h"

#include <stdio.h>

static const char *const evlist_usage[] = { "perf evlist [<options>]", NULL };

struct evlist_opts {
	struct data_opts data;
	bool freq, group, trace_fields, json;
	int verbose;
};

/* ": " before the first detail of a line, ", " before the others */
static void begin_detail(struct strbuf *out, bool *first)
{
	strbuf_addstr(out, *first ? ": " : ", ");
	*first = false;
}

/* if data contains no formats, or not this one, the names are unknown */
static void add_trace_fields(struct strbuf *out, struct tracefmt *formats, const struct event *ev)
{
	const struct tracefmt_event *fmt = formats ? tracefmt_event(formats, ev->attr.config) : NULL;
	const struct tracefmt_field *field;

	if (ev->attr.type != PERF_TYPE_TRACEPOINT) {
		strbuf_addstr(out, "(not a tracepoint)");
		return;
	}
	if (!fmt) {
		strbuf_addstr(out, "(no trace field)");
		return;
	}
	strbuf_addstr(out, "trace_fields: ");
	for (u32 i = 0; (field = tracefmt_nth_field(fmt, i)); i++) {
		strbuf_addstr(out, i ? "," : "");
		strbuf_add_safe(out, field->name);
	}
}

static void add_event(struct strbuf *out, const struct data *d, const struct event *ev,
		      const struct evlist_opts *o, struct tracefmt *formats)
{
	bool first = true;

	strbuf_add_safe(out, ev->name);
	if (o->verbose) {
		begin_detail(out, &first);
		pe_attr_print(&ev->attr, data_pmu_name(d, &ev->attr), ev->tp_system ? ev->name : NULL, ": ",
			      out);
	} else if (o->freq) {
		begin_detail(out, &first);
		strbuf_addf(out, "sample_%s=%llu", ev->attr.flags & ATTR_FREQ ? "freq" : "period",
			    (unsigned long long)ev->attr.sample_period);
	}
	if (o->trace_fields) {
		begin_detail(out, &first);
		add_trace_fields(out, formats, ev);
	}
	strbuf_addch(out, '\n');
}

/* "name{leader,member}", with nothing before the brace if the group has no name */
static void add_group(struct strbuf *out, const struct evset *set, const struct event *leader)
{
	strbuf_add_safe(out, leader->group_name ? leader->group_name : "");
	for (u32 i = leader->idx; i < set->ev.nr && evset_at(set, i)->leader == leader->idx; i++) {
		strbuf_addch(out, i == leader->idx ? '{' : ',');
		strbuf_add_safe(out, evset_at(set, i)->name);
	}
	strbuf_addstr(out, "}\n");
}

#define EVLIST_JSON_VERSION 1

/* null if the file does not describe them */
static void json_fields(struct json *w, struct tracefmt *formats, const struct event *ev)
{
	const struct tracefmt_event *fmt = formats ? tracefmt_event(formats, ev->attr.config) : NULL;
	const struct tracefmt_field *field;

	json_key(w, "fields");
	if (!fmt) {
		json_null(w);
		return;
	}
	json_begin_array(w, JSON_COMPACT);
	for (u32 i = 0; (field = tracefmt_nth_field(fmt, i)); i++)
		json_string(w, field->name);
	json_end(w);
}

static void json_hex(struct json *w, const char *key, u64 v)
{
	char text[24];

	snprintf(text, sizeof(text), "%#llx", (unsigned long long)v);
	json_key_string(w, key, v ? text : "0x0");
}

static void json_event(struct json *w, const struct data *d, const struct event *ev, struct tracefmt *formats)
{
	const char *pmu = data_pmu_name(d, &ev->attr);

	json_begin_object(w, JSON_COMPACT);
	json_key_string(w, "name", ev->name);
	if (pmu)
		json_key_string(w, "pmu", pmu);
	json_key_u64(w, "type", ev->attr.type);
	json_hex(w, "config", ev->attr.config);
	json_key_u64(w, ev->attr.flags & ATTR_FREQ ? "sample-frequency" : "sample-period",
		     ev->attr.sample_period);
	json_hex(w, "sample-type", ev->attr.sample_type);
	json_key_u64(w, "leader", ev->leader);
	if (evset_at(d->evset, ev->leader)->group_name)
		json_key_string(w, "group", evset_at(d->evset, ev->leader)->group_name);
	if (ev->attr.type == PERF_TYPE_TRACEPOINT)
		json_fields(w, formats, ev);
	json_end(w);
}

static void add_json(struct strbuf *out, const struct data *d)
{
	const struct feat_blob *blob = &d->feat.tracing_data;
	struct json w = { .out = out };
	struct arena arena = { 0 };
	struct view_facts facts = { 0 };
	struct err err = ERR_INIT;
	struct tracefmt *formats = blob->data ? tracefmt_new(blob->data, blob->size, &err) : NULL;

	json_begin_object(&w, JSON_LINES);
	json_key_string(&w, "perf", "evlist");
	json_key_u64(&w, "version", EVLIST_JSON_VERSION);
	header_facts(d, &arena, &facts);
	json_key(&w, "header");
	json_begin_object(&w, JSON_LINES);
	json_add_facts(&w, &facts);
	json_end(&w);
	json_key(&w, "events");
	json_begin_array(&w, JSON_LINES);
	for (u32 i = 0; i < d->evset->ev.nr; i++)
		json_event(&w, d, evset_at(d->evset, i), formats);
	json_end(&w);
	json_end(&w);
	strbuf_addch(out, '\n');
	tracefmt_free(formats);
	vec_release(&facts);
	arena_release(&arena);
}

static void add_list(struct strbuf *out, const struct data *d, const struct evlist_opts *o)
{
	const struct feat_blob *blob = &d->feat.tracing_data;
	struct tracefmt *formats = NULL;
	bool tracepoints = false, groups = false;
	struct err err = ERR_INIT;

	if (o->trace_fields && blob->data)
		formats = tracefmt_new(blob->data, blob->size, &err);
	for (u32 i = 0; i < d->evset->ev.nr; i++) {
		const struct event *ev = evset_at(d->evset, i);
		bool leads = i + 1 < d->evset->ev.nr && evset_at(d->evset, i + 1)->leader == i;

		tracepoints |= ev->attr.type == PERF_TYPE_TRACEPOINT;
		groups |= leads;
		if (o->group && ev->leader != i)
			continue;
		if (o->group && leads)
			add_group(out, d->evset, ev);
		else
			add_event(out, d, ev, o, formats);
	}
	if (tracepoints && !o->trace_fields)
		strbuf_addstr(out, "# Tip: use 'perf evlist --trace-fields' to show fields for "
			      "tracepoint events\n");
	if (groups && !o->group)
		strbuf_addstr(out, "# Tip: use 'perf evlist -g' to show group information\n");
	tracefmt_free(formats);
}

int cmd_evlist(int argc, const char **argv)
{
	struct evlist_opts o = { .data.header_only = true };
	const struct option options[] = {
		OPT_STRING('i', "input", &o.data.path, "file", "read this profile (default: perf.data)"),
		OPT_BOOL('F', "freq", &o.freq, "show the sampling frequency or period of each event"),
		OPT_INCR('v', "verbose", &o.verbose, "show all attributes of each event"),
		OPT_BOOL('g', "group", &o.group, "show groups of events"),
		OPT_BOOL('f', "force", &o.data.force, "read the file even if it belongs to another user"),
		OPT_BOOL(0, "json", &o.json, "print one JSON document"),
		OPT_EXCLUDES("json", "F,v,g,trace-fields"),
		OPT_BOOL(0, "trace-fields", &o.trace_fields, "show the fields of tracepoint events"),
		OPT_END()
	};
	struct strbuf out = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct data *d;

	argc = parse_options(argc, argv, options, evlist_usage, 0);
	if (argc)
		return opt_usage_error(options, NULL, evlist_usage,
				       "'%s': evlist takes no arguments; the file is named with -i", argv[0]);
	if (o.group && (o.verbose || o.freq))
		return opt_usage_error(options, NULL, evlist_usage,
				       "--group option is not compatible with other options");
	if (data_open(&d, &o.data, &err))
		return die_err(&err);
	if (o.json)
		add_json(&out, d);
	else
		add_list(&out, d, &o);
	fputs(strbuf_str(&out), stdout);
	strbuf_release(&out);
	warn_diag(&d->diag);
	data_close(d);
	return 0;
}
