/*
 * Metric expressions, the language of vendors' metric tables: numbers, event and metric names (with @ for / and \ escapes),
 * + - * / % & | ^ < > == != ! , "a if cond else b", min max d_ratio has_event source_count strcmp_cpuid_str, literals #smt_on
 * #num_cpus #num_cores #num_dies #num_packages #num_cpus_online #system_tsc_freq #core_wide ... Parsed once, evaluated as often as there are aggregates.
 */
#ifndef PERF_PMU_EXPR_H
#define PERF_PMU_EXPR_H

#include "../base/arena.h"
#include "../base/err.h"
#include "../base/vec.h"

struct expr;

/* what names and literals stand for */
struct expr_env {
	/* value of an id; false: it has none (the result is then NAN). source_count: how many counters were summed up */
	bool (*id)(const void *ctx, const char *name, double *value, u32 *source_count);
	/* value of "#name" */
	bool (*literal)(const void *ctx, const char *name, double *value);
	const void *ctx;
};

/* lives in the arena. NULL with err filled: the sentence, the text with a caret under the wrong place */
const struct expr *expr_parse(struct arena *a, const char *text, struct err *err);
/* every distinct id in it, in order of appearance; ids in branches that constants rule out are left out. has_event() ids as well */
struct expr_ids { VEC(const char *); };
void expr_ids(const struct expr *e, const struct expr_env *constants, struct expr_ids *ret);
/* NAN where an id has no value or the expression divides by zero; *missing (may be NULL) is then the first such id or NULL */
double expr_eval(const struct expr *e, const struct expr_env *env, const char **missing);

#endif
