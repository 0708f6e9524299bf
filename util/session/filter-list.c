/* Filter lists: names and numbers that samples must match. */
#include "filter-list.h"
#include "../base/cpulist.h"
#include "../base/fs.h"
#include "../base/list-word.h"
#include "../base/units.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* the byte of an escape such as "\x1b" at s, or -1 if there is none */
static int escaped_byte(const char *s, size_t len)
{
	char digits[3] = { 0 };

	if (len < 4 || s[0] != '\\' || s[1] != 'x' || !isxdigit((unsigned char)s[2]) ||
	    !isxdigit((unsigned char)s[3]))
		return -1;
	memcpy(digits, s + 2, 2);
	return strtol(digits, NULL, 16);
}

/* a name as it was typed, as it is printed, and without escapes: some are kept as they are printed */
static void add_name(struct name_filter *f, const char *s, size_t len)
{
	struct strbuf raw = STRBUF_INIT, safe = STRBUF_INIT;

	if (!len)
		return;
	for (size_t i = 0; i < len; i++) {
		int byte = escaped_byte(s + i, len - i);

		strbuf_addch(&raw, byte > 0 ? byte : s[i]);
		i += byte > 0 ? 3 : 0;
	}
	strbuf_add_safe(&safe, raw.buf);
	strtab_addn(&f->names, s, len);
	strtab_addn(&f->names, raw.buf, raw.len);
	strtab_addn(&f->names, safe.buf, safe.len);
	strbuf_release(&raw);
	strbuf_release(&safe);
}

static void add_words(struct name_filter *f, const char *s)
{
	for (size_t len, bare; *s; s += len + !!s[len]) {
		const char *word;

		bare = len = list_word_len(s);
		word = list_word_bare(s, &bare);
		add_name(f, word, bare);
	}
}

static void add_lines(struct name_filter *f, const char *s)
{
	for (size_t len; *s; s += len + !!s[len]) {
		len = strcspn(s, "\n");
		if (*s != '#')
			add_name(f, s, len);
	}
}

static int add_file(struct name_filter *f, const char *path, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return err_sys(err, errno, "list of names %s", path);
	ret = fd_read_all(fd, &text);
	close(fd);
	if (ret < 0)
		err_sys(err, -ret, "list of names %s", path);
	else
		add_lines(f, strbuf_str(&text));
	strbuf_release(&text);
	return MIN(ret, 0);
}

int name_filter_parse(struct name_filter *f, const char *list, struct err *err)
{
	if (!list)
		return 0;
	f->active = true;
	if (!strncmp(list, "file://", 7))
		return add_file(f, list + 7, err);
	add_words(f, list);
	return 0;
}

void name_filter_release(struct name_filter *f)
{
	strtab_release(&f->names);
	f->active = false;
}

bool name_filter_has(const struct name_filter *f, const char *name)
{
	return *name && strtab_find(&f->names, name, strlen(name)) != HIDX_NONE;
}

const char *name_filter_only(const struct name_filter *f)
{
	/* the first string of a table is "" */
	return f->names.str.nr == 2 ? strtab_get(&f->names, 1) : NULL;
}

bool name_filter_dso(const struct name_filter *f, const struct dso *d)
{
	if (!f->active)
		return true;
	return d && (name_filter_has(f, d->long_name) || name_filter_has(f, d->short_name) ||
		     name_filter_has(f, dso_path(d)));
}

static int cmp_s32(const void *a, const void *b)
{
	s32 x = *(const s32 *)a, y = *(const s32 *)b;

	return x < y ? -1 : x > y;
}

static void id_filter_finish(struct id_filter *f)
{
	f->active = true;
	if (f->ids.nr)
		qsort(f->ids.v, f->ids.nr, sizeof(*f->ids.v), cmp_s32);
}

int id_filter_parse(struct id_filter *f, const char *what, const char *list, struct err *err)
{
	const char *s = list;

	if (!list[strspn(list, ", ")])
		return err_set(err, -EINVAL, "%s: '%s' names no number", what, list);
	for (size_t len; *s; s += len + !!s[len]) {
		char word[16];
		u64 v;

		s += strspn(s, " ");
		len = strcspn(s, ",");
		if (!len)
			continue;
		if (len >= sizeof(word))
			return err_set(err, -EINVAL, "%s: '%s' is not a list of numbers", what, list);
		memcpy(word, s, len);
		word[len] = '\0';
		if (!strcmp(word, "-1"))	/* tasks that were exiting */
			v = UINT32_MAX;
		else if (parse_u64(word, &v) || v > INT32_MAX)
			return err_set(err, -EINVAL, "%s: '%s' is not a number", what, word);
		vec_push(&f->ids, (s32)v);
	}
	id_filter_finish(f);
	return 0;
}

int id_filter_parse_cpus(struct id_filter *f, const char *list, struct err *err)
{
	struct cpulist cpus = { 0 };
	int ret = cpulist_parse(&cpus, list, err);

	for (size_t i = 0; !ret && i < cpus.nr; i++)
		vec_push(&f->ids, cpus.v[i]);
	vec_release(&cpus);
	if (!ret)
		id_filter_finish(f);
	return ret;
}

int id_filter_parse_levels(struct id_filter *f, const char *list, struct err *err)
{
	int ret = id_filter_parse_cpus(f, list, err);

	if (!ret && (!f->ids.nr || f->ids.v[0] < 1))
		return err_set(err, -EINVAL, "'%s' is not a list of task counts, such as 1,4-8", list);
	return ret;
}

void id_filter_release(struct id_filter *f)
{
	vec_release(&f->ids);
	f->active = false;
}

bool id_filter_has(const struct id_filter *f, s32 id)
{
	return f->ids.nr && bsearch(&id, f->ids.v, f->ids.nr, sizeof(id), cmp_s32);
}
