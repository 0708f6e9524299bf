/*
 * Fuzz target: event strings, filters and option words, on a machine without sysfs and tracefs and on one
 * with PMUs, tracepoints and sensors (written to a directory of its own once, removed at the end).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../../util/base/cpulist.h"
#include "../../util/base/fs.h"
#include "../../util/pmu/addr-filter.h"
#include "../../util/pmu/filter-check.h"
#include "../../util/pmu/parse-cache.h"
#include "../../util/pmu/parse-events.h"
#include "../../util/observe/sample-attr.h"
#include "../../util/kernel/tracefs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PMU "/sys/bus/event_source/devices/"
static const char format[] =
	"name: e\nID: 7\nformat:\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:__data_loc cpumask_t mask;\toffset:28;\tsize:4;\tsigned:0;\n\nprint fmt: \"x\"\n";
static const struct {
	const char *path, *text;
} files[] = {
	{ PMU "cpu_core/type", "4\n" }, { PMU "cpu_core/cpus", "0-1\n" },
	{ PMU "cpu_core/format/event", "config:0-7\n" },
	{ PMU "cpu_core/format/umask", "config:8-15,40-43\n" },
	{ PMU "cpu_core/format/acr_mask", "config2:0-63\n" },
	{ PMU "cpu_core/events/mem-loads", "event=0xcd,umask=0x1\n" }, { PMU "cpu_atom/type", "10\n" },
	{ PMU "cpu_atom/cpus", "2\n" }, { PMU "cpu_atom/format/event", "config:0-7\n" },
	{ PMU "uncore_imc_0/type", "20\n" }, { PMU "uncore_imc_0/cpumask", "0\n" },
	{ PMU "uncore_imc_0/format/event", "config:0-7\n" }, { PMU "uncore_imc_0/events/reads", "event=?\n" },
	{ PMU "uncore_imc_0/events/odd", "nothing=1\n" }, { PMU "uncore_imc_1/type", "21\n" },
	{ PMU "uncore_imc_1/cpumask", "0\n" }, { PMU "uncore_imc_1/format/event", "config:0-7\n" },
	{ PMU "uncore_imc_1/events/reads", "event=?\n" },
	{ PMU "pt/type", "8\n" }, { PMU "pt/nr_addr_filters", "2\n" }, { PMU "pt/sinks/s", "0x12\n" },
	{ PMU "cs_etm/type", "9\n" }, { PMU "cs_etm/format/sinkid", "config2:0-31\n" },
	{ PMU "cs_etm/sinks/tmc", "0x12\n" }, { PMU "software/type", "1\n" }, { PMU "kprobe/type", "6\n" },
	{ PMU "kprobe/format/retprobe", "config:0\n" }, { PMU "uprobe/type", "7\n" },
	{ PMU "uprobe/format/retprobe", "config:0\n" },
	{ "/sys/kernel/tracing/events/s/e/id", "7\n" }, { "/sys/kernel/tracing/events/s/e/format", format },
	{ "/sys/class/hwmon/hwmon0/name", "chip\n" }, { "/sys/class/hwmon/hwmon0/temp1_input", "1000\n" },
	{ "/sys/class/hwmon/hwmon0/temp1_label", "Core 0\n" },
	{ "/proc/kallsyms", "ffffffff81000000 D jiffies\n" },
};
static char root[] = "/tmp/fuzz-events.XXXXXX";

static void remove_machine(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		char path[300];

		snprintf(path, sizeof(path), "%s%s", root, files[i].path);
		unlink(path);
		for (char *slash = strrchr(path, '/'); slash && slash > path + sizeof(root) - 1;
		     slash = strrchr(path, '/')) {
			*slash = '\0';
			rmdir(path);
		}
	}
	rmdir(root);
}

static void make_machine(void)
{
	if (!mkdtemp(root))
		abort();
	atexit(remove_machine);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		char path[300];
		FILE *f;

		snprintf(path, sizeof(path), "%s%s", root, files[i].path);
		for (char *p = path + sizeof(root); (p = strchr(p, '/')); *p++ = '/') {
			*p = '\0';
			mkdir(path, 0700);
		}
		f = fopen(path, "w");
		if (!f)
			abort();
		fputs(files[i].text, f);
		fclose(f);
	}
}

static void parse_on(const char *machine, const char *s)
{
	struct strbuf notes = STRBUF_INIT;
	struct parse_cache *cache = parse_cache_new();
	const struct parse_events_opts o = { .notes = &notes, .cache = cache };
	struct evset *set = evset_new();
	struct err err = ERR_INIT;

	fs_set_root(machine);
	tracefs_forget();
	if (!parse_events(set, s, &o, &err) && set->ev.nr)
		parse_filter(set, 0, s, &err);
	/* groups are consistent: a leader leads itself and precedes its members */
	vec_foreach(&set->ev, ev)
		if ((*ev)->leader > (*ev)->idx || evset_at(set, (*ev)->leader)->leader != (*ev)->leader ||
		    !(*ev)->name)
			abort();
	evset_free(set);
	parse_cache_free(cache);
	strbuf_release(&notes);
}

/* a line each: an error ends a list */
static void parse_lines(char *s)
{
	for (char *line = s, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		parse_on(root, line);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool made;
	char *s = strndup((const char *)data, size);
	struct callgraph_opts cg = { .mode = CALLGRAPH_NONE };
	struct cpulist cpus = { 0 };
	struct err err = ERR_INIT;
	struct strbuf out = STRBUF_INIT;
	u64 mask;
	s32 clock;

	if (!made)
		make_machine();
	made = true;
	parse_on("/nonexistent", s);
	parse_on(root, s);
	filter_check(s, "e", format, &err);
	filter_check(s, "e", NULL, &err);
	addr_filter_resolve(s, "pt", &out, &err);
	parse_callgraph(s, &cg, &err);
	parse_branch_filter(s, &mask, &err);
	parse_clockid(s, &clock, &err);
	cpulist_parse(&cpus, s, &err);
	vec_release(&cpus);
	strbuf_release(&out);
	if (strchr(s, '\n'))
		parse_lines(s);
	free(s);
	return 0;
}
