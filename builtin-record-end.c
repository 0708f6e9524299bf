/* perf record: the lines that it prints while it runs and at the end, and its exit status. */
#include "builtin-record.h"
#include "builtin-status.h"
#include "util/base/log.h"
#include "util/cli/builtin.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* the terminal is free for a line: no command runs that may write there */
static bool wants_status_line(const struct record_opts *o)
{
	return !log_level && !o->observe.argv && !o->observe.stdout_is_data && !o->observe.dry_run &&
	       isatty(STDERR_FILENO);
}

void record_status(const struct record_opts *o, u64 elapsed_ns, u64 samples, u64 bytes)
{
	u64 seconds = (elapsed_ns + 500000000) / 1000000000;
	double mb = bytes / 1048576.0;
	char text[160];

	if (!seconds)
		return;
	snprintf(text, sizeof(text),
		 "%" PRIu64 " s: %" PRIu64 " samples (%.0f per second), %.1f MB (%.1f MB per hour)",
		 seconds, samples, (double)samples / seconds, mb, mb / seconds * 3600);
	/* after 1, 2, 4, 8 ... seconds */
	if (log_level >= 1 && !(seconds & (seconds - 1)))
		log_v("%s", text);
	if (wants_status_line(o))
		fprintf(stderr, "\r%s\033[K\r", text);
}

void record_status_end(const struct record_opts *o)
{
	if (wants_status_line(o))
		fputs("\r\033[K", stderr);
}

/* what the AUX records say of the trace, in one sentence */
static void tell_trace_gaps(const struct record_result *r)
{
	struct strbuf sb = STRBUF_INIT;

	if (r->aux_lost)
		strbuf_addf(&sb, "%" PRIu64 " bytes were overwritten before they were read", r->aux_lost);
	if (r->aux.truncated)
		strbuf_addf(&sb, "%s%" PRIu64 " AUX record%s truncated (the AUX areas were full)",
			    sb.len ? ", " : "", r->aux.truncated, r->aux.truncated == 1 ? " is" : "s are");
	if (r->aux.partial)
		strbuf_addf(&sb, "%s%" PRIu64 " %s partial (others used the hardware)", sb.len ? ", " : "",
			    r->aux.partial, r->aux.partial == 1 ? "is" : "are");
	if (r->aux.collision)
		strbuf_addf(&sb, "%s%" PRIu64 " %s collisions (samples overwrote each other)",
			    sb.len ? ", " : "", r->aux.collision, r->aux.collision == 1 ? "has" : "have");
	if (sb.len && r->aux.truncated + r->aux_lost)
		strbuf_addf(&sb, ". Larger AUX areas (-m ,%" PRIu64 ") or a filter lose less",
			    r->aux_pages * 4);
	if (sb.len)
		log_warn("the trace has gaps: %s", strbuf_str(&sb));
	strbuf_release(&sb);
}

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
	tell_trace_gaps(r);
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

/* --fail-on-loss: prints why the recording counts as failed */
static bool too_much_lost(const struct record_args *a, const struct record_result *r)
{
	struct err err = ERR_INIT;
	double percent = r->lost ? 100.0 * r->lost / (r->lost + r->samples) : 0;

	if (!a->fail_on_loss || percent <= a->loss_limit)
		return false;
	err_set(&err, -ENOBUFS, "%" PRIu64 " of %" PRIu64 " samples (%.2g%%) were lost, more than "
		"--fail-on-loss allows (%g%%)", r->lost, r->lost + r->samples, percent, a->loss_limit);
	die_err(&err);
	return true;
}

int record_exit_status(const struct record_args *a, const struct record_result *r, int ret,
		       const struct err *err)
{
	const struct workload_result command = { r->exec_failed, r->exit_status };
	bool lossy;

	if (ret < 0)
		return command_status(ret, err, &command);
	lossy = too_much_lost(a, r);
	if (a->o.observe.argv && r->exit_status && !r->signal)
		return command_status(0, err, &command);
	if (a->o.observe.argv && r->exit_status)
		return r->exit_status;
	if (lossy)
		return 1;
	if (a->o.observe.argv)
		return 0;
	/* ended by a signal: say so to the shell */
	if (r->signal) {
		signal(r->signal, SIG_DFL);
		raise(r->signal);
	}
	return 0;
}
