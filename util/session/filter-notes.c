/* Filter notes: compares the names in a filter with those in the profile. */
#include "filter-notes.h"

#include <ctype.h>
#include <stdlib.h>

#include "../base/arena.h"
#include "../base/log.h"
#include "../base/nearest.h"

/* the names of one kind that a profile has, offered to a filter one by one */
struct probe {
	const struct name_filter *f;
	struct nearest nearest;		/* to the filter's first name */
	bool found;
	u64 nr;				/* names that were offered */
};

static void offer(struct probe *p, const char *name)
{
	if (!name || p->found)
		return;
	p->nr++;
	p->found = name_filter_has(p->f, name);
	if (!p->found)
		nearest_offer(&p->nearest, name);
}

static void offer_comms(const struct session *s, struct probe *p)
{
	u32 last = ID_NONE;

	for (u32 i = 0; i < machine_nr_threads(s->machine) && !p->found; i++) {
		const struct thread *t = machine_thread_at(s->machine, i);

		for (u32 c = 0; c < t->nr_comms; c++)
			if (t->comms[c].comm != last)
				offer(p, machine_comm_name(s->machine, last = t->comms[c].comm));
	}
}

static void offer_dsos(const struct session *s, struct probe *p)
{
	const struct dsos *dsos = machine_dsos(s->machine);

	for (size_t i = 0; i < dsos->dso.nr; i++) {
		offer(p, dsos->dso.v[i]->short_name);
		offer(p, dsos->dso.v[i]->long_name);
		offer(p, dso_path(dsos->dso.v[i]));
	}
}

/* of programs that have samples: only their tables are loaded */
static void offer_symbols(const struct session *s, struct probe *p)
{
	struct arena names = { 0 };

	for (u32 d = 0; d < machine_dsos(s->machine)->dso.nr && !p->found; d++) {
		const struct symtab *tab = symbols_table(s->symbols, d);

		for (u32 i = 0; tab && i < tab->nr && !p->found; i++)
			offer(p, symbols_name(s->symbols, d, i, &names));
	}
	arena_release(&names);
}

/* a name that script's -S also accepts as an address */
static bool has_address(const struct name_filter *f)
{
	for (size_t i = 1; i < f->names.str.nr; i++) {
		const char *name = strtab_get(&f->names, i);

		if (isxdigit((u8)*name) && !name[strspn(name, "0123456789abcdefABCDEFxX")])
			return true;
	}
	return false;
}

/* true, after a warning, if the profile has none of the filter's names */
static bool warn_absent(const struct session *s, const struct name_filter *f, const char *option,
			const char *what, const char *remedy,
			void (*offer_names)(const struct session *s, struct probe *p))
{
	struct probe p = { .f = f };
	struct strbuf near = STRBUF_INIT;
	const char *first;

	if (!f->active || f->names.str.nr < 2)	/* the first string of a table is "" */
		return false;
	first = strtab_get(&f->names, 1);
	nearest_init(&p.nearest, first, strlen(first));
	offer_names(s, &p);
	if (p.found || !p.nr)
		return false;
	nearest_describe(&p.nearest, &near);
	if (f->names.str.nr > 2)
		log_warn("--%s: '%s' and the other names are not %s%s; %s", option, first, what,
			 strbuf_str(&near), remedy);
	else
		log_warn("--%s: '%s' is not %s%s; %s", option, first, what, strbuf_str(&near), remedy);
	strbuf_release(&near);
	return true;
}

static void warn_together(const struct session *s, const struct filter_given *given, size_t nr)
{
	struct strbuf list = STRBUF_INIT;
	unsigned int n = 0;

	for (size_t i = 0; i < nr; i++)
		if (given[i].value)
			strbuf_addf(&list, *given[i].value ? "%s%s '%s'" : "%s%s", n++ ? ", " : "",
				    given[i].option, given[i].value);
	if (n && s->trace_left_out)
		log_warn("no sample passes %s %s", n > 1 ? "all of" : "the filter", strbuf_str(&list));
	else if (n && s->nr_samples == 1)
		log_warn("the only sample does not pass %s %s", n > 1 ? "all of" : "the filter",
			 strbuf_str(&list));
	else if (n)
		log_warn("none of the %llu samples passes %s %s", (unsigned long long)s->nr_samples,
			 n > 1 ? "all of" : "the filter", strbuf_str(&list));
	strbuf_release(&list);
}

void filters_warn_empty(const struct session *s, const struct name_filter *comms,
			const struct name_filter *dsos, const struct name_filter *symbols,
			const struct filter_given *given, size_t nr)
{
	bool said;

	if (!s->nr_samples && !s->trace_left_out) {
		log_warn("%s %s", strcmp(s->data->path, "-") ? s->data->path : "standard input",
			 s->why_empty ? s->why_empty : "has no samples");
		return;
	}
	said = warn_absent(s, comms, "comms", "the name of a recorded thread",
				"perf report --sort comm lists them", offer_comms);

	said |= warn_absent(s, dsos, "dsos", "a recorded program or library",
			    "perf report --sort dso lists them", offer_dsos);
	if (!has_address(symbols))
		said |= warn_absent(s, symbols, "symbols", "a function of the programs with samples",
				    "perf report --sort symbol lists them", offer_symbols);
	if (!said)
		warn_together(s, given, nr);
}
