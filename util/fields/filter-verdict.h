/* Filter verdict: what becomes of a sample. */
#ifndef PERF_FIELDS_FILTER_VERDICT_H
#define PERF_FIELDS_FILTER_VERDICT_H

enum filter_verdict {
	FILTER_DROP,	/* as if it were not in the file */
	FILTER_HIDE,	/* no row shows it, but it counts in the totals to which shares refer */
	FILTER_KEEP,
};

#endif
