/* Fuzz target: event strings, filters and option words, on a machine without sysfs and tracefs. */
#include <stdlib.h>
#include <string.h>
#include "../../util/base/cpulist.h"
#include "../../util/base/fs.h"
#include "../../util/pmu/parse-events.h"
#include "../../util/sys/record-attr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *s = strndup((const char *)data, size);
	struct evset *set = evset_new();
	struct callgraph_opts cg = { .mode = CALLGRAPH_NONE };
	struct cpulist cpus = { 0 };
	struct err err = ERR_INIT;
	u64 mask;
	s32 clock;

	fs_set_root("/nonexistent");
	if (!parse_events(set, s, NULL, &err) && set->ev.nr)
		parse_filter(set, 0, s, &err);
	parse_callgraph(s, &cg, &err);
	parse_branch_filter(s, &mask, &err);
	parse_clockid(s, &clock, &err);
	cpulist_parse(&cpus, s, &err);
	vec_release(&cpus);
	evset_free(set);
	free(s);
	return 0;
}
