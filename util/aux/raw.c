/* Raw: see raw.h. */
#include "raw.h"
#include "queues.h"
#include "../base/fs.h"
#include "../base/json-out.h"
#include "../data/walk.h"
#include "../event/record.h"
#include "../machine/machine.h"
#include "../obj/buildid.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RAW_VERSION 1
#define DRAIN_SIZE (64u << 10)	/* as many bytes of text are written at once */

struct raw {
	const struct data *d;
	const struct machine *m;
	const char *dir;
	struct aux_words words;
	u32 type;
	struct aux_queues *queues;
	struct { VEC(char *); } file;	/* paths of files that were begun */
	bool made;			/* the folder is ours */
	/* of the file that is written */
	FILE *out;
	struct strbuf text;
	struct json w;
	int failed;
};

/* gets a record that is not a sample, and what its trailer says */
typedef void see_record(struct raw *r, const struct rec *rec, const struct record_view *v,
			const struct sample *id);

/* calls see for all records of the file */
static void walk(struct raw *r, see_record *see)
{
	struct diag counted_by_scan = { 0 };

	for (size_t i = 0; i < r->d->stream.nr; i++) {
		const struct data_stream *s = &r->d->stream.v[i];
		struct rec_walk w = rec_walk_of(r->d, s, s->start, s->end, &counted_by_scan);
		struct record_view v;
		struct rec rec;

		while (rec_next(&w, &rec) > 0) {
			struct sample id = { .time = 0 };

			if (rec.type == REC_SAMPLE || record_decode(&rec, &v))
				continue;
			sample_decode_id(r->d->plan, &rec, &id);
			see(r, &rec, &v, &id);
		}
	}
}

static void see_part(struct raw *r, const struct rec *rec, const struct record_view *v,
		     const struct sample *id)
{
	if (rec->type == REC_AUXTRACE)
		aux_queues_add(r->queues, r->d, rec, &v->auxtrace);
	if (rec->type == REC_AUX)
		aux_queues_add_time(r->queues, &v->aux, id);
}

/* ---- files ---- */

static int make_folder(struct raw *r, struct err *err)
{
	struct dirent *e;
	u32 nr = 0;
	DIR *dir;

	r->made = !mkdir(r->dir, 0777);
	if (r->made)
		return 0;
	if (errno != EEXIST)
		return err_sys(err, errno, "cannot make %s", r->dir);
	dir = opendir(r->dir);
	if (!dir)
		return err_sys(err, errno, "cannot read %s", r->dir);
	while ((e = readdir(dir)))
		nr += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
	closedir(dir);
	return nr ? err_set(err, -EEXIST, "%s is not empty", r->dir) : 0;
}

static int begin_file(struct raw *r, const char *name, struct err *err)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/%s", r->dir, name);
	r->out = file_create(strbuf_str(&path), false);
	if (!r->out)
		err_sys(err, errno, "cannot create %s", strbuf_str(&path));
	else
		vec_push(&r->file, xstrdup(strbuf_str(&path)));
	strbuf_release(&path);
	return r->out ? 0 : err->code;
}

static void put(struct raw *r, const void *p, size_t len)
{
	if (!r->failed && len && fwrite(p, 1, len, r->out) != len)
		r->failed = -errno;
}

static int end_file(struct raw *r, struct err *err)
{
	const char *path = r->file.v[r->file.nr - 1];
	int ret = file_finish(r->out, path, r->failed);

	return ret ? err_sys(err, -ret, "cannot write %s", path) : 0;
}

static void drain(struct raw *r, size_t size)
{
	if (r->text.len < size)
		return;
	put(r, r->text.buf, r->text.len);
	strbuf_reset(&r->text);
}

static void remove_files(struct raw *r)
{
	vec_foreach(&r->file, path)
		unlink(*path);
	if (r->made)
		rmdir(r->dir);
}

/* ---- the bytes ---- */

/* the parts of a stream from the first on: their number */
static size_t parts_of(const struct aux_part *p, size_t nr)
{
	size_t n = 1;

	while (n < nr && p[n].idx == p->idx && p[n].cpu == p->cpu && p[n].tid == p->tid)
		n++;
	return n;
}

static void add_name(const struct aux_part *p, struct strbuf *out)
{
	if ((s32)p->cpu >= 0)
		strbuf_addf(out, "cpu-%u", p->cpu);
	else
		strbuf_addf(out, "thread-%d", p->tid);
	strbuf_addf(out, "-%u.aux", p->idx);
}

static int write_stream(struct raw *r, const struct aux_part *p, size_t nr, struct aux_raw_result *ret,
			struct err *err)
{
	struct strbuf name = STRBUF_INIT;
	int failed;

	add_name(p, &name);
	failed = begin_file(r, strbuf_str(&name), err);
	strbuf_release(&name);
	if (failed)
		return failed;
	for (size_t i = 0; i < nr; i++) {
		put(r, p[i].p, p[i].len);
		ret->bytes += p[i].len;
	}
	ret->nr_streams++;
	return end_file(r, err);
}

static int write_streams(struct raw *r, struct aux_raw_result *ret, struct err *err)
{
	size_t nr, n;
	const struct aux_part *p = aux_queues_parts(r->queues, &nr);
	int failed = 0;

	for (; nr && !failed; p += n, nr -= n) {
		n = parts_of(p, nr);
		failed = write_stream(r, p, n, ret, err);
	}
	return failed;
}

static int write_words(struct raw *r, const struct stream_format *f, struct err *err)
{
	const struct aux_kind *kind = aux_kind_find(r->type);
	int failed = kind ? begin_file(r, "words.txt", err) : 0;

	if (failed || !kind)
		return failed;
	strbuf_reset(&r->text);
	kind->dump_words(&r->words, f, &r->text);
	drain(r, 0);
	return end_file(r, err);
}

/* ---- what is known of them ---- */

static void add_parts(struct raw *r, const struct aux_part *p, size_t nr)
{
	u64 at = 0;

	json_key(&r->w, "parts");
	json_begin_array(&r->w, JSON_HANGING);
	for (size_t i = 0; i < nr; at += p[i++].len) {
		u64 time, flags, end;

		aux_queues_mark(r->queues, &p[i], p[i].off, &time, &flags, &end);
		json_begin_object(&r->w, JSON_COMPACT);
		json_key_u64(&r->w, "at", at);
		json_key_u64(&r->w, "size", p[i].len);
		json_key_u64(&r->w, "offset", p[i].off);
		json_key_bool(&r->w, "follows", p[i].follows);
		json_key_u64(&r->w, "time", time);
		json_key_u64(&r->w, "flags", flags);
		json_end(&r->w);
		drain(r, DRAIN_SIZE);
	}
	json_end(&r->w);
}

static void add_number(struct raw *r, const char *key, s64 v)
{
	json_key(&r->w, key);
	json_s64(&r->w, v);
}

static void add_streams(struct raw *r)
{
	struct strbuf name = STRBUF_INIT;
	size_t nr, n;
	const struct aux_part *p = aux_queues_parts(r->queues, &nr);

	json_key(&r->w, "streams");
	json_begin_array(&r->w, JSON_LINES);
	for (; nr; p += n, nr -= n) {
		n = parts_of(p, nr);
		strbuf_reset(&name);
		add_name(p, &name);
		json_begin_object(&r->w, JSON_COMPACT);
		json_key_string(&r->w, "file", strbuf_str(&name));
		add_number(r, "cpu", (s32)p->cpu);
		add_number(r, "tid", p->tid);
		add_parts(r, p, n);
		json_end(&r->w);
	}
	json_end(&r->w);
	strbuf_release(&name);
}

/* a row of a list of records: who, where and when */
static void begin_row(struct raw *r, const struct sample *id, s32 pid, s32 tid)
{
	json_begin_object(&r->w, JSON_COMPACT);
	json_key_u64(&r->w, "time", id->time);
	add_number(r, "cpu", (s32)id->cpu);
	add_number(r, "pid", pid);
	add_number(r, "tid", tid);
}

static void end_row(struct raw *r)
{
	json_end(&r->w);
	drain(r, DRAIN_SIZE);
}

static void see_aux(struct raw *r, const struct rec *rec, const struct record_view *v,
		    const struct sample *id)
{
	if (rec->type != REC_AUX)
		return;
	begin_row(r, id, id->pid, id->tid);
	json_key_u64(&r->w, "offset", v->aux.offset);
	json_key_u64(&r->w, "size", v->aux.size);
	json_key_u64(&r->w, "flags", v->aux.flags);
	end_row(r);
}

static void see_switch(struct raw *r, const struct rec *rec, const struct record_view *v,
		       const struct sample *id)
{
	if (rec->type != REC_SWITCH && rec->type != REC_SWITCH_CPU_WIDE && rec->type != REC_ITRACE_START)
		return;
	begin_row(r, id, id->pid, id->tid);
	json_key_string(&r->w, "what", rec->type == REC_ITRACE_START ? "start" :
			v->misc & MISC_SWITCH_OUT ? "out" : "in");
	if (rec->type == REC_SWITCH_CPU_WIDE) {
		add_number(r, "other-pid", v->pid_tid.pid);
		add_number(r, "other-tid", v->pid_tid.tid);
	}
	end_row(r);
}

static void see_task(struct raw *r, const struct rec *rec, const struct record_view *v,
		     const struct sample *id)
{
	if (rec->type == REC_COMM) {
		begin_row(r, id, v->comm.pid, v->comm.tid);
		json_key_string(&r->w, "name", v->comm.comm);
		json_key_bool(&r->w, "exec", v->misc & PERF_RECORD_MISC_COMM_EXEC);
	} else if (rec->type == REC_FORK || rec->type == REC_EXIT) {
		begin_row(r, id, v->task.pid, v->task.tid);
		json_key_string(&r->w, "what", rec->type == REC_FORK ? "fork" : "exit");
		add_number(r, "parent-pid", v->task.ppid);
		add_number(r, "parent-tid", v->task.ptid);
	} else {
		return;
	}
	end_row(r);
}

static void add_buildid(struct raw *r, const u8 *id, u32 len)
{
	struct strbuf hex = STRBUF_INIT;

	buildid_hex(&hex, id, len);
	json_key_string(&r->w, "build-id", strbuf_str(&hex));
	strbuf_release(&hex);
}

static void see_map(struct raw *r, const struct rec *rec, const struct record_view *v,
		    const struct sample *id)
{
	struct record_map map;

	if (!record_map_of(v, &map))
		return;
	begin_row(r, id, map.pid, map.tid);
	json_key_u64(&r->w, "start", map.addr);
	json_key_u64(&r->w, "size", map.len);
	json_key_u64(&r->w, "offset", map.pgoff);
	if (rec->type == REC_MMAP2)
		json_key_u64(&r->w, "prot", v->mmap2.prot);
	json_key_string(&r->w, "file", map.filename);
	if (rec->type == REC_MMAP2 && v->mmap2.file.is_build_id)
		add_buildid(r, v->mmap2.file.id, v->mmap2.file.id_len);
	end_row(r);
}

/* code that was loaded by the kernel itself */
static void see_ksymbol(struct raw *r, const struct rec *rec, const struct record_view *v,
			const struct sample *id)
{
	if (rec->type != REC_KSYMBOL)
		return;
	begin_row(r, id, -1, -1);
	json_key_u64(&r->w, "start", v->ksymbol.addr);
	json_key_u64(&r->w, "size", v->ksymbol.len);
	json_key_string(&r->w, "name", v->ksymbol.name);
	json_key_bool(&r->w, "unloaded", v->ksymbol.flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER);
	end_row(r);
}

static void see_clock(struct raw *r, const struct rec *rec, const struct record_view *v,
		      const struct sample *id UNUSED)
{
	if (rec->type != REC_TIME_CONV)
		return;
	json_begin_object(&r->w, JSON_COMPACT);
	json_key_u64(&r->w, "shift", v->time_conv.shift);
	json_key_u64(&r->w, "mult", v->time_conv.mult);
	json_key_u64(&r->w, "zero", v->time_conv.zero);
	if (v->time_conv.has_cycles) {
		json_key_u64(&r->w, "cycles", v->time_conv.cycles);
		json_key_u64(&r->w, "mask", v->time_conv.mask);
		json_key_bool(&r->w, "zero-known", v->time_conv.cap_zero);
		json_key_bool(&r->w, "short", v->time_conv.cap_short);
	}
	end_row(r);
}

static void see_hw_id(struct raw *r, const struct rec *rec, const struct record_view *v,
		      const struct sample *id)
{
	if (rec->type != REC_AUX_OUTPUT_HW_ID)
		return;
	begin_row(r, id, id->pid, id->tid);
	json_key_u64(&r->w, "id", v->hw_id.hw_id);
	end_row(r);
}

static void add_files(struct raw *r)
{
	json_key(&r->w, "files");
	json_begin_array(&r->w, JSON_HANGING);
	vec_foreach(&machine_dsos(r->m)->dso, d) {
		json_begin_object(&r->w, JSON_COMPACT);
		json_key_string(&r->w, "file", (*d)->long_name);
		if ((*d)->listed)
			json_key_string(&r->w, "path", (*d)->listed);
		if ((*d)->buildid_len)
			add_buildid(r, (*d)->buildid, (*d)->buildid_len);
		end_row(r);
	}
	json_end(&r->w);
}

/* how the trace PMU was set, among others */
static void add_events(struct raw *r)
{
	json_key(&r->w, "events");
	json_begin_array(&r->w, JSON_HANGING);
	vec_foreach(&r->d->evset->ev, ev) {
		const struct pe_attr *attr = &(*ev)->attr;

		json_begin_object(&r->w, JSON_COMPACT);
		json_key_string(&r->w, "name", (*ev)->name);
		json_key_u64(&r->w, "type", attr->type);
		json_key_u64(&r->w, "config", attr->config);
		json_key_u64(&r->w, "config1", attr->config1);
		json_key_u64(&r->w, "config2", attr->config2);
		end_row(r);
	}
	json_end(&r->w);
}

static void add_head(struct raw *r)
{
	const struct aux_kind *kind = aux_kind_find(r->type);
	const struct features *feat = &r->d->feat;

	json_key_string(&r->w, "perf", "aux");
	json_key_u64(&r->w, "version", RAW_VERSION);
	json_key_string(&r->w, "kind", kind ? kind->name : NULL);
	json_key_u64(&r->w, "type", r->type);
	json_key_string(&r->w, "hostname", feat->hostname);
	json_key_string(&r->w, "os-release", feat->osrelease);
	json_key_string(&r->w, "arch", feat->arch);
	json_key_string(&r->w, "cpuid", feat->cpuid);
	json_key(&r->w, "words");
	json_begin_array(&r->w, JSON_COMPACT);
	for (u32 i = 0; i < r->words.nr; i++)
		json_u64(&r->w, r->words.v[i]);
	json_end(&r->w);
	add_events(r);
}

static const struct {
	const char *key;
	see_record *see;
} lists[] = {
	{ "clocks", see_clock }, { "aux", see_aux }, { "hw-ids", see_hw_id }, { "switches", see_switch },
	{ "tasks", see_task }, { "maps", see_map }, { "kernel-code", see_ksymbol },
};

static int write_facts(struct raw *r, struct err *err)
{
	int failed = begin_file(r, "trace.json", err);

	if (failed)
		return failed;
	strbuf_reset(&r->text);
	r->w = (struct json){ .out = &r->text };
	json_begin_object(&r->w, JSON_LINES);
	add_head(r);
	add_streams(r);
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		json_key(&r->w, lists[i].key);
		json_begin_array(&r->w, JSON_HANGING);
		walk(r, lists[i].see);
		json_end(&r->w);
	}
	add_files(r);
	json_end(&r->w);
	strbuf_addch(&r->text, '\n');
	drain(r, 0);
	json_release(&r->w);
	return end_file(r, err);
}

int aux_write_raw(const struct data *d, const struct machine *m, const struct stream_format *words,
		  const char *dir, struct aux_raw_result *ret, struct err *err)
{
	struct raw r = { .d = d, .m = m, .dir = dir };
	int failed;

	*ret = (struct aux_raw_result){ 0 };
	if (!aux_find_words(d, &r.words, &r.type))
		return err_set(err, -ENOENT, "%s has no hardware trace", d->path);
	r.queues = aux_queues_new();
	walk(&r, see_part);
	aux_queues_sort(r.queues);
	failed = make_folder(&r, err);
	if (!failed)
		failed = write_streams(&r, ret, err);
	if (!failed)
		failed = write_words(&r, words, err);
	if (!failed)
		failed = write_facts(&r, err);
	if (failed)
		remove_files(&r);
	vec_foreach(&r.file, path)
		free(*path);
	vec_release(&r.file);
	aux_queues_free(r.queues);
	free(r.words.v);
	strbuf_release(&r.text);
	return failed;
}
