/* Filter of perf script: lists of names and numbers, spans of time. */
#include "filter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../base/cpulist.h"
#include "../base/units.h"

void script_filter_release(struct script_filter *f)
{
	strtab_release(&f->comms);
	strtab_release(&f->dsos);
	strtab_release(&f->symbols);
	vec_release(&f->pids);
	vec_release(&f->tids);
	vec_release(&f->cpus);
	vec_release(&f->spans);
}

void script_filter_names(struct strtab *t, bool *has, const char *list)
{
	size_t len;

	for (const char *p = list; *p; p += len + (p[len] == ',')) {
		len = strcspn(p, ",");
		if (len)
			strtab_addn(t, p, len);
	}
	*has = true;
}

int script_filter_ids(struct script_filter *f, bool tids, const char *list, struct err *err)
{
	size_t len;

	for (const char *p = list; *p; p += len + (p[len] == ',')) {
		char word[16];
		u64 v;

		len = strcspn(p, ",");
		if (!len)
			continue;
		if (len >= sizeof(word))
			return err_set(err, -EINVAL, "'%s' is no list of %ss", list, tids ? "tid" : "pid");
		memcpy(word, p, len);
		word[len] = '\0';
		if (!strcmp(word, "-1"))
			v = UINT32_MAX;
		else if (parse_u64(word, &v) || v > INT32_MAX)
			return err_set(err, -EINVAL, "'%s' in '%s' is no %s", word, list, tids ? "tid" : "pid");
		if (tids)
			vec_push(&f->tids, (s32)v);
		else
			vec_push(&f->pids, (s32)v);
	}
	return 0;
}

int script_filter_cpus(struct script_filter *f, const char *list, struct err *err)
{
	struct cpulist cpus = { 0 };
	int ret = cpulist_parse(&cpus, list, err);

	for (size_t i = 0; !ret && i < cpus.nr; i++)
		vec_push(&f->cpus, (u32)cpus.v[i]);
	vec_release(&cpus);
	return ret;
}

/* "12.5" -> 0.125 */
static bool parse_percent(const char *s, size_t len, double *ret)
{
	char tmp[32], *end;

	if (!len || len >= sizeof(tmp) || s[len - 1] != '%')
		return false;
	memcpy(tmp, s, len - 1);
	tmp[len - 1] = '\0';
	*ret = strtod(tmp, &end) / 100;
	return end != tmp && !*end && *ret >= 0 && *ret <= 1;
}

static bool add_percent(struct script_filter *f, const char *s, size_t len, u64 first, u64 last)
{
	const char *slash = memchr(s, '/', len), *dash = memchr(s, '-', len);
	u64 total = last >= first ? last - first : 0;
	double a = 0, b, part;
	u64 n = 1, from, to;

	if (slash) {
		char tmp[16];
		size_t nr = s + len - slash - 1;

		if (!parse_percent(s, slash - s, &part) || nr >= sizeof(tmp))
			return false;
		memcpy(tmp, slash + 1, nr);
		tmp[nr] = '\0';
		if (parse_u64(tmp, &n) || !n)
			return false;
		a = part * (n - 1);
		b = part * n;
		if (b > 1.0 + 1e-9)
			return false;
	} else if (dash) {
		if (!parse_percent(s, dash - s, &a) || !parse_percent(dash + 1, s + len - dash - 1, &b) || b < a)
			return false;
	} else if (!parse_percent(s, len, &b)) {
		return false;
	}
	from = first + (u64)(a * total);
	to = first + (u64)(b * total);
	if (to != last && to > from)
		to--;
	vec_push(&f->spans, (struct time_span){ from, to });
	return true;
}

static bool add_seconds(struct script_filter *f, const char *s, size_t len)
{
	const char *comma = memchr(s, ',', len);
	struct time_span span = { 0, UINT64_MAX };
	char a[64], b[64];
	size_t la, lb;

	if (!comma)
		return false;
	la = comma - s;
	lb = len - la - 1;
	if (la >= sizeof(a) || lb >= sizeof(b))
		return false;
	memcpy(a, s, la);
	a[la] = '\0';
	memcpy(b, comma + 1, lb);
	b[lb] = '\0';
	if ((la && parse_seconds(a, &span.from)) || (lb && parse_seconds(b, &span.to)) || span.to < span.from)
		return false;
	vec_push(&f->spans, span);
	return true;
}

int script_filter_time(struct script_filter *f, const char *spec, u64 first, u64 last, struct err *err)
{
	bool percent = strchr(spec, '%');
	size_t len;

	for (const char *p = spec; *p; p += len + !!p[len]) {
		len = strcspn(p, percent ? ", " : " ");
		if (!len)
			continue;
		if (!(percent ? add_percent(f, p, len, first, last) : add_seconds(f, p, len)))
			return err_set(err, -EINVAL, "Invalid time string");
	}
	if (!f->spans.nr)
		return err_set(err, -EINVAL, "Invalid time string");
	return 0;
}
