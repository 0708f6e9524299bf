/* perf report on a terminal: single samples as lines, as perf script prints them: of a row, around a time. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-report.h"
#include "util/script/script.h"

#define DEFAULT_SAMPLES 100u		/* of a row, without --samples */
#define CONTEXT_SAMPLES 10000u
#define CONTEXT_NS 10000000ull		/* shown before and after a time */
#define SEC_NS 1000000000ull

struct sample_lines {
	u32 event, left;		/* event: ID_NONE for all */
	struct strbuf text;
};

/* lines of single samples, because call chains are hidden; -EPIPE ends the run */
static int take_lines(void *ctx, u32 event, const char *text, size_t len)
{
	struct sample_lines *l = ctx;
	const char *end = text + len, *next;

	if (event == ID_NONE || (l->event != ID_NONE && event != l->event))
		return 0;
	for (; text < end && l->left; text = next, l->left--) {
		next = memchr(text, '\n', end - text);
		next = next ? next + 1 : end;
		strbuf_add(&l->text, text, next - text);
	}
	return l->left ? 0 : -EPIPE;
}

/* the caller releases the filter of o */
static int run_script(struct session *s, struct script_opts *o, struct sample_lines *l, struct err *err)
{
	int ret;

	o->per_event = o->hide_chain = o->ns = true;
	script_fields_init(&o->fields);
	ret = script_check(s, o, err);
	if (!ret)
		ret = script_run(s, o, take_lines, l, err);
	script_fields_release(&o->fields);
	vec_release(&o->fp);
	free(o->nr_lines);
	return ret == -EPIPE ? 0 : ret;
}

/* what the user typed of other filters: the report's own have been parsed, and belong to it */
static struct sample_filter filter_as_typed(const struct sample_filter *f)
{
	return (struct sample_filter){
		.comm_list = f->comm_list, .pid_list = f->pid_list, .tid_list = f->tid_list,
		.cpu_list = f->cpu_list, .time_spec = f->time_spec, .parallelism_list = f->parallelism_list,
		.only_guest = f->only_guest, .only_host = f->only_host,
		.socket = f->socket, .socket_set = f->socket_set,
	};
}

static void keep_only(struct name_filter *f, const char *name)
{
	f->active = true;
	strtab_add(&f->names, name);
}

static int give_text(struct sample_lines *l, const char *none, char **ret_text, struct err *err)
{
	int ret = l->text.len ? 0 : err_set(err, -ENOENT, "%s", none);

	if (!ret)
		*ret_text = xstrdup(strbuf_str(&l->text));
	strbuf_release(&l->text);
	return ret;
}

int report_row_samples(struct session *s, const struct report_opts *o, const struct report_symbol *sym,
		       char **ret_text, struct err *err)
{
	const struct dso *dso = dsos_at(machine_dsos(s->machine), sym->dso);
	struct script_opts so = { .filter.sample = filter_as_typed(&o->filter) };
	struct sample_lines l = { .event = sym->event, .left = o->samples ? o->samples : DEFAULT_SAMPLES };
	int ret = sample_filter_parse(&so.filter.sample, s, err);

	keep_only(&so.filter.sample.symbols, sym->name);
	keep_only(&so.filter.sample.dsos, dso->long_name);
	if (!ret)
		ret = run_script(s, &so, &l, err);
	sample_filter_release(&so.filter.sample);
	if (ret) {
		strbuf_release(&l.text);
		return ret;
	}
	return give_text(&l, "no sample is in this function itself", ret_text, err);
}

/* "12.000345": seconds, as samples are shown */
static bool parse_seconds(const char *text, u64 *ret_ns)
{
	u64 unit = SEC_NS / 10, ns;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	ns = strtoull(text, &end, 10);
	if (errno || ns >= UINT64_MAX / SEC_NS - 1)
		return false;
	ns *= SEC_NS;
	if (*end == '.')
		for (end++; *end >= '0' && *end <= '9'; end++, unit /= 10)
			ns += (*end - '0') * unit;
	*ret_ns = ns;
	return !*end || !strcmp(end, ":");
}

bool report_sample_time(const char *line, char *ret_time, size_t size)
{
	for (const char *p = line; *p; p += strspn(p, " ")) {
		size_t len = strcspn(p, " "), whole = strspn(p, "0123456789");

		/* 12.000345678: */
		if (whole && p[whole] == '.' && strspn(p + whole + 1, "0123456789") == 9 &&
		    len == whole + 11 && p[len - 1] == ':' && len <= size) {
			memcpy(ret_time, p, len - 1);
			ret_time[len - 1] = '\0';
			return true;
		}
		p += len;
	}
	return false;
}

int report_context_samples(struct session *s, const struct report_opts *o, const char *time, char **ret_text,
			   struct err *err)
{
	struct script_opts so = { .filter.sample = filter_as_typed(&o->filter) };
	struct sample_lines l = { .event = ID_NONE, .left = CONTEXT_SAMPLES };
	char span[96];
	u64 at, from;
	int ret;

	if (!parse_seconds(time, &at))
		return err_set(err, -EINVAL, "'%s' is not a time in seconds, such as 12.000345", time);
	from = at - MIN(at, CONTEXT_NS);
	at += CONTEXT_NS;
	snprintf(span, sizeof(span), "%llu.%09llu,%llu.%09llu", from / SEC_NS, from % SEC_NS,
		 at / SEC_NS, at % SEC_NS);
	so.filter.sample.time_spec = span;
	ret = sample_filter_parse(&so.filter.sample, s, err);
	if (!ret)
		ret = run_script(s, &so, &l, err);
	sample_filter_release(&so.filter.sample);
	if (ret) {
		strbuf_release(&l.text);
		return ret;
	}
	return give_text(&l, "no sample is within 10 ms of this time", ret_text, err);
}
