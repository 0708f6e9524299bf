/* Collect: see collect.h. */
#include "collect.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>
#include "../base/units.h"
#include "../pmu/pmu.h"

struct list_entry *list_add(struct list *l, enum list_kind kind, const char *name, const char *tag)
{
	vec_push(l, (struct list_entry){ .kind = kind, .name = arena_strdup(&l->arena, name), .alias = "",
		 .tag = tag, .pmu = "", .topic = "", .desc = "", .long_desc = "", .encoding = "",
		 .scale_unit = "", .expr = "", .threshold = "", .groups = "" });
	return &l->v[l->nr - 1];
}

const char *list_printf(struct list *l, const char *fmt, ...)
{
	struct strbuf sb = STRBUF_INIT;
	const char *s;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&sb, fmt, ap);
	va_end(ap);
	s = arena_strdup(&l->arena, strbuf_str(&sb));
	strbuf_release(&sb);
	return s;
}

const char *list_encoding(struct list *l, const char *pmu, u64 config)
{
	return list_printf(l, config < 10 ? "%s/config=%llu/" : "%s/config=0x%llx/", pmu,
			   (unsigned long long)config);
}

void list_note(struct list *l, const char *fmt, ...)
{
	struct strbuf sb = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&sb, fmt, ap);
	va_end(ap);
	strbuf_addch(&sb, '\n');
	if (!strstr(strbuf_str(&l->notes), sb.buf))
		strbuf_addstr(&l->notes, sb.buf);
	strbuf_release(&sb);
}

void list_note_err(struct list *l, const struct err *err)
{
	struct strbuf sb = STRBUF_INIT;

	err_describe(err, &sb);
	list_note(l, "%.*s", (int)sb.len - 1, sb.buf);
	strbuf_release(&sb);
}

bool list_wants_pmu(const struct list_request *req, const char *name)
{
	const struct pmu pmu = { .name = name };

	if (req->unit && !pmu_matches(&pmu, req->unit, strlen(req->unit)))
		return false;
	return !req->cputype || pmu_is_cputype(name, req->cputype);
}

static void lower(char *to, size_t size, const char *s)
{
	size_t i;

	for (i = 0; s[i] && i < size - 1; i++)
		to[i] = tolower((unsigned char)s[i]);
	to[i] = '\0';
}

/* any case; without a glob anywhere in the name */
bool list_pattern_matches(const char *pattern_as_typed, const char *as_listed)
{
	char pattern[512], name[1024];
	const char *colon;

	if (!as_listed || !*as_listed)
		return false;
	if (!has_glob(pattern_as_typed))
		return strcasestr(as_listed, pattern_as_typed);
	lower(pattern, sizeof(pattern), pattern_as_typed);
	lower(name, sizeof(name), as_listed);
	if (glob_match(pattern, name))
		return true;
	/* 'sched*' means the subsystem, 'sys_enter_*' the events of one: neither needs the other part */
	colon = strchr(name, ':');
	return colon && !strchr(pattern, ':') && glob_match(pattern, colon + strspn(colon, ":"));
}
