/*
 * perf data convert: profiles of other tools among the inputs. Each could be read as the recording that is
 * made of it; but all of a format are added up first, and one recording is made of the sums.
 */
#include "builtin-data.h"

#include <stdlib.h>
#include <string.h>

#include "util/base/alloc.h"
#include "util/cli/builtin.h"
#include "util/data/import.h"
#include "util/data/open.h"
#include "util/hist/hist-stacks.h"

struct data_profiles {
	struct stacks sums[IMPORT_FORMATS];
	u32 nr;
	u64 time_ns;		/* of the newest one */
};

/* functions are the same in all of them; addresses, lines and tasks are made up for each */
static bool can_add_up(const struct data_cmd *c)
{
	const struct sample_filter *f = &c->filter;

	return !c->to->samples && !c->samples && c->by_what == STACKS_FUNCTIONS && c->inlines &&
	       (!c->labels || !strcmp(c->labels, "comm")) && !sample_filter_given(f) &&
	       !(f->hide_unresolved || f->hide_kernel || f->hide_user || f->only_guest || f->only_host);
}

struct data_profiles *data_profiles_new(const struct data_cmd *c)
{
	struct data_profiles *p = can_add_up(c) ? xcalloc(1, sizeof(*p)) : NULL;

	for (u32 i = 0; p && i < IMPORT_FORMATS; i++)
		stacks_init(&p->sums[i], STACKS_LINES);
	return p;
}

void data_profiles_free(struct data_profiles *p)
{
	for (u32 i = 0; p && i < IMPORT_FORMATS; i++)
		stacks_release(&p->sums[i]);
	free(p);
}

bool data_profiles_take(struct data_profiles *p, const struct data_cmd *c, const char *path)
{
	struct data_opts o = c->session.data;
	struct diag diag = { 0 };
	s64 mtime;

	o.path = path;
	if (!p || data_from_pipe(&o) || !data_read_stacks(&o, p->sums, &mtime, &diag))
		return false;
	if (mtime > 0)
		p->time_ns = MAX(p->time_ns, mtime * 1000000000ull);
	p->nr++;
	warn_diag(&diag);
	return true;
}

/* where the elements of one table of stacks are in another */
struct joined { u32 *text, *module, *frame, *node, *labels, *event; };

static u32 join_labels(struct stacks *to, const struct stacks *from, u32 id, const u32 *text)
{
	struct stacks_labels l = from->labels.v[id];
	struct { VEC(struct stacks_label); } label = { 0 };
	u32 ret;

	for (u32 i = 0; i < l.nr; i++) {
		struct stacks_label at = from->label.v[l.first + i];

		vec_push(&label, (struct stacks_label){ text[at.key], text[at.value] });
	}
	ret = stacks_add_labels(to, label.v, l.nr);
	vec_release(&label);
	return ret;
}

static void join_tables(struct joined *j, struct stacks *to, const struct stacks *from)
{
	for (u32 i = 0; i < from->strings.str.nr; i++)
		j->text[i] = stacks_add_text(to, strtab_get(&from->strings, i));
	for (u32 i = 0; i < from->module.nr; i++) {
		struct stacks_module m = from->module.v[i];

		m.name = j->text[m.name];
		m.path = j->text[m.path];
		m.buildid = j->text[m.buildid];
		j->module[i] = stacks_add_module(to, &m);
	}
	for (u32 i = 0; i < from->frame.nr; i++) {
		struct stacks_frame f = from->frame.v[i];

		f.function = j->text[f.function];
		f.file = j->text[f.file];
		f.module = f.module == STACKS_NONE ? STACKS_NONE : j->module[f.module];
		j->frame[i] = stacks_add_frame(to, &f);
	}
	for (u32 i = 1; i < from->node.nr; i++) {
		const struct stacks_node *n = &from->node.v[i];

		j->node[i] = stacks_add_child(to, j->node[n->parent], j->frame[n->frame]);
	}
	for (u32 i = 0; i < from->labels.nr; i++)
		j->labels[i] = join_labels(to, from, i, j->text);
}

/* the second half of the events count the samples of the first half: see import_stacks() */
static int join_stacks(struct joined *j, struct stacks *to, const struct stacks *from, struct err *err)
{
	u32 nr = from->event.nr / 2;
	int ret = 0;

	for (u32 i = 0; i < nr && !ret; i++)
		ret = stacks_add_event(to, &from->event.v[i], &j->event[i], err);
	for (size_t i = 0; i < from->stack.nr && !ret; i++) {
		const struct stack *k = &from->stack.v[i];
		bool counts = k->event >= nr;

		stacks_add(to, &(struct stack){
			.node = j->node[k->node], .labels = j->labels[k->labels],
			.event = j->event[counts ? k->event - nr : k->event],
			.nr = counts ? k->period : 0, .period = counts ? 0 : k->period });
	}
	return ret;
}

static int join(struct stacks *to, const struct stacks *from, struct err *err)
{
	struct joined j = {
		.text = xcalloc(from->strings.str.nr + 1, sizeof(u32)),
		.module = xcalloc(from->module.nr + 1, sizeof(u32)),
		.frame = xcalloc(from->frame.nr + 1, sizeof(u32)),
		.node = xcalloc(from->node.nr + 1, sizeof(u32)),
		.labels = xcalloc(from->labels.nr + 1, sizeof(u32)),
		.event = xcalloc(from->event.nr + 1, sizeof(u32)),
	};
	int ret;

	join_tables(&j, to, from);
	ret = join_stacks(&j, to, from, err);
	/* nobody knows on which machine these were recorded */
	to->machine = to->kernel = to->boot = 0;
	free(j.text);
	free(j.module);
	free(j.frame);
	free(j.node);
	free(j.labels);
	free(j.event);
	return ret;
}

static int add_format(struct data_cmd *c, struct stacks *sums, u32 nr, struct stacks *st, struct err *err)
{
	struct hist_stacks_opts o = { .labels = "comm", .filter = &c->filter, .inlines = true };
	struct session_opts so = c->session;
	struct session *s;
	struct stacks got;
	int ret;

	stacks_finish(sums);
	so.data.import = import_at(nr);
	so.data.stacks = sums;
	ret = session_open(&s, &so, err);
	if (ret)
		return ret;
	stacks_init(&got, STACKS_FUNCTIONS);
	ret = hist_stacks_add(&got, s, &o, err);
	session_close(s);
	if (!ret)
		ret = join(st, &got, err);
	stacks_release(&got);
	return ret;
}

int data_profiles_add(struct data_profiles *p, struct data_cmd *c, struct stacks *st, struct err *err)
{
	int ret = 0;

	for (u32 i = 0; p && i < IMPORT_FORMATS && !ret; i++)
		if (p->sums[i].stack.nr)
			ret = add_format(c, &p->sums[i], i, st, err);
	if (p) {
		st->time_ns = MAX(st->time_ns, p->time_ns);
		st->nr_profiles += p->nr;
	}
	return ret;
}
