/* Dump of the records that perf itself writes (types from 64). */
#include "cpu-map.h"
#include "dump-private.h"
#include "events.h"
#include "header-print.h"
#include "../base/cursor.h"
#include "../event/attr.h"
#include "../event/record.h"

/* the text of a record as a string, until the next one is asked for */
static const char *dump_text(struct dump *x, const struct rec_bytes *text)
{
	strbuf_reset(&x->text);
	strbuf_add(&x->text, text->p, strnlen((const char *)text->p, text->len));
	return strbuf_str(&x->text);
}

static struct cursor cursor_in(const struct dump *x, const struct rec_bytes *b)
{
	return cursor_of(b->p, b->len, x->v.swap);
}

/* what others print as text, which is safe already */
static void dump_printed(struct dump *x, const char *key)
{
	x->f->text(x->out, key, strbuf_str(&x->text));
}

/* without a newline at the end, as upstream prints it */
void dump_attr(struct dump *x)
{
	const struct rec_bytes *b = &x->v.attr.attr;
	struct cursor c = cursor_in(x, b);
	struct pe_attr attr;
	u32 size;

	cursor_u32(&c);
	size = cursor_u32(&c);
	if (!size || size > b->len)
		size = MIN(b->len, PE_ATTR_SIZE_MIN);
	pe_attr_decode(&attr, b->p, size, x->v.swap);
	SAY(x, ", ");
	strbuf_reset(&x->text);
	pe_attr_print(&attr, data_pmu_name(x->d, &attr), data_tracepoint_name(x->d, &attr), " = ", &x->text);
	dump_printed(x, "attr");
}

static void begin_nth_row(struct dump *x, u64 i)
{
	if (i)
		x->f->next_row(x->out);
	x->f->begin_row(x->out);
}

void dump_id_index(struct dump *x)
{
	const struct rec_id_index_view *v = &x->v.id_index;

	WORDS(x, " nr: {nr}\n", NUM(v->nr));
	x->f->begin_rows(x->out, "ids");
	for (u64 i = 0; i < v->ids.nr; i++) {
		begin_nth_row(x, i);
		WORDS(x, " ... id: {id}  idx: {index}  cpu: {cpu}  tid: {tid}",
		      NUM(rec_row_u64(&v->ids, i, 0)), NUM(rec_row_u64(&v->ids, i, 8)),
		      INT(rec_row_u64(&v->ids, i, 16)), INT(rec_row_u64(&v->ids, i, 24)));
		if (i < v->guests.nr)
			WORDS(x, "  machine_pid: {machine-pid}  vcpu: {vcpu}",
			      INT(rec_row_u64(&v->guests, i, 0)), INT(rec_row_u64(&v->guests, i, 8)));
		SAY(x, "\n");
		x->f->end_row(x->out);
	}
	x->f->end_rows(x->out);
}

void dump_auxtrace_info(struct dump *x)
{
	WORDS(x, " type: {type}\n", NUM(x->v.auxtrace_info.auxtrace_type));
}

void dump_auxtrace(struct dump *x)
{
	const struct rec_auxtrace_view *v = &x->v.auxtrace;

	WORDS(x, " size: {size:#x}  offset: {offset:#x}  ref: {reference:#x}  idx: {index}  tid: {tid}  "
	      "cpu: {cpu}\n", NUM(v->size), NUM(v->offset), NUM(v->reference), NUM(v->idx),
	      INT((s32)v->tid), INT((s32)v->cpu));
}

void dump_auxtrace_error(struct dump *x)
{
	const struct rec_auxtrace_error_view *v = &x->v.auxtrace_error;

	if (x->left_alone)
		return;
	WORDS(x, " instruction trace error type {type}", NUM(v->error_type));
	if (v->fmt)
		WORDS(x, " time {:d}.{:09d}", NUM(v->time / 1000000000), NUM(v->time % 1000000000));
	if (v->fmt)
		stream_time(x->f, x->out, "time", v->time);
	WORDS(x, " cpu {cpu} pid {pid} tid {tid} ip {ip} code {code}: {message}\n", INT((s32)v->cpu),
	      INT((s32)v->pid), INT((s32)v->tid), ADDR(v->ip), NUM(v->code), TEXT_OF(dump_text(x, &v->msg)));
}

void dump_thread_map(struct dump *x)
{
	const struct rec_thread_map_view *v = &x->v.thread_map;

	WORDS(x, " nr: {nr} thread{:?s}: ", NUM(v->nr), YES(v->nr > 1));
	x->f->begin_rows(x->out, "threads");
	for (u64 i = 0; i < v->threads.nr; i++) {
		begin_nth_row(x, i);
		WORDS(x, i ? ", {tid}" : "{tid}", INT(rec_row_u64(&v->threads, i, 0)));
		x->f->end_row(x->out);
	}
	x->f->end_rows(x->out);
	SAY(x, "\n");
}

/* "0-1,5" for CPUs in rising order; NULL if it is not a map */
static const char *cpu_map_text(struct dump *x, struct cursor c)
{
	struct cpu_map map = { 0 };
	bool ok = cpu_map_decode(&c, &map);

	strbuf_reset(&x->text);
	for (size_t i = 0, k; i < map.nr; i = k) {
		for (k = i + 1; k < map.nr && map.v[k] == map.v[k - 1] + 1; k++)
			;
		strbuf_addf(&x->text, "%s%d", i ? "," : "", map.v[i]);
		if (k - i > 1)
			strbuf_addf(&x->text, "-%d", map.v[k - 1]);
	}
	vec_release(&map);
	return ok ? strbuf_str(&x->text) : NULL;
}

void dump_cpu_map(struct dump *x)
{
	const char *cpus = cpu_map_text(x, cursor_in(x, &x->v.cpu_map.map));

	if (cpus)
		WORDS(x, ": {cpus}\n", TEXT_OF(cpus));
	else
		SAY(x, ": failed to get cpumap from event\n");
}

void dump_stat_config(struct dump *x)
{
	const struct rec_rows *values = &x->v.stat_config.values;
	u64 value[4] = { 0 };	/* aggregation mode, interval, scale, aggregation level */

	SAY(x, "\n");
	for (u64 i = 0; i < values->nr; i++) {
		u64 what = rec_row_u64(values, i, 0);

		if (what < ARRAY_SIZE(value))
			value[what] = rec_row_u64(values, i, 8);
	}
	if (x->report)
		WORDS(x, "... aggr_mode {aggr-mode}\n... scale     {scale}\n... interval  {interval}\n",
		      NUM(value[0]), NUM(value[2]), NUM(value[1]));
}

void dump_stat(struct dump *x)
{
	const struct rec_stat_view *v = &x->v.stat;

	SAY(x, "\n");
	if (x->report)	/* script shows it in its table */
		WORDS(x, "... id {id}, cpu {cpu}, thread {thread}\n"
		      "... value {value}, enabled {enabled}, running {running}\n", NUM(v->id),
		      INT((s32)v->cpu), INT((s32)v->thread), NUM(v->val), NUM(v->ena), NUM(v->run));
}

void dump_stat_round(struct dump *x)
{
	const struct rec_stat_round_view *v = &x->v.stat_round;

	SAY(x, "\n");
	if (x->report)
		WORDS(x, "... time {time}, type {type}\n", NUM(v->time),
		      TEXT_OF(v->round_type ? "FINAL" : "INTERVAL"));
}

void dump_event_update(struct dump *x)
{
	const struct rec_event_update_view *v = &x->v.event_update;
	struct cursor c = cursor_in(x, &v->value);
	const char *cpus;
	u64 bits;
	double scale;

	WORDS(x, v->what == ABI_UPDATE_CGROUP ? "\n... event: {id}\n" : "\n... id:    {id}\n", NUM(v->id));
	switch (v->what) {
	case ABI_UPDATE_UNIT:
		WORDS(x, "... unit:  {unit}\n", TEXT_OF(dump_text(x, &v->value)));
		break;
	case ABI_UPDATE_SCALE:
		bits = cursor_u64(&c);
		memcpy(&scale, &bits, sizeof(scale));
		WORDS(x, "... scale: {scale}\n", STREAM_REAL(scale));
		break;
	case ABI_UPDATE_NAME:
		WORDS(x, "... name:  {name}\n", TEXT_OF(dump_text(x, &v->value)));
		break;
	case ABI_UPDATE_CPUS:
		cpus = cpu_map_text(x, c);
		WORDS(x, "... {cpus}\n", TEXT_OF(cpus ? cpus : ""));
		break;
	case ABI_UPDATE_CGROUP:
		WORDS(x, "... cgroup: {cgroup}\n", TEXT_OF(dump_text(x, &v->value)));
		break;
	default:
		SAY(x, "... unknown type\n");
	}
}

void dump_time_conv(struct dump *x)
{
	const struct rec_time_conv_view *v = &x->v.time_conv;

	WORDS(x, "\n... Time Shift      {shift}\n... Time Multiplier {multiplier}\n"
	      "... Time Zero       {zero}\n", NUM(v->shift), NUM(v->mult), NUM(v->zero));
	if (v->has_cycles)
		WORDS(x, "... Time Cycles     {cycles}\n... Time Mask       {mask:#x}\n"
		      "... Cap Time Zero   {cap-zero}\n... Cap Time Short  {cap-short}\n", NUM(v->cycles),
		      NUM(v->mask), NUM(v->cap_zero), NUM(v->cap_short));
}

void dump_feature(struct dump *x)
{
	strbuf_reset(&x->text);
	feature_print_one(x->d, x->v.feature.bit, true, &x->text);
	if (x->text.len) {
		SAY(x, ", ");
		dump_printed(x, "feature");
	} else {
		SAY(x, "\n");
	}
}

/* false, with a text saying so, if its fields are not known */
static bool schedstat_is_known(struct dump *x, u16 version)
{
	if (version >= 15 && version <= 17)
		return true;
	WORDS(x, "Unsupported /proc/schedstat version {version}.\n", NUM(version));
	return false;
}

void dump_schedstat_cpu(struct dump *x)
{
	const struct rec_schedstat_cpu_view *v = &x->v.schedstat_cpu;

	WORDS(x, "\ncpu{cpu} ", NUM(v->cpu));
	if (schedstat_is_known(x, v->version))
		WORDS(x, "{yields} {expired} {schedules} {idles} {wakeups} {local-wakeups} {run-time} "
		      "{wait-time} {timeslices} ", NUM(v->yields), NUM(v->expired), NUM(v->schedules),
		      NUM(v->idles), NUM(v->wakeups), NUM(v->local_wakeups), NUM(v->run_time),
		      NUM(v->wait_time), NUM(v->timeslices));
}

void dump_schedstat_domain(struct dump *x)
{
	const struct rec_schedstat_domain_view *v = &x->v.schedstat_domain;

	WORDS(x, "\ndomain{domain} ", NUM(v->domain));
	if (!schedstat_is_known(x, v->version))
		return;
	x->f->begin_rows(x->out, "values");
	for (u64 i = 0; i < v->values.nr; i++) {
		begin_nth_row(x, i);
		WORDS(x, "{value} ", NUM(rec_row_u32(&v->values, i, 0)));
		x->f->end_row(x->out);
	}
	x->f->end_rows(x->out);
}

void dump_bpf_metadata(struct dump *x)
{
	WORDS(x, " prog {program}\n", TEXT_OF(dump_text(x, &x->v.bpf_metadata.program)));
}
