/* mkdata: records other than samples, one row each. */
#include "mkdata.h"

#include <stdlib.h>

const struct name_value misc_bits[] = {
	{ "none", 0 }, { "kernel", 1 }, { "user", 2 }, { "hypervisor", 3 }, { "guest_kernel", 4 },
	{ "guest_user", 5 }, { "mmap_data", 1 << 13 }, { "comm_exec", 1 << 13 }, { "fork_exec", 1 << 13 },
	{ "switch_out", 1 << 13 }, { "exact_ip", 1 << 14 }, { "build_id", 1 << 14 }, { "preempt", 1 << 14 },
	{ "ext", 1 << 15 }, { 0 }
};

/*
 * Fields: NAME:KIND, where KIND is a number of bytes, z (text with NUL, padded to 8), xN (N bytes from hex or
 * text), d (bytes as given), l (list of u64), n (the same after its length), p (pairs of u64 after their
XX */
static const struct record_row {
	const char *name;
	u32 type;
	u16 misc;
	const char *fields;
} rows[] = {
	{ "mmap", 1, 2, "pid:4 tid:4 addr:8 len:8 pgoff:8 filename:z" },
	{ "lost", 2, 0, "id:8 lost:8" },
	{ "comm", 3, 0, "pid:4 tid:4 comm:z" },
	{ "exit", 4, 0, "pid:4 ppid:4 tid:4 ptid:4 time:8" },
	{ "throttle", 5, 0, "time:8 id:8 stream_id:8" },
	{ "unthrottle", 6, 0, "time:8 id:8 stream_id:8" },
	{ "fork", 7, 0, "pid:4 ppid:4 tid:4 ptid:4 time:8" },
	{ "read", 8, 0, "pid:4 tid:4 values:l" },
	{ "mmap2", 10, 2,
	  "pid:4 tid:4 addr:8 len:8 pgoff:8 maj:4 min:4 ino:8 gen:8 prot:4 flags:4 filename:z" },
	{ "mmap2-buildid", 10, 0x4002,
	  "pid:4 tid:4 addr:8 len:8 pgoff:8 id_size:1 r1:1 r2:2 id:x20 prot:4 flags:4 filename:z" },
	{ "aux", 11, 0, "aux_offset:8 aux_size:8 flags:8" },
	{ "itrace_start", 12, 0, "pid:4 tid:4" },
	{ "lost_samples", 13, 0, "lost:8" },
	{ "switch", 14, 0, "" },
	{ "switch_cpu_wide", 15, 0, "next_prev_pid:4 next_prev_tid:4" },
	{ "namespaces", 16, 0, "pid:4 tid:4 ns:p" },
	{ "ksymbol", 17, 0, "addr:8 len:4 ksym_type:2 flags:2 name:z" },
	{ "bpf_event", 18, 0, "bpf_type:2 flags:2 id:4 tag:x8" },
	{ "cgroup", 19, 0, "id:8 path:z" },
	{ "text_poke", 20, 0, "addr:8 old_len:2 new_len:2 bytes:d" },
	{ "aux_output_hw_id", 21, 0, "hw_id:8" },
	{ "callchain_deferred", 22, 2, "cookie:8 chain:n" },
	{ "event_type", 65, 0, "event_id:8 name:x64" },
	{ "tracing_data", 66, 0, "size:4 pad:4 data:o" },
	{ "build_id", 67, 0, "pid:4 id:x20 id_size:1 pad:x3 filename:z" },
	{ "finished_round", 68, 0, "" },
	{ "id_index", 69, 0, "nr:8 entries:l" },
	{ "auxtrace_info", 70, 0, "auxtrace_type:4 pad:4 priv:l" },
	{ "auxtrace", 71, 0, "size:8 offset:8 reference:8 idx:4 tid:4 cpu:4 pad:4 data:o" },
	{ "auxtrace_error", 72, 0, "error_type:4 code:4 cpu:4 pid:4 tid:4 fmt:4 ip:8 time:8 msg:x64" },
	{ "thread_map", 73, 0, "nr:8" },		/* u64:PID text:"comm" padded to 16 as body */
	{ "cpu_map", 74, 0, "" },			/* u16:type ... as body */
	{ "stat_config", 75, 0, "nr:8 data:l" },
	{ "stat", 76, 0, "id:8 cpu:4 thread:4 val:8 ena:8 run:8" },
	{ "stat_round", 77, 0, "round_type:8 time:8" },
	{ "event_update", 78, 0, "update_type:8 id:8 data:d" },
	{ "time_conv", 79, 0, "time_shift:8 time_mult:8 time_zero:8 time_cycles:8 time_mask:8 cap:8" },
	{ "header_feature", 80, 0, "feat_id:8 data:d" },
	{ "finished_init", 82, 0, "" },
	/* text:NAME zero:N text:VALUE zero:N as body, 256 bytes each */
	{ "bpf_metadata", 84, 0, "program:x64 nr:8" },
	{ "schedstat_cpu", 85, 0, "timestamp:8 cpu:4 version:2 pad:2 yields:4 expired:4 schedules:4 idles:4 "
				  "wakeups:4 local_wakeups:4 run_time:8 wait_time:8 timeslices:8" },
	{ "schedstat_domain", 86, 0, "timestamp:8 cpu:4 version:2 domain:2" },	/* u32:N,N... as body */
};

u64 value_of(const struct mkdata *m, const struct line *l, const char *key, u64 dflt)
{
	const struct token *t = line_key(l, key);

	if (!t)
		t = line_key(&m->defaults, key);
	return t ? names_value(l, misc_bits, t->value) : dflt;
}

/* ev=NAME, or the first event */
const struct mk_event *record_event(const struct mkdata *m, const struct line *l)
{
	const struct token *t = line_key(l, "ev");

	if (!m->events.nr)
		fatal(l, "no event is defined yet");
	vec_foreach(&m->events, e)
		if (!t || !strcmp(e->name, t->value))
			return e;
	fatal(l, "no event '%s'", t->value);
}

static void start_pipe(struct mkdata *m)
{
	m->pipe_started = true;
	vec_foreach(&m->events, e) {
		struct strbuf b = STRBUF_INIT;
		static const struct line none;

		put_attr(m, &b, e);
		vec_foreach(&e->ids, id)
			put(m, &b, *id, 8);
		record_put(m, &none, 64, 0, &b);
		strbuf_release(&b);
	}
}

/* where the next record goes; in a pipe the attributes come first */
struct strbuf *record_stream(struct mkdata *m)
{
	if (m->block)
		return m->block;
	if (m->pipe && !m->pipe_started)
		start_pipe(m);
	return &m->streams.v[m->cur].bytes;
}

/* header and body; size= and type= override what is right */
void record_put(struct mkdata *m, const struct line *l, u32 type, u16 misc, const struct strbuf *body)
{
	struct strbuf *out = record_stream(m);

	if (body->len + 8 > UINT16_MAX && !line_key(l, "record_size"))
		fatal(l, "the record would be %zu bytes, more than its size field holds", body->len + 8);
	put(m, out, type, 4);
	put(m, out, misc, 2);
	put(m, out, value_of(m, l, "record_size", body->len + 8), 2);
	strbuf_add(out, body->buf, body->len);
}

static void put_fixed(const struct line *l, const struct token *t, size_t len, struct strbuf *out)
{
	size_t start = out->len;

	if (t)
		token_bytes(l, t, out);
	if (out->len - start > len)
		fatal(l, "%s= is longer than %zu bytes", t->key, len);
	strbuf_pad(out, 0, len - (out->len - start));
}

static void put_numbers(const struct mkdata *m, const struct line *l, const struct token *t, char kind,
			struct strbuf *out)
{
	struct mk_numbers n = { 0 };

	if (t)
		numbers_parse(l, t->value, &n);
	if (kind == 'n')
		put(m, out, value_of(m, l, "list_nr", n.nr), 8);
	else if (kind == 'p')
		put(m, out, value_of(m, l, "list_nr", n.nr / 2), 8);
	vec_foreach(&n, v)
		put(m, out, *v, 8);
	vec_release(&n);
}

/* the bytes after a record */
static void put_outside(const struct mkdata *m, const struct line *l, struct strbuf *out)
{
	const struct token *t = line_key(l, "data");

	if (t)
		token_bytes(l, t, out);
	put_body(m, l, out);
}

/* fields whose natural value follows from others on the line */
static u64 natural(const struct mkdata *m, const struct line *l, const char *field)
{
	const struct token *t;
	struct mk_numbers n = { 0 };
	struct strbuf b = STRBUF_INIT;
	u64 v = 0;

	if (!strcmp(field, "pid"))
		return value_of(m, l, "tid", 0);
	if (!strcmp(field, "ptid"))
		return value_of(m, l, "ppid", 0);
	if (!strcmp(field, "id_size") && (t = line_key(l, "id"))) {
		token_bytes(l, t, &b);
		v = b.len;
	} else if (!strcmp(field, "size")) {
		put_outside(m, l, &b);
		v = b.len;
	} else if (!strcmp(field, "nr") && (t = line_key(l, "entries"))) {
		numbers_parse(l, t->value, &n);
		v = n.nr / 4;
	} else if (!strcmp(field, "nr") && (t = line_key(l, "data"))) {
		numbers_parse(l, t->value, &n);
		v = n.nr / 2;
	} else if (!strcmp(field, "id") || !strcmp(field, "stream_id")) {
		v = m->events.nr && record_event(m, l)->ids.nr ? record_event(m, l)->ids.v[0] : 0;
	}
	vec_release(&n);
	strbuf_release(&b);
	return v;
}

static void put_field(const struct mkdata *m, const struct line *l, const char *name, const char *kind,
		      struct strbuf *body, struct strbuf *outside)
{
	const struct token *t = line_key(l, name);

	if (strchr("1248", *kind))
		put(m, body, t || line_key(&m->defaults, name) ? value_of(m, l, name, 0) :
		    natural(m, l, name), *kind - '0');
	else if (*kind == 'z')
		put_padded(body, t ? t->value : "", (t ? t->len : 0) + 1, 8);
	else if (*kind == 'x')
		put_fixed(l, t, strtoul(kind + 1, NULL, 10), body);
	else if (*kind == 'd' && t)
		token_bytes(l, t, body);
	else if (*kind == 'o')
		put_outside(m, l, outside);
	else if (strchr("lnp", *kind))
		put_numbers(m, l, t, *kind, body);
}

static void put_row(struct mkdata *m, const struct line *l, const struct record_row *r)
{
	struct strbuf body = STRBUF_INIT, outside = STRBUF_INIT;
	const struct token *misc = line_key(l, "misc");
	char *fields = xstrdup(r->fields), *save = NULL;

	for (char *f = strtok_r(fields, " ", &save); f; f = strtok_r(NULL, " ", &save)) {
		char *colon = strchr(f, ':');

		*colon = '\0';
		put_field(m, l, f, colon + 1, &body, &outside);
	}
	if (!strstr(r->fields, ":o"))
		put_body(m, l, &body);
	if (!line_key(l, "record_size"))
		while (body.len % 8)
			strbuf_addch(&body, 0);
	if (r->type < 64)
		put_sample_id(m, l, &body);
	record_put(m, l, r->type, misc ? names_value(l, misc_bits, misc->value) : r->misc, &body);
	strbuf_add(record_stream(m), outside.buf, outside.len);
	free(fields);
	strbuf_release(&body);
	strbuf_release(&outside);
}

/* false: the line's first word names no record */
bool record_add(struct mkdata *m, const struct line *l)
{
	const char *name = l->tok.v[0].value;

	if (!strcmp(name, "sample")) {
		sample_add(m, l);
		return true;
	}
	if (!strcmp(name, "record")) {
		struct record_row any = { "record", value_of(m, l, "type", 0), 0, "" };

		put_row(m, l, &any);
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!strcmp(rows[i].name, name)) {
			put_row(m, l, &rows[i]);
			return true;
		}
	}
	return false;
}
