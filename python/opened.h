/*
 * Opened: events that are opened together, and their descriptors. evsel objects of one set share one; the
 * last of them that goes closes it. Used with Python's lock held.
 */
#ifndef PERF_PYTHON_OPENED_H
#define PERF_PYTHON_OPENED_H

#include "module.h"
#include "../util/event/event.h"
#include "../util/kernel/open.h"

struct origin;
struct stat_metrics;
struct tool_reader;

struct opened_events {
	int users;
	struct evset *set;
	struct origin *file;		/* the set belongs to a recording; NULL: to this */
	struct target target;		/* of what is open */
	struct open_fds fds;
	struct tool_reader *tools;	/* NULL: no event of the set is one of perf's own */
	bool tools_run;			/* they count; tools_ns: for how long they did before */
	u64 tools_ns;
	bool is_open;
	/* opened as perf stat does: what ordinary users may not count is counted in user space alone */
	bool as_stat;
	/* of parse_metrics(): how values become metrics; or NULL */
	struct stat_metrics *metrics;
	struct target counted;		/* for which they were planned */
};

/* one user; takes the set */
struct opened_events *opened_new(struct evset *set);
struct opened_events *opened_use(struct opened_events *o);
void opened_drop(struct opened_events *o);
/* -1 among the threads: all tasks of the CPUs; 0: the thread that opens the events */
void opened_target(struct target *ret, const struct cpulist *cpus, const struct tid_list *tids);
/* all events on all CPUs and threads. false with an exception; what had to be changed becomes warnings */
bool opened_open(struct opened_events *o, const struct cpulist *cpus, const struct tid_list *tids);
void opened_close(struct opened_events *o);
bool opened_enable(struct opened_events *o, bool on);
/* the position of a CPU or thread among those that are open; -1 with TypeError */
int opened_cpu_at(const struct opened_events *o, int cpu);
int opened_thread_at(const struct opened_events *o, int tid);
struct counts_values;
/* what an event has counted at these positions; false with an exception */
bool opened_read(const struct opened_events *o, const struct event *ev, u32 cpu, u32 thread,
		 struct counts_values *ret);

/* evsel.c: the object of an event of a set, which it uses from now on */
PyObject *evsel_new(struct opened_events *o, u32 idx);
/* NULL with TypeError if it is another object */
struct opened_events *evsel_opened(PyObject *evsel, u32 *ret_idx);
struct event *evsel_event(PyObject *evsel);
/* appends what repr() shows of it */
void evsel_words(PyObject *evsel, struct strbuf *out);
/* open() has the old keyword group; false with an exception where it is not 0 */
bool no_group(int group);

bool evsel_tracking(PyObject *evsel);

/* config.c: attributes for sampling; false with an exception */
bool evsels_config(PyObject *const *evsels, size_t nr);

/* evlist.c: one with an evsel for each event of the set; the CPUs and threads become its own */
PyObject *evlist_of(struct opened_events *o, struct cpulist *cpus, struct tid_list *tids);

#endif
