/* Names of libpfm4, which are tried last: it takes milliseconds to load. */
#ifndef PERF_PMU_PARSE_PFM_H
#define PERF_PMU_PARSE_PFM_H

struct err;
struct evset;
struct parser;

/*
 * from start to the end of the event: a name with its unit masks and modifiers, as in libpfm4. 1: it is not
 * one
 */
int parse_pfm_name(struct parser *ps, const char *start);

/*
 * --pfm-events: "NAME[:UMASK...][:MODIFIER...],{...}" with the names of libpfm4; braces make groups. 0 or a
 * negative errno with err; set keeps what it had before.
 */
int parse_pfm_events(struct evset *set, const char *str, struct err *err);

#endif
