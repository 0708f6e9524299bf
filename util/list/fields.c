/* List: the fields of tracepoints and how their records print, out of the format files of tracefs. */
#include "list-private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../base/json-out.h"
#include "../kernel/tracefs.h"

/* "\tfield:const char * name;\toffset:8;\tsize:4;\tsigned:0;" */
struct list_field {
	char type[128], name[96];
	unsigned int off, size, is_signed;
};

static bool parse_field(const char *line, struct list_field *f)
{
	const char *decl = strstr(line, "field:"), *end, *name, *dims;
	size_t type_len, name_len;

	if (!decl)
		return false;
	decl += strlen("field:");
	end = strchr(decl, ';');
	if (!end || sscanf(end, "; offset:%u; size:%u; signed:%u;", &f->off, &f->size, &f->is_signed) < 2)
		return false;
	/* the name is the last word; the dimensions behind it belong to the type */
	dims = memchr(decl, '[', end - decl);
	if (dims && memchr(decl, ' ', dims - decl) && dims > decl && dims[-1] == ' ')
		dims = NULL;
	/* "__data_loc char[] name": the brackets come first */
	if (dims && memchr(dims, ' ', end - dims) && strcspn(dims, "]") + 1 < (size_t)(end - dims) &&
	    dims[strcspn(dims, "]") + 1] == ' ')
		dims = NULL;
	name = dims ? dims : end;
	while (name > decl && name[-1] != ' ')
		name--;
	name_len = (dims ? dims : end) - name;
	type_len = name > decl ? name - 1 - decl : 0;
	if (!name_len || !type_len)
		return false;
	snprintf(f->name, sizeof(f->name), "%.*s", (int)name_len, name);
	snprintf(f->type, sizeof(f->type), "%.*s%.*s", (int)type_len, decl, dims ? (int)(end - dims) : 0,
		 dims ? dims : "");
	return true;
}

/* "__data_loc char[]" is where the text is, not the text: what people filter by is a string of any length */
static const char *plain_type(const struct list_field *f)
{
	static const char *const prefixes[] = { "__data_loc ", "__rel_loc " };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strncmp(f->type, prefixes[i], strlen(prefixes[i])))
			return f->type + strlen(prefixes[i]);
	return f->type;
}

struct list_printer {
	struct strbuf *out;
	struct json w;
	bool json, common;
	bool any_dev;		/* one of the fields is a device number */
};

static void text_field(struct list_printer *p, const struct list_field *f)
{
	size_t from = p->out->len;

	strbuf_addstr(p->out, "  ");
	strbuf_add_safe(p->out, f->name);
	strbuf_pad(p->out, ' ', p->out->len - from < 24 ? 24 - (p->out->len - from) : 0);
	strbuf_addch(p->out, ' ');
	from = p->out->len;
	strbuf_add_safe(p->out, plain_type(f));
	strbuf_pad(p->out, ' ', p->out->len - from < 24 ? 24 - (p->out->len - from) : 0);
	strbuf_addf(p->out, " %s", plain_type(f) != f->type ? "of any length" : "");
	if (plain_type(f) == f->type)
		strbuf_addf(p->out, "%u byte%s%s", f->size, f->size == 1 ? "" : "s",
			    f->is_signed ? ", signed" : "");
	strbuf_addch(p->out, '\n');
}

static void json_field(struct json *w, const struct list_field *f)
{
	json_begin_object(w, JSON_SPACED);
	json_key_string(w, "Name", f->name);
	json_key_string(w, "Type", f->type);
	json_key_u64(w, "Offset", f->off);
	json_key_u64(w, "Size", f->size);
	json_key_bool(w, "Signed", f->is_signed);
	json_end(w);
}

/* every field line, then the text behind "print fmt: "; returns it, or NULL */
static const char *add_fields(struct list_printer *p, char *format)
{
	const char *print = NULL;
	char *next;

	for (char *line = format; line; line = next) {
		struct list_field f = { .is_signed = 0 };

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (!strncmp(line, "print fmt: ", strlen("print fmt: ")))
			print = line + strlen("print fmt: ");
		if (!parse_field(line, &f) || (!p->common && !strncmp(f.name, "common_", strlen("common_"))))
			continue;
		p->any_dev |= !strcmp(f.type, "dev_t");
		if (p->json)
			json_field(&p->w, &f);
		else
			text_field(p, &f);
	}
	return print;
}

static void json_event(struct list_printer *p, const struct tracefs_event *tp, char *format)
{
	struct strbuf name = STRBUF_INIT;
	const char *print;

	strbuf_addf(&name, "%s:%s", tp->sys, tp->name);
	json_begin_object(&p->w, JSON_LINES);
	json_key_string(&p->w, "EventName", name.buf);
	json_key(&p->w, "Fields");
	json_begin_array(&p->w, JSON_LINES);
	print = add_fields(p, format);
	json_end(&p->w);
	json_key_string(&p->w, "PrintFormat", print);
	json_end(&p->w);
	strbuf_release(&name);
}

static void text_event(struct list_printer *p, const struct tracefs_event *tp, char *format, bool first)
{
	const char *print;

	strbuf_addf(p->out, "%s", first ? "" : "\n");
	strbuf_add_safe(p->out, tp->sys);
	strbuf_addch(p->out, ':');
	strbuf_add_safe(p->out, tp->name);
	strbuf_addch(p->out, '\n');
	print = add_fields(p, format);
	if (print) {
		strbuf_addstr(p->out, "  prints: ");
		strbuf_add_safe(p->out, print);
		strbuf_addch(p->out, '\n');
	}
}

static bool is_named(const struct tracefs_event *tp, const char *pattern)
{
	size_t len = strlen(tp->sys);

	return !strncmp(pattern, tp->sys, len) && pattern[len] == ':' && !strcmp(pattern + len + 1, tp->name);
}

/* a pattern that is the whole name of one means that one alone, not those that it is a part of */
static bool matches(const char *const *patterns, const bool *exact, size_t nr, const struct tracefs_event *tp)
{
	char name[600];

	snprintf(name, sizeof(name), "%s:%s", tp->sys, tp->name);
	for (size_t i = 0; i < nr; i++)
		if (exact[i] ? is_named(tp, patterns[i]) : list_pattern_matches(patterns[i], name))
			return true;
	return !nr;
}

static bool *find_exact(const char *const *patterns, size_t nr, const struct tracefs_events *all)
{
	bool *exact = xcalloc(MAX(nr, (size_t)1), sizeof(*exact));

	for (size_t i = 0; i < nr; i++)
		vec_foreach(all, tp)
			exact[i] |= is_named(tp, patterns[i]);
	return exact;
}

int list_fields(struct strbuf *out, const char *const *patterns, size_t nr, bool json, bool common,
		size_t *ret_nr, struct err *err)
{
	/* with the indents of the list itself */
	struct list_printer p = { .out = out, .w = { .out = out, .indent = "\t", .flat_levels = 1 },
				  .json = json, .common = common };
	struct tracefs_events all = { 0 };
	struct strbuf format = STRBUF_INIT;
	int ret = tracefs_list(&all, "*", "*", err);
	bool *exact;

	*ret_nr = 0;
	if (!ret)
		ret = tracefs_list(&all, "ftrace", "*", err);
	if (json)
		json_begin_array(&p.w, JSON_LINES);
	exact = find_exact(patterns, nr, &all);
	vec_foreach(&all, tp) {
		if (ret || !matches(patterns, exact, nr, tp))
			continue;
		strbuf_reset(&format);
		if (tracefs_event_format(tp->sys, tp->name, &format))
			continue;	/* a probe that was removed meanwhile */
		strbuf_addch(&format, '\0');
		if (json)
			json_event(&p, tp, format.buf);
		else
			text_event(&p, tp, format.buf, !*ret_nr);
		++*ret_nr;
	}
	if (json) {
		json_end(&p.w);
		strbuf_addch(out, '\n');
	}
	if (!json && p.any_dev)
		strbuf_addstr(out, "\ndev_t is a device number as the kernel keeps it: "
			      "major << 20 | minor (/dev/sda1, 8:1 in 'ls -l', is 0x800001):\n"
			      "  --filter 'dev == 0x800001'   records of that device\n"
			      "  --filter 'dev & 0x800000'    records of devices whose major number "
			      "has bit 3 set\n");
	free(exact);
	strbuf_release(&format);
	tracefs_events_release(&all);
	return ret;
}
