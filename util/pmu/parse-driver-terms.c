/* Terms that single drivers take beside the fields of their format: sinks of tracing hardware, places of kprobe and uprobe. */
#include "parse-internal.h"

#include <errno.h>
#include <stdio.h>
#include "../base/fs.h"

/* Documentation/trace/coresight of the kernel: PMU/sinks/NAME holds the number that goes into field sinkid */
int apply_sink(struct parser *ps, struct event *ev, const struct pmu *pmu, struct span name)
{
	const struct pmu_format *f = pmu_format(pmu, "sinkid", strlen("sinkid"));
	struct pmu_format old = { .name = "sinkid", .word = 2, .mask = UINT32_MAX };
	char path[400];
	u64 id;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/sinks/%.*s", pmu->name, (int)MIN(name.len - 1, (size_t)128),
		 name.s + 1);
	if (memchr(name.s, '/', name.len) || memmem(name.s, name.len, "..", 2) || fs_read_u64(path, &id))
		return parse_err(ps, -ENOENT, name, "PMU %s has no sink '%.*s': there are those below its directory sinks", pmu->name,
				 (int)MIN(name.len - 1, (size_t)128), name.s + 1);
	if (pmu_format_set(f ? f : &old, &ev->attr, id))
		return parse_err(ps, -ERANGE, name, "the number of this sink, 0x%llx, does not fit its field", (unsigned long long)id);
	return 0;
}

static const char *unquoted(struct parser *ps, struct span s)
{
	if (s.len > 2 && (*s.s == '\'' || *s.s == '"') && s.s[s.len - 1] == *s.s)
		s = (struct span){ s.s + 1, s.len - 2 };
	return span_dup(ps, s);
}

int apply_probe_term(struct parser *ps, struct event *ev, const struct pmu *pmu, const struct term *t)
{
	bool kprobe = !strcmp(pmu->name, "kprobe"), uprobe = !strcmp(pmu->name, "uprobe");
	u64 v;

	if ((kprobe && span_is(t->name, "func")) || (uprobe && span_is(t->name, "path"))) {
		if (!t->has_value)
			return parse_err(ps, -EINVAL, t->name, "term '%.*s' needs a value", (int)t->name.len, t->name.s);
		ev->attr.config1 = (uintptr_t)unquoted(ps, t->value);
		return 0;
	}
	if (!(kprobe && span_is(t->name, "addr")) && !((kprobe || uprobe) && span_is(t->name, "offset")))
		return 1;
	if (!t->has_value || span_u64(t->value, &v))
		return parse_err(ps, -EINVAL, t->has_value ? t->value : t->name, "term '%.*s' needs a number", (int)t->name.len,
				 t->name.s);
	ev->attr.config2 = v;
	return 0;
}
