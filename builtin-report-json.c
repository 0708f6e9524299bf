/* perf report --json: documents of what report shows as text beside the table, or instead of it. */
#include "builtin-report.h"
#include "ui/format.h"
#include "util/base/log.h"
#include "util/fields/file-facts.h"
#include "util/contents/contents.h"

bool report_json_only(const struct report_opts *o)
{
	return o->header_only || o->stats || o->tasks || o->mmaps;
}

int report_json_show(struct report_opts *o, const struct session *s, struct err *err)
{
	struct view *v = xcalloc(1, sizeof(*v));

	v->name = "report";
	file_facts(&v->fact, &v->arena, s);
	if (o->header || o->header_only)
		contents_add_attributes(s->data, v);
	if ((o->tasks || o->mmaps) && !o->header_only)
		contents_add_tasks(s->machine, o->mmaps, v);
	if (o->stats && !o->header_only)
		contents_add_stats(s, v);
	v->tables = v->table.v[0]->section;
	return format_answer(v, true, &o->text, err);
}

void report_json_add(const struct report_opts *o, const struct session *s, struct view *v)
{
	if (o->header)
		contents_add_attributes(s->data, v);
	if (o->threads && !contents_add_threads(s, v))
		log_warn(REPORT_NO_COUNTS);
}
