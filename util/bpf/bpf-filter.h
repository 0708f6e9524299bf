/*
 * Bpf-filter: --filter of events that are not tracepoints: conditions on a sample as a BPF program at the
 * event, so that the kernel drops the others before it writes them. The text:
 *
 *	filter	:= any { "," any }		all of these
 *	any	:= compare { "||" compare }	at least one of these
 *	compare	:= term op value
 *	op	:= "==" "!=" "<" "<=" ">" ">=" "&" (bits in common); numbers have no sign
 *	value	:= number, or a word that the term has
 *
 * The terms are rows of bpf-filter-terms.def. Those of the sample itself need linux 6.3; all others are
 * known to helpers of BPF, or in the context of the program.
 */
#ifndef PERF_BPF_BPF_FILTER_H
#define PERF_BPF_BPF_FILTER_H

#include "../event/event.h"
#include "map.h"
#include "program.h"

/* conditions of one filter: more would be no program that the kernel checks in a moment */
#define BPF_FILTER_MAX 64u

struct filter_term;
struct filter_compare {
	const struct filter_term *term;
	u8 op;			/* BPF_JEQ ... BPF_JSET */
	bool more;		/* the next one is an alternative of this one ("||") */
	u64 value;
};

struct bpf_filter {
	struct { VEC(struct filter_compare); } compare;
	bool by_user;		/* samples of tasks with another real user are dropped, and not counted */
	u32 uid;
};

/* where the program counts: numbers of 8 bytes, by u32; `kept`, and after it samples that were left out */
struct filter_count {
	const struct bpf_map *map;	/* NULL: it does not count */
	u32 kept;
};

/*
 * appends the conditions of a text for the event of that name: several texts hold together. -EINVAL with err:
 * the message, the text with a caret, a hint
 */
int bpf_filter_parse(struct bpf_filter *f, const char *text, const char *event, struct err *err);
/*
 * -EINVAL with err: a sample of the event, whose attributes are final, has no number for a term. The hint
 * names the option
 */
int bpf_filter_check(const struct bpf_filter *f, const struct event *ev, struct err *err);
/* the program for events with these attributes. 0, or a negative errno with err */
int bpf_filter_load(const struct bpf_filter *f, const struct pe_attr *attr, struct filter_count count,
		    struct bpf_prog *ret, struct err *err);
void bpf_filter_release(struct bpf_filter *f);

#endif
