/* Record-opts: -D, --switch-output, --synth, --aio, --affinity, and options that exclude each other. */
#include "record-opts.h"
#include "kcore.h"
#include "../base/list-word.h"
#include "../base/units.h"
#include "../data/async.h"

#include <errno.h>
#include <string.h>

#define NS_PER_MS 1000000ull

/* digits, at most some months; false if there are none */
static bool parse_ms(const char **p, u64 *ret_ns)
{
	u64 ms = 0;
	const char *start = *p;

	while (**p >= '0' && **p <= '9' && ms < 1ull << 40)
		ms = ms * 10 + (*(*p)++ - '0');
	*ret_ns = ms * NS_PER_MS;
	return *p != start;
}

int record_parse_delay(struct record_opts *o, const char *s, struct err *err)
{
	u64 last_off = 0;

	if (!strcmp(s, "-1")) {
		o->observe.start_disabled = true;
		return 0;
	}
	o->observe.delay.nr = 0;
	o->observe.start_disabled = false;
	for (const char *p = s; ; p++) {
		struct delay_range r = { 0 };
		bool ok = parse_ms(&p, &r.on_ns);

		if (ok && *p == '-') {
			p++;
			ok = parse_ms(&p, &r.off_ns) && r.off_ns > r.on_ns;
		}
		/* ranges follow each other; one without an end is the last */
		if (!ok || (*p && *p != ',') || (*p && !r.off_ns) ||
		    (o->observe.delay.nr && r.on_ns <= last_off))
			return err_set(err, -EINVAL,
				       "'%s' is neither milliseconds, -1, nor ranges such as 100-200,500-600",
				       s);
		last_off = r.off_ns;
		vec_push(&o->observe.delay, r);
		if (!*p)
			break;
	}
	if (o->observe.delay.nr == 1 && !o->observe.delay.v[0].on_ns && !o->observe.delay.v[0].off_ns)
		o->observe.delay.nr = 0;	/* -D 0 */
	return 0;
}

int record_parse_switch_output(struct record_opts *o, const char *s, struct err *err)
{
	size_t len;

	if (!s || !strcmp(s, "signal")) {
		o->switch_mode = SWITCH_SIGNAL;
		return 0;
	}
	len = strlen(s);
	if (!strcmp(s, "no")) {
		o->switch_mode = SWITCH_NONE;
		return 0;
	}
	if (len && strchr("smhd", s[len - 1]) && !parse_duration(s, 1000000000, &o->switch_value) &&
	    o->switch_value) {
		o->switch_mode = SWITCH_TIME;
		return 0;
	}
	if (len && strchr("BKMG", s[len - 1]) && !parse_size(s, &o->switch_value) && o->switch_value) {
		o->switch_mode = SWITCH_SIZE;
		return 0;
	}
	return err_set(err, -EINVAL, "'%s' is neither 'signal', a size (64K, 100M), nor a time (30s, 5m)", s);
}

int record_parse_snapshot(struct record_opts *o, const char *s, struct err *err)
{
	char *size = xstrdup(s ? s : "");
	size_t len = strlen(size);

	o->snapshot.on = !s || strcmp(s, "no");
	if (!o->snapshot.on)
		*size = '\0';
	/* in a hexadecimal number e is a digit */
	o->snapshot.at_exit = len && size[len - 1] == 'e' && strncmp(size, "0x", 2);
	if (o->snapshot.at_exit)
		size[len - 1] = '\0';
	o->snapshot.bytes = 0;
	if (*size && (parse_size(size, &o->snapshot.bytes) < 0 || !o->snapshot.bytes))
		err_set(err, -EINVAL,
			"'%s' is neither a size such as 64K or 0x10000, nor e (at the end, too)", s);
	free(size);
	return err->code;
}

#define AUX_SAMPLE_BYTES 4096u
#define AUX_SAMPLE_MAX (60u << 10)	/* records have at most 64 KB */

int record_parse_aux_sample(struct record_opts *o, const char *s, struct err *err)
{
	u64 bytes = AUX_SAMPLE_BYTES;

	if (s && (parse_size(s, &bytes) < 0 || !bytes || bytes > AUX_SAMPLE_MAX))
		return err_set(err, -EINVAL, "'%s' is not a size from 1 to %u bytes (60K)", s,
			       AUX_SAMPLE_MAX);
	o->aux_sample = bytes;
	return 0;
}

int record_parse_aio(struct record_opts *o, const char *s, struct err *err)
{
	u64 v;

	if (!s || parse_u64(s, &v) < 0 || !v || v > ASYNC_BLOCKS_MAX)
		return err_set(err, -EINVAL, "'%s' is not a number of writes from 1 to %d", s ? s : "",
			       ASYNC_BLOCKS_MAX);
	o->aio_blocks = v;
	return 0;
}

int record_parse_synth(struct record_opts *o, const char *s, struct err *err)
{
	bool all = !strcmp(s, "all"), no = !strcmp(s, "no");

	o->no_task_synth = o->no_map_synth = !all;
	o->cgroup_synth = all;
	for (const char *p = s; !all && !no; p++) {
		size_t len = list_word_len(p);

		if (len == 4 && !strncmp(p, "task", 4))
			o->no_task_synth = false;
		else if (len == 4 && !strncmp(p, "mmap", 4))
			o->no_task_synth = o->no_map_synth = false;
		else if (len == 6 && !strncmp(p, "cgroup", 6))
			o->cgroup_synth = true;
		else
			return err_set(err, -EINVAL, "'%s' is not one of no, all, task, mmap, cgroup", s);
		p += len;
		if (!*p)
			break;
	}
	return 0;
}

int record_parse_affinity(struct record_opts *o, const char *s, struct err *err)
{
	if (strcmp(s, "node") && strcmp(s, "cpu"))
		return err_set(err, -EINVAL, "'%s' is neither 'node' nor 'cpu'", s);
	o->observe.affinity = !strcmp(s, "cpu") ? AFFINITY_CPU : AFFINITY_NODE;
	return 0;
}

int record_opts_check(const struct record_opts *o, struct err *err)
{
	bool pipe = !strcmp(o->output, "-");
	const char *with = pipe ? "a pipe" : o->switch_mode != SWITCH_NONE ? "--switch-output" :
			   o->attr.write_backward ? "--overwrite" : o->max_size ? "--max-size" :
			   o->timestamp_filename ? "--timestamp-filename" : o->flush_bytes ? "--mmap-flush" :
			   o->observe.affinity != AFFINITY_NONE ?
			   "--affinity (--threads=0/1 says where)" : NULL;

	if (o->threads && with)
		return err_set(err, -EINVAL,
			       "--threads writes a directory of files and cannot be combined with %s", with);
	with = o->threads ? "--threads" : o->attr.write_backward ? "--overwrite" : o->comp_level ? "-z" :
	       o->switch_mode != SWITCH_NONE ? "--switch-output" : NULL;
	if (o->rewrite && with)
		return err_set(err, -EINVAL,
			       "--unwind-live rewrites all samples on their way to one file and cannot be "
			       "combined with %s", with);
	if (o->rewrite && o->attr.callgraph.mode != CALLGRAPH_DWARF)
		return err_set(err, -EINVAL, "--unwind-live needs --call-graph dwarf");
	with = o->observe.control ? "--control" : observe_delayed(&o->observe) ? "-D" : o->cgroups ? "-G" :
	       o->observe.target.cpus ? "-C" : o->observe.target.user ? "-u" : o->rewrite ? "--unwind-live" :
	       o->threads ? "--threads" : NULL;
	if (o->off_cpu && with)
		return err_set(err, -EINVAL, "--off-cpu follows tasks on all CPUs from start to end and "
			       "cannot be combined with %s", with);
	if (o->aio_blocks && (o->threads || pipe))
		return err_set(err, -EINVAL,
			       "--aio writes at offsets of one file and cannot be combined with %s",
			       o->threads ? "--threads" : "a pipe");
	if (o->switch_mode != SWITCH_NONE && pipe)
		return err_set(err, -EINVAL, "--switch-output writes one file after the other and cannot be "
			       "combined with a pipe");
	if (o->timestamp_filename && pipe)
		return err_set(err, -EINVAL,
			       "--timestamp-filename names a file and cannot be combined with a pipe");
	if (o->kcore && pipe)
		return err_set(err, -EINVAL, "--kcore writes a directory and cannot be combined with a pipe");
	return o->kcore ? kcore_check(err) : 0;
}
