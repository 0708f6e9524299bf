/* Names of libpfm4: see parse-pfm.h. */
#include "parse-pfm.h"
#include "parse-state.h"

#include <errno.h>
#include <stdio.h>
#include "pfm-plugin.h"
#include "../base/log.h"
#include "../base/plugin.h"

#define PFM_NAME_MAX 256

/* adds an event to the set, or sets an error with only libpfm4's message; the caller handles -ENOENT */
static int pfm_add(struct evset *set, const char *name, bool generic, struct err *err)
{
	const struct pfm_plugin_ops *pfm = plugin_load("libpfm4", sizeof(*pfm), err);
	struct pe_attr attr;
	struct event *ev;
	char msg[200];
	int ret;

	if (!pfm)
		return -ENOEXEC;
	ret = pfm->encode(name, generic, &attr, msg, sizeof(msg));
	if (ret)
		return err_set(err, ret, "event '%.200s': %s", name, msg);
	ev = evset_add(set, name);
	ev->attr = attr;
	ev->term_flags |= attr.sample_period ?
			  attr.flags & ATTR_FREQ ? EVENT_TERM_FREQ : EVENT_TERM_PERIOD : 0;
	return 0;
}

int parse_pfm_name(struct parser *ps, const char *start)
{
	struct span whole = { start, strcspn(start, ",{} \t\n") };
	struct err err = ERR_INIT;
	char name[PFM_NAME_MAX];
	int ret;

	if (whole.len >= sizeof(name) || memchr(whole.s, '/', whole.len) || !plugin_find("libpfm4", NULL))
		return 1;
	snprintf(name, sizeof(name), "%.*s", (int)whole.len, whole.s);
	ret = pfm_add(ps->set, name, false, &err);
	if (ret) {
		log_vv("libpfm4 does not know it either: %s", err.msg);
		/* it knows the event, and reports what is wrong with the rest of the name */
		return ret == -EINVAL ? parse_err(ps, ret, whole, "%s", err.msg) : 1;
	}
	ps->p = whole.s + whole.len;
	return 0;
}

static int pfm_item(struct evset *set, const char **p, struct err *err)
{
	size_t len = strcspn(*p, ",{}");
	char name[PFM_NAME_MAX];
	int ret;

	if (!len || len >= sizeof(name))
		return err_set(err, -EINVAL, "--pfm-events: an event's name is expected at '%.60s'", *p);
	snprintf(name, sizeof(name), "%.*s", (int)len, *p);
	*p += len;
	ret = pfm_add(set, name, true, err);
	if (ret == -ENOENT)
		err_hint(err, "'perf list pfm' lists the events that libpfm4 has for this machine");
	return ret;
}

static int pfm_list(struct evset *set, const char *p, struct err *err)
{
	s64 leader = -1;
	int ret;

	for (;;) {
		p += strspn(p, " \t\n");
		if (*p == '{') {
			if (leader >= 0)
				return err_set(err, -EINVAL,
					       "--pfm-events: a group inside a group at '%.60s'", p);
			leader = set->ev.nr;
			p++;
		}
		ret = pfm_item(set, &p, err);
		if (ret)
			return ret;
		if (leader >= 0)
			evset_at(set, set->ev.nr - 1)->leader = leader;
		if (*p == '}' && leader >= 0) {
			leader = -1;
			p++;
		}
		if (!*p)
			return leader < 0 ? 0 : err_set(err, -EINVAL,
							"--pfm-events: the group has no closing brace");
		if (*p++ != ',')
			return err_set(err, -EINVAL, "--pfm-events: ',' is expected at '%.60s'", p - 1);
	}
}

int parse_pfm_events(struct evset *set, const char *str, struct err *err)
{
	size_t before = set->ev.nr;
	int ret = pfm_list(set, str, err);

	if (ret)
		set->ev.nr = before;
	return ret;
}
