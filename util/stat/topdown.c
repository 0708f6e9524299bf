/* Topdown: the group of default events. */
#include "topdown.h"

#include <dirent.h>
#include "../base/fs.h"
#include "../pmu/parse-events.h"

#define DEVICES "/sys/bus/event_source/devices"

/* level 1, which all have, and level 2, which the first of these cores lack */
static const char *const level1[] = { "slots", "topdown-retiring", "topdown-bad-spec", "topdown-fe-bound",
				      "topdown-be-bound" };
static const char *const level2[] = { "topdown-heavy-ops", "topdown-br-mispredict", "topdown-fetch-lat",
				      "topdown-mem-bound" };

static bool has_all(const char *pmu, const char *const names[], size_t nr)
{
	struct strbuf path = STRBUF_INIT;
	bool all = true;

	for (size_t i = 0; all && i < nr; i++) {
		strbuf_reset(&path);
		strbuf_addf(&path, DEVICES "/%s/events/%s", pmu, names[i]);
		all = fs_exists(path.buf);
	}
	strbuf_release(&path);
	return all;
}

/*
 * "{slots,topdown-retiring,...}:W", each with its PMU: other kinds of cores may have events of the same names
 */
static void add_group(struct strbuf *out, const char *pmu)
{
	strbuf_addstr(out, out->len ? ",{" : "{");
	for (size_t i = 0; i < ARRAY_SIZE(level1); i++)
		strbuf_addf(out, "%s%s/%s,name=%s/", i ? "," : "", pmu, level1[i], level1[i]);
	for (size_t i = 0; i < ARRAY_SIZE(level2) && has_all(pmu, level2, ARRAY_SIZE(level2)); i++)
		strbuf_addf(out, ",%s/%s,name=%s/", pmu, level2[i], level2[i]);
	strbuf_addstr(out, "}:W");
}

int stat_topdown_events(struct evset *set, struct err *err)
{
	struct strbuf path = STRBUF_INIT, list = STRBUF_INIT;
	struct dirent *de;
	int ret = 0;
	DIR *dir = opendir(fs_path(&path, DEVICES));

	while (dir && (de = readdir(dir)))
		if (de->d_name[0] != '.' && has_all(de->d_name, level1, ARRAY_SIZE(level1)))
			add_group(&list, de->d_name);
	if (dir)
		closedir(dir);
	if (list.len)
		ret = parse_events(set, list.buf, NULL, err);
	strbuf_release(&path);
	strbuf_release(&list);
	return ret;
}
