/* Rows: the tracepoints of a timechart, and what is recorded. */
#include "sched.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct tracing_field switch_fields[] = {
	{ .name = "prev_comm", .is_bytes = true }, { .name = "prev_pid" }, { .name = "prev_state" },
	{ .name = "next_comm", .is_bytes = true }, { .name = "next_pid" }, { .name = NULL }
};
static const struct tracing_field wakeup_fields[] = {
	{ .name = "comm", .is_bytes = true }, { .name = "pid" }, { .name = "common_flags", .optional = true },
	{ .name = NULL }
};
static const struct tracing_field power_fields[] = {
	{ .name = "state" }, { .name = "cpu_id" }, { .name = NULL }
};
static const struct tracing_field fd_fields[] = { { .name = "fd" }, { .name = NULL } };
static const struct tracing_field no_fields[] = { { .name = NULL } };
static const struct tracing_field exit_fields[] = { { .name = "ret" }, { .name = NULL } };

#define NR_SCHED 3
#define NR_POWER 2
const struct tracing_row timechart_rows[] = {
	{ "sched:sched_switch", switch_fields, timechart_switch, false },
	{ "sched:sched_wakeup", wakeup_fields, timechart_wakeup, false },
	{ "sched:sched_wakeup_new", wakeup_fields, timechart_wakeup, true },
	{ "power:cpu_idle", power_fields, timechart_idle, true },
	{ "power:cpu_frequency", power_fields, timechart_frequency, true },
#define IO_ROWS(name, fields) \
	{ "syscalls:sys_enter_" #name, fields, timechart_io_enter, true }, \
	{ "syscalls:sys_exit_" #name, exit_fields, timechart_io_exit, true },
#define IO_CALL(name, kind) IO_ROWS(name, fd_fields)
#define IO_CALL_NO_FD(name, kind) IO_ROWS(name, no_fields)
#include "io-calls.def"
};
const u32 timechart_nr_rows = ARRAY_SIZE(timechart_rows);

/* -g stands before the options of the user, who may replace it by another kind */
const char **timechart_record_args(const struct timechart_record_opts *o, int argc, const char **argv,
				   int *ret_argc)
{
	u32 first = o->io_only ? NR_SCHED + NR_POWER : o->power_only ? NR_SCHED : 0;
	u32 end = o->io_only ? timechart_nr_rows : o->tasks_only ? NR_SCHED : NR_SCHED + NR_POWER;
	const char **mine = xcalloc(argc + 4, sizeof(*mine));
	const char **args;
	int nr = 0;

	mine[nr++] = argv[0];
	if (o->callchain)
		mine[nr++] = "-g";
	if (o->output) {
		mine[nr++] = "-o";
		mine[nr++] = o->output;
	}
	for (int i = 1; i < argc; i++)
		mine[nr++] = argv[i];
	args = tracing_record_args(timechart_rows + first, end - first, nr, mine, ret_argc);
	free(mine);
	return args;
}
