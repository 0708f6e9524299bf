/* Dump of the records that perf itself writes (types from 64). */
#include "cpu-map.h"
#include "dump-private.h"
#include "header-print.h"
#include "../base/cursor.h"
#include "../event/attr.h"

static struct cursor cursor_in(const struct dump *x, const struct rec_bytes *b)
{
	return cursor_of(b->p, b->len, x->v.swap);
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
	strbuf_addstr(x->out, ", ");
	pe_attr_print(&attr, data_pmu_name(x->d, &attr), data_tracepoint_name(x->d, &attr), " = ", x->out);
}

void dump_id_index(struct dump *x)
{
	const struct rec_id_index_view *v = &x->v.id_index;

	strbuf_addf(x->out, " nr: %llu\n", (ull)v->nr);
	for (u64 i = 0; i < v->ids.nr; i++) {
		strbuf_addf(x->out, " ... id: %llu  idx: %llu  cpu: %lld  tid: %lld",
			    (ull)rec_row_u64(&v->ids, i, 0), (ull)rec_row_u64(&v->ids, i, 8),
			    (long long)rec_row_u64(&v->ids, i, 16), (long long)rec_row_u64(&v->ids, i, 24));
		if (i < v->guests.nr)
			strbuf_addf(x->out, "  machine_pid: %lld  vcpu: %lld",
				    (long long)rec_row_u64(&v->guests, i, 0),
				    (long long)rec_row_u64(&v->guests, i, 8));
		strbuf_addch(x->out, '\n');
	}
}

void dump_auxtrace_info(struct dump *x)
{
	strbuf_addf(x->out, " type: %u\n", x->v.auxtrace_info.auxtrace_type);
}

void dump_auxtrace(struct dump *x)
{
	const struct rec_auxtrace_view *v = &x->v.auxtrace;

	strbuf_addf(x->out, " size: %#llx  offset: %#llx  ref: %#llx  idx: %u  tid: %d  cpu: %d\n",
		    (ull)v->size, (ull)v->offset, (ull)v->reference, v->idx, v->tid, v->cpu);
}

void dump_auxtrace_error(struct dump *x)
{
	const struct rec_auxtrace_error_view *v = &x->v.auxtrace_error;
	ull time = v->time;

	if (x->left_alone)
		return;
	strbuf_addf(x->out, " %s error type %u", "instruction trace", v->error_type);
	if (v->fmt)
		strbuf_addf(x->out, " time %llu.%09llu", time / 1000000000, time % 1000000000);
	strbuf_addf(x->out, " cpu %d pid %d tid %d ip %#llx code %u: ", v->cpu, v->pid, v->tid, (ull)v->ip,
		    v->code);
	dump_text(x, &v->msg);
	strbuf_addch(x->out, '\n');
}

void dump_thread_map(struct dump *x)
{
	const struct rec_thread_map_view *v = &x->v.thread_map;

	strbuf_addf(x->out, " nr: %llu thread%s: ", (ull)v->nr, v->nr > 1 ? "s" : "");
	for (u64 i = 0; i < v->threads.nr; i++)
		strbuf_addf(x->out, "%s%lld", i ? ", " : "", (long long)rec_row_u64(&v->threads, i, 0));
	strbuf_addch(x->out, '\n');
}

/* "0-1,5" for CPUs in rising order; false if it is not a map */
static bool cpu_map_text(struct cursor c, struct strbuf *out)
{
	struct cpu_map map = { 0 };
	bool ok = cpu_map_decode(&c, &map);

	for (size_t i = 0, k; i < map.nr; i = k) {
		for (k = i + 1; k < map.nr && map.v[k] == map.v[k - 1] + 1; k++)
			;
		strbuf_addf(out, "%s%d", i ? "," : "", map.v[i]);
		if (k - i > 1)
			strbuf_addf(out, "-%d", map.v[k - 1]);
	}
	vec_release(&map);
	return ok;
}

void dump_cpu_map(struct dump *x)
{
	size_t start = x->out->len;

	strbuf_addstr(x->out, ": ");
	if (!cpu_map_text(cursor_in(x, &x->v.cpu_map.map), x->out)) {
		strbuf_setlen(x->out, start);
		strbuf_addstr(x->out, ": failed to get cpumap from event");
	}
	strbuf_addch(x->out, '\n');
}

void dump_stat_config(struct dump *x)
{
	const struct rec_rows *values = &x->v.stat_config.values;
	u64 value[4] = { 0 };	/* aggregation mode, interval, scale, aggregation level */

	strbuf_addch(x->out, '\n');
	for (u64 i = 0; i < values->nr; i++) {
		u64 what = rec_row_u64(values, i, 0);

		if (what < ARRAY_SIZE(value))
			value[what] = rec_row_u64(values, i, 8);
	}
	if (x->who == DUMP_REPORT)
		strbuf_addf(x->out, "... aggr_mode %llu\n... scale     %llu\n... interval  %llu\n",
			    (ull)value[0], (ull)value[2], (ull)value[1]);
}

void dump_stat(struct dump *x)
{
	const struct rec_stat_view *v = &x->v.stat;

	if (x->who == DUMP_SCRIPT)	/* its table shows it */
		strbuf_addch(x->out, '\n');
	else
		strbuf_addf(x->out,
			    "\n... id %llu, cpu %d, thread %d\n... value %llu, enabled %llu, running %llu\n",
			    (ull)v->id, v->cpu, v->thread, (ull)v->val, (ull)v->ena, (ull)v->run);
}

void dump_stat_round(struct dump *x)
{
	const struct rec_stat_round_view *v = &x->v.stat_round;

	strbuf_addch(x->out, '\n');
	if (x->who == DUMP_REPORT)
		strbuf_addf(x->out, "... time %llu, type %s\n", (ull)v->time,
			    v->round_type ? "FINAL" : "INTERVAL");
}

void dump_event_update(struct dump *x)
{
	const struct rec_event_update_view *v = &x->v.event_update;
	struct cursor c = cursor_in(x, &v->value);
	u64 bits;
	double scale;

	strbuf_addf(x->out, "\n... %s %llu\n", v->what == ABI_UPDATE_CGROUP ? "event:" : "id:   ",
		    (ull)v->id);
	switch (v->what) {
	case ABI_UPDATE_UNIT:
		strbuf_addstr(x->out, "... unit:  ");
		dump_text(x, &v->value);
		break;
	case ABI_UPDATE_SCALE:
		bits = cursor_u64(&c);
		memcpy(&scale, &bits, sizeof(scale));
		strbuf_addf(x->out, "... scale: %f", scale);
		break;
	case ABI_UPDATE_NAME:
		strbuf_addstr(x->out, "... name:  ");
		dump_text(x, &v->value);
		break;
	case ABI_UPDATE_CPUS:
		strbuf_addstr(x->out, "... ");
		cpu_map_text(c, x->out);
		break;
	case ABI_UPDATE_CGROUP:
		strbuf_addstr(x->out, "... cgroup: ");
		dump_text(x, &v->value);
		break;
	default:
		strbuf_addstr(x->out, "... unknown type");
	}
	strbuf_addch(x->out, '\n');
}

void dump_time_conv(struct dump *x)
{
	const struct rec_time_conv_view *v = &x->v.time_conv;

	strbuf_addf(x->out,
		    "\n... Time Shift      %llu\n... Time Multiplier %llu\n... Time Zero       %llu\n",
		    (ull)v->shift, (ull)v->mult, (ull)v->zero);
	if (v->has_cycles)
		strbuf_addf(x->out,
			    "... Time Cycles     %llu\n... Time Mask       %#llx\n... Cap Time Zero   %u\n"
			    "... Cap Time Short  %u\n", (ull)v->cycles, (ull)v->mask, v->cap_zero,
			    v->cap_short);
}

void dump_feature(struct dump *x)
{
	size_t start;

	strbuf_addstr(x->out, ", ");
	start = x->out->len;
	feature_print_one(x->d, x->v.feature.bit, true, x->out);
	if (x->out->len == start) {
		strbuf_setlen(x->out, start - 2);
		strbuf_addch(x->out, '\n');
	}
}

/* false, with a text saying so, if its fields are not known */
static bool schedstat_is_known(struct dump *x, u16 version)
{
	if (version >= 15 && version <= 17)
		return true;
	strbuf_addf(x->out, "Unsupported /proc/schedstat version %u.\n", version);
	return false;
}

void dump_schedstat_cpu(struct dump *x)
{
	const struct rec_schedstat_cpu_view *v = &x->v.schedstat_cpu;

	strbuf_addf(x->out, "\ncpu%u ", v->cpu);
	if (schedstat_is_known(x, v->version))
		strbuf_addf(x->out, "%u %u %u %u %u %u %llu %llu %llu ", v->yields, v->expired, v->schedules,
			    v->idles, v->wakeups, v->local_wakeups, (ull)v->run_time, (ull)v->wait_time,
			    (ull)v->timeslices);
}

void dump_schedstat_domain(struct dump *x)
{
	const struct rec_schedstat_domain_view *v = &x->v.schedstat_domain;

	strbuf_addf(x->out, "\ndomain%u ", v->domain);
	if (!schedstat_is_known(x, v->version))
		return;
	for (u64 i = 0; i < v->values.nr; i++)
		strbuf_addf(x->out, "%u ", rec_row_u32(&v->values, i, 0));
}

void dump_bpf_metadata(struct dump *x)
{
	strbuf_addstr(x->out, " prog ");
	dump_text(x, &x->v.bpf_metadata.program);
	strbuf_addch(x->out, '\n');
}
