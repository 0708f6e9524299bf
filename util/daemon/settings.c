/* Settings of perf daemon: reading and checking them. */
#include "settings.h"
#include "../base/alloc.h"
#include "../base/strbuf.h"
#include "../cli/config.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SESSION "session-"
#define DAEMON_VALUE_MAX 1024u	/* bytes of a value of the other keys, with its NUL */

static const struct {
	const char *name, *option;	/* of perf record; NULL: a budget, which the daemon watches */
	bool list;
} keys[DAEMON_NR_KEYS] = {
	[DAEMON_FOLD] = { "fold", "--fold" },
	[DAEMON_KEEP] = { "keep", "--fold-keep" },
	[DAEMON_LABEL] = { "label", "--fold-label", true },
	[DAEMON_CPU] = { "cpu" },
	[DAEMON_MEMORY] = { "memory" },
};

/* --- words of a value of run */

/* one word from *s on, which begins with no blank; false: a quote is not closed */
static bool add_word(struct daemon_words *words, const char **s)
{
	struct strbuf word = STRBUF_INIT;
	const char *p = *s;
	char quote = 0;

	for (; *p && (quote || !strchr(" \t", *p)); p++) {
		if (*p == quote) {
			quote = 0;
		} else if (!quote && (*p == '"' || *p == '\'')) {
			quote = *p;
		} else {
			if (*p == '\\' && quote != '\'' && p[1])
				p++;
			strbuf_addch(&word, *p);
		}
	}
	*s = p;
	vec_push(words, strbuf_detach(&word));
	return !quote;
}

int daemon_words_split(struct daemon_words *words, const char *run, struct err *err)
{
	while (*(run += strspn(run, " \t"))) {
		const char *word = run;

		if (!add_word(words, &run))
			return err_set(err, -EINVAL, "the quote in '%s' is not closed", word);
	}
	return 0;
}

void daemon_words_release(struct daemon_words *words)
{
	vec_foreach(words, w)
		free(*w);
	vec_release(words);
}

/* --- files */

static bool is_name(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)s[i]) && !strchr("-_.", s[i]))
			return false;
	return len && len < DAEMON_NAME_MAX;
}

static int bad(const struct config_entry *e, struct err *err, const char *what)
{
	return err_set(err, -EINVAL, "%s:%u: %s", e->file, e->line, what);
}

static int check_run(const struct config_entry *e, struct err *err)
{
	struct daemon_words words = { 0 };
	int ret = daemon_words_split(&words, e->value, err);

	if (ret) {
		err_prefix(err, "%s:%u: ", e->file, e->line);
	} else if (!words.nr) {
		ret = bad(e, err, "run has no value");
		err_hint(err, "it takes the arguments of perf record, such as: run = -a --overwrite "
			 "--switch-output");
	} else if (strlen(e->value) >= DAEMON_RUN_MAX) {
		ret = bad(e, err, "run is too long");
	}
	daemon_words_release(&words);
	return ret;
}

/* the entry before e that sets the same session in the same file, or NULL */
static const struct config_entry *same_before(const struct config *c, const struct config_entry *e)
{
	for (const struct config_entry *o = c->v; o != e; o++)
		if (!strcmp(o->key, e->key) && !strcmp(o->file, e->file))
			return o;
	return NULL;
}

/* the name of a key, or DAEMON_NR_KEYS */
static enum daemon_key key_of(const char *name)
{
	u32 i = 0;

	while (i < DAEMON_NR_KEYS && strcmp(keys[i].name, name))
		i++;
	return i;
}

static int check_key(const struct config_entry *e, const char *key, struct err *err)
{
	struct budget_limit limit;
	int ret;

	if (!strcmp(key, "run"))
		return check_run(e, err);
	if (key_of(key) == DAEMON_NR_KEYS) {
		ret = bad(e, err, "sessions of perf daemon have only the keys 'run', 'fold', 'keep', "
			  "'label', 'cpu' and 'memory'");
		err_hint(err, "correct '%s' or remove the line", key);
		return ret;
	}
	if (!*e->value || strchr(e->value, '\'') || strlen(e->value) >= DAEMON_VALUE_MAX)
		return err_set(err, -EINVAL, "%s:%u: %s has no value, or one that is too long or contains "
			       "quotes", e->file, e->line, key);
	if (keys[key_of(key)].option)
		return 0;
	ret = budget_parse(&limit, key_of(key) == DAEMON_CPU ? BUDGET_CPU : BUDGET_MEMORY, e->value, err);
	if (ret)
		err_prefix(err, "%s:%u: %s: ", e->file, e->line, key);
	return ret;
}

static struct daemon_setting *setting_of(struct daemon_settings *s, const char *name, size_t len)
{
	vec_foreach(&s->session, o)
		if (strlen(o->name) == len && !memcmp(o->name, name, len))
			return o;
	vec_push(&s->session, (struct daemon_setting){ .name = xstrndup(name, len) });
	return &s->session.v[s->session.nr - 1];
}

/* the user's file overrides that of the system, key by key */
static int add_session(struct daemon_settings *s, const struct config *c, const struct config_entry *e,
		       struct err *err)
{
	const char *name = e->key + strlen(SESSION), *dot = strrchr(e->key, '.');
	const struct config_entry *before = same_before(c, e);
	struct daemon_setting *o;
	size_t len = dot - name;
	char **value;
	int ret;

	ret = check_key(e, dot + 1, err);
	if (ret)
		return ret;
	if (!is_name(name, len))
		return err_set(err, -EINVAL, "%s:%u: '%.*s' cannot be the name of a session: it must be "
			       "1 to %d letters, digits, '-', '_' or '.'", e->file, e->line,
			       (int)MIN(len, 200), name, DAEMON_NAME_MAX - 1);
	if (before) {
		ret = err_set(err, -EEXIST, "%s:%u: the session '%.*s' was set before, in line %u", e->file,
			      e->line, (int)len, name, before->line);
		err_hint(err, "give one of them another name; names in upper case and lower case are equal");
		return ret;
	}
	o = setting_of(s, name, len);
	value = key_of(dot + 1) == DAEMON_NR_KEYS ? &o->run : &o->key[key_of(dot + 1)];
	free(*value);
	*value = xstrdup(e->value);
	return 0;
}

/* each part of a list is an option of its own; quotes are not in values */
static void add_option(struct strbuf *run, enum daemon_key key, const char *value)
{
	char *copy = xstrdup(value), *save = NULL;

	for (char *p = keys[key].list ? strtok_r(copy, ",", &save) : copy; p;
	     p = keys[key].list ? strtok_r(NULL, ",", &save) : NULL) {
		p += strspn(p, " \t");
		strbuf_addf(run, strpbrk(p, " \t\"\\") ? "%s='%s' " : "%s=%s ", keys[key].option, p);
	}
	free(copy);
}

/* the other keys become options before the arguments, which may end with a command */
static int add_options(struct daemon_setting *o, struct err *err)
{
	struct strbuf run = STRBUF_INIT;

	if (!o->run)
		return err_set(err, -EINVAL, "the session '%s' has no key 'run'", o->name);
	for (u32 k = 0; k < DAEMON_NR_KEYS; k++)
		if (o->key[k] && keys[k].option)
			add_option(&run, k, o->key[k]);
	/* in the base directory: sessions convert one at a time */
	if (o->key[DAEMON_FOLD])
		strbuf_addstr(&run, "--fold-lock=../fold-lock ");
	strbuf_addstr(&run, o->run);
	if (run.len >= DAEMON_RUN_MAX) {
		strbuf_release(&run);
		return err_set(err, -EINVAL, "the keys of session '%s' are too long", o->name);
	}
	free(o->run);
	o->run = strbuf_detach(&run);
	return 0;
}

/* a recorder that is started again replaces its file, unless the name has a time */
static int check_files(const struct daemon_setting *o, struct err *err)
{
	struct daemon_words words = { 0 };
	bool times = false;

	daemon_words_split(&words, o->run, NULL);
	vec_foreach(&words, w)
		times |= !strncmp(*w, "--switch-output", strlen("--switch-output")) ||
			 !strcmp(*w, "--timestamp-filename");
	daemon_words_release(&words);
	if (times || !budget_limits(&o->budget))
		return 0;
	return err_set(err, -EINVAL, "the session '%s': cpu and memory need --switch-output or "
		       "--timestamp-filename in run, because a recorder that is started again would replace "
		       "its file", o->name);
}

/* the values were checked when they were read */
static int read_budget(struct daemon_setting *o, struct err *err)
{
	if (o->key[DAEMON_CPU])
		budget_parse(&o->budget.limit[BUDGET_CPU], BUDGET_CPU, o->key[DAEMON_CPU], NULL);
	if (o->key[DAEMON_MEMORY])
		budget_parse(&o->budget.limit[BUDGET_MEMORY], BUDGET_MEMORY, o->key[DAEMON_MEMORY], NULL);
	return check_files(o, err);
}

static int add_entries(struct daemon_settings *s, const struct config *c, struct err *err)
{
	int ret = 0;

	vec_foreach(c, e) {
		if (!strcmp(e->key, "daemon.base")) {
			free(s->base);
			s->base = xstrdup(e->value);
		}
		if (!ret && !strncmp(e->key, SESSION, strlen(SESSION)))
			ret = add_session(s, c, e, err);
	}
	vec_foreach(&s->session, o)
		if (!ret)
			ret = add_options(o, err) ? : read_budget(o, err);
	return ret;
}

/* whoever can write the file decides what the daemon runs */
static int check_owner(const char *file, struct err *err)
{
	struct stat st;

	if (stat(file, &st))
		return err_sys(err, errno, "cannot read configuration file %s", file);
	if (!S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode))
		return err_set(err, -EINVAL, "%s: not a configuration file", file);
	if ((!st.st_uid || st.st_uid == geteuid()) && !(st.st_mode & S_IWOTH && S_ISREG(st.st_mode)))
		return 0;
	err_set(err, -EPERM, "%s can be changed by other users, who would decide what the daemon runs", file);
	err_hint(err, "use a file that you or root own and that nobody else can write");
	return -EPERM;
}

static int read_files(struct config *c, const char *file, struct err *err)
{
	int ret = file ? check_owner(file, err) : 0;

	if (!file)
		config_read_all(c);
	return ret || !file ? ret : config_read(c, file, err);
}

int daemon_settings_read(struct daemon_settings *s, const char *file, struct err *err)
{
	struct config c = { 0 };
	int ret = read_files(&c, file, err);

	*s = (struct daemon_settings){ 0 };
	if (!ret)
		ret = add_entries(s, &c, err);
	if (ret)
		daemon_settings_release(s);
	config_release(&c);
	return ret;
}

char *daemon_settings_base(const char *file, struct err *err)
{
	struct config c = { 0 };
	const char *base = NULL;
	char *ret;

	if (!read_files(&c, file, err)) {
		base = config_find(&c, "daemon.base");
		if (!base || !*base) {
			err_set(err, -ENOENT, "no base directory is set");
			err_hint(err, "--base DIR names it, or the key base in the section [daemon] of %s",
				 file ? file : "perf's configuration");
			base = NULL;
		}
	}
	ret = base ? xstrdup(base) : NULL;
	config_release(&c);
	return ret;
}

void daemon_settings_release(struct daemon_settings *s)
{
	vec_foreach(&s->session, o) {
		free(o->name);
		free(o->run);
		for (u32 k = 0; k < DAEMON_NR_KEYS; k++)
			free(o->key[k]);
	}
	vec_release(&s->session);
	free(s->base);
	s->base = NULL;
}

const struct daemon_setting *daemon_setting_find(const struct daemon_settings *s, const char *name)
{
	vec_foreach(&s->session, o)
		if (!strcmp(o->name, name))
			return o;
	return NULL;
}
