/* Fuzz: files of counts: shape, rounds, sums in every mode, every output. */
#include "../../ui/lines.h"
#include "../../util/stat/stat-display.h"
#include "../../util/stat/stat-file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void show(const char *path, enum aggr_mode mode, const char *format, bool metric_only, int sink)
{
	struct data_opts o = { .path = path, .force = true };
	const struct lines_opts look = { .separator = ",", .titles = true };
	struct stat_show_opts s = { .mode = mode, .metric_only = metric_only, .title = "", .summary = true };
	struct lines_printer printer;
	struct stat_times times = { 0 };
	struct strbuf text = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct stat_round round;
	struct stat_show *show;
	struct stat_file f;

	if (stat_file_open(&f, &o, &err))
		return;
	stat_file_is(f.data);
	lines_printer_init(&printer, lines_format_find(format), &look, sink);
	s.sink = &printer.sink;
	s.place = f.place;
	s.comm = f.comm;
	s.cgroup = f.cgroup;
	s.title = f.title;
	s.intervals = f.config.interval_ms;
	show = stat_show_new(&s, f.set);
	for (int n = 0; n < 50 && stat_file_next(&f, &round) > 0; n++) {
		stat_script_round(&f, &round, true, &text);
		strbuf_reset(&text);
		times = (struct stat_times){ round.time_ns, round.user_ns, round.sys_ns, round.has_times };
		if (s.intervals)
			stat_show_interval(show, &f.counts, round.time_ns, round.time_ns, &err);
	}
	stat_show_run_end(show, &f.counts, &times);
	stat_show_table(show, &err);
	stat_show_finish(show, &err);
	stat_show_free(show);
	lines_printer_release(&printer);
	strbuf_release(&text);
	stat_file_close(&f);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const struct {
		enum aggr_mode mode;
		const char *format;
		bool metric_only;
	} ways[] = {
		{ AGGR_GLOBAL, "text" }, { AGGR_NONE, "separated" }, { AGGR_CORE, "json-lines" },
		{ AGGR_CACHE, "json" }, { AGGR_NODE, "separated", true }, { AGGR_THREAD, "text", true },
	};
	int fd = memfd_create("fuzz", MFD_CLOEXEC), sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
	char path[64];

	if (fd < 0 || sink < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++)
		show(path, ways[i].mode, ways[i].format, ways[i].metric_only, sink);
	close(sink);
	close(fd);
	return 0;
}
