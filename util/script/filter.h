/* Filter: which samples perf script shows: names of commands, dsos and symbols; pids, tids, CPUs; spans of time. */
#ifndef PERF_SCRIPT_FILTER_H
#define PERF_SCRIPT_FILTER_H

#include "../base/err.h"
#include "../base/strtab.h"
#include "../base/vec.h"

struct time_span {
	u64 from, to;		/* ns, both ends inside */
};

struct script_filter {
	struct strtab comms, dsos, symbols;	/* empty (nr 0 beyond ""): no filter */
	bool has_comms, has_dsos, has_symbols;
	struct { VEC(s32); } pids, tids;
	struct { VEC(u32); } cpus;
	struct { VEC(struct time_span); } spans;
	u64 addr_from, addr_to;			/* --addr-range with -S 0xADDR */
};

void script_filter_release(struct script_filter *f);
/* "a,b,c"; a name that starts with "file:/" reads one name a line is not supported upstream for script */
void script_filter_names(struct strtab *t, bool *has, const char *list);
int script_filter_ids(struct script_filter *f, bool tids, const char *list, struct err *err);
int script_filter_cpus(struct script_filter *f, const char *list, struct err *err);
/*
 * --time: "start,stop" in seconds with either left out, several separated by blanks, or percents of the recording: "10%",
 * "10%/2" (the second slice of a tenth), "0%-10%", lists by commas. first and last are the first and last sample times.
 */
int script_filter_time(struct script_filter *f, const char *spec, u64 first, u64 last, struct err *err);

static inline bool script_filter_time_ok(const struct script_filter *f, u64 time)
{
	if (!f->spans.nr)
		return true;
	for (size_t i = 0; i < f->spans.nr; i++)
		if (time >= f->spans.v[i].from && time <= f->spans.v[i].to)
			return true;
	return false;
}

#endif
