/* Fields: which task ran on which CPU, and when: pid, comm, cpu, cgroup, time. */
#include "field-family.h"
#include "field-worker.h"

#include <ctype.h>
#include <stdio.h>
#include "../base/alloc.h"
#include "../resolve/names.h"

#define TID_NONE ((u64)(u32)-1)

static int cmp_s32(const struct field_ctx *ctx, u64 a, u64 b)
{
	return ((s32)a > (s32)b) - ((s32)a < (s32)b);
}

static u64 slot_pid(const struct resolved_sample *rs)
{
	return (u32)rs->sample->tid;
}

static const char *comm_name(const struct field_ctx *ctx, u32 comm, u32 tid, char *buf, size_t size)
{
	if (comm != ID_NONE)
		return machine_comm_name(ctx->machine, comm);
	snprintf(buf, size, ":%d", (s32)tid);
	return buf;
}

/* many rows have a task and a CPU */
static void add_number(struct strbuf *out, s32 n, int width)
{
	if (n < 0)
		strbuf_addf(out, "%*d", width, n);
	else
		strbuf_add_u64(out, n, width);
}

/* with the name that the thread had at the end */
static void format_pid(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	const struct machine *w = ctx->machine;
	const struct thread *t = machine_sample_ctx(w, key, key, WHEN_END).thread;
	char buf[16];

	add_number(out, key, 7);
	strbuf_addch(out, ':');
	strbuf_add_safe(out, comm_name(ctx, machine_comm_id(w, t, WHEN_END), key, buf, sizeof(buf)));
}

const struct field field_pid = { .name = "pid", .title = "    Pid:Command", .kind = FIELD_SLOT, .width = 15,
	.slot = slot_pid, .format = format_pid, .cmp = cmp_s32, .help = "thread id and name" };

/* pid shows the thread, too, as it always has, because scripts read it; this is its name for people */
const struct field field_tid = { .name = "tid", .title = "    Tid:Command", .kind = FIELD_SLOT, .width = 15,
	.slot = slot_pid, .format = format_pid, .cmp = cmp_s32, .help = "thread id and name, as pid" };

static u64 slot_tgid(const struct resolved_sample *rs)
{
	return (u32)rs->sample->pid;
}

const struct field field_tgid = { .name = "tgid", .title = "   Tgid:Command", .kind = FIELD_SLOT, .width = 15,
	.slot = slot_tgid, .format = format_pid, .cmp = cmp_s32, .help = "process id and name" };

/* a known comm, or the tid of a thread whose name is not known, marked by the upper half */
static u64 slot_comm(const struct resolved_sample *rs)
{
	if (likely(rs->comm != ID_NONE))
		return rs->comm;
	return (u64)1 << 63 | rs->sample->tid;
}

static const char *comm_of_key(const struct field_ctx *ctx, u64 key, char *buf, size_t size)
{
	return comm_name(ctx, key >> 63 ? ID_NONE : (u32)key, key, buf, size);
}

static void format_comm(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	char buf[16];

	strbuf_add_safe(out, comm_of_key(ctx, key, buf, sizeof(buf)));
}

static int cmp_comm(const struct field_ctx *ctx, u64 a, u64 b)
{
	char ba[16], bb[16];

	return cmp_strings(comm_of_key(ctx, a, ba, sizeof(ba)), comm_of_key(ctx, b, bb, sizeof(bb)));
}

const struct field field_comm = { .name = "comm", .title = "Command", .kind = FIELD_SLOT, .width = 7,
	.slot = slot_comm, .format = format_comm, .cmp = cmp_comm, .help = "name of the thread" };

static void add_nodigit(struct strbuf *out, const char *s)
{
	while (*s) {
		if (!isdigit((unsigned char)*s)) {
			strbuf_addch(out, *s++);
			continue;
		}
		strbuf_addstr(out, "<N>");
		while (isdigit((unsigned char)*s))
			s++;
	}
}

static u64 canon_comm_nodigit(const struct field_ctx *ctx, u64 slot)
{
	struct strbuf safe = STRBUF_INIT, sb = STRBUF_INIT;
	u64 id;

	format_comm(ctx, slot, &safe);
	add_nodigit(&sb, strbuf_str(&safe));
	id = strtab_add(&ctx->names->texts, strbuf_str(&sb));
	strbuf_release(&safe);
	strbuf_release(&sb);
	return id;
}

const struct field field_comm_nodigit = { .name = "comm_nodigit", .title = "CommandNoDigit",
	.kind = FIELD_SLOT, .slot = slot_comm, .canon = canon_comm_nodigit, .format = format_text,
	.cmp = cmp_text, .prefix = prefix_text, .help = "name of the thread with its numbers as <N>" };

static u64 slot_cpu(const struct resolved_sample *rs)
{
	return rs->sample->cpu;
}

static void format_int3(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	u32 n = key;

	if (n > 999) {
		strbuf_addf(out, "%.3d", (s32)n);
		return;
	}
	strbuf_addch(out, '0' + n / 100);
	strbuf_addch(out, '0' + n / 10 % 10);
	strbuf_addch(out, '0' + n % 10);
}

const struct field field_cpu = { .name = "cpu", .title = "CPU", .kind = FIELD_SLOT, .width = 3, .right = true,
	.sample = PERF_SAMPLE_CPU, .slot = slot_cpu, .type = VIEW_NUMBER, .minus_is_absent = true,
	.format = format_int3, .cmp = cmp_s32, .help = "CPU that it ran on" };

static u64 slot_socket(const struct resolved_sample *rs)
{
	const struct features *f = rs->features;

	if (!f->cpu_socket || rs->sample->cpu >= f->nr_cpus_avail)
		return (u32)-1;
	return (u32)f->cpu_socket[rs->sample->cpu];
}

const struct field field_socket = { .name = "socket", .title = "Socket", .kind = FIELD_SLOT, .width = 6,
	.right = true, .sample = PERF_SAMPLE_CPU, .slot = slot_socket, .type = VIEW_NUMBER,
	.minus_is_absent = true, .format = format_int3, .cmp = cmp_s32, .help = "processor socket" };

static u64 slot_parallelism(const struct resolved_sample *rs)
{
	return rs->parallelism;
}

static void format_number(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	strbuf_add_u64(out, key, 0);
}

const struct field field_parallelism = { .name = "parallelism", .title = "Parallelism", .kind = FIELD_SLOT,
	.right = true, .needs = NEEDS_PARALLELISM, .slot = slot_parallelism, .type = VIEW_NUMBER,
	.format = format_number, .help = "how many of the tasks ran at that time" };

static u64 slot_cgroup(const struct resolved_sample *rs)
{
	return rs->sample->cgroup;
}

static void format_cgroup(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	const char *name = key ? machine_cgroup(ctx->machine, key) : "N/A";

	if (name)
		strbuf_add_safe(out, name);
	else
		strbuf_addstr(out, "unknown");
}

const struct field field_cgroup = { .name = "cgroup", .title = "Cgroup", .kind = FIELD_SLOT, .width = 6,
	.sample = PERF_SAMPLE_CGROUP, .slot = slot_cgroup, .format = format_cgroup,
	.help = "cgroup path (record --all-cgroups)" };

static u64 slot_cgroup_id(const struct resolved_sample *rs)
{
	return machine_cgroup_ns(rs->machine, rs->ctx.maps);
}

static void format_cgroup_id(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	strbuf_addf(out, "%lu/0x%lx", key >> 32, key & UINT32_MAX);
}

const struct field field_cgroup_id = { .name = "cgroup_id", .title = "cgroup id (dev/inode)",
	.kind = FIELD_SLOT, .slot = slot_cgroup_id, .format = format_cgroup_id,
	.help = "cgroup namespace device and inode" };

#define TIME_QUANTUM_DEFAULT 100000000ull

static u64 slot_time(const struct resolved_sample *rs)
{
	u64 asked = rs->worker->opts->time_quantum, quantum = asked ? asked : TIME_QUANTUM_DEFAULT;

	return rs->sample->time / quantum * quantum;
}

static void format_time(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	if (ctx->opts->time_ns)
		strbuf_addf(out, "%lu.%09lu", key / 1000000000, key % 1000000000);
	else
		strbuf_addf(out, "%lu.%06lu", key / 1000000000, key / 1000 % 1000000);
}

/* the column is as wide as upstream's */
static u32 length_time(const struct field_ctx *ctx, u64 key, struct strbuf *scratch)
{
	strbuf_reset(scratch);
	format_time(ctx, key, scratch);
	return ctx->opts->time_ns ? MAX((u32)scratch->len, 16u) : scratch->len;
}

const struct field field_time = { .name = "time", .title = "Time", .kind = FIELD_SLOT, .width = 12,
	.slot = slot_time, .type = VIEW_TIME, .unit = "ns", .format = format_time, .length = length_time,
	.no_pad = true, .help = "time in steps of --time-quantum" };
