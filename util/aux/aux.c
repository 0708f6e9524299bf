/* Hardware traces: kinds, opening, and what is kept of the records of a file. */
#include "aux-private.h"
#include "history.h"
#include "log.h"
#include "queues.h"
#include "switches.h"
#include "../base/log.h"
#include "../data/made.h"
#include "../event/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct aux_kind *const kinds[] = {
#define AUX_KIND(symbol) &aux_kind_##symbol,
#include "kinds.def"
#undef AUX_KIND
};

/* ids of made events: far from those that kernels give, and from each other in files that were made before */
#define FIRST_ID 1000000000ull
/* without a trace in the header, the first record of one is looked for in this number of records */
#define RECORDS_TO_LOOK_AT 4096

/* other decoders of a kind, by the name that users give */
static const struct {
	const char *name;
	const struct aux_kind *of, *kind;
} second_decoders[] = {
	{ "libipt", &aux_kind_intel_pt, &aux_kind_intel_pt_libipt },
	{ "libopencsd", &aux_kind_coresight, &aux_kind_coresight_libopencsd },
};

/* k, or the decoder of its traces that users named; NULL with err: there is none */
static const struct aux_kind *choose_decoder(const struct aux_kind *k, const struct itrace_opts *opts,
					     struct err *err)
{
	const char *name = k == &aux_kind_intel_pt ? opts->pt_decoder :
			   k == &aux_kind_coresight ? opts->cs_decoder : NULL;

	if (!name || !strcmp(name, "perf"))
		return k;
	for (size_t i = 0; i < ARRAY_SIZE(second_decoders); i++)
		if (second_decoders[i].of == k && !strcmp(second_decoders[i].name, name))
			return second_decoders[i].kind;
	err_set(err, -EINVAL, "'%s' is not a decoder of %s", name, k->name);
	return NULL;
}

const struct aux_kind *aux_kind_find(u32 type)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i]->type == type)
			return kinds[i];
	return NULL;
}

bool aux_type_is_decoded(u32 type)
{
	const struct aux_kind *k = aux_kind_find(type);

	return k && k->events;
}

/* the first AUXTRACE_INFO record */
static bool find_info(const struct data *d, struct record_view *ret)
{
	u64 left = feature_present(&d->feat, FEAT_AUXTRACE) ? UINT64_MAX : RECORDS_TO_LOOK_AT;
	struct diag counted_by_scan = { 0 };

	for (size_t i = 0; i < d->stream.nr; i++) {
		const struct data_stream *s = &d->stream.v[i];
		struct rec_walk w = rec_walk_of(d, s, s->start, s->end, &counted_by_scan);
		struct rec rec;

		for (; left && rec_next(&w, &rec) > 0; left--)
			if (rec.type == REC_AUXTRACE_INFO)
				return !record_decode(&rec, ret);
	}
	return false;
}

bool aux_find_words(const struct data *d, struct aux_words *ret, u32 *ret_type)
{
	struct record_view info;

	if (!find_info(d, &info))
		return false;
	*ret_type = info.auxtrace_info.auxtrace_type;
	ret->cpuid = d->feat.cpuid;
	ret->nr = info.auxtrace_info.priv.nr;
	ret->v = xcalloc(ret->nr + 1, sizeof(*ret->v));
	for (u32 i = 0; i < ret->nr; i++)
		ret->v[i] = rec_row_u64(&info.auxtrace_info.priv, i, 0);
	return true;
}

static u64 highest_id(const struct evset *set)
{
	u64 max = 0;

	vec_foreach(&set->id_val, id)
		max = MAX(max, *id);
	return max;
}

void aux_add_event(struct aux *a, u32 nr, const char *name, u64 config, u64 period, u64 extra)
{
	struct evset *set = a->data->evset;
	struct event *ev = evset_add(set, name);
	u64 id = MIN(MAX(highest_id(set) + 1, FIRST_ID), UINT64_MAX - 1);

	a->sample_type = (AUX_SAMPLE_TYPE | extra) & ~a->no_fields;
	a->sample_type &= ~(a->timeless ? (u64)ABI_SAMPLE_TIME : 0);
	ev->attr = (struct pe_attr){
		.type = PERF_TYPE_HARDWARE, .size = sizeof(struct pe_attr), .config = config,
		.branch_sample_type = extra & ABI_SAMPLE_BRANCH_STACK ? ABI_BRANCH_ANY : 0,
		.sample_period = period, .sample_type = a->sample_type, .flags = ATTR_SAMPLE_ID_ALL,
	};
	evset_set_ids(set, ev, &id, 1);
	a->event[nr] = (struct aux_event){ .idx = ev->idx, .id = id, .on = true };
}

void aux_leave_out(struct aux *a, u64 left)
{
	for (u32 i = 0; i < 52; i++)
		if (left >> i & 1)
			strbuf_addf(&a->unused, "%s%c", a->unused.len ? ", " : "",
				    i < 26 ? 'a' + i : 'A' + i - 26);
}

/* letters that were typed and mean nothing here */
static void note_unused(struct aux *a)
{
	u64 left = a->opts.letters;

	for (const char *p = a->kind->letters; *p; p++)
		left &= ~itrace_letter(*p);
	aux_leave_out(a, left);
}

const char *aux_unused_letters(const struct aux *a, const char **ret_kind)
{
	*ret_kind = a->kind->name;
	return a->unused.len ? strbuf_str(&a->unused) : NULL;
}

int aux_open(struct aux **ret, struct data *d, const struct itrace_opts *opts, struct err *err)
{
	const struct aux_kind *kind;
	struct aux_words words;
	struct aux *a;
	u32 type;

	*ret = NULL;
	if (!opts->decodes || opts->off || !aux_find_words(d, &words, &type))
		return 0;
	kind = aux_kind_find(type);
	if (!kind || !kind->events) {
		free(words.v);
		return 0;
	}
	kind = choose_decoder(kind, opts, err);
	if (!kind) {
		free(words.v);
		return err->code;
	}
	a = xcalloc(1, sizeof(*a));
	a->kind = kind;
	a->data = d;
	a->opts = *opts;
	a->words = words;
	a->queues = aux_queues_new();
	a->switches = aux_switches_new();
	note_unused(a);
	if (kind->events(a, err)) {
		aux_free(a);
		return err->code;
	}
	a->stream = data_made_begin(d);
	if (a->other_frames || a->other_branches)
		aux_history_open(a, a->other_frames, a->other_branches);
	*ret = a;
	return 0;
}

static void close_log(struct aux *a)
{
	struct err err = ERR_INIT;

	if (aux_log_close(a->log, &err))
		log_warn_err(&err);
	a->log = NULL;
}

void aux_free(struct aux *a)
{
	if (!a)
		return;
	vec_release(&a->lost);
	vec_release(&a->start);
	vec_release(&a->missing);
	free(a->words.v);
	free(a->setup);
	aux_queues_free(a->queues);
	vec_release(&a->hw_id);
	mapping_close(&a->split);
	aux_switches_free(a->switches);
	strbuf_release(&a->unused);
	close_log(a);
	aux_history_free(a->history);
	free(a);
}

u32 aux_stream(const struct aux *a)
{
	return a->stream;
}

bool aux_has_times(const struct aux *a)
{
	return !a->timeless;
}

static void see_clock(struct aux *a, const struct rec_time_conv_view *v)
{
	a->clock = (struct aux_clock){
		.known = true, .shift = MIN(v->shift, 63u), .mult = v->mult, .zero = v->zero,
		.is_short = v->has_cycles && v->cap_short, .cycles = v->cycles, .mask = v->mask,
	};
}

u64 aux_clock_ns(const struct aux_clock *c, u64 counter)
{
	u64 low = (1ull << c->shift) - 1;

	if (!c->known)
		return counter;
	if (c->is_short)
		counter = c->cycles + ((counter - c->cycles) & c->mask);
	return c->zero + (counter >> c->shift) * c->mult + ((counter & low) * c->mult >> c->shift);
}

/* what the kernel says of the buffer */
static void see_aux(struct aux *a, const struct rec *rec, u64 flags, const struct sample *id,
		    struct diag *diag)
{
	struct aux_error lost = { .code = 8, .text = "Lost trace data", .cpu = id->cpu, .pid = id->pid,
				  .tid = id->tid, .time = id->time };

	if (flags & ABI_AUX_TRUNCATED)
		diag_count(diag, DIAG_AUX_TRUNCATED, rec->off);
	if (flags & ABI_AUX_TRUNCATED && a->lists_lost)
		vec_push(&a->lost, lost);
	if (flags & ABI_AUX_PARTIAL)
		diag_count(diag, DIAG_AUX_PARTIAL, rec->off);
	if (flags & ABI_AUX_COLLISION)
		diag_count(diag, DIAG_AUX_COLLISION, rec->off);
}

void aux_see(struct aux *a, const struct rec *rec, struct diag *diag)
{
	struct record_view v;
	struct sample id;

	aux_log_record(a->log, a->data, rec);
	switch (rec->type) {
	case REC_AUXTRACE:
		if (!record_decode(rec, &v))
			aux_queues_add(a->queues, a->data, rec, &v.auxtrace);
		break;
	case REC_TIME_CONV:
		if (!record_decode(rec, &v))
			see_clock(a, &v.time_conv);
		break;
	case REC_AUX:
		if (record_decode(rec, &v) || sample_decode_id(a->data->plan, rec, &id))
			break;
		see_aux(a, rec, v.aux.flags, &id, diag);
		aux_queues_add_time(a->queues, &v.aux, &id);
		break;
	case REC_AUX_OUTPUT_HW_ID:
		if (!record_decode(rec, &v) && !sample_decode_id(a->data->plan, rec, &id))
			vec_push(&a->hw_id, (struct aux_hw_id){ id.cpu, id.event ? id.event->idx : (u32)-1,
								v.hw_id.hw_id });
		break;
	case REC_SWITCH:
	case REC_SWITCH_CPU_WIDE:
	case REC_ITRACE_START:
		if (!record_decode(rec, &v) && !sample_decode_id(a->data->plan, rec, &id))
			aux_switches_add(a->switches, &v, &id);
		break;
	default:
		break;
	}
}

bool aux_wants_samples(const struct aux *a)
{
	return a->history || evset_samples(a->data->evset, ABI_SAMPLE_AUX);
}

/* switch records say whose bytes those of a CPU are */
static bool has_switches(const struct aux *a)
{
	vec_foreach(&a->data->evset->ev, ev)
		if ((*ev)->attr.flags & ATTR_CONTEXT_SWITCH)
			return true;
	return false;
}

void aux_see_sample(struct aux *a, const struct rec *rec)
{
	struct arena scratch = { 0 };
	struct sample sm;
	s32 cpu;

	if (sample_decode(a->data->plan, rec, &sm, &scratch) || !sm.event) {
		arena_release(&scratch);
		return;
	}
	if (sm.aux && sm.aux_size) {
		cpu = has_switches(a) ? (s32)sm.cpu : -1;
		aux_queues_add_sample(a->queues, cpu, sm.tid, sm.aux, sm.aux_size);
	}
	if (a->history && sm.event->attr.type != aux_pmu_type(a) && sm.time)
		aux_history_see(a->history, rec, &sm);
	arena_release(&scratch);
}

bool aux_thread_at(const struct aux *a, u32 cpu, u64 time, s32 *ret_pid, s32 *ret_tid)
{
	return aux_switches_at(a->switches, cpu, time, ret_pid, ret_tid);
}

u32 aux_pmu_type(const struct aux *a)
{
	return aux_word(&a->words, a->kind->pmu_word) >> a->kind->pmu_shift;
}

bool aux_recorded_by(const struct aux *a, const struct event *ev)
{
	return ev->attr.type == aux_pmu_type(a) &&
	       (!a->kind->pmu_config || ev->attr.config == a->kind->pmu_config);
}
