/* Missing: which files have samples without a name, and why. */
#include "missing-symbols.h"

#include <stdlib.h>

#include "../base/log.h"
#include "../base/sort.h"
#include "../base/strbuf.h"
#include "../base/units.h"
#include "../sym/sym.h"
#include "../machine/machine.h"
#include "hist.h"

#define MAX_NOTES 10
#define MAX_NAMED 3		/* stripped files that are named; the others are counted */

bool is_missing_name(const struct hist *h, const struct named *n)
{
	const struct symbols *s = h->session->symbols;

	return n->dso != ID_NONE && (!n->name || symbols_guessed(s, n->dso, n->sym)) &&
	       symbols_reason(s, n->dso);
}

/* the key that is the name; HIST_NONE: there is none */
static u32 name_key(const struct hist *h)
{
	u32 key = 0;

	while (key < h->opts.nr_keys && !h->opts.key[key]->is_name)
		key++;
	return key < h->opts.nr_keys ? key : HIST_NONE;
}

static u64 own_period(const struct hist *h, const struct hist_entry *e)
{
	return e->own == HIST_NONE ? 0 : h->own.v[e->own].period;
}

u64 *missing_periods(const struct hist *h, u64 *ret_all)
{
	u32 key = name_key(h);
	u64 *period;

	if (key == HIST_NONE)
		return NULL;
	*ret_all = 0;
	period = xcalloc(machine_dsos(h->session->machine)->dso.nr + 1, sizeof(*period));
	for (size_t i = 0; i < h->entry.nr; i++) {
		const struct hist_entry *e = blocks_at(&h->entry, i);
		const struct named *n = &h->names.named.v[hist_entry_key(h, e, key)];
		u64 own = own_period(h, e);

		*ret_all += own;
		if (is_missing_name(h, n))
			period[n->dso] += own;
	}
	return period;
}

/* what is said of one file without symbols, and of stripped ones together */
struct missing {
	u8 *in;			/* by dso: MISSING_* */
	struct { VEC(struct sort_pair); } stripped;	/* dsos; a smaller key matters more */
	bool guessed;		/* some names are guesses */
};
enum { MISSING_SOME = 1, MISSING_GUESSED };

static void note_stripped(const struct hist *h, struct missing *m)
{
	const struct symbols *s = h->session->symbols;
	struct strbuf sb = STRBUF_INIT;
	size_t nr = m->stripped.nr;
	u32 worst;

	if (!nr)
		return;
	vec_reserve(&m->stripped, 2 * nr);
	sort_pairs(m->stripped.v, m->stripped.v + nr, nr);
	worst = m->stripped.v[0].val;
	if (nr == 1)
		strbuf_addstr(&sb, symbols_reason(s, worst));
	else
		strbuf_addf(&sb, "%zu files are stripped (", nr);
	for (size_t i = 0; i < nr && nr > 1; i++) {
		u32 dso = m->stripped.v[i].val;

		if (i < MAX_NAMED)
			strbuf_addf(&sb, "%s%s", i ? ", " : "",
				    dsos_at(machine_dsos(h->session->machine), dso)->short_name);
		log_v("%s", symbols_reason(s, dso));
	}
	if (nr > MAX_NAMED)
		strbuf_addf(&sb, " and %zu more", nr - MAX_NAMED);
	if (nr > 1)
		strbuf_addf(&sb, "): %s", symbols_stripped(s, worst));
	if (m->guessed)
		strbuf_addstr(&sb, "; [FILE+0xOFFSET] is a function that was guessed from unwind "
			      "information");
	log_warn("%s", strbuf_str(&sb));
	strbuf_release(&sb);
}

static void find_missing(const struct hist *h, struct missing *m)
{
	vec_foreach(&h->names.named, n)
		if (is_missing_name(h, n) && h->dso_sampled[n->dso])
			m->in[n->dso] |= n->name ? MISSING_GUESSED : MISSING_SOME;
}

void note_missing_symbols(const struct hist *h)
{
	const struct session *s = h->session;
	u32 nr_dsos = machine_dsos(s->machine)->dso.nr, nr = 0;
	struct missing m = { 0 };
	u64 all, *period;

	if (!h->opts.symbols)
		return;
	m.in = xcalloc(nr_dsos + 1, 1);
	period = missing_periods(h, &all);
	find_missing(h, &m);
	for (u32 d = 0; d < nr_dsos; d++) {
		if (!m.in[d] || symbols_told(s->symbols, d))
			continue;
		m.guessed |= m.in[d] & MISSING_GUESSED;
		if (symbols_stripped(s->symbols, d))
			vec_push(&m.stripped, (struct sort_pair){ period ? UINT64_MAX - period[d] : 0, d });
		else if (nr++ < MAX_NOTES)
			log_warn("%s", symbols_reason(s->symbols, d));
	}
	note_stripped(h, &m);
	if (nr > MAX_NOTES)
		log_warn("%u more file%s without symbols", nr - MAX_NOTES, plural(nr - MAX_NOTES));
	vec_release(&m.stripped);
	free(m.in);
	free(period);
}

#define SHARED_MIN 0.5		/* percent of the samples that are worth a note */

void note_shared_code(const struct hist *h)
{
	const struct named *most = NULL;
	u64 all = 0, sum = 0, largest = 0;
	u32 key = h->opts.symbols ? name_key(h) : HIST_NONE;

	for (size_t i = 0; key != HIST_NONE && i < h->entry.nr; i++) {
		const struct hist_entry *e = blocks_at(&h->entry, i);
		const struct named *n = &h->names.named.v[hist_entry_key(h, e, key)];
		u64 own = own_period(h, e);

		all += own;
		if (!own || !n->name || !symbols_shared(h->session->symbols, n->dso, n->sym))
			continue;
		sum += own;
		if (own > largest) {
			largest = own;
			most = n;
		}
	}
	if (most && 100.0 * sum / all >= SHARED_MIN)
		log_warn("%.1f%% of the samples are in code that several functions share, because the "
			 "linker folded equal ones (ICF): where %s is shown, another may have run; its "
			 "callers (-g) tell",
			 100.0 * sum / all, most->name);
}
