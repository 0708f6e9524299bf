/*
 * Tool events: numbers that users count, but that do not come from counters of the kernel. Times
 * (duration_time, user_time, system_time), facts about the machine (num_cpus, smt_on, system_tsc_freq, ...)
 * and sensors (hwmon: temperatures, fans, power). The parser makes events of type PE_TYPE_TOOL or
 * PE_TYPE_HWMON + n of them (event_is_tool()); kernel/open leaves their descriptors at -1; they are read
 * here.
 */
#ifndef PERF_COUNT_TOOL_EVENTS_H
#define PERF_COUNT_TOOL_EVENTS_H

#include "../event/event.h"
#include "../kernel/target.h"

enum tool_kind { TOOL_ELAPSED, TOOL_USER, TOOL_SYSTEM, TOOL_FACT };

struct tool_row {
	u8 config;
	const char *name;
	enum tool_kind kind;
	const char *unit;	/* "" */
	const char *desc;
};
extern const struct tool_row tool_rows[];
extern const size_t nr_tool_rows;

/* by name of len bytes; NULL if there is none */
const struct tool_row *tool_row_find(const char *name, size_t len);
/* by attr.config; NULL if there is none */
const struct tool_row *tool_row_by_config(u64 config);
/* false for a fact that this machine cannot provide (slots, system_tsc_freq): such an event is not offered */
bool tool_row_available(const struct tool_row *row);

/*
 * Reading: make a reader for the set when the target is known, start it when counting starts (the kernel's
 * events are enabled), read its cells whenever the other counters are read. Values are since the start, as
 * those of counters are, except for events with ev->snapshot (facts, sensors): those are current values, from
 * which intervals subtract nothing. Their times enabled and running are the time since the start. Values of
 * sensors are signed. Set and target must outlive the reader.
 */
struct rusage;
struct tool_reader;
struct tool_reader *tool_reader_new(const struct evset *set, const struct target *t);
void tool_reader_free(struct tool_reader *r);
/* now_ns (CLOCK_MONOTONIC): the start of the time that is shown as elapsed */
void tool_reader_start(struct tool_reader *r, u64 now_ns);
/*
 * Ends the elapsed time at now_ns. ru: of a workload for which wait4() was called, whose times are exact from
 * now on; or NULL. Calling it is optional.
 */
void tool_reader_end(struct tool_reader *r, const struct rusage *ru, u64 now_ns);
/* ns since the start */
u64 tool_reader_elapsed(const struct tool_reader *r);
/*
 * The value of one cell; cpu and thread are positions in target->cpus and target->tids, as in the matrix of
 * descriptors. A value that exists once for the run is that of cell 0, 0. User and system time are per CPU
 * for a system-wide target (/proc/stat), else per thread (/proc/PID/task/TID/stat), and for a workload per
 * process, with the children for which it has waited; until tool_reader_end() they are as coarse as the
 * kernel's clock ticks (mostly 10 ms). 0; -ENODATA: nothing belongs to this cell; -ENOENT: the machine does
 * not have it; -EIO: a sensor did not answer.
 */
int tool_read(struct tool_reader *r, const struct event *ev, u32 cpu, u32 thread, u64 *ret);

#endif
