/* Redact-stacks: see redact-stacks.h. */
#include "redact-stacks.h"
#include "inject.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* texts by which something is replaced, in the order of their content */
struct sorted_texts {
	struct { VEC(const char *); } text;
};

static const char *text_of(const struct stacks *s, u32 id)
{
	return strtab_get(&s->strings, id);
}

static int cmp_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort_texts(struct sorted_texts *t)
{
	if (t->text.nr)
		qsort(t->text.v, t->text.nr, sizeof(*t->text.v), cmp_texts);
}

/* "libc.so.6" of "/dir1/libc.so.6" */
static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* ---- modules and source files ---- */

/* numbers all paths, so that later calls find them */
static void number_paths(struct redact_names *r, const struct stacks *s)
{
	struct sorted_texts user = { 0 }, kernel = { 0 };

	vec_foreach(&s->module, m) {
		if (m->kernel)
			vec_push(&kernel.text, text_of(s, m->path));
		else
			vec_push(&user.text, text_of(s, m->path));
	}
	vec_foreach(&s->frame, f)
		if (f->file)
			vec_push(&user.text, text_of(s, f->file));
	sort_texts(&user);
	sort_texts(&kernel);
	vec_foreach(&user.text, p)
		redact_names_path(r, *p, false);
	vec_foreach(&kernel.text, p)
		redact_names_path(r, *p, true);
	vec_release(&user.text);
	vec_release(&kernel.text);
}

/* "[libz.so.1+0xaa60]" is the name of a function without a symbol, with that of its file */
static u32 new_function(struct stacks *s, u32 function, const char *old, const char *new)
{
	const char *name = text_of(s, function);
	size_t len = strlen(old);
	char *text;
	u32 ret;

	if (*name != '[' || strncmp(name + 1, old, len) || strncmp(name + 1 + len, "+0x", 3))
		return function;
	text = xasprintf("[%s%s", new, name + 1 + len);
	ret = stacks_add_text(s, text);
	free(text);
	return ret;
}

static void replace_paths(struct redact_names *r, struct stacks *s)
{
	vec_foreach(&s->frame, f) {
		const struct stacks_module *m = f->module == STACKS_NONE ? NULL : &s->module.v[f->module];

		if (f->file)
			f->file = stacks_add_text(s, redact_names_path(r, text_of(s, f->file), false));
		if (m && f->function)
			f->function = new_function(s, f->function, text_of(s, m->name),
						   base_of(redact_names_path(r, text_of(s, m->path),
									     m->kernel)));
	}
	vec_foreach(&s->module, m) {
		const char *path = text_of(s, m->path), *new = redact_names_path(r, path, m->kernel);

		/* names of memory without files, and of generated code, are not paths */
		if (new != path && !strcmp(base_of(path), text_of(s, m->name)))
			m->name = stacks_add_text(s, base_of(new));
		m->path = stacks_add_text(s, new);
	}
}

/* ---- labels ---- */

enum label_kind { LABEL_COMM, LABEL_TASK, LABEL_CGROUP, LABEL_HOST, LABEL_NUMBER };

static const struct {
	const char *key;
	enum label_kind kind;
} labels[] = {
	{ "comm", LABEL_COMM }, { "pid", LABEL_TASK }, { "tid", LABEL_TASK }, { "tgid", LABEL_TASK },
	{ "cgroup", LABEL_CGROUP }, { "host", LABEL_HOST },
	{ "cpu", LABEL_NUMBER }, { "socket", LABEL_NUMBER },
	{ "cgroup_id", LABEL_NUMBER }, { "time", LABEL_NUMBER }, { "parallelism", LABEL_NUMBER },
};

static int kind_of(const char *key)
{
	for (u32 i = 0; i < ARRAY_SIZE(labels); i++)
		if (!strcmp(labels[i].key, key))
			return labels[i].kind;
	return -1;
}

/* the name in "  100:make" */
static const char *name_in(const char *task)
{
	const char *colon = strchr(task, ':');

	return colon ? colon + 1 : task + strlen(task);
}

static void number_labels(struct redact_names *r, const struct stacks *s)
{
	struct sorted_texts comm = { 0 }, cgroup = { 0 };

	vec_foreach(&s->label, l) {
		const char *value = text_of(s, l->value);

		switch (kind_of(text_of(s, l->key))) {
		case LABEL_COMM:
			vec_push(&comm.text, value);
			break;
		case LABEL_TASK:
			vec_push(&comm.text, name_in(value));
			break;
		case LABEL_CGROUP:
			vec_push(&cgroup.text, value);
			break;
		}
	}
	sort_texts(&comm);
	sort_texts(&cgroup);
	vec_foreach(&comm.text, p)
		redact_names_comm(r, *p);
	vec_foreach(&cgroup.text, p)
		redact_names_cgroup(r, *p);
	vec_release(&comm.text);
	vec_release(&cgroup.text);
}

static u32 new_task(struct redact_names *r, struct stacks *s, const char *task)
{
	const char *name = name_in(task);
	char *text = xasprintf("%.*s%s", (int)(name - task), task, *name ? redact_names_comm(r, name) : "");
	u32 ret = stacks_add_text(s, text);

	free(text);
	return ret;
}

static int replace_labels(struct redact_names *r, struct stacks *s, struct err *err)
{
	vec_foreach(&s->label, l) {
		const char *key = text_of(s, l->key), *value = text_of(s, l->value);

		switch (kind_of(key)) {
		case LABEL_COMM:
			l->value = stacks_add_text(s, redact_names_comm(r, value));
			break;
		case LABEL_TASK:
			l->value = new_task(r, s, value);
			break;
		case LABEL_CGROUP:
			l->value = stacks_add_text(s, redact_names_cgroup(r, value));
			break;
		case LABEL_HOST:
			if (r->words & REDACT_ARGS)
				l->value = stacks_add_text(s, "host");
			break;
		case LABEL_NUMBER:
			break;
		default:
			return err_set(err, -ENOTSUP, "--redact: the label '%s' may contain names", key);
		}
	}
	return 0;
}

int redact_stacks(struct redact_names *r, struct stacks *s, struct err *err)
{
	number_paths(r, s);
	number_labels(r, s);
	replace_paths(r, s);
	if (r->words & REDACT_ARGS) {
		s->comment.nr = 0;
		s->machine = s->machine ? stacks_add_text(s, "host") : 0;
		s->boot = 0;
	}
	return replace_labels(r, s, err);
}
