/* Functions of libm, which is loaded when they are called. */
#include "test.h"

#include <math.h>
#include "../../util/base/maths.h"

TEST(maths_functions)
{
	CHECK(maths_sqrt(16) == 4);
	CHECK(maths_fmod(7, 4) == 3);
	CHECK(maths_pow(10, 3) == 1000);
	CHECK(maths_log10(1000) == 3);
	CHECK(maths_exp(0) == 1);
	CHECK(maths_log(1) == 0);
	CHECK(maths_log1p(0) == 0);
	CHECK(maths_lgamma(1) == 0);
	CHECK(isnan(maths_sqrt(-1)));
}

TEST(maths_round)
{
	static const double values[] = {
		0, 0.4, 0.5, 1.5, 2.5, -0.5, -1.4, -2.5, 1e15 + 0.5, 0x1p60, -0x1p60,
	};

	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		CHECK(maths_round(values[i]) == round(values[i]));
	CHECK(isnan(maths_round(NAN)));
	CHECK(isinf(maths_round(INFINITY)));
}
