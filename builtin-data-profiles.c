/*
 * perf data convert: profiles of other tools among the inputs. Each could be read as the recording that is
 * made of it; where functions are all that is asked for, their stacks are taken as they are.
 */
#include "builtin-data.h"

#include <stdlib.h>
#include <string.h>

#include "util/base/alloc.h"
#include "util/cli/builtin.h"
#include "util/data/import.h"
#include "util/data/open.h"
#include "util/hist/imported-stacks.h"

struct data_profiles {
	struct stacks sums[IMPORT_FORMATS];
	struct stacks carried;	/* one profile after another: data_profiles_next() */
	struct imported_stacks *from[IMPORT_FORMATS];	/* into carried, or NULL */
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
	if (p)
		stacks_init(&p->carried, STACKS_FUNCTIONS);
	return p;
}

void data_profiles_free(struct data_profiles *p)
{
	if (!p)
		return;
	for (u32 i = 0; i < IMPORT_FORMATS; i++) {
		imported_stacks_free(p->from[i]);
		stacks_release(&p->sums[i]);
	}
	stacks_release(&p->carried);
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

static int add_sums(struct data_profiles *p, u32 format, struct stacks *st, struct err *err)
{
	struct imported_stacks **from = &p->from[format], *m;
	int ret;

	if (!p->sums[format].stack.nr)
		return 0;
	m = st == &p->carried && *from ? *from :
	    imported_stacks_new(st, &p->sums[format], import_at(format)->name);
	ret = imported_stacks_add(m, err);
	if (st == &p->carried)
		*from = m;
	else
		imported_stacks_free(m);
	/* nobody knows on which machine these were recorded */
	st->machine = st->kernel = st->boot = 0;
	return ret;
}

int data_profiles_add(struct data_profiles *p, struct stacks *st, struct err *err)
{
	int ret = 0;

	for (u32 i = 0; p && i < IMPORT_FORMATS && !ret; i++)
		ret = add_sums(p, i, st, err);
	if (p) {
		st->time_ns = MAX(st->time_ns, p->time_ns);
		st->nr_profiles += p->nr;
	}
	return ret;
}

struct stacks *data_profiles_next(struct data_profiles *p, const struct data_cmd *c, const char *path,
				  int *ret, struct err *err)
{
	if (!p)
		return NULL;
	for (u32 i = 0; i < IMPORT_FORMATS; i++)
		stacks_next(&p->sums[i]);
	stacks_next(&p->carried);
	p->nr = p->time_ns = 0;
	if (!data_profiles_take(p, c, path))
		return NULL;
	*ret = data_profiles_add(p, &p->carried, err);
	return &p->carried;
}
