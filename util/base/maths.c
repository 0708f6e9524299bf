/* Maths: see maths.h. */
#include "maths.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stddef.h>

static struct {
#define F1(name) double (*name)(double a);
#define F2(name) double (*name)(double a, double b);
	MATHS_FUNCTIONS(F1, F2)
#undef F1
#undef F2
} maths;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
	void *handle = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);

#define F1(name) maths.name = handle ? dlsym(handle, #name) : NULL;
#define F2(name) F1(name)
	MATHS_FUNCTIONS(F1, F2)
#undef F1
#undef F2
}

#define F1(name) \
	double maths_##name(double a) \
	{ \
		pthread_once(&once, load); \
		return maths.name ? maths.name(a) : NAN; \
	}
#define F2(name) \
	double maths_##name(double a, double b) \
	{ \
		pthread_once(&once, load); \
		return maths.name ? maths.name(a, b) : NAN; \
	}
MATHS_FUNCTIONS(F1, F2)
