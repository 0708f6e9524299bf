/* Cached: probes as lines of a file of the build-id cache. */
#include "cached.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include "../base/strbuf.h"
#include "../obj/buildid.h"

#define KERNEL "[kernel.kallsyms]"
#define MAX_PROBES 100000u
#define MAX_BYTES (16u << 20)

/* ---- text ---- */

static bool is_printable(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (iscntrl((u8)s[i]))
			return false;
	return true;
}

/* a definition is of the kernel where its place is not a path */
static bool is_user_definition(const char *line, size_t len)
{
	const char *blank = memchr(line, ' ', len);

	return blank && blank + 1 < line + len && blank[1] == '/';
}

static bool is_definition(const char *line, size_t len)
{
	struct probe_events one = { 0 };
	bool ok = len > 2 && (line[0] == 'p' || line[0] == 'r') &&
		  probe_event_parse(&one, line, len, is_user_definition(line, len));

	probe_events_release(&one);
	return ok;
}

void cached_probes_parse(struct cached_probes *l, const char *text)
{
	struct cached_probe *last = NULL;

	for (const char *p = text; *p && l->nr < MAX_PROBES;) {
		size_t len = strcspn(p, "\n");

		if (!is_printable(p, len)) {
			last = NULL;
		} else if ((*p == '#' || *p == '%') && len > 1) {
			vec_push(l, (struct cached_probe){ .kind = *p,
							   .text = arena_strndup(&l->mem, p + 1, len - 1) });
			last = &l->v[l->nr - 1];
		} else if (last && is_definition(p, len)) {
			vec_push(&last->definition, arena_strndup(&l->mem, p, len));
		}
		p += len + (p[len] == '\n');
	}
}

void cached_probes_text(const struct cached_probes *l, struct strbuf *out)
{
	vec_foreach(l, p) {
		strbuf_addf(out, "%c%s\n", p->kind, p->text);
		vec_foreach(&p->definition, d)
			strbuf_addf(out, "%s\n", *d);
	}
}

void cached_probes_release(struct cached_probes *l)
{
	vec_foreach(l, p)
		vec_release(&p->definition);
	vec_release(l);
	arena_release(&l->mem);
}

/* ---- names ---- */

/* "p:GROUP/EVENT ...": the length of both names, or 0 */
static size_t split_names(const char *definition, const char **ret_group, size_t *ret_group_len,
			  const char **ret_event)
{
	const char *colon = strchr(definition, ':'), *slash = colon ? strchr(colon, '/') : NULL;
	size_t len = slash ? strcspn(slash + 1, " ") : 0;

	if (!len || memchr(colon, ' ', slash - colon))
		return 0;
	*ret_group = colon + 1;
	*ret_group_len = slash - colon - 1;
	*ret_event = slash + 1;
	return len;
}

static bool definition_matches(const char *definition, const char *pattern)
{
	const char *group, *event;
	char full[256];
	size_t group_len, len = split_names(definition, &group, &group_len, &event);

	if (!len)
		return false;
	if (strchr(pattern, ':'))
		snprintf(full, sizeof(full), "%.*s:%.*s", (int)group_len, group, (int)len, event);
	else
		snprintf(full, sizeof(full), "%.*s", (int)len, event);
	return !fnmatch(pattern, full, 0);
}

bool cached_probe_matches(const struct cached_probe *p, const char *pattern)
{
	if (!pattern)
		return true;
	vec_foreach(&p->definition, d)
		if (definition_matches(*d, pattern))
			return true;
	return false;
}

static bool same_first_event(const struct cached_probe *c, const struct probe_planned *p)
{
	char name[256];

	snprintf(name, sizeof(name), "%s:%s", p->group, p->event);
	return c->definition.nr && definition_matches(c->definition.v[0], name);
}

void cached_probes_put(struct cached_probes *l, char kind, const char *text, const struct probe_planned *p,
		       size_t nr)
{
	struct cached_probe new = { .kind = kind, .text = arena_strdup(&l->mem, text) };

	for (size_t i = 0; i < nr; i++)
		vec_push(&new.definition, arena_strdup(&l->mem, p[i].definition));
	vec_foreach(l, c)
		if ((c->kind == kind && !strcmp(c->text, text)) || (nr && same_first_event(c, p))) {
			vec_release(&c->definition);
			*c = new;
			return;
		}
	vec_push(l, new);
}

/* ---- files ---- */

int cached_probes_read(struct cached_probes *l, const char *dir, const struct build_id *id, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int ret = cache_get_file(dir, id, "probes", MAX_BYTES, &text);

	if (!ret)
		cached_probes_parse(l, strbuf_str(&text));
	strbuf_release(&text);
	return !ret || ret == -ENOENT ? 0 : err_sys(err, -ret, "cannot read the probes in %s", dir);
}

int cached_probes_write(const struct cached_probes *l, const char *dir, const char *name,
			const struct build_id *id, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int ret;

	cached_probes_text(l, &text);
	ret = cache_put_file(dir, name, "probes", strbuf_str(&text), text.len, id);
	strbuf_release(&text);
	return ret ? err_sys(err, -ret, "cannot keep probes in the build-id cache %s", dir) : 0;
}

bool cached_is_current(const struct cached_file *f)
{
	struct build_id now;
	bool has = f->path[0] == '/' ? build_id_of_file(f->path, &now) :
				       !strcmp(f->path, KERNEL) && build_id_of_kernel(&now);

	return has && buildid_equal(now.id, now.len, f->id.id, f->id.len);
}
