/* The tree that expr-parse.c builds and expr.c walks. */
#ifndef PERF_PMU_EXPR_PRIVATE_H
#define PERF_PMU_EXPR_PRIVATE_H

enum expr_op {
	EXPR_NUM, EXPR_ID, EXPR_LITERAL,
	EXPR_NEG, EXPR_NOT,
	EXPR_OR, EXPR_XOR, EXPR_AND,
	EXPR_LT, EXPR_LE, EXPR_GT, EXPR_GE, EXPR_EQ, EXPR_NE,
	EXPR_ADD, EXPR_SUB, EXPR_MUL, EXPR_DIV, EXPR_MOD,
	EXPR_MIN, EXPR_MAX, EXPR_D_RATIO,
	EXPR_HAS_EVENT, EXPR_SOURCE_COUNT, EXPR_CPUID,
	EXPR_IF,		/* a if c else b */
};

struct expr {
	enum expr_op op;
	double num;
	/* of an id, a literal (lower case, without '#') or the argument of a function of names */
	const char *name;
	const struct expr *a, *b, *c;
};

#endif
