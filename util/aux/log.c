/* The debug log of a decoder: see log.h. */
#include "log.h"
#include "../event/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define DEFAULT_BEFORE_ERROR 16384u
#define BEFORE_ERROR_MAX (64u << 20)
#define WRITE_SIZE (1u << 20)

struct aux_log {
	FILE *f;
	const char *name;
	bool all_records, no_records;
	bool only_errors;
	size_t size;		/* bytes of lines before an error */
	int error;		/* the first one of writing; 0: none */
};

int aux_log_open(struct aux_log **ret, const struct itrace_opts *o, const char *name, struct err *err)
{
	struct aux_log *l = xcalloc(1, sizeof(*l));

	*l = (struct aux_log){
		.f = o->log_to_stdout ? stdout : fopen(name, "we"), .name = name,
		.all_records = o->log_all_records, .no_records = o->log_no_records,
		.only_errors = o->log_only_errors,
		.size = o->log_size ? MIN(o->log_size, (u64)BEFORE_ERROR_MAX) : DEFAULT_BEFORE_ERROR,
	};
	if (!l->f) {
		int error = errno;

		free(l);
		return err_set(err, -error, "cannot write the debug log %s: %s", name, strerror(error));
	}
	*ret = l;
	return 0;
}

/* leaves the last bytes */
static void keep_end(struct strbuf *text, size_t len)
{
	memmove(text->buf, text->buf + text->len - len, len);
	strbuf_setlen(text, len);
}

static void put(struct aux_log *l, const struct strbuf *text)
{
	if (text->len && fwrite(text->buf, text->len, 1, l->f) != 1 && !l->error)
		l->error = errno;
}

int aux_log_close(struct aux_log *l, struct err *err)
{
	int error;

	if (!l)
		return 0;
	if ((l->f == stdout ? fflush(l->f) : fclose(l->f)) && !l->error)
		l->error = errno;
	error = l->error;
	if (error)
		err_set(err, -error, "writing the debug log %s failed: %s", l->name, strerror(error));
	free(l);
	return -error;
}

struct strbuf *aux_log_text(struct aux_out *out)
{
	struct aux_log *l = out->a->log;
	struct strbuf *text = l->only_errors ? &out->recent : &out->log;

	if (out->log.len > WRITE_SIZE)
		aux_log_write(l, out);
	if (l->only_errors && text->len > 2 * l->size)	/* twice, so that a byte moves once */
		keep_end(text, l->size);
	return text;
}

void aux_log_error(struct aux_out *out)
{
	const struct aux_log *l = out->a->log;
	struct strbuf *text = &out->recent;
	const char *line;

	if (!l->only_errors)
		return;
	if (text->len > l->size) {	/* from the next line on */
		line = memchr(text->buf + text->len - l->size, '\n', l->size);
		keep_end(text, text->buf + text->len - (line + 1));
	}
	strbuf_addstr(&out->log, "Dumping debug log buffer\n");
	strbuf_add(&out->log, text->buf, text->len);
	strbuf_addstr(&out->log, "End of debug log buffer dump\n");
	strbuf_reset(text);
}

void aux_log_write(struct aux_log *l, struct aux_out *out)
{
	if (!l)
		return;
	put(l, &out->log);
	strbuf_reset(&out->log);
	if (l->f == stdout && fflush(l->f) && !l->error)
		l->error = errno;
}

static bool is_used(u32 type)
{
	return record_is_side_band(type) || type == REC_AUX || type == REC_ITRACE_START ||
	       type == REC_SWITCH || type == REC_SWITCH_CPU_WIDE || type == REC_AUX_OUTPUT_HW_ID;
}

/* what matters of maps and tasks */
static void add_facts(struct strbuf *out, const struct record_view *v)
{
	struct record_map m;

	if (v->type == REC_COMM) {
		strbuf_addf(out, " %d/%d: ", v->comm.pid, v->comm.tid);
		strbuf_add_safe(out, v->comm.comm);
	} else if (record_map_of(v, &m)) {
		strbuf_addf(out, " %d/%d: [0x%llx(0x%llx) @ 0x%llx]: ", m.pid, m.tid,
			    (unsigned long long)m.addr, (unsigned long long)m.len,
			    (unsigned long long)m.pgoff);
		strbuf_add_safe(out, m.filename);
	}
}

void aux_log_record(struct aux_log *l, const struct data *d, const struct rec *rec)
{
	struct strbuf out = STRBUF_INIT;
	struct record_view v;
	struct sample id = { 0 };

	if (!l || l->only_errors || l->no_records || !(l->all_records || is_used(rec->type)) ||
	    record_decode(rec, &v))
		return;
	strbuf_addf(&out, "event 0x%llx:", (unsigned long long)rec->off);
	if (!sample_decode_id(d->plan, rec, &id))
		strbuf_addf(&out, " cpu %d time %llu tid %d", (int)id.cpu, (unsigned long long)id.time,
			    (int)id.tid);
	strbuf_addf(&out, " PERF_RECORD_%s", record_name(rec->type));
	add_facts(&out, &v);
	strbuf_addch(&out, '\n');
	put(l, &out);
	strbuf_release(&out);
}
