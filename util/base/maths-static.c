/* Maths of a static perf: libm is inside. */
#include "maths.h"

#include <math.h>

#define F1(name) \
	double maths_##name(double a) \
	{ \
		return name(a); \
	}
#define F2(name) \
	double maths_##name(double a, double b) \
	{ \
		return name(a, b); \
	}
MATHS_FUNCTIONS(F1, F2)
