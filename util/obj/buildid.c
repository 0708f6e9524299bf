/* Build-ids as text and paths. */
#include "buildid.h"
#include "../base/alloc.h"

#include <stdlib.h>

void buildid_hex(struct strbuf *out, const u8 *id, int len)
{
	for (int i = 0; i < len; i++)
		strbuf_add_hex(out, id[i], 2, '0');
}

const char *buildid_path(struct strbuf *out, const char *dir, const u8 *id, int len, const char *suffix)
{
	strbuf_reset(out);
	strbuf_addstr(out, dir);
	strbuf_addstr(out, "/.build-id/");
	buildid_hex(out, id, MIN(len, 1));
	strbuf_addch(out, '/');
	if (len > 1)
		buildid_hex(out, id + 1, len - 1);
	strbuf_addstr(out, suffix);
	return strbuf_str(out);
}

char *buildid_cache_dir(void)
{
	const char *env = getenv("PERF_BUILDID_DIR"), *home = getenv("HOME");

	if (env && *env)
		return xstrdup(env);
	return home && *home ? xasprintf("%s/.debug", home) : NULL;
}

/* Records and caches pad short ids (MD5 has 16 bytes) with zeros to 20: the padding is ignored. */
bool buildid_equal(const u8 *a, int len_a, const u8 *b, int len_b)
{
	int len = MIN(len_a, len_b);

	if (!len || memcmp(a, b, len))
		return false;
	for (int i = len; i < len_a; i++)
		if (a[i])
			return false;
	for (int i = len; i < len_b; i++)
		if (b[i])
			return false;
	return true;
}
