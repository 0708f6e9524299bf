/*
 * Maths: functions of libm, which is loaded when the first of them is called. Few commands need it, and each
 * start would load it. Any thread may call them; all give NAN on a machine without libm.
 */
#ifndef PERF_BASE_MATHS_H
#define PERF_BASE_MATHS_H

#define MATHS_FUNCTIONS(F1, F2) F1(exp) F1(lgamma) F1(log) F1(log10) F1(log1p) F1(sqrt) F2(fmod) F2(pow)

#define F1(name) double maths_##name(double a);
#define F2(name) double maths_##name(double a, double b);
MATHS_FUNCTIONS(F1, F2)
#undef F1
#undef F2

/* as round(), which is in libm, too; numbers from 2^52 on have no fraction */
static inline double maths_round(double v)
{
	if (!(v > -0x1p52 && v < 0x1p52))
		return v;
	return v < 0 ? -(double)(long long)(0.5 - v) : (double)(long long)(v + 0.5);
}

#endif
