/* Merge: see merge.h. */
#include "merge.h"
#include "merge-bpf.h"
#include "../base/progress.h"
#include "../data/features-write.h"
#include "../data/writer.h"
#include "../event/record-type.h"
#include "../session/ordered-reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 256u
#define BUFFER (256u << 10)

/* a recording that is read */
struct merge_input {
	struct ordered_reader *reader;
	struct rec rec[BATCH];
	u64 time[BATCH];
	size_t at, nr;
};

struct merge_ids { VEC(u64); };

struct merger {
	struct session *const *s;
	u32 nr;
	struct evset *set;
	struct { VEC(struct merge_ids); } ids;		/* by event of the set */
	struct { VEC(u64); } id;			/* all of them, and the events that they are of */
	struct { VEC(u32); } id_event;
	struct hidx by_id;
	bool equal_sets;				/* all recordings have the same events */
	struct features feat;
	struct merge_bpf bpf;
	struct writer writer;
	struct strbuf out;				/* records that are not written yet */
	struct merge_result *result;
};

/* ---- whether they are of one machine, one boot and one kind ---- */

static int differ(struct err *err, const struct session *a, const struct session *b, const char *what,
		  const char *in_a, const char *in_b)
{
	err_set(err, -EINVAL, "'%s' and '%s' cannot be one recording: %s%s%s%s%s", a->data->path,
		b->data->path, what, in_a ? ": " : "", in_a ? in_a : "", in_a ? " and " : "",
		in_a ? in_b : "");
	err_hint(err, "'perf data convert --to pprof' adds up profiles of any machines");
	return -EINVAL;
}

static bool texts_differ(const char *a, const char *b)
{
	return a && b && strcmp(a, b);
}

static bool blobs_differ(const struct feat_blob *a, const struct feat_blob *b)
{
	return a->size != b->size || (a->size && memcmp(a->data, b->data, a->size));
}

static const struct dso *kernel_of(const struct session *s)
{
	const struct dsos *dsos = machine_dsos(s->machine);

	vec_foreach(&dsos->dso, d)
		if ((*d)->kind == DSO_KERNEL && (*d)->text_start != UINT64_MAX)
			return *d;
	return NULL;
}

/* the kernel is at another address after each boot, if it is loaded at random ones */
static bool boots_differ(const struct session *a, const struct session *b)
{
	const struct dso *ka = kernel_of(a), *kb = kernel_of(b);

	return ka && kb && (ka->text_start != kb->text_start ||
			    (ka->buildid_len && kb->buildid_len &&
			     (ka->buildid_len != kb->buildid_len ||
			      memcmp(ka->buildid, kb->buildid, ka->buildid_len))));
}

static bool clocks_differ(const struct session *a, const struct session *b)
{
	const struct pe_attr *x = &evset_at(a->data->evset, 0)->attr, *y = &evset_at(b->data->evset, 0)->attr;

	return (x->flags ^ y->flags) & ATTR_USE_CLOCKID || x->clockid != y->clockid;
}

static int check_pair(const struct session *a, const struct session *b, struct err *err)
{
	const struct features *x = &a->data->feat, *y = &b->data->feat;

	if (texts_differ(x->hostname, y->hostname))
		return differ(err, a, b, "they were recorded on different machines", x->hostname,
			      y->hostname);
	if (texts_differ(x->osrelease, y->osrelease))
		return differ(err, a, b, "they were recorded with different kernels", x->osrelease,
			      y->osrelease);
	if (texts_differ(x->arch, y->arch))
		return differ(err, a, b, "they were recorded on different architectures", x->arch, y->arch);
	if (boots_differ(a, b))
		return differ(err, a, b, "the machine was booted between them", NULL, NULL);
	if (clocks_differ(a, b))
		return differ(err, a, b, "they have times of different clocks", NULL, NULL);
	if (blobs_differ(&x->tracing_data, &y->tracing_data))
		return differ(err, a, b, "they have different tracepoints", NULL, NULL);
	return 0;
}

/* what no recording may have */
static int check_alone(const struct session *s, struct err *err)
{
	const char *path = s->data->path;

	if (s->data->swap)
		return err_set(err, -ENOTSUP, "'%s' was recorded on a machine of the other byte order", path);
	if (!s->data->evset->ev.nr)
		return err_set(err, -EINVAL, "'%s' has no events", path);
	if (session_has_trace(s))
		return err_set(err, -ENOTSUP, "'%s' has a hardware trace, which cannot be merged", path);
	if (s->nr_records[REC_STAT])
		return err_set(err, -ENOTSUP, "'%s' holds counts, not samples", path);
	if (s->packed) {
		err_set(err, -ENOTSUP, "'%s' has packed symbols", path);
		err_hint(err, "merge the recordings first, then use perf pack");
		return -ENOTSUP;
	}
	vec_foreach(&s->data->evset->ev, ev)
		if (!((*ev)->attr.sample_type & PERF_SAMPLE_TIME))
			return err_set(err, -ENOTSUP, "'%s': samples of %s have no times", path, (*ev)->name);
	return 0;
}

/*
 * whether they are one file or copies: recordings of two recorders are never equal, as samples have times.
 * Files without samples may be: those of a recorder that had nothing to write between two switches
 */
static bool same_records(const struct data *a, const struct data *b)
{
	if (a->stream.nr != b->stream.nr)
		return false;
	for (u32 i = 0; i < a->stream.nr; i++) {
		const struct data_stream *x = &a->stream.v[i], *y = &b->stream.v[i];

		if (x->end - x->start != y->end - y->start ||
		    memcmp(x->base + x->start, y->base + y->start, x->end - x->start))
			return false;
	}
	return true;
}

/* after the events, of which records of other recordings may have the same ids */
static int check_copies(const struct merger *m, struct err *err)
{
	for (u32 i = 1; i < m->nr; i++)
		for (u32 k = 0; k < i; k++) {
			const struct session *s = m->s[i], *t = m->s[k];

			if (!s->nr_samples || t->nr_samples != s->nr_samples ||
			    !same_records(t->data, s->data))
				continue;
			err_set(err, -EINVAL, "'%s' and '%s' are the same recording: its samples would count "
				"twice", t->data->path, s->data->path);
			err_hint(err, "name each recording once: leave out '%s'", s->data->path);
			return -EINVAL;
		}
	return 0;
}

static int check_inputs(struct merger *m, struct err *err)
{
	int ret = 0;

	for (u32 i = 0; i < m->nr && !ret; i++) {
		ret = check_alone(m->s[i], err);
		if (!ret && i)
			ret = check_pair(m->s[0], m->s[i], err);
		if (!ret && !merge_bpf_add(&m->bpf, &m->s[i]->data->feat))
			ret = differ(err, m->s[0], m->s[i], "they have different BPF programs of one number",
				     NULL, NULL);
	}
	return ret;
}

/* ---- events ---- */

/* files that were merged have attributes without zeros at their end: the size is another one */
static bool equal_attrs(const struct pe_attr *a, const struct pe_attr *b)
{
	struct pe_attr other = *b;

	other.size = a->size;
	return !memcmp(a, &other, sizeof(other));
}

static struct event *equal_event(const struct evset *set, const struct event *ev)
{
	vec_foreach(&set->ev, e)
		if (equal_attrs(&(*e)->attr, &ev->attr) && !strcmp((*e)->name, ev->name))
			return *e;
	return NULL;
}

/* an id of an event; false: it is one of another event */
static bool add_id(struct merger *m, u32 event, u64 id)
{
	u32 i;

	HIDX_FOREACH(&m->by_id, hash_u64(id), i)
		if (m->id.v[i] == id)
			return m->id_event.v[i] == event;
	hidx_insert(&m->by_id, hash_u64(id), m->id.nr);
	vec_push(&m->id, id);
	vec_push(&m->id_event, event);
	vec_push(&m->ids.v[event], id);
	return true;
}

static int add_event(struct merger *m, const struct session *s, const struct event *ev, struct err *err)
{
	struct event *to = equal_event(m->set, ev);

	if (!to) {
		m->equal_sets &= s == m->s[0];
		to = evset_add(m->set, ev->name);
		to->attr = ev->attr;
		vec_push(&m->ids, (struct merge_ids){ 0 });
	}
	for (u32 i = 0; i < ev->nr_ids; i++)
		if (!add_id(m, to->idx, ev->ids[i]))
			return differ(err, m->s[0], s, "they give one id to different events", NULL, NULL);
	return 0;
}

/* samples must say of which event they are, at a place that does not depend on it */
static bool events_are_told(const struct evset *set)
{
	const u64 first = evset_at(set, 0)->attr.sample_type;
	bool identifier = true, same = first & PERF_SAMPLE_ID;

	vec_foreach(&set->ev, ev) {
		identifier &= !!((*ev)->attr.sample_type & PERF_SAMPLE_IDENTIFIER);
		same &= (*ev)->attr.sample_type == first;
	}
	return set->ev.nr == 1 || identifier || same;
}

static int merge_events(struct merger *m, struct err *err)
{
	int ret = 0;

	m->set = evset_new();
	m->equal_sets = true;
	for (u32 i = 0; i < m->nr; i++) {
		m->equal_sets &= m->s[i]->data->evset->ev.nr == m->s[0]->data->evset->ev.nr;
		vec_foreach(&m->s[i]->data->evset->ev, ev)
			ret = ret ? ret : add_event(m, m->s[i], *ev, err);
	}
	if (ret)
		return ret;
	if (!events_are_told(m->set))
		return differ(err, m->s[0], m->s[m->nr - 1],
			      "they have different events, and samples do not say of which they are", NULL,
			      NULL);
	for (u32 i = 0; i < m->set->ev.nr; i++)
		evset_set_ids(m->set, evset_at(m->set, i), m->ids.v[i].v, m->ids.v[i].nr);
	return 0;
}

/* ---- header ---- */

static bool has_buildid(const struct features *f, const struct buildid_entry *e)
{
	vec_foreach(&f->buildids, have)
		if (have->pid == e->pid && have->len == e->len && !memcmp(have->id, e->id, e->len) &&
		    !strcmp(have->filename, e->filename))
			return true;
	return false;
}

static void merge_features(struct merger *m)
{
	struct features *f = &m->feat;

	*f = m->s[0]->data->feat;
	f->buildids.v = NULL;
	f->buildids.nr = f->buildids.alloc = 0;
	for (u32 i = 0; i < m->nr; i++) {
		const struct features *from = &m->s[i]->data->feat;

		vec_foreach(&from->buildids, e)
			if (!has_buildid(f, e))
				vec_push(&f->buildids, *e);
		if (!feature_present(from, FEAT_SAMPLE_TIME))
			continue;
		f->sample_time_first = MIN(f->sample_time_first, from->sample_time_first);
		f->sample_time_last = MAX(f->sample_time_last, from->sample_time_last);
	}
	merge_bpf_put(&m->bpf, f);
	if (f->buildids.nr)
		feature_set(f, FEAT_BUILD_ID);
	feature_set(f, FEAT_EVENT_DESC);
	feature_clear(f, FEAT_COMPRESSED);
	feature_clear(f, FEAT_DIR_FORMAT);
	if (!m->equal_sets)
		feature_clear(f, FEAT_GROUP_DESC);	/* it has positions of events */
}

/* ---- records ---- */

/* header records are the writer's, rounds are of files that are not in order */
static bool is_left_out(u32 type)
{
	return type == REC_ATTR || type == REC_FEATURE || type == REC_TRACING_DATA ||
	       type == REC_EVENT_TYPE || type == REC_ID_INDEX || type == REC_FINISHED_ROUND ||
	       type == REC_FINISHED_INIT;
}

/* fills an input again; false at its end */
static bool refill(struct merge_input *in)
{
	if (in->at < in->nr)
		return true;
	in->at = 0;
	in->nr = ordered_reader_next(in->reader, in->rec, in->time, BATCH);
	return in->nr;
}

/* the input with the oldest record, of equal ones the first; NULL: all are at their end */
static struct merge_input *oldest(struct merge_input *in, u32 nr)
{
	struct merge_input *ret = NULL;

	for (u32 i = 0; i < nr; i++)
		if (refill(&in[i]) && (!ret || in[i].time[in[i].at] < ret->time[ret->at]))
			ret = &in[i];
	return ret;
}

static int flush(struct merger *m, size_t limit)
{
	int ret = m->out.len > limit ? writer_write(&m->writer, m->out.buf, m->out.len) : 0;

	if (m->out.len > limit)
		strbuf_reset(&m->out);
	return ret;
}

static int copy_records(struct merger *m)
{
	struct merge_input *in = xcalloc(m->nr, sizeof(*in)), *next;
	int ret = 0;

	progress_at("merging records");
	for (u32 i = 0; i < m->nr; i++)
		in[i].reader = ordered_reader_open(m->s[i]);
	while (!ret && (next = oldest(in, m->nr))) {
		const struct rec *rec = &next->rec[next->at++];

		if (is_left_out(rec->type))
			continue;
		m->result->nr_records++;
		m->result->nr_samples += rec->type == REC_SAMPLE;
		strbuf_add(&m->out, rec->p, rec->size);
		ret = flush(m, BUFFER);
	}
	if (!ret)
		ret = flush(m, 0);
	for (u32 i = 0; i < m->nr; i++)
		ordered_reader_close(in[i].reader);
	free(in);
	return ret;
}

static int write_merged(struct merger *m, const char *output, struct err *err)
{
	int ret = writer_open(&m->writer, output, m->set, &m->feat, err);

	if (ret)
		return ret;
	ret = copy_records(m);
	if (ret)
		ret = err_sys(err, -ret, "cannot write to %s", output);
	else
		ret = writer_finish(&m->writer, m->set, &m->feat, err);
	writer_close(&m->writer);
	return ret;
}

int merge_run(struct session *const *s, u32 nr, const char *output, struct merge_result *ret,
	      struct err *err)
{
	struct merger m = { .s = s, .nr = nr, .result = ret };
	int code = check_inputs(&m, err);

	*ret = (struct merge_result){ 0 };
	if (!code)
		code = merge_events(&m, err);
	if (!code)
		code = check_copies(&m, err);
	if (!code) {
		merge_features(&m);
		code = write_merged(&m, output, err);
	}
	vec_foreach(&m.ids, v)
		vec_release(v);
	vec_release(&m.ids);
	vec_release(&m.id);
	vec_release(&m.id_event);
	hidx_release(&m.by_id);
	merge_bpf_release(&m.bpf);
	vec_release(&m.feat.buildids);
	strbuf_release(&m.out);
	evset_free(m.set);
	return code;
}
