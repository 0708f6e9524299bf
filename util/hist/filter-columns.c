/* Filter columns: the columns of lists with one name, and the warnings. */
#include "filter-columns.h"
#include "callers.h"

#include <string.h>
#include <unistd.h>

#include "../base/log.h"
#include "../session/filter-notes.h"
#include "hist.h"
#include "sort-order.h"

/* the single name in the list for a key, else NULL */
static const char *sample_filter_only(const struct sample_filter *f, const char *key)
{
	const struct name_filter *list = !strcmp(key, "comm") ? &f->comms : !strcmp(key, "dso") ? &f->dsos :
					 !strcmp(key, "symbol") ? &f->symbols : NULL;

	return list ? name_filter_only(list) : NULL;
}

void sample_filter_hide_columns(const struct sample_filter *f, struct sort_order *order, bool keep)
{
	static const char *const names[] = { "comm", "dso", "symbol" };
	u32 nr_keys = 0, nr = 0;

	for (u32 n = 0; n < ARRAY_SIZE(names); n++)
		for (u32 i = 0; i < order->nr_columns; i++)
			if (!strcmp(order->column[i]->name, names[n]) && sample_filter_only(f, names[n])) {
				order->only[order->nr_only].key = names[n];
				order->only[order->nr_only++].value = sample_filter_only(f, names[n]);
			}
	for (u32 i = 0; i < order->nr_columns; i++)
		nr_keys += order->column[i]->kind != FIELD_STAT &&
			   !sample_filter_only(f, order->column[i]->name);
	if (!nr_keys || keep)
		return;
	for (u32 i = 0; i < order->nr_columns; i++)
		if (!sample_filter_only(f, order->column[i]->name))
			order->column[nr++] = order->column[i];
	order->nr_columns = nr;
}

/* --guest alone left nothing: says what such samples need; false if other filters may be the reason */
static bool warn_no_guest(const struct hist *h, const struct filter_given *given, size_t nr)
{
	const struct session *s = h->session;

	for (size_t i = 1; i < nr; i++)
		if (given[i].value)
			return false;
	if (s->nr_samples)
		log_warn("none of the %llu samples was taken in a guest; 'perf kvm --host report' shows "
			 "those of the host", (unsigned long long)s->nr_samples);
	else
		log_warn("%s has no samples: nothing ran in a guest, or the event does not count in guests "
			 "here", s->data->path);
	log_warn("samples of guests are recorded on their host, while a guest runs: 'perf kvm record'");
	return true;
}

void sample_filter_warn_empty(const struct sample_filter *f, const struct hist *h)
{
	const struct filter_given given[] = {
		{ "--guest", f->only_guest && !f->only_host ? "" : NULL },
		{ "--comms", f->comm_list }, { "--dsos", f->dso_list }, { "--symbols", f->symbol_list },
		{ "--pid", f->pid_list }, { "--tid", f->tid_list }, { "--cpu", f->cpu_list },
		{ "--parallelism", f->parallelism_list }, { "--time", f->time_spec },
		{ "-x --parent", callers_wanted(h) },
	};

	for (u32 i = 0; i < h->nr_events; i++)
		if (h->event[i].shown.nr)
			return;
	if (given[0].value && warn_no_guest(h, given, ARRAY_SIZE(given)))
		return;
	filters_warn_empty(h->session, &f->comms, &f->dsos, &f->symbols, given, ARRAY_SIZE(given));
}

void symbol_filter_warn_empty(const char *text, const struct hist *h)
{
	bool is_file = text && !access(text, F_OK);

	if (!text || !h->opts.symbols)
		return;
	vec_foreach(&h->names.named, n)
		if (n->name && strstr(n->name, text))
			return;
	log_warn("no function with samples has '%s' in its name%s%s%s", text, is_file ? "; -i " : "",
		 is_file ? text : "", is_file ? " reads the file of that name" : "");
}
