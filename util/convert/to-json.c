/* To JSON: see to-json.h. */
#include "to-json.h"

#include "../base/json-out.h"
#include "../resolve/named-frames.h"
#include "../stat/stat-file.h"
#include "../tep/tracefmt.h"
#include "../tracing/tracing.h"
#include "../wall/wall-event.h"

#include <errno.h>
#include <time.h>

#define FLUSH_AT 65536u

struct json_converter {
	struct session *session;
	const struct to_json_opts *o;
	struct to_json_result *result;
	struct json w;
	struct strbuf out, text;
	struct resolver resolver;
	struct arena scratch;
	struct named_frames names;
	int ret;
	bool stop;
};

static void flush(struct json_converter *c)
{
	if (!c->ret)
		c->ret = c->o->write(c->o->ctx, strbuf_str(&c->out), c->out.len);
	c->result->nr_bytes += c->out.len;
	c->stop = c->ret;
	strbuf_reset(&c->out);
}

static void add_hex(struct json_converter *c, const char *key, u64 v)
{
	struct strbuf *out;

	json_key(&c->w, key);
	out = json_value(&c->w);
	strbuf_addstr(out, "\"0x");
	strbuf_add_hex(out, v, 0, '0');
	strbuf_addch(out, '"');
}

/* ---- the header ---- */

static void add_text(struct json_converter *c, const char *key, const char *text)
{
	json_key_string(&c->w, key, text ? text : "");
}

static void add_headers(struct json_converter *c)
{
	const struct data *d = c->session->data;
	const struct features *f = &d->feat;
	time_t mtime = d->mtime;
	struct tm tm;
	char date[32] = "";

	if (gmtime_r(&mtime, &tm))
		strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm);
	json_key(&c->w, "headers");
	json_begin_object(&c->w, JSON_LINES);
	json_key_u64(&c->w, "header-version", d->version != 1);
	json_key_string(&c->w, "captured-on", date);
	json_key_u64(&c->w, "data-offset", d->data_offset);
	json_key_u64(&c->w, "data-size", d->data_size);
	json_key_u64(&c->w, "feat-offset", d->data_offset + d->data_size);
	add_text(c, "hostname", f->hostname);
	add_text(c, "os-release", f->osrelease);
	add_text(c, "arch", f->arch);
	if (f->cpudesc)
		add_text(c, "cpu-desc", f->cpudesc);
	add_text(c, "cpuid", f->cpuid);
	json_key_u64(&c->w, "nrcpus-online", f->nr_cpus_online);
	json_key_u64(&c->w, "nrcpus-avail", f->nr_cpus_avail);
	add_text(c, "perf-version", f->version);
	json_key(&c->w, "cmdline");
	json_begin_array(&c->w, JSON_LINES);
	for (u32 i = 0; i < f->nr_cmdline; i++)
		json_string(&c->w, f->cmdline[i]);
	json_end(&c->w);
	json_end(&c->w);
}

/* ---- samples ---- */

static void add_frame(struct json_converter *c, const struct frame_loc *f)
{
	const char *name = named_frame_at(&c->names, f)->name;

	json_begin_object(&c->w, JSON_LINES);
	add_hex(c, "ip", f->ip);
	if (name) {
		json_key_string(&c->w, "symbol", name);
		json_key_string(&c->w, "dso",
				dsos_at(machine_dsos(c->session->machine), f->loc.dso)->short_name);
	}
	json_end(&c->w);
}

/* the recorded chain, or else the sampled address */
static void add_chain(struct json_converter *c, const struct tracing_sample *ts)
{
	const struct sample *s = ts->sample;
	struct frame_loc frame[RESOLVE_MAX_STACK];
	size_t nr = 0;

	json_key(&c->w, "callchain");
	json_begin_array(&c->w, JSON_LINES);
	if (s->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN) {
		nr = chain_resolve(&c->resolver, s, tracing_ctx(ts), frame, RESOLVE_MAX_STACK);
	} else {
		frame[0] = (struct frame_loc){ s->ip, locator_find(&ts->task->locator, tracing_ctx(ts),
								   s->cpumode, s->ip), false };
		nr = 1;
	}
	for (size_t i = 0; i < nr; i++)
		add_frame(c, &frame[i]);
	json_end(&c->w);
}

static void add_fields(struct json_converter *c, const struct tracing_sample *ts)
{
	const struct sample *s = ts->sample;
	const struct tracefmt_event *e = tracefmt_event(ts->formats, s->event->attr.config);
	const struct tracefmt_field *f;
	bool is_slice = wall_event_is(s->event);

	for (u32 i = 0; e && (f = tracefmt_nth_field(e, i)); i++) {
		const char *word = is_slice ? wall_event_word(s, f->name) : NULL;

		strbuf_reset(&c->text);
		if (word)
			strbuf_addstr(&c->text, word);
		else
			tracefmt_print_field(ts->formats, e, f, s->raw, s->raw_size, &c->text);
		json_key_string(&c->w, f->name, strbuf_str(&c->text));
	}
}

static void add_sample(void *converter, const struct tracing_sample *ts)
{
	struct json_converter *c = converter;
	const struct sample *s = ts->sample;
	u64 type = s->event->attr.sample_type;

	arena_reset(&c->scratch);
	json_begin_object(&c->w, JSON_LINES);
	json_key(&c->w, "timestamp");
	json_s64(&c->w, type & PERF_SAMPLE_TIME ? (s64)s->time : -1);
	json_key(&c->w, "pid");
	json_s64(&c->w, (s32)s->pid);
	json_key(&c->w, "tid");
	json_s64(&c->w, (s32)s->tid);
	if (type & PERF_SAMPLE_CPU)
		json_key_u64(&c->w, "cpu", s->cpu);
	json_key_string(&c->w, "comm", machine_comm(c->session->machine, tracing_ctx(ts)));
	add_chain(c, ts);
	if (ts->formats && type & PERF_SAMPLE_RAW && s->event->attr.type == PERF_TYPE_TRACEPOINT)
		add_fields(c, ts);
	json_end(&c->w);
	c->result->nr_samples++;
	if (c->out.len >= FLUSH_AT)
		flush(c);
}

/* ---- counts ---- */

static void add_round(struct json_converter *c, const struct stat_file *f, const struct stat_round *round)
{
	struct stat_counter counter;
	size_t at = 0;

	while (stat_file_counter(f, &at, &counter)) {
		json_begin_object(&c->w, JSON_LINES);
		json_key_u64(&c->w, "time", round->time_ns);
		if (counter.cpu >= 0)
			json_key_u64(&c->w, "cpu", counter.cpu);
		if (counter.tid >= 0)
			json_key_u64(&c->w, "tid", counter.tid);
		json_key_string(&c->w, "event", counter.event);
		json_key_u64(&c->w, "value", counter.count->val);
		json_key_u64(&c->w, "time-enabled", counter.count->ena);
		json_key_u64(&c->w, "time-running", counter.count->run);
		json_end(&c->w);
		c->result->nr_counts++;
	}
	if (c->out.len >= FLUSH_AT)
		flush(c);
}

static int add_counts(struct json_converter *c, struct err *err)
{
	struct session *s = c->session;
	struct stat_round round;
	struct stat_file f;
	int ret = stat_file_of(&f, s->data, err);

	if (ret)
		return ret;
	json_key(&c->w, "counts");
	json_begin_array(&c->w, JSON_LINES);
	while (!c->stop && stat_file_next(&f, &round) > 0)
		add_round(c, &f, &round);
	json_end(&c->w);
	diag_merge(&s->diag, &f.diag);
	stat_file_close(&f);
	return 0;
}

int to_json(struct session *s, const struct to_json_opts *o, struct to_json_result *result, struct err *err)
{
	struct json_converter c = { .session = s, .o = o, .result = result };
	struct tracing_opts tracing = { .record = "perf record", .ctx = &c, .other = add_sample,
					.stop = &c.stop };
	int ret;

	*result = (struct to_json_result){ 0 };
	c.w.out = &c.out;
	c.w.indent = "\t";
	if (o->filter)
		tracing.filter = *o->filter;
	resolver_init(&c.resolver, s, &c.scratch);
	named_frames_init(&c.names, s);
	json_begin_object(&c.w, JSON_LINES);
	json_key_u64(&c.w, "linux-perf-json-version", 1);
	add_headers(&c);
	json_key(&c.w, "samples");
	json_begin_array(&c.w, JSON_LINES);
	ret = tracing_run(s, &tracing, err);
	json_end(&c.w);
	if (!ret && !c.ret && stat_file_is(s->data))
		ret = add_counts(&c, err);
	json_end(&c.w);
	strbuf_addch(&c.out, '\n');
	if (!ret)
		flush(&c);
	resolver_release(&c.resolver);
	json_release(&c.w);
	strbuf_release(&c.out);
	strbuf_release(&c.text);
	arena_release(&c.scratch);
	named_frames_release(&c.names);
	return ret ? ret : c.ret;
}
