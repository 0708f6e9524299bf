/*
 * Fuzz target: what perf list reads: event tables (JSON, mapfile.csv), formats of tracepoints, lists of
 * probes in the build-id cache.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../../ui/items.h"
#include "../../util/base/fs.h"
#include "../../util/list/list.h"
#include "../../util/pmu/event-table.h"
#include "../../util/kernel/tracefs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char dir[] = "/tmp/perf-fuzz-XXXXXX";

static const char *const files[] = {
	"plain/a.json", "map/mapfile.csv", "root/sys/kernel/tracing/events/s/e/format",
	"root/sys/kernel/tracing/events/s/e/id", "cache/usr/x/00112233/probes",
};

static void clean(void)
{
	char path[256];

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, files[i]);
		unlink(path);
		for (char *slash; (slash = strrchr(path, '/')) - path >= (long)strlen(dir); ) {
			*slash = '\0';
			rmdir(path);
		}
	}
	snprintf(path, sizeof(path), "%s/cache/.build-id/00/112233", dir);
	unlink(path);
	for (char *slash; (slash = strrchr(path, '/')) && strlen(path) >= strlen(dir); ) {
		rmdir(path);
		*slash = '\0';
	}
}

/* directories once, removed at the end */
static void prepare(void)
{
	char path[256];

	if (!mkdtemp(dir))
		abort();
	atexit(clean);
	for (size_t i = 0; i <= ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir,
			 i < ARRAY_SIZE(files) ? files[i] : "cache/.build-id/00/112233");
		for (char *p = path + strlen(dir) + 1; (p = strchr(p, '/')); *p++ = '/') {
			*p = '\0';
			mkdir(path, 0700);
		}
	}
	if (symlink("../../usr/x/00112233", path))
		abort();
	snprintf(path, sizeof(path), "%s/cache", dir);
	setenv("PERF_BUILDID_DIR", path, 1);
	setenv("PERF_CPUID", "GenuineIntel-6-55-4", 1);
	unsetenv("PERF_EVENT_TABLES");
	setenv("XDG_DATA_HOME", "/nonexistent", 1);
	snprintf(path, sizeof(path), "%s/root", dir);
	fs_set_root(path);
	tracefs_forget();
}

static void put(const uint8_t *data, size_t size)
{
	char path[256];

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		FILE *f;

		snprintf(path, sizeof(path), "%s/%s", dir, files[i]);
		f = fopen(path, "w");
		if (!f)
			abort();
		fwrite(data, 1, size, f);
		fclose(f);
	}
}

static void show(const char *table)
{
	struct table_source tables = { .dir = NULL };
	struct list_request req = { .kinds = LIST_BIT(TABLE) | LIST_BIT(TRACEPOINT) | LIST_BIT(SDT) |
				    LIST_BIT(METRIC), .formats = true, .tables = &tables };
	const struct items_opts look = { .width = 80, .desc = true, .long_desc = true, .details = true };
	struct strbuf out = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct view_items items;
	char path[256];
	struct list l;

	snprintf(path, sizeof(path), "%s/%s", dir, table);
	tables.dir = path;
	if (!list_make(&l, &req, &err)) {
		list_items(&l, &items);
		items_format_find("text")->show(&items, &look, &out);
		items_format_find("json")->show(&items, &look, &out);
		list_release(&l);
	}
	table_source_release(&tables);
	strbuf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf out = STRBUF_INIT;
	struct view_items items;
	struct err err = ERR_INIT;
	struct list_fields l;

	if (strstr(dir, "XXXXXX"))
		prepare();
	put(data, size);
	show("plain");
	show("map");
	if (!list_fields_make(&l, NULL, 0, true, &err)) {
		list_fields_items(&l, &items);
		items_format_find(size & 1 ? "json" : "text")->show(&items, &(struct items_opts){ 0 }, &out);
	}
	list_fields_release(&l);
	strbuf_release(&out);
	return 0;
}
