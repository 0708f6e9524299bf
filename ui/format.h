/*
 * Format: a way to show a view; a row of formats.def each. A command asks for one by name and never knows how
 * it writes. Formats read the view alone: its facts, tables, cells and call graphs.
 */
#ifndef PERF_UI_FORMAT_H
#define PERF_UI_FORMAT_H

#include <stdio.h>
#include "text.h"
#include "../util/base/err.h"
#include "../util/view/rows.h"
#include "../util/view/stacks.h"
#include "../util/view/stream.h"

struct format {
	const char *name;	/* "text" */
	/* 0, or a negative errno of the stream; options that a format has no use for are left alone */
	int (*show)(const struct view *v, const struct text_opts *o, FILE *out);
};

/*
 * Shows a view on standard output as commands do: ends the progress line, starts the pager, asks whether
 * colours are wanted. 0, -EPIPE where the reader of a pipe went away (nothing more is to be said then), or
 * another negative errno with err.
 */
int format_view(const char *name, const struct view *v, struct text_opts *o, struct err *err);
/*
 * Writes a view into a file that is whole afterwards, or not there; -: standard output. 0, -EPIPE as above,
 * or another negative errno with err
 */
int format_view_file(const char *name, const struct view *v, struct text_opts *o, const char *path,
		     struct err *err);
/*
 * The formats that commands with --json and -x have: the form in which a view is to be made (VIEW_FORM_*), or
 * the view shown and freed, NULL: err is set already. 0, also where the reader of a pipe went away, or a
 * negative errno with err
 */
u32 format_form(bool json, char separator);
int format_answer(struct view *v, bool json, struct text_opts *o, struct err *err);
/* NULL where there is none of that name */
const struct format *format_find(const char *name);
const struct stream_format *format_find_stream(const char *name);

struct tables_sink;
/* a way to write stacks for other programs */
struct stacks_format {
	const char *name;	/* "pprof" */
	int (*show)(const struct stacks *s, FILE *out);	/* 0, or a negative errno of the stream */
	bool packed;		/* binary data, which is to be compressed by gzip */
	bool one_value;		/* it shows one number of each stack: stacks.value */
	bool samples;		/* it shows single samples: stacks.sample */
	const char *lacks;	/* what it cannot show */
	const struct tables_sink *tables;	/* instead of show: each profile becomes rows of tables.h */
};
/* NULL where there is none of that name */
const struct stacks_format *format_find_stacks(const char *name);
/* appends all names with a separator: "folded, pprof" */
void format_list_stacks(struct strbuf *out, const char *separator);

struct json;
/* members of an open object: facts as JSON documents have them */
void json_add_facts(struct json *w, const struct view_facts *facts);

/* the formats */
#define FORMAT(name, show) int show(const struct view *v, const struct text_opts *o, FILE *out);
#define STREAM(name, stream) extern const struct stream_format stream;
#define STACKS(name, show, kind, lacks) int show(const struct stacks *s, FILE *out);
#define SAMPLES(name, show, lacks) int show(const struct stacks *s, FILE *out);
#define TABLES(name, sink, lacks) extern const struct tables_sink sink;
#include "formats.def"

#endif
