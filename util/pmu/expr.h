/*
 * Metric expressions, the language of vendors' metric tables. Parsed once, evaluated as often as
 * there are aggregates.
 *
 *	expr    := or [ "if" or "else" expr ]
 *	or      := operators, loosest first:  |  ^  &  (< <= > >= == !=)  (+ -)  (* / %)  unary (- + !)
 *	operand := NUMBER | ID | "#" LITERAL | "(" expr ")" | min(expr, expr) | max(expr, expr) |
 *		d_ratio(expr, expr)
 *	         | has_event(ID) | source_count(ID) | aggr_nr(ID) | strcmp_cpuid_str(PATTERN)
 *
 * An ID is an event or a metric: letters, digits, _ . : ? and any character after a backslash; @ stands for
 * the / of "pmu/terms/" (cpu@event\=0x3c@). Comparisons give 1 or 0; | ^ & work on the bits of whole numbers;
 * d_ratio(a, b) is a / b, or 0 if b is 0; source_count and aggr_nr are both the number of counters that were
 * added up. All input is bounded: length, number of nodes and nesting.
 */
#ifndef PERF_PMU_EXPR_H
#define PERF_PMU_EXPR_H

#include "../base/arena.h"
#include "../base/err.h"
#include "../base/vec.h"

struct expr;

/* the values of names; each function may be NULL: nothing is known then */
struct expr_env {
	/*
	 * value of an id; false: it has none (the result is then NAN). source_count: how many counters were
	 * added up
	 */
	bool (*id)(const void *ctx, const char *name, double *value, u32 *source_count);
	/* value of "#name", which comes without its '#' and in lower case */
	bool (*literal)(const void *ctx, const char *name, double *value);
	/* has_event(name): whether this machine has the event; false: not known */
	bool (*has_event)(const void *ctx, const char *name, bool *has);
	/* strcmp_cpuid_str(pattern): whether the pattern matches this CPU; false: not known */
	bool (*cpuid)(const void *ctx, const char *pattern, bool *matches);
	const void *ctx;
};

/*
 * Allocated in the arena. NULL with err: the message, and the text with a caret below the wrong place. param
 * replaces '?' in ids; negative: '?' is kept.
 */
const struct expr *expr_parse(struct arena *a, const char *text, int param, struct err *err);
/*
 * Appends every distinct id in e to ret, in the order of appearance. Branches that constants (literals,
 * has_event, cpuid) exclude are left out; ids that only has_event() uses are included if constants do not
 * answer. The strings belong to the arena of e.
 */
struct expr_ids { VEC(const char *); };
void expr_ids(const struct expr *e, const struct expr_env *constants, struct expr_ids *ret);
/*
 * NAN if an id has no value or the expression divides by zero; *missing (may be NULL) is then the first such
 * id, or NULL
 */
double expr_eval(const struct expr *e, const struct expr_env *env, const char **missing);

#endif
