/* Select: see select.h. */
#include "select.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include "../pmu/parse-events.h"

#define FILTER_MAX 4000u	/* the kernel reads at most a page */
#define NUMBERS 1024u		/* numbers of system calls are below that */

/* the words end at commas that are not inside the braces or terms of an event */
static size_t word_len(const char *s)
{
	int depth = 0;
	bool terms = false;
	size_t i;

	for (i = 0; s[i]; i++) {
		if (s[i] == '{')
			depth++;
		else if (s[i] == '}')
			depth--;
		else if (s[i] == '/')
			terms = !terms;
		else if (s[i] == ',' && depth <= 0 && !terms)
			break;
	}
	return i;
}

/* table i of the programs that run here: 64-bit ones first; NULL: there are no more */
static const struct syscall_table *local_table(u32 i)
{
	const struct syscall_table *native = syscall_table_native();

	/* only x86 programs of both kinds are usual */
#if defined(__x86_64__)
	return i == 0 ? native : i == 1 ? syscall_table_find(3, 32) : NULL;
#else
	return i == 0 ? native : NULL;
#endif
}

/* any architecture's call, so that files of all of them can be read */
static int find_calls(const char *word, struct syscall_set *set, struct err *err)
{
	const struct syscall_table *t;
	int found = syscall_find_names(syscall_table_native(), word, set, err);

	for (size_t i = 0; (t = syscall_table_at(i)); i++) {
		struct err ignored = ERR_INIT;
		int nr = syscall_find_names(t, word, set, &ignored);

		if (nr > 0 && found < 0)
			found = nr;
	}
	return found;
}

static int add_word(struct trace_select *s, const char *word, struct syscall_set *set, bool *calls,
		    struct evset *events, const struct parse_events_opts *o, struct err *err)
{
	struct err event_err = ERR_INIT;

	if (!strpbrk(word, ":/{") && find_calls(word, set, err) >= 0) {
		*calls = true;
		return 0;
	}
	if (events && parse_events(events, word, o, &event_err) < 0) {
		if (strpbrk(word, ":/{"))
			*err = event_err;
		return -EINVAL;
	}
	vec_push(&s->word, xstrdup(word));
	return 0;
}

int trace_select_add(struct trace_select *s, const char *list, struct evset *events,
		     const struct parse_events_opts *o, struct err *err)
{
	bool negated = *list == '!', calls = false;
	struct syscall_set set = { 0 };
	int ret = 0;

	s->first_event = events ? events->ev.nr : 0;
	list += negated;
	while (*list && !ret) {
		size_t len = word_len(list);
		char *word = xstrndup(list, len);

		if (len)
			ret = add_word(s, word, &set, &calls, events, o, err);
		free(word);
		list += len + (list[len] == ',');
	}
	if (ret)
		return ret;
	for (u32 i = 0; calls && i < ARRAY_SIZE(set.bit); i++) {
		if (negated)
			s->set.bit[i] = (s->any ? s->set.bit[i] : ~0ull) & ~set.bit[i];
		else
			s->set.bit[i] |= set.bit[i];
	}
	s->unknown |= calls && negated;
	s->any |= calls;
	s->only_events = s->word.nr && !s->any;
	return 0;
}

bool trace_select_event(const struct trace_select *s, const char *name)
{
	vec_foreach(&s->word, w)
		if (!fnmatch(*w, name, 0))
			return true;
	return !s->word.nr;
}

/* ---- the kernel's filter ---- */

static bool is_wanted(const struct trace_select *s, u32 nr)
{
	const struct syscall_table *t;

	for (u32 i = 0; (t = local_table(i)); i++) {
		const struct syscall_row *row = syscall_by_nr(t, nr);

		if (row ? syscall_set_has(&s->set, row) || syscall_set_has(&s->followed, row) :
		    s->unknown && !i)
			return true;
	}
	return false;
}

/* ranges of numbers that are wanted */
static void add_numbers(const struct trace_select *s, struct strbuf *out)
{
	bool any = false;

	for (u32 nr = 0; nr < NUMBERS; nr++) {
		u32 last = nr;

		if (!is_wanted(s, nr))
			continue;
		while (last + 1 < NUMBERS && is_wanted(s, last + 1))
			last++;
		strbuf_addstr(out, any ? " || " : "");
		if (last + 1 == NUMBERS)
			strbuf_addf(out, "id >= %u", nr);
		else if (last > nr)
			strbuf_addf(out, "(id >= %u && id <= %u)", nr, last);
		else
			strbuf_addf(out, "id == %u", nr);
		nr = last;
		any = true;
	}
	if (!any)
		strbuf_addstr(out, "id == -2");	/* calls that this machine does not have */
}

void trace_select_filter(const struct trace_select *s, const s32 *pid, size_t nr_pids, struct strbuf *out)
{
	if (s->any) {
		strbuf_addch(out, '(');
		add_numbers(s, out);
		strbuf_addch(out, ')');
		if (out->len > FILTER_MAX)
			strbuf_reset(out);
	}
	for (size_t i = 0; i < nr_pids && out->len < FILTER_MAX; i++)
		strbuf_addf(out, "%scommon_pid != %d", out->len ? " && " : "", pid[i]);
}

void trace_select_follow(struct trace_select *s, const struct syscall_set *set)
{
	s->followed = *set;
}

void trace_select_release(struct trace_select *s)
{
	vec_foreach(&s->word, w)
		free(*w);
	vec_release(&s->word);
}
