/* User-scripts: folders, files and their comments. See user-scripts.h. */
#include "user-scripts.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../base/alloc.h"
#include "../base/fs.h"
#include "../base/log.h"
#include "../base/trust.h"
#include "languages.h"

#define COMMENT_LINES 40

/* ---- folders ---- */

struct script_folder {
	char *path;
	const struct language *only;	/* its scripts are in this language; NULL: in any */
	bool of_package;		/* has modules beside the scripts */
};
struct script_folders { VEC(struct script_folder); };

const char *user_script_exec_path(void)
{
	const char *env = getenv("PERF_EXEC_PATH");

	if (env && *env)
		return env;
	return access("/usr/lib/perf-core", F_OK) ? "/usr/libexec/perf-core" : "/usr/lib/perf-core";
}

/* one folder of script.path, len characters */
static void add_configured(struct script_folders *f, const char *path, size_t len, const char *home)
{
	bool of_home = len > 1 && path[0] == '~' && path[1] == '/';
	struct script_folder add = { 0 };

	if (!len || (of_home && !home))
		return;
	if (!of_home && *path != '/') {
		log_warn("script.path: '%.*s' is not used: it is neither an absolute path nor one that "
			 "begins with ~/", (int)len, path);
		return;
	}
	add.path = of_home ? xasprintf("%s%.*s", home, (int)len - 1, path + 1) :
			     xasprintf("%.*s", (int)len, path);
	vec_push(f, add);
}

static void add_of_package(struct script_folders *f, const char *exec_path)
{
	const struct language *l;

	for (size_t i = 0; (l = language_nth(i)); i++) {
		struct script_folder add = { .only = l, .of_package = true };

		add.path = xasprintf("%s/scripts/%s", exec_path, l->name);
		for (char *p = add.path + strlen(exec_path); *p; p++)
			*p = tolower((u8)*p);
		vec_push(f, add);
	}
}

static void folders_init(struct script_folders *f, const struct user_script_places *p)
{
	const char *at = p->configured;

	while (at && *at) {
		size_t len = strcspn(at, ":");

		add_configured(f, at, len, p->home);
		at += len + (at[len] == ':');
	}
	if (p->home)
		vec_push(f, (struct script_folder){ .path = xasprintf("%s/.config/perf/scripts", p->home) });
	if (p->exec_path)
		add_of_package(f, p->exec_path);
}

static void folders_release(struct script_folders *f)
{
	vec_foreach(f, d)
		free(d->path);
	vec_release(f);
}

/* ---- files ---- */

/* 0; -ENOENT: there is none; -EACCES with err. A perf with more rights than its user runs only root's */
static int check_file(const char *path, struct err *err)
{
	struct strbuf real = STRBUF_INIT;
	bool secure = getauxval(AT_SECURE), ok;

	if (access(path, F_OK))
		return -ENOENT;
	strbuf_addstr(&real, path);
	ok = secure ? trusted_by_all(&real) : trusted_file(path, geteuid());
	strbuf_release(&real);
	if (ok)
		return 0;
	if (secure)
		return err_set(err, -EACCES, "%s is not run: a perf with capabilities runs scripts by name "
			       "only from places that only root can write to", path);
	err_set(err, -EACCES, "%s is not run: it and its folder must belong to you or to root and not be "
		"writable by everybody", path);
	err_hint(err, "'-s %s' runs it after you have looked at it", path);
	return -EACCES;
}

/* names are words of command lines, of lists and of completion */
static bool is_name(const char *name)
{
	if (!*name || *name == '.' || *name == '-')
		return false;
	for (; *name; name++)
		if (*name <= ' ' || *name > '~' || *name == '/' || *name == ',')
			return false;
	return true;
}

/* what follows "# KEY:" in a line; NULL: another line */
static const char *comment_of(const char *line, const char *key)
{
	size_t len = strlen(key);

	if (*line++ != '#')
		return NULL;
	line += strspn(line, " \t");
	if (strncmp(line, key, len) || line[len] != ':')
		return NULL;
	return line + len + 1 + strspn(line + len + 1, " \t");
}

static void take_comment(char **ret, const char *text)
{
	struct strbuf safe = STRBUF_INIT;

	if (!text || *ret)
		return;
	strbuf_add_safe(&safe, text);
	*ret = strbuf_detach(&safe);
}

static void read_comments(const char *path, struct user_script *s)
{
	struct stat st;
	int fd = open_regular(path, &st, &(struct err)ERR_INIT);
	FILE *in = fd < 0 ? NULL : fdopen(fd, "r");
	char line[256];

	if (!in && fd >= 0)
		close(fd);
	for (int i = 0; in && i < COMMENT_LINES && fgets(line, sizeof(line), in); i++) {
		line[strcspn(line, "\r\n")] = '\0';
		take_comment(&s->summary, comment_of(line, "description"));
		take_comment(&s->args, comment_of(line, "args"));
	}
	if (in)
		fclose(in);
}

static int find_wrapper(const char *dir, const char *name, const char *what, char **ret, struct err *err)
{
	char *path = xasprintf("%s/bin/%s-%s", dir, name, what);
	int found = check_file(path, err);

	if (!found)
		*ret = path;
	else
		free(path);
	return found == -ENOENT ? 0 : found;
}

/* the script of a language in a folder */
static int find_in(const struct script_folder *d, const struct language *l, const char *name,
		   struct user_script *ret, struct err *err)
{
	struct user_script s = { .language = l };
	int found;

	s.file = xasprintf("%s/%s.%s", d->path, name, l->ending);
	found = check_file(s.file, err) ?: find_wrapper(d->path, name, "record", &s.record, err) ?:
		find_wrapper(d->path, name, "report", &s.report, err);
	if (found) {
		user_script_release(&s);
		return found;
	}
	read_comments(s.report ?: s.file, &s);
	s.name = xstrdup(name);
	s.args = s.args ?: xstrdup("");
	s.summary = s.summary ?: xstrdup("");
	*ret = s;
	return 0;
}

static int find_in_folder(const struct script_folder *d, const char *name, struct user_script *ret,
			  struct err *err)
{
	const struct language *l;
	int found = -ENOENT;

	for (size_t i = 0; found == -ENOENT && (l = language_nth(i)); i++)
		if (!d->only || d->only == l)
			found = find_in(d, l, name, ret, err);
	return found;
}

static bool is_module(const struct script_folder *d, const struct user_script *s)
{
	return d->of_package && !s->record && !s->report;
}

/*
 * the first folder that has it decides, even if its file is not trusted; but a package with wrappers comes
 * before packages without
 */
static int find_in_all(const struct script_folders *f, const char *name, struct user_script *ret,
		       struct err *err)
{
	int found = -ENOENT;

	for (int modules = 0; modules < 2; modules++)
		for (size_t i = 0; found == -ENOENT && i < f->nr; i++) {
			found = find_in_folder(&f->v[i], name, ret, err);
			if (!found && !modules && is_module(&f->v[i], ret)) {
				user_script_release(ret);
				found = -ENOENT;
			}
		}
	return found;
}

int user_script_find(const struct user_script_places *p, const char *name, struct user_script *ret,
		     struct err *err)
{
	struct script_folders f = { 0 };
	int found;

	if (!is_name(name))
		return -ENOENT;
	folders_init(&f, p);
	found = find_in_all(&f, name, ret, err);
	folders_release(&f);
	return found;
}

void user_script_release(struct user_script *s)
{
	free(s->name);
	free(s->file);
	free(s->record);
	free(s->report);
	free(s->args);
	free(s->summary);
	*s = (struct user_script){ 0 };
}

int user_script_nr_needed(const struct user_script *s)
{
	int nr = 0;

	for (const char *p = s->args; (p = strchr(p, '<')); p++)
		nr++;
	return nr;
}

/* ---- all of them ---- */

static bool is_listed(const struct user_scripts *s, const char *name)
{
	vec_foreach(s, have)
		if (!strcmp(have->name, name))
			return true;
	return false;
}

/* the file of a folder, if it is a script that is not listed yet */
static void list_file(const struct script_folders *f, const struct script_folder *d, const char *file,
		      struct user_scripts *ret)
{
	const struct language *l = language_of_file(file);
	const char *dot = strrchr(file, '.');
	struct user_script s;
	char *name;

	if (!l || strcmp(dot + 1, l->ending))
		return;
	name = xasprintf("%.*s", (int)(dot - file), file);
	if (is_name(name) && !is_listed(ret, name) && !find_in_all(f, name, &s, &(struct err)ERR_INIT)) {
		if (is_module(d, &s))
			user_script_release(&s);
		else
			vec_push(ret, s);
	}
	free(name);
}

static int by_name(const void *a, const void *b)
{
	const struct user_script *x = a, *y = b;

	return strcmp(x->name, y->name);
}

void user_scripts_list(const struct user_script_places *p, struct user_scripts *ret)
{
	struct script_folders f = { 0 };

	folders_init(&f, p);
	vec_foreach(&f, d) {
		DIR *dir = opendir(d->path);
		struct dirent *e;

		while (dir && (e = readdir(dir)))
			list_file(&f, d, e->d_name, ret);
		if (dir)
			closedir(dir);
	}
	folders_release(&f);
	if (ret->nr)
		qsort(ret->v, ret->nr, sizeof(*ret->v), by_name);
}

void user_scripts_release(struct user_scripts *s)
{
	vec_foreach(s, it)
		user_script_release(it);
	vec_release(s);
}
