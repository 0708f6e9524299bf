/*
 * Parse cache: what was read about the machine for one event string, kept for the next one. A machine may
 * have hundreds of PMUs, and a table thousands of events.
 */
#ifndef PERF_PMU_PARSE_CACHE_H
#define PERF_PMU_PARSE_CACHE_H

struct parse_cache;
struct parser;

struct parse_cache *parse_cache_new(void);
void parse_cache_free(struct parse_cache *c);
/*
 * for the parser: takes what the parser knows about the machine from the options' cache, and returns or
 * releases it
 */
void parse_cache_take(struct parser *ps);
void parse_cache_give(struct parser *ps);

#endif
