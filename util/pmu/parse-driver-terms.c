/* Terms of drivers: see parse-driver-terms.h. */
#include "parse-driver-terms.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "../base/fs.h"

/* Documentation/trace/coresight of the kernel: PMU/sinks/NAME contains the number for the field sinkid */
int apply_sink(struct parser *ps, struct event *ev, const struct pmu *pmu, struct span name)
{
	const struct pmu_format *f = pmu_format(pmu, "sinkid", strlen("sinkid"));
	struct pmu_format old = { .name = "sinkid", .word = 2, .mask = UINT32_MAX };
	char path[400];
	u64 id;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/sinks/%.*s", pmu->name,
		 (int)MIN(name.len - 1, (size_t)128), name.s + 1);
	if (memchr(name.s, '/', name.len) || memmem(name.s, name.len, "..", 2) || fs_read_u64(path, &id))
		return parse_err(ps, -ENOENT, name,
				 "PMU %s has no sink '%.*s': its sysfs directory 'sinks' lists them",
				 pmu->name, (int)MIN(name.len - 1, (size_t)128), name.s + 1);
	if (pmu_format_set(f ? f : &old, &ev->attr, id))
		return parse_err(ps, -ERANGE, name, "the number of this sink, 0x%llx, does not fit its field",
				 (unsigned long long)id);
	return 0;
}

static const char *unquoted(struct parser *ps, struct span s)
{
	if (s.len > 2 && (*s.s == '\'' || *s.s == '"') && s.s[s.len - 1] == *s.s)
		s = (struct span){ s.s + 1, s.len - 2 };
	return span_dup(ps, s);
}

/* the kernel's error for a missing file is the same as for an unknown event */
static int check_program(struct parser *ps, struct span where, const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return parse_err(ps, -errno, where, "a probe cannot be set in '%s': %s", path,
				 strerror(errno));
	if (!S_ISREG(st.st_mode))
		return parse_err(ps, -EINVAL, where,
				 "a probe cannot be set in '%s': it is not a regular file", path);
	return 0;
}

int apply_probe_term(struct parser *ps, struct event *ev, const struct pmu *pmu, const struct term *t)
{
	bool kprobe = !strcmp(pmu->name, "kprobe"), uprobe = !strcmp(pmu->name, "uprobe");
	const char *place;
	u64 v;

	if ((kprobe && span_is(t->name, "func")) || (uprobe && span_is(t->name, "path"))) {
		if (!t->has_value)
			return parse_err(ps, -EINVAL, t->name, "term '%.*s' needs a value", (int)t->name.len,
					 t->name.s);
		place = unquoted(ps, t->value);
		ev->attr.config1 = (uintptr_t)place;
		return uprobe ? check_program(ps, t->value, place) : 0;
	}
	if (!(kprobe && span_is(t->name, "addr")) && !((kprobe || uprobe) && span_is(t->name, "offset")))
		return 1;
	if (!t->has_value || span_u64(t->value, &v))
		return parse_err(ps, -EINVAL, t->has_value ? t->value : t->name, "term '%.*s' needs a number",
				 (int)t->name.len, t->name.s);
	ev->attr.config2 = v;
	return 0;
}
