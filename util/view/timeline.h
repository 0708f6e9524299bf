/*
 * Timeline: an answer that is a picture over time: tracks (CPUs, tasks), and on them spans with a kind, a
 * label and a time. An answer (util/) fills it in the order of time; ui/ draws it as SVG, as a page for a
 * browser, or as a trace for other viewers. ui/ knows nothing of what the spans mean.
 *
 * Its size is bounded: if there are more than max_spans, spans of one track and kind that together are
 * shorter than the grain become one, and the grain grows until they fit. A merged span knows how many it
 * stands for and the sum of their lengths, so sums stay exact.
 *
 * Spans of a track can be nested, as calls are: each has a level, and lies within the span of the level
 * before it. They are merged by level, within one span of the level before, and take the kind of the longest
 * one.
 *
 * All of it belongs to the timeline, but the tables of kinds and groups, which must outlive it. Times are
 * nanoseconds.
 */
#ifndef PERF_VIEW_TIMELINE_H
#define PERF_VIEW_TIMELINE_H

#include "../base/strtab.h"
#include "view.h"

#define TIMELINE_NONE UINT32_MAX
#define TIMELINE_MAX_SPANS (1u << 18)	/* makes a page of about 10 MB */

/* what a span means to the eye; formats choose colours */
enum timeline_tone {
	TONE_RUN, TONE_MARKED, TONE_WAIT, TONE_BLOCKED, TONE_SLEEP, TONE_IDLE, TONE_DEEP_IDLE,
	TONE_DEEPEST_IDLE, TONE_SPEED, TONE_DISK, TONE_NET, TONE_SYNC, TONE_POLL, TONE_ERROR, TONE_NR
};

/* a row of the answer's table of kinds; where kinds of a track overlap, later rows are drawn above others */
struct timeline_kind {
	const char *key;	/* "running": one word */
	const char *title;	/* "Running" */
	enum timeline_tone tone;
	u8 top, bottom;		/* what it covers of the height of a track, in percent from its top */
	u8 lane;		/* spans of one track and lane never overlap; 0: the main one */
	bool bar;		/* its height there is its amount; merged spans show the largest one */
	const char *unit;	/* of amounts: "bytes"; NULL: they have none */
};

struct timeline_span {
	u64 from, to;		/* equal: a mark */
	u64 busy;		/* sum of the lengths of the spans that were merged into this one */
	u64 amount;
	u32 track;
	u32 other;		/* the track that caused it; TIMELINE_NONE */
	u32 label;		/* id of a text in labels; 0: none. Merged: the text of the longest one */
	u32 nr;			/* number of spans that were merged into this one */
	s16 level;		/* of nesting; of any sign, after timeline_finish() from 0 on */
	u8 kind;
};

struct timeline_track {
	const char *name;	/* "CPU 0", "gcc:1234" */
	const char *detail;	/* a sentence more, or NULL */
	s64 pid, tid;		/* of a task; negative: none */
	u64 rank;		/* tracks of a group are in the order of ranks */
	u8 group;
	u16 levels;		/* after timeline_finish(): of its spans; at least 1 */
	bool hidden;		/* timeline_finish() removes it with its spans */
	size_t first, nr;	/* its spans, after timeline_finish() */
};

struct timeline_spans { VEC(struct timeline_span); };

struct timeline {
	struct arena arena;
	const char *name;		/* of the command: "timechart" */
	const char *title;		/* of the picture */
	struct view_facts fact;
	struct { VEC(const char *); } note;	/* sentences: what was left out, what is doubtful */
	const struct timeline_kind *kind;
	u32 nr_kinds;			/* at most 64 */
	const char *const *group;	/* headings of groups of tracks: "CPUs" */
	u32 nr_groups;
	u64 from, to;			/* the time shown */
	struct { VEC(struct timeline_track); } track;
	struct timeline_spans span;	/* after timeline_finish(): by track, then by time */
	struct strtab labels;
	s16 min_level, max_level;	/* of spans */
	size_t max_spans;
	u64 grain;			/* 0: no spans were merged */
};

/* the table of kinds and the headings are kept, not copied */
void timeline_init(struct timeline *t, const char *name, const struct timeline_kind *kind, u32 nr_kinds,
		   const char *const *group, u32 nr_groups);
void timeline_release(struct timeline *t);
/* an empty track without a name; its id */
u32 timeline_add_track(struct timeline *t, u8 group);
/*
 * A span; of one track, kind and level they come in the order of time. to < from is made a mark; nr 0 means
 * one span of its length.
 */
void timeline_add(struct timeline *t, const struct timeline_span *span);
/* a sentence; it is copied */
void timeline_note(struct timeline *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* removes hidden tracks, sorts tracks and spans; ids of tracks change. Notes what was merged */
void timeline_finish(struct timeline *t);

/* which kinds have spans, as bits */
u64 timeline_kinds_used(const struct timeline *t);
/* the largest amount of a kind; 0: none */
u64 timeline_max_amount(const struct timeline *t, u32 kind);
/*
 * The spans of a finished timeline with spans shorter than grain merged: for formats that cannot show as
 * many. In the same order; the caller releases them.
 */
void timeline_merged(const struct timeline *t, u64 grain, struct timeline_spans *ret);

#endif
