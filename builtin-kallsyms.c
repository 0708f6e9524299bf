/* perf kallsyms: shows where functions of the running kernel are. */
#include "util/base/fs.h"
#include "util/base/log.h"
#include "util/base/strbuf.h"
#include "util/base/units.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"
#include "util/obj/kallsyms.h"
#include "util/base/search.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const usage[] = { "perf kallsyms [<options>] <symbol>...", NULL };

/* addresses of all symbols, ascending: a symbol ends where the next one begins */
struct starts {
	VEC(u64);
};

static int compare_u64(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static u64 end_of(const struct starts *s, u64 start)
{
	size_t lo = LOWER_BOUND(s->nr, i, s->v[i] <= start);

	return lo < s->nr ? s->v[lo] : start + page_size();
}

static void print_line(const struct kallsyms *k, const struct kallsyms_block *b,
		       const struct kallsyms_line *l, u64 end)
{
	struct strbuf out = STRBUF_INIT;
	char *name = xstrndup(kallsyms_name(k, l), l->len);
	char *module = xstrndup(b->module, b->module_len);
	unsigned long long start = l->addr, stop = end;

	strbuf_add_safe(&out, name);
	strbuf_addstr(&out, ": [");
	strbuf_add_safe(&out, *module ? module : "kernel");
	strbuf_addstr(&out, "] [");
	strbuf_add_safe(&out, *module ? module : "kernel.kallsyms");
	strbuf_addf(&out, "] 0x%llx-0x%llx (0x%llx-0x%llx)", start, stop, start, stop);
	puts(out.buf);
	free(module);
	free(name);
	strbuf_release(&out);
}

/* prints the functions with that name, or with names that match the glob; returns their number */
static size_t print_matching(const struct kallsyms *k, const struct starts *starts, const char *pattern)
{
	size_t nr = 0;
	char name[512];

	vec_foreach(&k->block, b)
		for (u32 i = b->first; i < b->first + b->nr; i++) {
			const struct kallsyms_line *l = &k->line[i];

			if (!strchr("tTwW", l->type) || l->len >= sizeof(name))
				continue;
			memcpy(name, kallsyms_name(k, l), l->len);
			name[l->len] = '\0';
			if (!glob_match(pattern, name))
				continue;
			print_line(k, b, l, end_of(starts, l->addr));
			nr++;
		}
	return nr;
}

/* a module has one block */
static size_t count_modules(const struct kallsyms *k)
{
	size_t nr = 0;

	vec_foreach(&k->block, b)
		nr += b->module_len > 0;
	return nr;
}

int cmd_kallsyms(int argc, const char **argv)
{
	const char *path = NULL;
	const struct option options[] = {
		OPT_STRING('i', "input", &path, "file", "read this list instead of /proc/kallsyms"),
		OPT_INCR('v', "verbose", &log_level, "print what the list contains"),
		OPT_END(),
	};
	struct starts starts = { 0 };
	struct err err = ERR_INIT;
	struct kallsyms *k;
	int missing = 0;

	argc = parse_options(argc, argv, options, usage, 0);
	if (!argc)
		return opt_usage_error(options, NULL, usage, "no symbol is named");
	if (path ? kallsyms_read_file(&k, path, &err) : kallsyms_read_live(&k, &err))
		return die_err(&err);
	log_v("%s: %zu symbols; modules: %zu", path ? path : "/proc/kallsyms",
	      k->nr, count_modules(k));
	for (size_t i = 0; i < k->nr; i++)
		vec_push(&starts, k->line[i].addr);
	if (starts.nr)
		qsort(starts.v, starts.nr, sizeof(*starts.v), compare_u64);
	for (int i = 0; i < argc; i++)
		if (!print_matching(k, &starts, argv[i])) {
			printf("%s: not found\n", argv[i]);
			missing = 1;
		}
	vec_release(&starts);
	kallsyms_free(k);
	return missing;
}
