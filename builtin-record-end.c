/* perf record: the lines that it prints at the end, and its exit status. */
#include "builtin-record.h"
#include "util/base/log.h"
#include "util/cli/builtin.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

void record_closing_lines(const struct record_opts *o, const struct record_result *r)
{
	char samples[64] = "", packed[96] = "";
	u64 nr_filtered = r->filtered.kept + r->filtered.left_out;

	/* the kernel drops new samples while such rings are paused */
	if (r->lost && o->attr.write_backward)
		log_warn("%" PRIu64 " sample%s lost while the ring buffers were written out. Fewer snapshots "
			 "or a lower rate (-F) lose less", r->lost, r->lost == 1 ? " was" : "s were");
	else if (r->lost)
		log_warn("%" PRIu64
			 " sample%s lost because the ring buffers were full. Larger ones (-m, now %" PRIu64
			 " page%s) or a lower rate (-F) keep them", r->lost, r->lost == 1 ? " was" : "s were",
			 r->ring_pages, r->ring_pages == 1 ? "" : "s");
	if (r->throttled && log_level >= 1)
		log_warn("the kernel throttled sampling %" PRIu64 " time%s: a lower rate (-F) avoids that",
			 r->throttled, r->throttled == 1 ? "" : "s");
	if (r->elapsed_ns && r->samples)
		log_v("%.0f samples a second", r->samples * 1e9 / r->elapsed_ns);
	if (r->max_size_reached)
		log_note("[ perf record: perf size limit reached (%" PRIu64 " KB), stopping session ]",
			 o->max_size >> 10);
	log_note("[ perf record: Woken up %" PRIu64 " times to write data ]", r->wakeups);
	if (nr_filtered)
		log_note("[ perf record: --filter left out %" PRIu64 " of %" PRIu64 " samples ]",
			 r->filtered.left_out, nr_filtered);
	if (r->samples)
		snprintf(samples, sizeof(samples), " (%" PRIu64 " samples)", r->samples);
	if (r->comp_ratio)
		snprintf(packed, sizeof(packed), ", compressed (original %.3f MB, ratio is %.3f)",
			 r->raw_bytes / 1048576.0, r->comp_ratio);
	log_note("[ perf record: Captured and wrote %.3f MB %s%s%s ]", r->bytes / 1048576.0, r->path, samples,
		 packed);
}

int record_exit_status(const struct record_opts *o, const struct record_result *r, int ret,
		       const struct err *err)
{
	if (ret < 0) {
		die_err(err);
		return r->exec_failed ? 255 : 1;
	}
	if (r->exit_status > 128 && !r->signal)
		fprintf(stderr, "%s\n", strsignal(r->exit_status - 128));
	if (o->observe.argv)
		return r->exit_status;
	/* ended by a signal: say so to the shell */
	if (r->signal) {
		signal(r->signal, SIG_DFL);
		raise(r->signal);
	}
	return 0;
}
