/* Names of generic events: tables, cache combinations, and the search for near misses. */
#include "names.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* the row whose longest spelling begins s (after which the word ends or '-' follows); *ret_len: its length */
static int cache_word(const char *s, size_t len, const struct event_cache_name *rows, size_t nr_rows,
		      size_t *ret_len)
{
	int best = -1;

	*ret_len = 0;
	for (size_t i = 0; i < nr_rows; i++)
		for (const char *const *w = rows[i].name; *w; w++) {
			size_t n = strlen(*w);

			if (n <= len && n > *ret_len && !strncasecmp(s, *w, n) && (n == len || s[n] == '-')) {
				best = i;
				*ret_len = n;
			}
		}
	return best;
}

static bool cache_name_find(const char *s, size_t len, u64 *ret_config)
{
	int cache, op = -1, result = -1, k;
	size_t n;

	cache = cache_word(s, len, event_caches, EVENT_NR_CACHES, &n);
	if (cache < 0)
		return false;
	while (n < len) {	/* "-op" and "-result" in either order, each at most once */
		size_t w;

		s += n + 1;
		len -= n + 1;
		k = cache_word(s, len, event_cache_ops, EVENT_NR_CACHE_OPS, &w);
		if (k >= 0 && op < 0) {
			op = k;
			n = w;
			continue;
		}
		k = cache_word(s, len, event_cache_results, EVENT_NR_CACHE_RESULTS, &w);
		if (k < 0 || result >= 0)
			return false;
		result = k;
		n = w;
	}
	op = MAX(op, 0);
	result = MAX(result, 0);
	if (!(event_caches[cache].ops & (1u << op)))
		return false;
	*ret_config = (u64)cache | (u64)op << 8 | (u64)result << 16;
	return true;
}

static bool word_is(const char *s, size_t len, const char *name)
{
	return name && strlen(name) == len && !strncasecmp(s, name, len);
}

bool event_name_find(const char *s, size_t len, u32 *ret_type, u64 *ret_config)
{
	for (size_t i = 0; i < nr_event_names; i++)
		if (word_is(s, len, event_names[i].name) || word_is(s, len, event_names[i].alias)) {
			*ret_type = event_names[i].type;
			*ret_config = event_names[i].config;
			return true;
		}
	if (!cache_name_find(s, len, ret_config))
		return false;
	*ret_type = PERF_TYPE_HW_CACHE;
	return true;
}

void cache_names_foreach(void (*fn)(void *ctx, const char *name, u64 config), void *ctx)
{
	char name[64];

	for (size_t c = 0; c < EVENT_NR_CACHES; c++)
		for (size_t op = 0; op < EVENT_NR_CACHE_OPS; op++)
			for (size_t res = 0; res < EVENT_NR_CACHE_RESULTS; res++) {
				const char *cache = event_caches[c].name[0];

				if (!(event_caches[c].ops & (1u << op)))
					continue;
				if (res)
					snprintf(name, sizeof(name), "%s-%s-misses", cache,
						 event_cache_ops[op].of_misses);
				else
					snprintf(name, sizeof(name), "%s-%s", cache,
						 event_cache_ops[op].name[0]);
				fn(ctx, name, c | op << 8 | res << 16);
			}
}

static void offer_cache(void *ctx, const char *name, u64 config)
{
	nearest_offer(ctx, name);
}

void nearest_offer_names(struct nearest *n)
{
	for (size_t i = 0; i < nr_event_names; i++) {
		nearest_offer(n, event_names[i].name);
		if (event_names[i].alias)
			nearest_offer(n, event_names[i].alias);
	}
	cache_names_foreach(offer_cache, n);
}
