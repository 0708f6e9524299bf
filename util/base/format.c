/* Format: numbers to text without printf. */
#include "format.h"

#include <math.h>

void format_percent(struct strbuf *sb, u64 part, u64 total)
{
	double percent = total ? 100.0 * part / total : 0.0, scaled = percent * 100.0;
	double whole = floor(scaled), rest = scaled - whole;
	u64 n;

	/*
	 * printf rounds the exact binary value; near a half, multiplying by 100 may have lost the difference
	 */
	if (scaled >= 1e15 || fabs(rest - 0.5) < 1e-6) {
		strbuf_addf(sb, "%.2f%%", percent);
		return;
	}
	n = (u64)whole + (rest > 0.5);
	strbuf_add_u64(sb, n / 100, 0);
	strbuf_addch(sb, '.');
	strbuf_addch(sb, '0' + n / 10 % 10);
	strbuf_addch(sb, '0' + n % 10);
	strbuf_addch(sb, '%');
}
