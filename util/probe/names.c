/* Names: groups and events of probes. */
#include "names.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include "../kernel/probe-events.h"
#include "image-match.h"
#include "point.h"
#include "spec.h"
#include "../obj/demangle.h"

void probe_group_name(const struct probe_target *t, struct strbuf *out)
{
	const char *base = t->path ? strrchr(t->path, '/') : NULL;

	strbuf_addstr(out, "probe");
	if (t->is_kernel || !t->path)
		return;
	strbuf_addch(out, '_');
	base = base ? base + 1 : t->path;
	while (*base && !isalnum((u8)*base) && *base != '_')
		base++;
	for (; isalnum((u8)*base) || *base == '_'; base++)
		if (out->len < PROBE_NAME_MAX)
			strbuf_addch(out, *base);
}

#define NUMBER_MAX 99999	/* of an event whose name is taken */

/* "ns::Box<int, A<b> >::get" -> "ns::Box::get"; operators keep their brackets, which nothing closes */
static void drop_template_arguments(char *text)
{
	char *out = text;
	int depth = 0;

	if (strstr(text, "operator"))
		return;
	for (const char *p = text; *p; p++) {
		depth += *p == '<';
		if (!depth)
			*out++ = *p;
		depth -= *p == '>' && depth;
	}
	*out = '\0';
}

/* a function's name in the characters that events may have: runs of others become one _ */
static void add_plain(struct strbuf *out, const char *name)
{
	struct strbuf readable = STRBUF_INIT;
	size_t start = out->len;
	bool mangled = mangled_prefix(name) && demangle(name, &readable);
	char *text;

	if (!mangled)
		strbuf_addstr(&readable, name);
	/* without return type, parameters, version and compiler suffixes */
	strbuf_addch(&readable, '@');
	text = readable.buf;
	if (mangled)
		text += demangled_plain(text) - text;
	else
		demangled_cut(text);
	text[strcspn(text, "@")] = '\0';
	drop_template_arguments(text);
	text[strcspn(text, "<")] = '\0';
	if (text[0] && strchr(text + 1, '.'))
		*strchr(text + 1, '.') = '\0';
	for (const char *p = text; *p; p++) {
		if (isalnum((u8)*p))
			strbuf_addch(out, *p);
		else if (out->len > start && out->buf[out->len - 1] != '_')
			strbuf_addch(out, '_');
	}
	if (out->len == start)
		strbuf_addstr(out, "event");
	else if (isdigit((u8)out->buf[start]))
		strbuf_addch(out, '_');
	strbuf_release(&readable);
}

void probe_event_name(const struct probe_spec *spec, const struct probe_point *p, struct strbuf *out)
{
	const struct probe_place *pl = &spec->place;

	if (spec->event) {
		strbuf_addstr(out, spec->event);
		return;
	}
	if (p->marker) {
		for (const char *c = p->marker; *c && out->len < PROBE_NAME_MAX; c++)
			strbuf_addch(out, isalnum((u8)*c) ? *c : '_');
		if (isdigit((u8)out->buf[0]))
			out->buf[0] = '_';
		return;
	}
	if (pl->kind == PROBE_ADDRESS)
		strbuf_addf(out, "abs_%lx", pl->address);
	else if (pl->kind == PROBE_FUNCTION && !pl->is_glob)
		add_plain(out, pl->function);
	else
		add_plain(out, p->inlined ? p->inlined : p->function ? p->function : "");
	if (out->len > PROBE_NAME_MAX - 12)
		strbuf_setlen(out, PROBE_NAME_MAX - 12);
	if (pl->kind == PROBE_FUNCTION && pl->has_line && pl->line)
		strbuf_addf(out, "_L%u", pl->line);
	if (pl->is_return)
		strbuf_addstr(out, "__return");
}

static const struct probe_event *taken(const struct probe_events *live, const struct probe_events *planned,
				       const char *group, const char *name)
{
	const struct probe_event *e = probe_events_find(live, group, name);

	return e ? e : probe_events_find(planned, group, name);
}

/* where the last number of a name is kept */
static u32 *last_number(struct probe_numbers *n, const char *group, const char *name)
{
	struct strbuf key = STRBUF_INIT;
	u32 id;

	strbuf_addf(&key, "%s:%s", group, name);
	id = strtab_add(&n->name, key.buf);
	while (n->last.nr <= id)
		vec_push(&n->last, 0);
	strbuf_release(&key);
	return &n->last.v[id];
}

void probe_numbers_release(struct probe_numbers *n)
{
	strtab_release(&n->name);
	vec_release(&n->last);
}

/* appends the first number with which the name is not taken; false: there is none */
static bool append_number(const struct probe_events *live, const struct probe_events *planned,
			  struct probe_numbers *numbers, const char *group, struct strbuf *name)
{
	size_t len;
	u32 *last;

	if (name->len > PROBE_NAME_MAX - 6)
		strbuf_setlen(name, PROBE_NAME_MAX - 6);
	len = name->len;
	last = last_number(numbers, group, name->buf);
	while (*last < NUMBER_MAX) {
		strbuf_setlen(name, len);
		strbuf_addf(name, "_%u", ++*last);
		if (!taken(live, planned, group, name->buf))
			return true;
	}
	return false;
}

int probe_name_free(const struct probe_events *live, const struct probe_events *planned,
		    struct probe_numbers *numbers, const char *group, struct strbuf *name, bool suffix,
		    struct err *err)
{
	const struct probe_event *e = taken(live, planned, group, name->buf);
	struct strbuf is = STRBUF_INIT;
	bool is_live;

	if (!e || (suffix && append_number(live, planned, numbers, group, name)))
		return 0;
	probe_event_place(e, &is);
	is_live = probe_events_find(live, group, name->buf);
	err_set(err, -EEXIST, is_live ? "event '%s:%s' already exists: it is on %s" :
		"two of the definitions make an event '%s:%s': the first is on %s",
		group, name->buf, strbuf_str(&is));
	if (is_live)
		err_hint(err, "remove it: perf probe -d %s:%s", group, name->buf);
	err_hint(err, "%s: 'NAME=...', or let -f append a number to it",
		 is_live ? "or give this one a name" : "give one of them a name");
	strbuf_release(&is);
	return -EEXIST;
}

void probe_event_place(const struct probe_event *e, struct strbuf *out)
{
	const char *p = e->args;

	strbuf_add_safe(out, e->place);
	for (bool first = true; *p; first = false) {
		size_t len = strcspn(p, " "), name = strcspn(p, "=");

		strbuf_addf(out, "%s%.*s", first ? " with " : " ", (int)MIN(len, name), p);
		p += len + strspn(p + len, " ");
	}
}
