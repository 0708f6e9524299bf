/* Cpulist: "0-3,8" to sorted numbers and back. */
#include "cpulist.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include "fs.h"
#include "strbuf.h"
#include "search.h"

/* position of the first element >= cpu */
static size_t cpulist_pos(const struct cpulist *list, int cpu)
{
	return LOWER_BOUND(list->nr, i, list->v[i] < cpu);
}

int cpulist_index(const struct cpulist *list, int cpu)
{
	size_t pos = cpulist_pos(list, cpu);

	return pos < list->nr && list->v[pos] == cpu ? (int)pos : -1;
}

bool cpulist_has(const struct cpulist *list, int cpu)
{
	return cpulist_index(list, cpu) >= 0;
}

void cpulist_add(struct cpulist *list, int cpu)
{
	size_t pos = cpulist_pos(list, cpu);

	if (pos < list->nr && list->v[pos] == cpu)
		return;
	vec_push(list, 0);
	memmove(&list->v[pos + 1], &list->v[pos], (list->nr - 1 - pos) * sizeof(*list->v));
	list->v[pos] = cpu;
}

bool cpulist_parse_mask(struct cpulist *list, const char *s)
{
	static const char digits[] = "0123456789abcdef";
	int cpu = 0;

	for (size_t i = strlen(s); i-- > 0;) {
		const char *digit = strchr(digits, tolower((unsigned char)s[i]));

		if (s[i] == ',')
			continue;
		if (!digit || cpu >= CPULIST_MAX)
			return false;
		for (int bit = 0; bit < 4; bit++)
			if ((digit - digits) >> bit & 1)
				cpulist_add(list, cpu + bit);
		cpu += 4;
	}
	return cpu > 0;
}

/* the number below CPULIST_MAX at *p, which moves to the first character after it; -1 if there is none */
static int cpulist_number(const char **p)
{
	unsigned int v = 0;

	if (!isdigit((unsigned char)**p))
		return -1;
	for (; isdigit((unsigned char)**p); (*p)++) {
		v = v * 10 + (**p - '0');
		if (v >= CPULIST_MAX)
			return -1;
	}
	return v;
}

int cpulist_parse(struct cpulist *list, const char *s, struct err *err)
{
	const char *p = s;

	while (*p && *p != '\n') {
		const char *word = p;
		int from = cpulist_number(&p), to = from;

		if (from >= 0 && *p == '-') {
			p++;
			to = cpulist_number(&p);
		}
		if (from < 0 || to < 0 || (*p && *p != ',' && *p != '\n'))
			return err_set(err, -EINVAL, "'%.*s' is not a number or range (like 0-3,8) below %d",
				       (int)strcspn(word, ",\n"), word, CPULIST_MAX);
		if (to < from)
			return err_set(err, -EINVAL, "'%d-%d' ends before it begins: write '%d-%d'", from, to,
				       to, from);
		for (int i = from; i <= to; i++)
			cpulist_add(list, i);
		if (*p == ',')
			p++;
	}
	return 0;
}

int cpulist_read(struct cpulist *ret, const char *path)
{
	struct strbuf line = STRBUF_INIT;
	int code = fs_read_line(path, &line);

	ret->nr = 0;
	if (!code)
		code = cpulist_parse(ret, strbuf_str(&line), NULL);
	if (code)
		ret->nr = 0;
	strbuf_release(&line);
	return code;
}

void cpulist_format(const struct cpulist *list, struct strbuf *out)
{
	for (size_t i = 0; i < list->nr; i++) {
		size_t j = i;

		while (j + 1 < list->nr && list->v[j + 1] == list->v[j] + 1)
			j++;
		strbuf_addf(out, j > i ? "%s%d-%d" : "%s%d", i ? "," : "", list->v[i], list->v[j]);
		i = j;
	}
}
