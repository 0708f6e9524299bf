/* Once: finds probe(...) in the texts of events, plans and makes the probes, and has them removed. */
#include "once.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../base/fs.h"
#include "find-file.h"
#include "left-over.h"
#include "module-file.h"
#include "plan.h"
#include "sdt-files.h"
#include "source.h"
#include "spec-parse.h"
#include "watch.h"

#define MAX_POINTS 128

/* a marker is written with or without the '%' */
static const char word[] = "probe(", marker[] = "%sdt_";

struct once_run {
	struct probe_once *o;
	struct probe_events live;
	struct probe_plan plan;
	struct err *err;
};

static bool is_marker_at(const char *p)
{
	const char *colon = p + strcspn(p, ":,} /");

	return !strncmp(p, marker, strlen(marker)) || (!strncmp(p, marker + 1, strlen(marker) - 1) &&
						       *colon == ':');
}

/* the next "probe(", "%sdt_" or "sdt_X:" that begins an event, or NULL */
static const char *next_event(const char *text, const char *from)
{
	const char *p = from;

	for (; *p; p++) {
		if (strncmp(p, word, strlen(word)) && !is_marker_at(p))
			continue;
		if (p == text || strchr(",{ ", p[-1]) || (p - text >= 2 && !strncmp(p - 2, "-e", 2)) ||
		    p[-1] == '=')
			return p;
		/* "-e" with other letters before it, as in -ae */
		if (p[-1] == 'e' && text[0] == '-' && text[1] != '-')
			return p;
	}
	return NULL;
}

bool probe_once_wanted(const char *text)
{
	return next_event(text, text) != NULL;
}

/* the ')' that closes the definition at p; NULL: there is none */
static const char *closing(const char *p)
{
	char quote = 0;
	int nested = 1;

	for (; *p; p++) {
		if (*p == '\\' && p[1])
			p++;
		else if (quote ? *p == quote : *p == '\'' || *p == '"')
			quote = quote ? 0 : *p;
		else if (!quote && *p == '(')
			nested++;
		else if (!quote && *p == ')' && !--nested)
			return p;
	}
	return NULL;
}

/* takes "-x WORD" or "-m WORD" from the start of a definition: the letter, and the word in out */
static char take_target(const char **def, struct strbuf *out)
{
	const char *p = *def + strspn(*def, " \t");
	char letter = *p == '-' && (p[1] == 'x' || p[1] == 'm') ? p[1] : 0;

	if (!letter)
		return 0;
	p += 2 + strspn(p + 2, " \t=");
	strbuf_add(out, p, strcspn(p, " \t"));
	*def = p + strcspn(p, " \t");
	return letter;
}

static int plan_at(struct once_run *r, struct probe_target t, const char *def, struct err *err)
{
	struct probe_plan_opts o = { .live = &r->live, .force = true };
	struct probe_source src = { .t = t };
	struct probe_spec spec = { 0 };
	int ret = probe_spec_parse(&spec, def, err);

	src.t.max_points = MAX_POINTS;
	if (!ret)
		ret = probe_plan_add(&r->plan, &o, &src, &spec, err);
	probe_spec_release(&spec);
	probe_source_release(&src);
	return ret;
}

static int plan_in_file(struct once_run *r, const char *path, const char *def)
{
	return plan_at(r, (struct probe_target){ .path = path }, def, r->err);
}

static int plan_in_named_file(struct once_run *r, const char *name, const char *def)
{
	char *path = find_probe_file(name, "", r->err);
	int ret = path ? plan_in_file(r, path, def) : r->err->code;

	free(path);
	return ret;
}

/* the file that the command will run, which is not one of the same name in this directory; NULL with err */
static char *command_file(const char *name, struct err *err)
{
	struct strbuf path = STRBUF_INIT;
	char *ret = NULL;

	if (strchr(name, '/') || !*name || !program_find(name, &path))
		strbuf_addstr(&path, name);
	if (access(strbuf_str(&path), X_OK))
		err_sys(err, errno, "cannot run '%s'", name);
	else
		ret = find_probe_file(strbuf_str(&path), "", err);
	strbuf_release(&path);
	return ret;
}

static int plan_in_kernel(struct once_run *r, const char *module, const char *def)
{
	char *name = module ? module_name_of(module) : NULL;
	int ret = plan_at(r, (struct probe_target){ .is_kernel = true, .module = name,
			   .path = module && module_is_file(module) ? module : NULL }, def, r->err);

	free(name);
	return ret;
}

/* the program of the process or the command; NULL with err */
static char *program_file(struct once_run *r)
{
	return r->o->pid ? find_process_program(r->o->pid, r->err) : command_file(r->o->program, r->err);
}

static bool is_script(const char *path)
{
	FILE *f = fopen(path, "re");
	char magic[2] = "";
	bool ok = f && fread(magic, 1, sizeof(magic), f) == sizeof(magic) && magic[0] == '#' &&
		  magic[1] == '!';

	if (f)
		fclose(f);
	return ok;
}

static int plan_for_script(struct once_run *r, const char *path, const char *def)
{
	int ret = plan_in_kernel(r, NULL, def);

	if (ret)
		err_hint(r->err, "%s is a script: name the program or library that has the function: "
			 "'probe(-x FILE FUNCTION)'", path);
	return ret;
}

/* a function of the program, or else of the kernel */
static int plan_anywhere(struct once_run *r, const char *def)
{
	struct err in_program;
	char *path;
	int ret;

	if (!r->o->program && !r->o->pid)
		return plan_in_kernel(r, NULL, def);
	path = program_file(r);
	if (!path)
		return r->err->code;
	if (is_script(path)) {
		ret = plan_for_script(r, path, def);
		free(path);
		return ret;
	}
	ret = plan_in_file(r, path, def);
	free(path);
	if (ret != -ENOENT && ret != -ENODATA)
		return ret;
	err_copy(&in_program, r->err);
	if (!plan_in_kernel(r, NULL, def))
		return 0;
	err_copy(r->err, &in_program);
	if (ret == -ENOENT)
		err_hint(r->err, "nor has the kernel; for a function of a library name that by -x, in "
			 "probe(...) before the function");
	return ret;
}

static int plan_definition(struct once_run *r, const char *def)
{
	struct strbuf name = STRBUF_INIT;
	char letter = take_target(&def, &name);
	int ret;

	if (letter && !name.len)
		ret = err_set(r->err, -EINVAL, "'-%c' needs the name of a %s", letter,
			      letter == 'x' ? "program or library" : "module");
	else if (letter == 'x')
		ret = plan_in_named_file(r, strbuf_str(&name), def);
	else if (letter == 'm')
		ret = plan_in_kernel(r, strbuf_str(&name), def);
	else
		ret = plan_anywhere(r, def);
	strbuf_release(&name);
	return ret;
}

/* %sdt_GROUP:NAME: of the program that is meant, else of files in the build-id cache */
static int plan_marker(struct once_run *r, const char *def)
{
	struct sdt_files files = { 0 };
	struct err in_program = ERR_INIT;
	const char *colon = strchr(def, ':');
	char *group;
	int ret;

	if (!colon)
		return err_set(r->err, -EINVAL, "'%s' is not a marker: it is written %%sdt_PROVIDER:NAME",
			       def);
	if (r->o->program || r->o->pid) {
		char *path = program_file(r);

		if (!path)
			return r->err->code;
		ret = plan_in_file(r, path, def);
		free(path);
		if (ret != -ENOENT && ret != -EINVAL)	/* -EINVAL: the program is a script */
			return ret;
		err_copy(&in_program, r->err);
	}
	group = xstrndup(def + 1, colon - def - 1);
	ret = sdt_files_find(&files, group, colon + 1, r->err);
	for (size_t i = 0; i < files.nr && !ret; i++)
		ret = plan_in_named_file(r, files.v[i], def);
	if (ret && in_program.code == -EINVAL)
		ret = err_copy(r->err, &in_program);
	sdt_files_release(&files);
	free(group);
	return ret;
}

/* an event that exists already is taken as it is */
static bool is_live(const struct once_run *r, const char *def)
{
	vec_foreach(&r->live, e) {
		char name[256];

		snprintf(name, sizeof(name), "%%%s:%s", e->group, e->name);
		if (!fnmatch(def, name, 0))
			return true;
	}
	return false;
}

/*
 * plans the definition at hit; *ret_end is the character after it. 1: the event is there
 */
static int plan_event(struct once_run *r, const char *hit, const char **ret_end)
{
	bool is_marker = is_marker_at(hit);
	const char *def = is_marker ? hit : hit + strlen(word), *end = is_marker ? def : closing(def);
	char *copy;
	int ret;

	if (!end)
		return err_set(r->err, -EINVAL, "'%s' has no closing parenthesis", hit);
	if (is_marker) {
		end += strcspn(end, ":,} /");
		end += *end == ':';
		end += strcspn(end, ":,} /");
	}
	copy = is_marker && hit[0] != '%' ? xasprintf("%%%.*s", (int)(end - def), def) :
					    xstrndup(def, end - def);
	*ret_end = end + !is_marker;
	if (is_marker && is_live(r, copy))
		ret = 1;
	else
		ret = is_marker ? plan_marker(r, copy) : plan_definition(r, copy);
	free(copy);
	return ret;
}

/* plans the definitions in a text, and writes it with the names of events */
static int expand(struct once_run *r, const char *text, struct strbuf *out)
{
	const char *p = text, *hit, *end = text;

	while ((hit = next_event(text, p))) {
		size_t first = r->plan.nr, modifier;
		int ret = plan_event(r, hit, &end);

		if (ret < 0)
			return ret;
		if (ret) {
			strbuf_add(out, p, end - p);
			p = end;
			continue;
		}
		modifier = strcspn(end, ",} ");
		strbuf_add(out, p, hit - p);
		for (size_t i = first; i < r->plan.nr; i++)
			strbuf_addf(out, "%s%s:%s%.*s", i > first ? "," : "", r->plan.v[i].group,
				    r->plan.v[i].event, (int)modifier, end);
		p = end + modifier;
	}
	strbuf_addstr(out, p);
	return 0;
}

int probe_once_begin(struct probe_once *o, const char *const *texts, struct strbuf *outs, size_t nr,
		     struct err *err)
{
	struct once_run r = { .o = o, .err = err };
	char *list = NULL;
	int ret, lock;

	left_over_sweep();
	ret = probe_events_read(&r.live, err);
	for (size_t i = 0; i < nr && !ret; i++)
		ret = expand(&r, texts[i], &outs[i]);
	lock = ret ? -1 : left_over_list(&r.plan, &list);
	if (!ret) {
		o->fd = probe_watch_begin(&r.plan, lock, list, err);
		ret = MIN(o->fd, 0);
	}
	if (!ret)
		ret = probe_plan_apply(&r.plan, err);
	if (ret)
		probe_once_end(o);
	/* without a watch */
	if (o->fd < 0 && lock >= 0)
		unlink(list);
	free(list);
	probe_plan_release(&r.plan);
	probe_events_release(&r.live);
	return ret;
}

void probe_once_end(struct probe_once *o)
{
	if (o->fd >= 0)
		probe_watch_end(o->fd);
	o->fd = -1;
}

/* -p PID, -pPID, --pid PID, --pid=PID; the first one of a list */
static int pid_of(int words, const char **argv)
{
	int pid = 0;

	for (int i = 1; i < words; i++) {
		const char *v = NULL;

		if (!strcmp(argv[i], "-p") || !strcmp(argv[i], "--pid"))
			v = i + 1 < words ? argv[i + 1] : NULL;
		else if (!strncmp(argv[i], "--pid=", 6))
			v = argv[i] + 6;
		else if (!strncmp(argv[i], "-p", 2))
			v = argv[i] + 2;
		if (v && isdigit((u8)*v))
			pid = atoi(v);
	}
	return pid;
}

int probe_once_args(struct probe_once *o, int argc, const char **argv, int words, struct err *err)
{
	struct { VEC(int); } at = { 0 };
	struct { VEC(const char *); } texts = { 0 };
	struct { VEC(struct strbuf); } outs = { 0 };
	int ret = 0;

	for (int i = 1; i < words && i < argc; i++)
		if (probe_once_wanted(argv[i])) {
			vec_push(&at, i);
			vec_push(&texts, argv[i]);
			vec_add(&outs);
		}
	if (at.nr) {
		o->program = words < argc ? argv[words] : NULL;
		o->pid = pid_of(words, argv);
		ret = probe_once_begin(o, texts.v, outs.v, at.nr, err);
	}
	for (size_t i = 0; i < at.nr; i++) {
		if (!ret)
			argv[at.v[i]] = strbuf_detach(&outs.v[i]);
		strbuf_release(&outs.v[i]);
	}
	vec_release(&at);
	vec_release(&texts);
	vec_release(&outs);
	return ret;
}
