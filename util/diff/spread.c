/* Spread: see spread.h. */
#include "spread.h"

static void find_range(const struct diff_spread *s, u64 *min, u64 *max)
{
	vec_foreach(s, c) {
		*min = MIN(*min, c->cycles);
		*max = MAX(*max, c->cycles);
	}
}

/* a character a bin, by its share of the fullest one */
static void add_bins(const struct diff_spread *s, u64 min, u64 max, struct strbuf *out)
{
	static const char level[] = " .:-=+*#@";
	u64 bin[SPREAD_BINS] = { 0 }, most = 1, width = (max - min) / SPREAD_BINS + 1;

	vec_foreach(s, c)
		bin[(c->cycles - min) / width] += c->nr;
	for (u32 i = 0; i < SPREAD_BINS; i++)
		most = MAX(most, bin[i]);
	strbuf_addch(out, '|');
	for (u32 i = 0; i < SPREAD_BINS; i++)
		strbuf_addch(out, level[(u32)((double)bin[i] * (sizeof(level) - 2) / most + 0.999999)]);
}

void spread_add(const struct diff_row *row, u32 i, struct strbuf *out)
{
	u64 min = UINT64_MAX, max = 0;

	if (!row->spread[0].nr || !row->spread[i].nr)
		return;
	find_range(&row->spread[0], &min, &max);
	find_range(&row->spread[i], &min, &max);
	strbuf_addf(out, "%lu..%lu ", min, max);
	add_bins(&row->spread[0], min, max, out);
	add_bins(&row->spread[i], min, max, out);
	strbuf_addch(out, '|');
}
