/* Nearest: the words that are spelled most like one that was not found. */
#include "nearest.h"

#include <stdio.h>
#include <string.h>
#include "units.h"

void nearest_init(struct nearest *n, const char *want, size_t want_len)
{
	memset(n, 0, sizeof(*n));
	n->want = want;
	n->want_len = MIN(want_len, sizeof(n->name[0]) - 1);
}

void nearest_offer(struct nearest *n, const char *name)
{
	char want[sizeof(n->name[0])];
	size_t len = strlen(name), limit = n->want_len / 3 + 1, i;
	unsigned int d;

	if (!n->want_len || len >= sizeof(n->name[0]) || len > n->want_len + limit ||
	    n->want_len > len + limit)
		return;
	snprintf(want, sizeof(want), "%.*s", (int)n->want_len, n->want);
	d = edit_distance(want, name);
	if (!d || d > limit)	/* distance 0: the word is known, but not valid here */
		return;
	for (i = 0; i < ARRAY_SIZE(n->best) && n->best[i] && n->best[i] <= d + 1; i++)
		if (!strcmp(n->name[i], name))
			return;
	if (i == ARRAY_SIZE(n->best))
		return;
	memmove(&n->best[i + 1], &n->best[i], (ARRAY_SIZE(n->best) - 1 - i) * sizeof(n->best[0]));
	memmove(&n->name[i + 1], &n->name[i], (ARRAY_SIZE(n->best) - 1 - i) * sizeof(n->name[0]));
	n->best[i] = d + 1;
	memcpy(n->name[i], name, len + 1);
}

void nearest_describe(const struct nearest *n, struct strbuf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(n->best) && n->best[i]; i++) {
		if (i && n->best[i] > n->best[0] + 1)
			break;
		strbuf_addf(out, "%s'%s'", i ? ", " : " (did you mean ", n->name[i]);
	}
	if (n->best[0])
		strbuf_addstr(out, "?)");
}
