/* Fuzz target: metric expressions: parsed, their ids listed, evaluated. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../../util/pmu/expr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool id_value(const void *ctx, const char *name, double *value, u32 *count)
{
	*value = strlen(name);
	*count = 2;
	return name[0] != 'x';
}

static bool literal(const void *ctx, const char *name, double *value)
{
	*value = name[0] & 1;
	return name[0] != 'x';
}

static bool yes_or_no(const void *ctx, const char *name, bool *yes)
{
	*yes = strlen(name) & 1;
	return name[0] != 'x';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct expr_env env = { .id = id_value, .literal = literal, .has_event = yes_or_no,
				      .cpuid = yes_or_no };
	char *text = strndup((const char *)data, size);
	struct expr_ids ids = { 0 };
	struct arena a = { 0 };
	struct err err = ERR_INIT;
	const char *missing;
	const struct expr *e = expr_parse(&a, text, size & 1 ? 3 : -1, &err);

	if (e) {
		double v = expr_eval(e, &env, &missing);

		/* a number is a number; where there is none, nothing is missing twice */
		if (isinf(v) || (!isnan(v) && missing))
			abort();
		expr_ids(e, &env, &ids);
	} else if (!err.code || !err.msg[0]) {
		abort();
	}
	vec_release(&ids);
	arena_release(&a);
	free(text);
	return 0;
}
