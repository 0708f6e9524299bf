/* Advice: the closing notes: why something was not counted, and which counts cannot be trusted. */
#include "show.h"

#include <errno.h>
#include <string.h>
#include "../base/fs.h"
#include "../sys/open.h"

#define UNRELIABLE_PERCENT 1.0

static const char *add_note(struct stat_block *b, const struct strbuf *text)
{
	const char *note = arena_strdup(&b->arena, strbuf_str(text));

	vec_push(&b->note, note);
	return note;
}

/* the first line of what opening would have said */
static void refusal(const struct stat_lines_in *in, const struct event *ev, int errnum, struct strbuf *out)
{
	struct err err = ERR_INIT;

	strbuf_reset(out);
	if (!in->o->target || !errnum) {
		strbuf_addf(out, "event '%s' is not supported", ev->name);
		return;
	}
	open_explain(in->set, ev, in->o->target, errnum, &err);
	strbuf_add(out, err.msg, strcspn(err.msg, "\n"));
}

/* for outputs that have room for a reason beside each line */
static void explain_lines(struct stat_block *b, const struct stat_lines_in *in, const struct event *ev, int errnum)
{
	struct strbuf text = STRBUF_INIT;
	const char *why = NULL;

	vec_foreach(&b->line, l) {
		if (l->state != STAT_NOT_SUPPORTED || !l->event || strcmp(l->event, ev->name))
			continue;
		if (!why) {
			refusal(in, ev, errnum, &text);
			why = arena_strdup(&b->arena, strbuf_str(&text));
		}
		l->why = why;
	}
	strbuf_release(&text);
}

/* events that were refused for the same reason share a sentence; the first is named in it */
static void note_unsupported(struct stat_block *b, const struct stat_lines_in *in)
{
	struct strbuf text = STRBUF_INIT, names = STRBUF_INIT;
	u32 nr = in->tallies->nr_events;
	bool *said = xcalloc(MAX(nr, 1u), sizeof(*said));

	for (u32 e = 0; e < nr; e++) {
		const struct tally *t = tally_at(in->tallies, e, 0);
		u16 errnum = t->refused;
		u32 type = evset_at(in->set, e)->attr.type;

		if (said[e] || !errnum || in->tallies->first[e] != e)
			continue;
		strbuf_reset(&names);
		for (u32 k = e; k < nr; k++) {
			const struct event *ev = evset_at(in->set, k);

			if (tally_at(in->tallies, k, 0)->refused != errnum || (ev->attr.type == type) != true)
				continue;
			said[k] = true;
			explain_lines(b, in, ev, errnum);
			if (k != e && in->tallies->first[k] == k)
				strbuf_addf(&names, "%s%s", names.len ? ", " : "", ev->name);
		}
		refusal(in, evset_at(in->set, e), errnum, &text);
		if (names.len)
			strbuf_addf(&text, "; the same: %s", names.buf);
		add_note(b, &text);
	}
	free(said);
	strbuf_release(&text);
	strbuf_release(&names);
}

void stat_advice(struct stat_block *b, const struct stat_lines_in *in)
{
	struct strbuf text = STRBUF_INIT, names = STRBUF_INIT;

	note_unsupported(b, in);
	vec_foreach(&b->line, l)
		if (l->state == STAT_COUNTED && l->running_percent < UNRELIABLE_PERCENT)
			strbuf_addf(&names, "%s%s", names.len ? ", " : "", l->event ? l->event : "");
	if (names.len) {
		strbuf_addf(&text, "counted for less than 1 %% of the time, not reliable: %s", names.buf);
		add_note(b, &text);
	}
	strbuf_release(&text);
	strbuf_release(&names);
}
