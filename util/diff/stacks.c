/* Stacks: see stacks.h. */
#include "stacks.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include "../hist/report-view.h"
#include "../wall/wall-event.h"

/* whole stacks, from the outermost caller on, below the keys */
static int choose(struct hist_opts *ho, struct sort_spec *sort, const struct session *s,
		  struct err *err UNUSED)
{
	bool chains = evset_samples(s->data->evset, PERF_SAMPLE_CALLCHAIN);
	bool slices = wall_event_in(s->data->evset);

	ho->chains = ho->inlines = chains;
	ho->chain = (struct chain_opts){ .mode = CHAIN_MODE_FOLDED, .caller = true, .caller_set = true };
	ho->max_stack = 127;
	sort->default_sort = slices ? "comm,state" : chains ? "comm" : "comm,dso,symbol";
	sort->show_total_period = true;
	return 0;
}

static int read_profile(struct diff_profile *p, const struct diff_profile_opts *o, const char *path, u32 i,
			struct err *err)
{
	int ret = diff_profile_read(p, o, path, i, err);

	if (!ret)
		p->view = report_view(p->hist, &(struct report_view_opts){ .order = &p->order,
			.filter = &p->filter, .group = GROUP_NONE, .no_widths = true });
	return ret;
}

static struct view_table *table_of(const struct view *v, const char *event)
{
	vec_foreach(&v->table, t)
		if ((*t)->member.nr && !strcmp((*t)->member.v[0], event))
			return *t;
	return NULL;
}

/* the programs and libraries of a call graph */
static void add_modules(struct renames *r, u32 file, const struct view_node *n)
{
	if (n->module)
		renames_add_name(r, file, NAME_DSO, n->module, n->nr);
	vec_foreach(&n->child, c)
		add_modules(r, file, *c);
}

static void add_names(struct renames *r, u32 file, const struct diff_profile *p)
{
	renames_add(r, file, p->hist, &p->order, p->order.nr_keys);
	vec_foreach(&p->view->table, t)
		for (size_t row = 0; (*t)->tree && row < (*t)->nr_rows; row++)
			if ((*t)->tree[row])
				add_modules(r, file, (*t)->tree[row]);
}

/* an event whose samples slices of elapsed time replace in both files */
static bool is_replaced(const struct view_table *t)
{
	return strcmp(t->member.v[0], WALL_EVENT_NAME) && !t->nr_rows && !t->before->nr_rows;
}

static int match(struct diff_stacks *st, struct err *err)
{
	struct view *v = st->after.view;
	bool slices = wall_event_in(st->after.session->data->evset);
	size_t nr = 0;

	renames_init(&st->renames, 2);
	add_names(&st->renames, 0, &st->before);
	add_names(&st->renames, 1, &st->after);
	renames_decide(&st->renames, 1);

	vec_foreach(&v->table, t) {
		(*t)->before = (*t)->member.nr ? table_of(st->before.view, (*t)->member.v[0]) : NULL;
		(*t)->alias = st->renames.alias.v;
		(*t)->nr_aliases = st->renames.alias.nr;
		if ((*t)->before && !(slices && is_replaced(*t)))
			v->table.v[nr++] = *t;
	}
	v->table.nr = nr;
	v->name = "diff";
	return nr ? 0 : err_set(err, -ENOENT, "the two files have no event in common");
}

int diff_stacks_read(struct diff_stacks *st, const struct diff_profile_opts *o, const char *before,
		     const char *after, void (*warn)(const struct diag *diag), struct err *err)
{
	struct diff_profile_opts whole = *o;
	struct diff_profile *p = &st->before;
	int ret = 0;

	*st = (struct diff_stacks){ 0 };
	whole.choose = choose;
	for (u32 i = 0; i < 2 && !ret; i++, p = &st->after) {
		ret = read_profile(p, &whole, i ? after : before, i, err);
		if (p->session)
			warn(&p->session->diag);
	}
	return ret ? ret : match(st, err);
}

void diff_stacks_release(struct diff_stacks *st)
{
	diff_profile_release(&st->before);
	diff_profile_release(&st->after);
	renames_release(&st->renames);
}
