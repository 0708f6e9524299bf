/*
 * Filters in shared objects (perf_dlfilter.h): loaded because the user named them, called for each sample in
 * the order of the output, in one thread.
 */
#ifndef PERF_SCRIPT_DLFILTER_H
#define PERF_SCRIPT_DLFILTER_H

#include "../base/err.h"
#include "../base/strbuf.h"
#include "dlfilter-opts.h"

struct dlfilter;
struct line_sample;
struct script_host;

/*
 * Loads the file: a path, or a name that is in the current directory or where the dynamic linker looks. NULL
 * with err if it cannot be loaded, or is not a filter
 */
struct dlfilter *dlfilter_open(const struct dlfilter_opts *o, struct err *err);
/* calls start(): 0, or a negative errno with err */
int dlfilter_start(struct dlfilter *f, struct err *err);
/* calls stop() if start() was called and succeeded; the same */
int dlfilter_stop(struct dlfilter *f, struct err *err);
void dlfilter_free(struct dlfilter *f);

/*
 * Asks the filter about a sample, before perf's own filters (early) or after them. 1: keep, 0: drop, or a
 * negative errno with err
 */
int dlfilter_ask(struct dlfilter *f, const struct script_host *host, const struct line_sample *ls,
		 bool early, struct err *err);
/* whether it has a function for that */
bool dlfilter_wants(const struct dlfilter *f, bool early);

/* appends a line for each file in the directory that defines a filter; nothing of it is executed */
void dlfilter_list(const char *dir, struct strbuf *out);

#endif
