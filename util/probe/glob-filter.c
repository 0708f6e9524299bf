/* Glob-filter: parses to postfix order and evaluates with a stack of bits. */
#include "glob-filter.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include "../base/arena.h"
#include "../base/caret.h"
#include "../base/units.h"
#include "../base/vec.h"

#define DEPTH_MAX 30

struct filter_op {
	char kind;		/* 'g' glob, '!', '&', '|' */
	char first;		/* with which names that the glob matches begin; 0: it may be any */
	const char *glob;
};

struct glob_filter {
	VEC(struct filter_op);
	struct arena mem;
};

struct glob_parser {
	struct glob_filter *f;
	const char *text, *p;
	int depth;
	struct err *err;
};

static int err_here(struct glob_parser *fp, const char *what)
{
	err_set(fp->err, -EINVAL, "%s", what);
	err_caret(fp->err, fp->text, fp->p - fp->text, 1);
	return -EINVAL;
}

static char next(struct glob_parser *fp)
{
	while (isspace((u8)*fp->p))
		fp->p++;
	return *fp->p;
}

static int parse_or(struct glob_parser *fp);

static int parse_word(struct glob_parser *fp)
{
	const char *start;

	if (next(fp) == '(') {
		if (++fp->depth > DEPTH_MAX)
			return err_here(fp, "the filter is nested too deeply");
		fp->p++;
		if (parse_or(fp))
			return -EINVAL;
		if (next(fp) != ')')
			return err_here(fp, "')' is expected here");
		fp->p++;
		fp->depth--;
		return 0;
	}
	start = fp->p;
	while (*fp->p && !isspace((u8)*fp->p) && !strchr("&|()", *fp->p)) {
		/* [!a] is a set */
		if (*fp->p == '\\' && fp->p[1])
			fp->p++;
		fp->p++;
	}
	if (fp->p == start)
		return err_here(fp, "a name or pattern is expected here");
	vec_push(fp->f, (struct filter_op){
		.kind = 'g', .first = strchr("*?[\\", *start) ? '\0' : *start,
		.glob = arena_strndup(&fp->f->mem, start, fp->p - start),
	});
	return 0;
}

static int parse_not(struct glob_parser *fp)
{
	int nr = 0;

	while (next(fp) == '!') {
		fp->p++;
		nr ^= 1;
	}
	if (parse_word(fp))
		return -EINVAL;
	if (nr)
		vec_push(fp->f, (struct filter_op){ .kind = '!' });
	return 0;
}

static int parse_and(struct glob_parser *fp)
{
	if (parse_not(fp))
		return -EINVAL;
	while (next(fp) == '&') {
		fp->p++;
		if (parse_not(fp))
			return -EINVAL;
		vec_push(fp->f, (struct filter_op){ .kind = '&' });
	}
	return 0;
}

static int parse_or(struct glob_parser *fp)
{
	if (parse_and(fp))
		return -EINVAL;
	while (next(fp) == '|') {
		fp->p++;
		if (parse_and(fp))
			return -EINVAL;
		vec_push(fp->f, (struct filter_op){ .kind = '|' });
	}
	return 0;
}

struct glob_filter *glob_filter_parse(const char *text, struct err *err)
{
	struct glob_parser fp = { .f = xcalloc(1, sizeof(*fp.f)), .text = text, .p = text, .err = err };
	int ret = parse_or(&fp);

	if (!ret && next(&fp))
		ret = err_here(&fp, "'&' or '|' is expected here");
	if (!ret)
		return fp.f;
	glob_filter_free(fp.f);
	return NULL;
}

void glob_filter_free(struct glob_filter *f)
{
	if (!f)
		return;
	vec_release(f);
	arena_release(&f->mem);
	free(f);
}

/* the stack never has more bits than parentheses are nested, plus two for each level */
bool glob_filter_matches(const struct glob_filter *f, const char *name)
{
	u64 bits = 0;

	if (!f)
		return true;
	vec_foreach(f, op) {
		switch (op->kind) {
		case 'g':
			bits = bits << 1 | ((!op->first || op->first == *name) && glob_match(op->glob, name));
			break;
		case '!':
			bits ^= 1;
			break;
		case '&':
			bits = (bits >> 1) & (bits | ~1ull);
			break;
		default:
			bits = (bits >> 1) | (bits & 1);
		}
	}
	return bits & 1;
}
