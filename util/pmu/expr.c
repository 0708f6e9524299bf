/* Metric expressions: walking the tree. */
#include "expr.h"
#include "expr-private.h"

#include <math.h>
#include <string.h>
#include "../base/maths.h"

/* an expression has few ids, so a list is enough; the cost is bounded by the size of one metric */
static void add_id(struct expr_ids *ret, const char *name)
{
	for (size_t i = 0; i < ret->nr; i++)
		if (!strcmp(ret->v[i], name))
			return;
	vec_push(ret, name);
}

static bool bits(double v, s64 *ret)
{
	if (!(fabs(v) < 9e18))
		return false;
	*ret = (s64)v;
	return true;
}

static double bitwise(enum expr_op op, double a, double b)
{
	s64 x, y;

	if (!bits(a, &x) || !bits(b, &y))
		return NAN;
	return op == EXPR_OR ? x | y : op == EXPR_XOR ? x ^ y : x & y;
}

/* both operands are numbers */
static double arithmetic(enum expr_op op, double a, double b)
{
	switch (op) {
	case EXPR_OR:
	case EXPR_XOR:
	case EXPR_AND:
		return bitwise(op, a, b);
	case EXPR_LT:
		return a < b;
	case EXPR_LE:
		return a <= b;
	case EXPR_GT:
		return a > b;
	case EXPR_GE:
		return a >= b;
	case EXPR_EQ:
		return a == b;
	case EXPR_NE:
		return a != b;
	case EXPR_ADD:
		return a + b;
	case EXPR_SUB:
		return a - b;
	case EXPR_MUL:
		return a * b;
	case EXPR_DIV:
		return b != 0 ? a / b : NAN;
	case EXPR_MOD:
		return b != 0 ? maths_fmod(a, b) : NAN;
	case EXPR_MIN:
		return a < b ? a : b;
	case EXPR_MAX:
		return a > b ? a : b;
	case EXPR_D_RATIO:
		return b != 0 ? a / b : 0;
	default:
		return NAN;
	}
}

static double leaf(const struct expr *e, const struct expr_env *env, const char **missing)
{
	double v = NAN;
	u32 count = 0;
	bool yes, known = false;

	switch (e->op) {
	case EXPR_NUM:
		return e->num;
	case EXPR_LITERAL:
		known = env->literal && env->literal(env->ctx, e->name, &v);
		break;
	case EXPR_HAS_EVENT:
		known = env->has_event && env->has_event(env->ctx, e->name, &yes);
		/* if it is not known which events exist, the counted ones do */
		v = known ? yes : env->id && env->id(env->ctx, e->name, &v, &count) && !isnan(v);
		return v;
	case EXPR_CPUID:
		known = env->cpuid && env->cpuid(env->ctx, e->name, &yes);
		v = known ? yes : NAN;
		break;
	default:
		known = env->id && env->id(env->ctx, e->name, &v, &count);
		if (known && e->op == EXPR_SOURCE_COUNT)
			v = count;
	}
	if (known && !isnan(v))
		return v;
	if (!*missing)
		*missing = e->name;
	return NAN;
}

static double eval(const struct expr *e, const struct expr_env *env, const char **missing)
{
	double a, b;

	if (!e->a)
		return leaf(e, env, missing);
	if (e->op == EXPR_IF) {
		a = eval(e->c, env, missing);
		return isnan(a) ? NAN : eval(a != 0 ? e->a : e->b, env, missing);
	}
	a = eval(e->a, env, missing);
	/* a false side decides; the events of the other side may not have been counted at all */
	if (e->op == EXPR_AND && (a == 0 || eval(e->b, env, missing) == 0))
		return 0;
	if (isnan(a))
		return NAN;
	if (e->op == EXPR_NEG)
		return -a;
	if (e->op == EXPR_NOT)
		return a == 0;
	b = eval(e->b, env, missing);
	return isnan(b) ? NAN : arithmetic(e->op, a, b);
}

double expr_eval(const struct expr *e, const struct expr_env *env, const char **missing)
{
	const char *none = NULL;
	double v = eval(e, env, &none);

	if (missing)
		*missing = isnan(v) ? none : NULL;
	return isfinite(v) ? v : NAN;
}

/*
 * the value if it does not depend on ids, else NAN. A false side decides &; a true side does not decide |,
 * which works on bits
 */
static double constant(const struct expr *e, const struct expr_env *env)
{
	double a, b;

	switch (e->op) {
	case EXPR_ID:
	case EXPR_SOURCE_COUNT:
		return NAN;
	case EXPR_HAS_EVENT:
		if (!env->has_event)
			return NAN;
		/* fall through */
	case EXPR_NUM:
	case EXPR_LITERAL:
	case EXPR_CPUID: {
		const struct expr_env known = { .literal = env->literal, .has_event = env->has_event,
						.cpuid = env->cpuid, .ctx = env->ctx };
		const char *missing = NULL;
		bool yes;

		if (e->op == EXPR_HAS_EVENT && !env->has_event(env->ctx, e->name, &yes))
			return NAN;
		return leaf(e, &known, &missing);
	}
	case EXPR_IF:
		a = constant(e->c, env);
		return isnan(a) ? NAN : constant(a != 0 ? e->a : e->b, env);
	default:
		break;
	}
	a = constant(e->a, env);
	if (!e->b)
		return isnan(a) ? NAN : e->op == EXPR_NEG ? -a : a == 0;
	b = constant(e->b, env);
	if (e->op == EXPR_AND && (a == 0 || b == 0))
		return 0;
	return isnan(a) || isnan(b) ? NAN : arithmetic(e->op, a, b);
}

static void walk(const struct expr *e, const struct expr_env *env, struct expr_ids *ret)
{
	double cond;

	if (e->op == EXPR_IF) {
		cond = constant(e->c, env);
		if (isnan(cond)) {
			walk(e->a, env, ret);
			walk(e->c, env, ret);
			walk(e->b, env, ret);
		} else {
			walk(cond != 0 ? e->a : e->b, env, ret);
		}
		return;
	}
	if (e->op == EXPR_ID || e->op == EXPR_SOURCE_COUNT ||
	    (e->op == EXPR_HAS_EVENT && isnan(constant(e, env))))
		add_id(ret, e->name);
	if (e->op == EXPR_AND && !isnan(constant(e, env)))
		return;		/* a false side: the value of the other one is never needed */
	if (e->a)
		walk(e->a, env, ret);
	if (e->b)
		walk(e->b, env, ret);
}

void expr_ids(const struct expr *e, const struct expr_env *constants, struct expr_ids *ret)
{
	static const struct expr_env nothing;

	walk(e, constants ? constants : &nothing, ret);
}
