/* Config: reading and changing perfconfig files. */
#include "config.h"
#include "../base/fs.h"
#include "../base/log.h"
#include "../base/strbuf.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define CONFIG_MAX (1 << 20)	/* no perfconfig is longer; this keeps out /dev/zero and the like */

/* --- one line */

enum line_kind { LINE_BLANK, LINE_SECTION, LINE_KEY, LINE_BAD };

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == '_' || c == '.';
}

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " \t\r");
}

/* [section] or [section "sub"]; out gets "section" or "section.sub" */
static bool parse_section(const char *s, struct strbuf *out)
{
	strbuf_reset(out);
	for (s = skip_blanks(s + 1); is_name_char(*s); s++)
		strbuf_addch(out, tolower((unsigned char)*s));
	s = skip_blanks(s);
	if (*s == '"') {
		strbuf_addch(out, '.');
		for (s++; *s && *s != '"'; s++) {
			if (*s == '\\' && s[1])
				s++;
			strbuf_addch(out, *s);
		}
		if (*s++ != '"')
			return false;
		s = skip_blanks(s);
	}
	return *s == ']' && out->len;
}

/* a value up to a comment; quotes keep blanks and comment signs */
static bool parse_value(const char *s, struct strbuf *out)
{
	bool quoted = false;
	size_t keep = 0;	/* out may not be cut below this, because of quoted blanks */

	strbuf_reset(out);
	for (s = skip_blanks(s); *s && (quoted || (*s != '#' && *s != ';')); s++) {
		char c = *s;

		if (c == '"') {
			quoted = !quoted;
			keep = out->len;
			continue;
		}
		if (c == '\\' && s[1]) {
			c = *++s;
			c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
			strbuf_addch(out, c);
			keep = out->len;
			continue;
		}
		strbuf_addch(out, c);
	}
	while (out->len > keep && isspace((unsigned char)out->buf[out->len - 1]))
		strbuf_setlen(out, out->len - 1);
	return !quoted;
}

static enum line_kind parse_line(const char *line, struct strbuf *section, struct strbuf *key,
				 struct strbuf *value)
{
	const char *s = skip_blanks(line);

	if (!*s || *s == '#' || *s == ';')
		return LINE_BLANK;
	if (*s == '[')
		return parse_section(s, section) ? LINE_SECTION : LINE_BAD;
	strbuf_reset(key);
	strbuf_addf(key, "%s.", strbuf_str(section));
	if (!section->len || !is_name_char(*s))
		return LINE_BAD;
	for (; is_name_char(*s); s++)
		strbuf_addch(key, tolower((unsigned char)*s));
	s = skip_blanks(s);
	strbuf_reset(value);
	if (!*s || *s == '#' || *s == ';') {
		strbuf_addstr(value, "true");
		return LINE_KEY;
	}
	return *s == '=' && parse_value(s + 1, value) ? LINE_KEY : LINE_BAD;
}

/* --- files */

static int read_text(const char *path, struct strbuf *text, struct err *err)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), ret;

	if (fd < 0)
		return err_sys(err, errno, "cannot open configuration file %s", path);
	/* users write /dev/null to have no configuration */
	if (fstat(fd, &st) || (!S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode)) || st.st_size > CONFIG_MAX) {
		close(fd);
		return err_set(err, -EINVAL, "%s: not a configuration file", path);
	}
	ret = S_ISCHR(st.st_mode) ? 0 : fd_read_all(fd, text);
	close(fd);
	if (ret)
		return err_sys(err, -ret, "cannot read configuration file %s", path);
	if (text->len && memchr(text->buf, '\0', text->len))
		return err_set(err, -EINVAL, "%s: not a text file", path);
	return 0;
}

int config_read(struct config *c, const char *path, struct err *err)
{
	struct strbuf text = STRBUF_INIT, section = STRBUF_INIT, key = STRBUF_INIT, value = STRBUF_INIT;
	int ret = read_text(path, &text, err);
	u32 line_nr = 0;
	char *line = text.buf, *next;

	for (; !ret && line && *line; line = next) {
		next = strchrnul(line, '\n');
		if (*next)
			*next++ = '\0';
		line_nr++;
		switch (parse_line(line, &section, &key, &value)) {
		case LINE_KEY:
			vec_push(c, (struct config_entry){ xstrdup(strbuf_str(&key)),
							   xstrdup(strbuf_str(&value)), xstrdup(path),
							   line_nr });
			break;
		case LINE_BAD:
			log_warn("%s:%u: not understood, ignored: %s", path, line_nr, line);
			break;
		default:
			break;
		}
	}
	strbuf_release(&text);
	strbuf_release(&section);
	strbuf_release(&key);
	strbuf_release(&value);
	return ret;
}

static const struct config_entry *find_entry(const struct config *c, const char *key)
{
	for (size_t i = c->nr; i > 0; i--)
		if (!strcmp(c->v[i - 1].key, key))
			return &c->v[i - 1];
	return NULL;
}

const char *config_find(const struct config *c, const char *key)
{
	const struct config_entry *e = find_entry(c, key);

	return e ? e->value : NULL;
}

void config_release(struct config *c)
{
	vec_foreach(c, e) {
		free(e->key);
		free(e->value);
		free(e->file);
	}
	vec_release(c);
}

/* --- the entries in force */

const char *config_system_path(void)
{
	return "/etc/perfconfig";
}

const char *config_user_path(void)
{
	static char *path;
	const char *home = getenv("HOME");

	if (!path && home && *home)
		path = xasprintf("%s/.perfconfig", home);
	return path;
}

/* a file that somebody else can write must not decide anything */
static bool trusted(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	if (!st.st_uid || st.st_uid == geteuid())
		return true;
	log_warn("%s is not owned by you or root, ignored", path);
	return false;
}

static void read_one(struct config *c, const char *path, bool must_exist)
{
	struct err err = ERR_INIT;
	int ret;

	if (!must_exist && !trusted(path))
		return;
	ret = config_read(c, path, &err);
	if (ret && (must_exist || ret != -ENOENT))
		log_warn_err(&err);
}

u32 config_paths(const char *ret_path[2])
{
	const char *only = getenv("PERF_CONFIG");
	u32 nr = 0;

	if (only && *only) {
		ret_path[0] = only;
		return 1;
	}
	if (!getenv("PERF_CONFIG_NOSYSTEM"))
		ret_path[nr++] = config_system_path();
	if (!getenv("PERF_CONFIG_NOGLOBAL") && config_user_path())
		ret_path[nr++] = config_user_path();
	return nr;
}

void config_read_all(struct config *c)
{
	const char *only = getenv("PERF_CONFIG"), *path[2];
	u32 nr = config_paths(path);

	for (u32 i = 0; i < nr; i++)
		read_one(c, path[i], only && *only);
}

const struct config *config_all(void)
{
	static struct config all;
	static bool done;

	if (!done) {
		done = true;
		config_read_all(&all);
	}
	return &all;
}

const char *config_get(const char *key)
{
	return config_find(config_all(), key);
}

const char *config_origin(const char *key)
{
	static struct strbuf text = STRBUF_INIT;
	const struct config_entry *e = find_entry(config_all(), key);

	strbuf_reset(&text);
	if (e)
		strbuf_addf(&text, "%s:%u: ", e->file, e->line);
	return strbuf_str(&text);
}

bool config_get_bool(const char *key, bool fallback)
{
	const char *v = config_get(key);

	if (!v)
		return fallback;
	if (!strcasecmp(v, "true") || !strcasecmp(v, "yes") || !strcasecmp(v, "on") || !strcmp(v, "1"))
		return true;
	if (!strcasecmp(v, "false") || !strcasecmp(v, "no") || !strcasecmp(v, "off") || !strcmp(v, "0"))
		return false;
	return fallback;
}

/* --- changing a file */

static void add_value(struct strbuf *out, const char *value)
{
	bool quote = !*value || strpbrk(value, "#;\"\\\n\t") || value[0] == ' ' ||
		     value[strlen(value) - 1] == ' ';

	if (quote)
		strbuf_addch(out, '"');
	for (; *value; value++) {
		if (*value == '\n' || *value == '\t') {
			strbuf_addstr(out, *value == '\n' ? "\\n" : "\\t");
			continue;
		}
		if (*value == '"' || *value == '\\')
			strbuf_addch(out, '\\');
		strbuf_addch(out, *value);
	}
	if (quote)
		strbuf_addch(out, '"');
}

static void add_setting(struct strbuf *out, const char *name, const char *value)
{
	strbuf_addf(out, "\t%s = ", name);
	add_value(out, value);
	strbuf_addch(out, '\n');
}

/* "a.b.c" is key c of [a "b"] */
static void add_section(struct strbuf *out, const char *key, const char *last_dot)
{
	const char *dot = strchr(key, '.');

	if (dot == last_dot) {
		strbuf_addf(out, "[%.*s]\n", (int)(dot - key), key);
		return;
	}
	strbuf_addf(out, "[%.*s \"", (int)(dot - key), key);
	for (const char *s = dot + 1; s < last_dot; s++) {
		if (*s == '"' || *s == '\\')
			strbuf_addch(out, '\\');
		strbuf_addch(out, *s);
	}
	strbuf_addstr(out, "\"]\n");
}

/*
 * The new text: the last line that sets the key is replaced; else a line is added after the last key of its
 * section; else a section is added at the end.
 */
static void edit_text(char *text, const char *key, const char *value, struct strbuf *out)
{
	struct strbuf section = STRBUF_INIT, have = STRBUF_INIT, unused = STRBUF_INIT;
	const char *dot = strrchr(key, '.');
	size_t from = 0, to = 0, len = text ? strlen(text) : 0;
	bool found = false, in_section = false;

	for (size_t pos = 0; pos < len;) {
		size_t end = pos + strcspn(text + pos, "\n"), next = end + (text[end] == '\n');
		char *line = xstrndup(text + pos, end - pos);
		enum line_kind kind = parse_line(line, &section, &have, &unused);
		bool mine = section.len == (size_t)(dot - key) && !memcmp(section.buf, key, section.len);

		free(line);
		if (kind == LINE_KEY && !strcmp(strbuf_str(&have), key)) {
			from = pos;
			to = next;
			found = true;
		} else if (!found && mine && (kind == LINE_KEY || kind == LINE_SECTION)) {
			from = to = next;
			in_section = true;
		}
		pos = next;
	}
	if (!found && !in_section)
		from = to = len;
	strbuf_add(out, text ? text : "", from);
	if (out->len && out->buf[out->len - 1] != '\n')
		strbuf_addch(out, '\n');
	if (!found && !in_section)
		add_section(out, key, dot);
	add_setting(out, dot + 1, value);
	strbuf_add(out, text ? text + to : "", len - to);
	strbuf_release(&section);
	strbuf_release(&have);
	strbuf_release(&unused);
}

static int check_key(const char *key, struct err *err)
{
	const char *dot = strrchr(key, '.'), *first = strchr(key, '.');

	if (!dot || dot == key || !dot[1])
		return err_set(err, -EINVAL,
			       "'%s' is not a key: it needs a section and a name, as in report.children",
			       key);
	for (const char *s = key; *s; s++)
		if ((s < first || s > dot) && !is_name_char(*s))
			return err_set(err, -EINVAL, "'%s' is not a key: '%c' cannot be part of its name",
				       key, *s);
	if (strpbrk(key, "\n]"))
		return err_set(err, -EINVAL, "'%s' is not a key", key);
	return 0;
}

/*
 * writes a file in the same directory, then renames it over the old one: readers see the old text or the new
 * one
 */
static int replace_file(const char *path, const struct strbuf *text, struct err *err)
{
	char *real = realpath(path, NULL), *tmp;
	struct stat st = { .st_mode = 0644 };
	int fd, ret;

	if (real)
		stat(real, &st);
	tmp = xasprintf("%s.XXXXXX", real ? real : path);
	fd = mkostemp(tmp, O_CLOEXEC);
	if (fd < 0) {
		ret = err_sys(err, errno, "cannot write %s", path);
		goto out;
	}
	ret = fd_write_all(fd, strbuf_str(text), text->len);
	if (!ret && (fchmod(fd, st.st_mode & 0777) || fsync(fd)))
		ret = -errno;
	if (close(fd) && !ret)
		ret = -errno;
	if (!ret && rename(tmp, real ? real : path))
		ret = -errno;
	if (ret) {
		unlink(tmp);
		err_sys(err, -ret, "cannot write %s", path);
	}
out:
	free(tmp);
	free(real);
	return ret;
}

int config_write(const char *path, const char *key, const char *value, struct err *err)
{
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	int ret = check_key(key, err);

	if (ret)
		return ret;
	ret = read_text(path, &text, err);
	if (ret == -ENOENT)
		ret = 0;
	if (!ret) {
		edit_text(text.buf, key, value, &out);
		ret = replace_file(path, &out, err);
	}
	strbuf_release(&text);
	strbuf_release(&out);
	return ret;
}
