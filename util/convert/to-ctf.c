/* To CTF: see to-ctf.h. */
#include "to-ctf.h"
#include "ctf-writer.h"

#include "../base/alloc.h"
#include "../event/record.h"
#include "../resolve/named-frames.h"
#include "../tep/tracefmt.h"
#include "../tracing/tracing.h"
#include "../wall/wall-event.h"

#include <errno.h>
#include <string.h>

#define UNDECLARED UINT32_MAX

/* records that are events: in the order of their rows below */
enum side_band { SIDE_COMM, SIDE_FORK, SIDE_EXIT, SIDE_MMAP, SIDE_MMAP2, SIDE_LOST, NR_SIDE_BAND };

struct ctf_converter {
	struct session *session;
	const struct to_ctf_opts *o;
	struct to_ctf_result *result;
	struct ctf_writer *w;
	struct resolver resolver;
	struct arena scratch;
	struct named_frames names;
	u32 *event;			/* by idx: its number in the trace, or UNDECLARED */
	u32 side_band[NR_SIDE_BAND];	/* the same */
	struct strbuf text;
	bool big_endian;		/* payloads of tracepoints */
	int ret;
	bool stop;
};

static bool begin(struct ctf_converter *c, u32 event, u32 cpu, u64 time)
{
	/* all bits are set: there is no time */
	c->ret = ctf_begin(c->w, event, cpu, time == UINT64_MAX ? 0 : time);
	c->stop = c->ret;
	return !c->ret;
}

/* ---- fields of samples: what is declared and what is put go through the same lists ---- */

/* numbers that samples of an event have, by a bit of sample_type; 0: all of them have it */
#define NUMBERS(ROW) \
	ROW(PERF_SAMPLE_IP, "perf_ip", CTF_HEX, 8, ip) \
	ROW(PERF_SAMPLE_TID, "perf_tid", CTF_SIGNED, 4, tid) \
	ROW(PERF_SAMPLE_TID, "perf_pid", CTF_SIGNED, 4, pid) \
	ROW(PERF_SAMPLE_ADDR, "perf_addr", CTF_HEX, 8, addr) \
	ROW(PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER, "perf_id", CTF_UNSIGNED, 8, id) \
	ROW(PERF_SAMPLE_STREAM_ID, "perf_stream_id", CTF_UNSIGNED, 8, stream_id) \
	ROW(0, "perf_period", CTF_UNSIGNED, 8, period) \
	ROW(PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, "perf_weight", CTF_UNSIGNED, 8, weight) \
	ROW(PERF_SAMPLE_DATA_SRC, "perf_data_src", CTF_HEX, 8, data_src) \
	ROW(PERF_SAMPLE_TRANSACTION, "perf_transaction", CTF_HEX, 8, transaction) \
	ROW(PERF_SAMPLE_PHYS_ADDR, "perf_phys_addr", CTF_HEX, 8, phys_addr) \
	ROW(PERF_SAMPLE_CGROUP, "perf_cgroup", CTF_UNSIGNED, 8, cgroup)

static bool has_fields(const struct tracing_sample *ts)
{
	const struct event *ev = ts->sample->event;

	return ts->formats && ev->attr.sample_type & PERF_SAMPLE_RAW &&
	       ev->attr.type == PERF_TYPE_TRACEPOINT;
}

static bool is_integer(const struct tracefmt_field *f)
{
	return !f->is_array && !f->is_dynamic && !f->is_string &&
	       (f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8);
}

/* of an element of an array; bytes unless it is a number */
static u32 element_size(const struct tracefmt_field *f)
{
	u32 size = f->elem_size;

	return size == 2 || size == 4 || size == 8 ? size : 1;
}

/* fields of slices of elapsed time that have words, whatever their values are */
static bool is_word(const struct sample *s, const struct tracefmt_field *f)
{
	return wall_event_is(s->event) && (!strcmp(f->name, "state") || !strcmp(f->name, "wait"));
}

static void declare_tracepoint(struct ctf_converter *c, const struct tracing_sample *ts)
{
	const struct tracefmt_event *e = tracefmt_event(ts->formats, ts->sample->event->attr.config);
	const struct tracefmt_field *f;

	c->big_endian = tracefmt_is_swapped(ts->formats) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	for (u32 i = 0; e && (f = tracefmt_nth_field(e, i)); i++) {
		enum ctf_kind kind = f->is_signed ? CTF_SIGNED : CTF_UNSIGNED;

		if (f->is_string || is_word(ts->sample, f))
			ctf_declare_field(c->w, f->name, CTF_TEXT, 0);
		else if (is_integer(f))
			ctf_declare_field(c->w, f->name, kind, f->size);
		else
			ctf_declare_array(c->w, f->name, kind, element_size(f), c->big_endian);
	}
}

static u32 declare(struct ctf_converter *c, const struct tracing_sample *ts)
{
	const struct event *ev = ts->sample->event;
	u64 type = ev->attr.sample_type;
	u32 nr = ctf_declare_event(c->w, ev->name);

#define DECLARE(bits, name, kind, bytes, member) \
	if (!(bits) || type & (bits)) \
		ctf_declare_field(c->w, name, kind, bytes);
	NUMBERS(DECLARE)
	ctf_declare_field(c->w, "perf_comm", CTF_TEXT, 0);
	ctf_declare_field(c->w, "perf_symbol", CTF_TEXT, 0);
	if (type & PERF_SAMPLE_CALLCHAIN)
		ctf_declare_array(c->w, "perf_callchain", CTF_HEX, 8, false);
	if (has_fields(ts))
		declare_tracepoint(c, ts);
	ctf_declare_end(c->w);
	return nr;
}

static void put_array(struct ctf_converter *c, const struct tracing_sample *ts,
		      const struct tracefmt_field *f)
{
	u32 len = 0, size = element_size(f);
	const void *data = tracefmt_bytes(ts->formats, f, ts->sample->raw, ts->sample->raw_size, &len);

	len = data ? len / size : 0;
	ctf_put(c->w, len, 4);
	ctf_put_bytes(c->w, data, (size_t)len * size);
}

static void put_text(struct ctf_converter *c, const struct tracing_sample *ts, const struct tracefmt_field *f)
{
	u32 len = 0;
	const char *data = tracefmt_bytes(ts->formats, f, ts->sample->raw, ts->sample->raw_size, &len);

	strbuf_reset(&c->text);
	strbuf_add(&c->text, data, data ? strnlen(data, len) : 0);
	ctf_put_text(c->w, strbuf_str(&c->text));
}

static void put_tracepoint(struct ctf_converter *c, const struct tracing_sample *ts)
{
	const struct sample *s = ts->sample;
	const struct tracefmt_event *e = tracefmt_event(ts->formats, s->event->attr.config);
	const struct tracefmt_field *f;

	for (u32 i = 0; e && (f = tracefmt_nth_field(e, i)); i++) {
		u64 v = 0;

		if (is_word(s, f)) {
			ctf_put_text(c->w, wall_event_word(s, f->name) ?: "");
		} else if (f->is_string) {
			put_text(c, ts, f);
		} else if (is_integer(f)) {
			tracefmt_value(ts->formats, f, s->raw, s->raw_size, &v);
			ctf_put(c->w, v, f->size);
		} else {
			put_array(c, ts, f);
		}
	}
}

/* the chain as report has it: stacks are unwound, and context markers left out */
static void put_chain(struct ctf_converter *c, const struct tracing_sample *ts)
{
	struct frame_loc frame[RESOLVE_MAX_STACK];
	size_t nr = chain_resolve(&c->resolver, ts->sample, tracing_ctx(ts), frame, RESOLVE_MAX_STACK);

	ctf_put(c->w, nr, 4);
	for (size_t i = 0; i < nr; i++)
		ctf_put(c->w, frame[i].ip, 8);
}

static void add_sample(void *converter, const struct tracing_sample *ts)
{
	struct ctf_converter *c = converter;
	const struct sample *s = ts->sample;
	const struct event *ev = s->event;
	u64 type = ev->attr.sample_type;
	struct frame_loc at = { s->ip, locator_find(&ts->task->locator, tracing_ctx(ts), s->cpumode, s->ip),
				false };
	const char *symbol = named_frame_at(&c->names, &at)->name;

	arena_reset(&c->scratch);
	if (c->event[ev->idx] == UNDECLARED)
		c->event[ev->idx] = declare(c, ts);
	if (!begin(c, c->event[ev->idx], type & PERF_SAMPLE_CPU ? s->cpu : CTF_NO_CPU,
		   type & PERF_SAMPLE_TIME ? s->time : 0))
		return;
#define PUT(bits, name, kind, bytes, member) \
	if (!(bits) || type & (bits)) \
		ctf_put(c->w, s->member, bytes);
	NUMBERS(PUT)
	ctf_put_text(c->w, machine_comm(c->session->machine, tracing_ctx(ts)));
	ctf_put_text(c->w, symbol ? symbol : "");
	if (type & PERF_SAMPLE_CALLCHAIN)
		put_chain(c, ts);
	if (has_fields(ts))
		put_tracepoint(c, ts);
	c->result->nr_samples++;
}

/* ---- side-band ---- */

static void declare_task(struct ctf_writer *w)
{
	ctf_declare_field(w, "pid", CTF_SIGNED, 4);
	ctf_declare_field(w, "ppid", CTF_SIGNED, 4);
	ctf_declare_field(w, "tid", CTF_SIGNED, 4);
	ctf_declare_field(w, "ptid", CTF_SIGNED, 4);
	ctf_declare_field(w, "time", CTF_UNSIGNED, 8);
}

static void put_task(struct ctf_writer *w, const struct record_view *v)
{
	ctf_put(w, v->task.pid, 4);
	ctf_put(w, v->task.ppid, 4);
	ctf_put(w, v->task.tid, 4);
	ctf_put(w, v->task.ptid, 4);
	ctf_put(w, v->task.time, 8);
}

static void declare_comm(struct ctf_writer *w)
{
	ctf_declare_field(w, "pid", CTF_SIGNED, 4);
	ctf_declare_field(w, "tid", CTF_SIGNED, 4);
	ctf_declare_field(w, "comm", CTF_TEXT, 0);
}

static void put_comm(struct ctf_writer *w, const struct record_view *v)
{
	ctf_put(w, v->comm.pid, 4);
	ctf_put(w, v->comm.tid, 4);
	ctf_put_text(w, v->comm.comm);
}

static void declare_map(struct ctf_writer *w)
{
	ctf_declare_field(w, "pid", CTF_SIGNED, 4);
	ctf_declare_field(w, "tid", CTF_SIGNED, 4);
	ctf_declare_field(w, "start", CTF_HEX, 8);
	ctf_declare_field(w, "len", CTF_HEX, 8);
	ctf_declare_field(w, "pgoff", CTF_HEX, 8);
	ctf_declare_field(w, "filename", CTF_TEXT, 0);
}

static void put_map(struct ctf_writer *w, const struct record_view *v)
{
	struct record_map m = { .filename = "" };

	record_map_of(v, &m);
	ctf_put(w, m.pid, 4);
	ctf_put(w, m.tid, 4);
	ctf_put(w, m.addr, 8);
	ctf_put(w, m.len, 8);
	ctf_put(w, m.pgoff, 8);
	ctf_put_text(w, m.filename);
}

static void declare_lost(struct ctf_writer *w)
{
	ctf_declare_field(w, "id", CTF_UNSIGNED, 8);
	ctf_declare_field(w, "lost", CTF_UNSIGNED, 8);
}

static void put_lost(struct ctf_writer *w, const struct record_view *v)
{
	ctf_put(w, v->lost.id, 8);
	ctf_put(w, v->lost.lost, 8);
}

static const struct {
	u32 type;
	const char *name;
	void (*declare)(struct ctf_writer *w);
	void (*put)(struct ctf_writer *w, const struct record_view *v);
} side_band[NR_SIDE_BAND] = {
	[SIDE_COMM] = { REC_COMM, "perf_comm", declare_comm, put_comm },
	[SIDE_FORK] = { REC_FORK, "perf_fork", declare_task, put_task },
	[SIDE_EXIT] = { REC_EXIT, "perf_exit", declare_task, put_task },
	[SIDE_MMAP] = { REC_MMAP, "perf_mmap", declare_map, put_map },
	[SIDE_MMAP2] = { REC_MMAP2, "perf_mmap2", declare_map, put_map },
	[SIDE_LOST] = { REC_LOST, "perf_lost", declare_lost, put_lost },
};

static void add_record(void *converter, const struct rec *rec, u64 time)
{
	struct ctf_converter *c = converter;
	struct record_view v;
	struct sample id;
	u32 i = 0;

	while (i < NR_SIDE_BAND && side_band[i].type != rec->type)
		i++;
	if (i == NR_SIDE_BAND || record_decode(rec, &v) || sample_decode_id(c->session->data->plan, rec, &id))
		return;
	if (c->side_band[i] == UNDECLARED) {
		c->side_band[i] = ctf_declare_event(c->w, side_band[i].name);
		side_band[i].declare(c->w);
		ctf_declare_end(c->w);
	}
	if (!begin(c, c->side_band[i], id.cpu, time))
		return;
	side_band[i].put(c->w, &v);
	c->result->nr_others++;
}

/* ---- the trace ---- */

static void describe(struct ctf_converter *c)
{
	const struct features *f = &c->session->data->feat;

	ctf_set_env(c->w, "hostname", f->hostname);
	ctf_set_env(c->w, "sysname", "Linux");
	ctf_set_env(c->w, "release", f->osrelease);
	ctf_set_env(c->w, "machine", f->arch);
	ctf_set_env(c->w, "version", f->version);
	ctf_set_env(c->w, "domain", "kernel");
	ctf_set_env(c->w, "tracer_name", "perf");
	if (c->o->tod)
		ctf_set_clock_offset(c->w, f->clock_tod_ns - f->clock_ns);
}

static int check_tod(const struct session *s, struct err *err)
{
	const struct features *f = &s->data->feat;

	if (!feature_present(f, FEAT_CLOCK_DATA)) {
		err_set(err, -EINVAL, "the file does not say which time of day its times are, for --tod");
		err_hint(err, "record with -k CLOCK, such as -k monotonic");
		return -EINVAL;
	}
	if (f->clock_tod_ns > INT64_MAX || f->clock_ns > f->clock_tod_ns)
		return err_set(err, -EINVAL, "the file's time of day is damaged, so --tod is not possible");
	return 0;
}

static void converter_init(struct ctf_converter *c)
{
	u32 nr = c->session->data->evset->ev.nr;

	c->event = xcalloc(nr + 1, sizeof(*c->event));
	for (u32 i = 0; i < nr; i++)
		c->event[i] = UNDECLARED;
	for (u32 i = 0; i < NR_SIDE_BAND; i++)
		c->side_band[i] = UNDECLARED;
	resolver_init(&c->resolver, c->session, &c->scratch);
}

int to_ctf(struct session *s, const struct to_ctf_opts *o, struct to_ctf_result *result, struct err *err)
{
	struct ctf_converter c = { .session = s, .o = o, .result = result, .names.session = s };
	struct tracing_opts tracing = { .record = "perf record", .ctx = &c,
					.side_band = o->side_band ? add_record : NULL,
					.other = add_sample, .stop = &c.stop };
	int ret = o->tod ? check_tod(s, err) : 0;

	*result = (struct to_ctf_result){ 0 };
	if (ret)
		return ret;
	c.w = ctf_writer_new(o->dir, o->force, err);
	if (!c.w)
		return err->code;
	converter_init(&c);
	if (o->filter)
		tracing.filter = *o->filter;
	describe(&c);
	ret = tracing_run(s, &tracing, err);
	ret = ctf_writer_finish(c.w, ret ? ret : c.ret, &result->nr_bytes, err);
	resolver_release(&c.resolver);
	named_frames_release(&c.names);
	strbuf_release(&c.text);
	arena_release(&c.scratch);
	free(c.event);
	return ret;
}
