/* Dump of the records that perf itself writes (types from 64). */
#include "cpu-map.h"
#include "dump-inside.h"
#include "header-print.h"
#include "../event/attr.h"

void dump_newline(struct dump *x)
{
	strbuf_addch(x->out, '\n');
}

/* no newline at the end: so upstream prints it */
void dump_attr(struct dump *x)
{
	struct cursor c = x->c;
	struct pe_attr attr;
	u32 size;

	cursor_u32(&c);
	size = cursor_u32(&c);
	if (!size || size > cursor_left(&x->c))
		size = MIN(cursor_left(&x->c), PE_ATTR_SIZE_MIN);
	pe_attr_decode(&attr, x->c.p, size, x->rec->swap);
	strbuf_addstr(x->out, ", ");
	pe_attr_print(&attr, data_pmu_name(x->d, &attr), data_tracepoint_name(x->d, &attr), " = ", x->out);
}

/* u64 nr, rows of u64 id, idx, cpu, tid; newer: behind them nr rows of u64 machine pid, vcpu */
void dump_id_index(struct dump *x)
{
	u64 nr = cursor_u64(&x->c), max = cursor_left(&x->c) / 32;
	struct cursor guest = x->c;

	strbuf_addf(x->out, " nr: %llu\n", (ull)nr);
	nr = MIN(nr, max);
	cursor_skip(&guest, nr * 32);
	for (u64 i = 0; i < nr; i++) {
		ull id = cursor_u64(&x->c), idx = cursor_u64(&x->c);
		s64 cpu = cursor_u64(&x->c), tid = cursor_u64(&x->c);

		strbuf_addf(x->out, " ... id: %llu  idx: %llu  cpu: %lld  tid: %lld", id, idx, (long long)cpu, (long long)tid);
		if (cursor_left(&guest) >= 16) {
			s64 pid = cursor_u64(&guest), vcpu = cursor_u64(&guest);

			strbuf_addf(x->out, "  machine_pid: %lld  vcpu: %lld", (long long)pid, (long long)vcpu);
		}
		strbuf_addch(x->out, '\n');
	}
}

void dump_auxtrace_info(struct dump *x)
{
	strbuf_addf(x->out, " type: %u\n", cursor_u32(&x->c));
}

void dump_auxtrace(struct dump *x)
{
	ull size = cursor_u64(&x->c), off = cursor_u64(&x->c), ref = cursor_u64(&x->c);
	u32 idx = cursor_u32(&x->c), tid = cursor_u32(&x->c), cpu = cursor_u32(&x->c);

	strbuf_addf(x->out, " size: %#llx  offset: %#llx  ref: %#llx  idx: %u  tid: %d  cpu: %d\n", size, off, ref, idx, tid,
		    cpu);
}

/* u32 type, code, cpu, pid, tid, fmt, u64 ip, time, char msg[64], then newer fields */
void dump_auxtrace_error(struct dump *x)
{
	u32 type = cursor_u32(&x->c), code = cursor_u32(&x->c), cpu = cursor_u32(&x->c), pid = cursor_u32(&x->c);
	u32 tid = cursor_u32(&x->c), fmt = cursor_u32(&x->c);
	ull ip = cursor_u64(&x->c), time = 0;
	const char *msg;

	if (x->who == DUMP_REPORT)	/* which leaves these alone */
		return;
	if (fmt)
		time = cursor_u64(&x->c);
	strbuf_addf(x->out, " %s error type %u", "instruction trace", type);
	if (fmt)
		strbuf_addf(x->out, " time %llu.%09llu", time / 1000000000, time % 1000000000);
	strbuf_addf(x->out, " cpu %d pid %d tid %d ip %#llx code %u: ", cpu, pid, tid, ip, code);
	msg = cursor_bytes(&x->c, MIN(cursor_left(&x->c), (size_t)64));
	if (msg) {
		char *copy = xstrndup(msg, x->c.p - (const u8 *)msg);

		strbuf_add_safe(x->out, copy);
		free(copy);
	}
	strbuf_addch(x->out, '\n');
}

void dump_thread_map(struct dump *x)
{
	u64 nr = cursor_u64(&x->c);

	strbuf_addf(x->out, " nr: %llu thread%s: ", (ull)nr, nr > 1 ? "s" : "");
	for (u64 i = 0; i < nr && cursor_left(&x->c) >= 24; i++) {
		strbuf_addf(x->out, "%s%lld", i ? ", " : "", (long long)cursor_u64(&x->c));
		cursor_skip(&x->c, 16);		/* comm */
	}
	strbuf_addch(x->out, '\n');
}

/* "0-1,5" of CPUs in rising order; false where it is no map */
static bool cpu_map_text(struct cursor *c, struct strbuf *out)
{
	struct cpu_map map = { 0 };
	bool ok = cpu_map_decode(c, &map);

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
	if (!cpu_map_text(&x->c, x->out)) {
		strbuf_setlen(x->out, start);
		strbuf_addstr(x->out, ": failed to get cpumap from event");
	}
	strbuf_addch(x->out, '\n');
}

/* u64 nr, rows of u64 what, value */
void dump_stat_config(struct dump *x)
{
	u64 nr = cursor_u64(&x->c), value[4] = { 0 };	/* aggregation mode, interval, scale, aggregation level */

	strbuf_addch(x->out, '\n');
	for (u64 i = 0; i < nr && cursor_left(&x->c) >= 16; i++) {
		u64 what = cursor_u64(&x->c), v = cursor_u64(&x->c);

		if (what < ARRAY_SIZE(value))
			value[what] = v;
	}
	if (x->who == DUMP_REPORT)
		strbuf_addf(x->out, "... aggr_mode %llu\n... scale     %llu\n... interval  %llu\n", (ull)value[0],
			    (ull)value[2], (ull)value[1]);
}

void dump_stat(struct dump *x)
{
	ull id = cursor_u64(&x->c), value, enabled, running;
	u32 cpu = cursor_u32(&x->c), thread = cursor_u32(&x->c);

	value = cursor_u64(&x->c);
	enabled = cursor_u64(&x->c);
	running = cursor_u64(&x->c);
	if (x->who == DUMP_SCRIPT)	/* its table says it */
		strbuf_addch(x->out, '\n');
	else
		strbuf_addf(x->out, "\n... id %llu, cpu %d, thread %d\n... value %llu, enabled %llu, running %llu\n", id, cpu,
			    thread, value, enabled, running);
}

void dump_stat_round(struct dump *x)
{
	u64 type = cursor_u64(&x->c), time = cursor_u64(&x->c);

	strbuf_addch(x->out, '\n');
	if (x->who == DUMP_REPORT)
		strbuf_addf(x->out, "... time %llu, type %s\n", (ull)time, type ? "FINAL" : "INTERVAL");
}

/* u64 what, u64 id, value */
void dump_event_update(struct dump *x)
{
	u64 what = cursor_u64(&x->c), id = cursor_u64(&x->c), bits;
	double scale;

	strbuf_addf(x->out, "\n... %s %llu\n", what == ABI_UPDATE_CGROUP ? "event:" : "id:   ", (ull)id);
	switch (what) {
	case 0:
		strbuf_addstr(x->out, "... unit:  ");
		dump_string(x);
		break;
	case 1:
		bits = cursor_u64(&x->c);
		memcpy(&scale, &bits, sizeof(scale));
		strbuf_addf(x->out, "... scale: %f", scale);
		break;
	case 2:
		strbuf_addstr(x->out, "... name:  ");
		dump_string(x);
		break;
	case 3:
		strbuf_addstr(x->out, "... ");
		cpu_map_text(&x->c, x->out);
		break;
	case ABI_UPDATE_CGROUP:
		strbuf_addstr(x->out, "... cgroup: ");
		dump_string(x);
		break;
	default:
		strbuf_addstr(x->out, "... unknown type");
	}
	strbuf_addch(x->out, '\n');
}

void dump_time_conv(struct dump *x)
{
	ull shift = cursor_u64(&x->c), mult = cursor_u64(&x->c), zero = cursor_u64(&x->c), cycles, mask;
	u8 cap_zero, cap_short;

	strbuf_addf(x->out, "\n... Time Shift      %llu\n... Time Multiplier %llu\n... Time Zero       %llu\n", shift, mult,
		    zero);
	if (cursor_left(&x->c) < 18)	/* an older recorder's */
		return;
	cycles = cursor_u64(&x->c);
	mask = cursor_u64(&x->c);
	cap_zero = cursor_u8(&x->c);
	cap_short = cursor_u8(&x->c);
	strbuf_addf(x->out, "... Time Cycles     %llu\n... Time Mask       %#llx\n... Cap Time Zero   %u\n"
		    "... Cap Time Short  %u\n", cycles, mask, cap_zero, cap_short);
}

void dump_feature(struct dump *x)
{
	u64 bit = cursor_u64(&x->c);
	size_t start;

	strbuf_addstr(x->out, ", ");
	start = x->out->len;
	feature_print_one(x->d, bit, true, x->out);
	if (x->out->len == start) {
		strbuf_setlen(x->out, start - 2);
		strbuf_addch(x->out, '\n');
	}
}

/* char program[64], u64 nr, rows of char name[256], value[256] */
void dump_bpf_metadata(struct dump *x)
{
	const char *prog = cursor_bytes(&x->c, 64);
	char *copy = xstrndup(prog ? prog : "", 64);

	strbuf_addstr(x->out, " prog ");
	strbuf_add_safe(x->out, copy);
	strbuf_addch(x->out, '\n');
	free(copy);
}
