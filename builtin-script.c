/* perf script: options and wiring. The work is in util/script. */
#include "util/cli/builtin.h"
#include "util/cli/pager.h"
#include "util/cli/parse-options.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "util/base/fs.h"
#include "util/base/log.h"
#include "util/base/units.h"
#include "util/script/script.h"
#include "util/session/dump-all.h"
#include "util/stat/stat-file.h"

struct script_cmd {
	struct session_opts session;
	struct script_opts script;
	const char *comms, *dsos, *symbols, *pids, *tids, *cpus, *time;
	bool header, header_only, show_info, debug_mode;
	bool show[10];
	unsigned int max_stack;
	struct err err;
};

static int parse_fields(const struct option *opt, const char *arg, bool unset)
{
	struct script_cmd *c = opt->value;
	int ret = unset ? 0 : script_fields_parse(&c->script.fields, arg, &c->err);

	return ret ? opt_error(opt, "%s", c->err.msg) : 0;
}

static int parse_symfs(const struct option *opt, const char *arg, bool unset)
{
	struct sym_opts *sym = opt->value;
	const char *comma = arg ? strchr(arg, ',') : NULL;

	if (comma && strcmp(comma, ",flat") && strcmp(comma, ",hierarchy"))
		return opt_error(opt, "the layout behind the directory is 'hierarchy' or 'flat', not '%s'", comma + 1);
	sym->symfs = comma ? xstrndup(arg, comma - arg) : arg;
	sym->symfs_flat = comma && !strcmp(comma, ",flat");
	return 0;
}

static const char *const usage[] = {
	"perf script [<options>]",
	NULL
};

#define NO_SCRIPTS "scripts in Python or Perl are not built into this perf"
#define NO_AUX "decoding of AUX traces (Intel PT, ARM CoreSight, ...) is not built into this perf"
#define NO_GUEST "guests of virtual machines are not resolved by this perf"

/* struct per run of output: one file an event, or standard output */
struct out {
	bool per_event;
	const struct evset *set;
	const char *path;
	struct { int fd; u64 bytes, samples; char *name; } *ev;
};

static int write_out(void *ctx, u32 event, const char *text, size_t len)
{
	struct out *o = ctx;

	if (o->per_event) {
		if (event == WORLD_NONE)
			event = 0;
		o->ev[event].bytes += len;
		return fd_write_all(o->ev[event].fd, text, len);
	}
	return fd_write_all(STDOUT_FILENO, text, len);
}

static int open_event_files(struct out *o, struct err *err)
{
	o->ev = xcalloc(o->set->ev.nr + 1, sizeof(*o->ev));
	for (size_t i = 0; i < o->set->ev.nr; i++) {
		o->ev[i].name = xasprintf("%s.%s.dump", o->path, o->set->ev.v[i]->name);
		for (char *p = o->ev[i].name + strlen(o->path); *p; p++)
			if (*p == '/')
				*p = '_';	/* event names may hold any character: never another directory */
		o->ev[i].fd = open(o->ev[i].name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (o->ev[i].fd < 0)
			return err_sys(err, errno, "cannot write %s", o->ev[i].name);
	}
	return 0;
}

static void close_event_files(struct out *o, const struct script_opts *opts)
{
	for (size_t i = 0; o->ev && i < o->set->ev.nr; i++) {
		if (o->ev[i].fd > 0) {
			close(o->ev[i].fd);
			fprintf(stdout, "[ perf script: Wrote %.3f MB %s (%llu samples) ]\n", o->ev[i].bytes / 1024.0 / 1024.0,
				o->ev[i].name, (unsigned long long)opts->nr_lines[i]);
		}
		free(o->ev[i].name);
	}
	free(o->ev);
}

static int setup_filters(struct script_cmd *c, const struct session *s, struct err *err)
{
	struct script_filter *f = &c->script.filter;
	int ret = 0;

	if (c->comms)
		ret = name_filter_parse(&f->comms, c->comms, err);
	if (!ret && c->dsos)
		ret = name_filter_parse(&f->dsos, c->dsos, err);
	if (!ret && c->symbols)
		ret = name_filter_parse(&f->symbols, c->symbols, err);
	for (size_t i = 1; !ret && i < f->symbols.names.str.nr; i++) {
		const char *name = f->symbols.names.str.v[i];
		u64 addr;

		if (!strncmp(name, "0x", 2) && !parse_u64(name, &addr))
			vec_push(&f->addrs, addr);
	}
	if (!ret && c->pids)
		ret = id_filter_parse(&f->pids, "pid", c->pids, err);
	if (!ret && c->tids)
		ret = id_filter_parse(&f->tids, "tid", c->tids, err);
	if (!ret && c->cpus)
		ret = id_filter_parse_cpus(&f->cpus, c->cpus, err);
	for (size_t i = 0; !ret && c->cpus && i < s->data->evset->ev.nr; i++)
		if (!(s->data->evset->ev.v[i]->attr.sample_type & PERF_SAMPLE_CPU))
			ret = err_set(err, -EINVAL, "File does not contain CPU events. Remove -C option to proceed.");
	if (!ret && c->time)
		ret = time_filter_parse(&f->times, c->time, s->first_time, s->last_time, err);
	return ret;
}

static void release_filters(struct script_filter *f)
{
	name_filter_release(&f->comms);
	name_filter_release(&f->dsos);
	name_filter_release(&f->symbols);
	id_filter_release(&f->pids);
	id_filter_release(&f->tids);
	id_filter_release(&f->cpus);
	time_filter_release(&f->times);
	vec_release(&f->addrs);
}

static void print_header(const struct session *s, bool full)
{
	struct strbuf text = STRBUF_INIT;

	features_print(s->data, &text, full);
	fputs(strbuf_str(&text), stdout);
	strbuf_release(&text);
}

static int write_stdout(void *ctx, const char *text, size_t len)
{
	return fwrite(text, 1, len, stdout) == len ? 0 : -EPIPE;
}

/* a file of perf stat record holds no samples */
static int run_counts(const struct session *s, bool dump, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	struct stat_round round;
	struct stat_file f;
	int ret = stat_file_of(&f, s->data, err);

	if (ret)
		return ret;
	if (dump)
		session_dump(s, DUMP_SCRIPT, write_stdout, NULL);
	for (bool first = true; stat_file_next(&f, &round) > 0 && !ferror(stdout); first = false) {
		if (first)
			stat_script_titles(&text);
		stat_script_round(&f, &round, &text);
		fputs(strbuf_str(&text), stdout);
		strbuf_reset(&text);
	}
	warn_diag(&f.diag);
	strbuf_release(&text);
	stat_file_close(&f);
	return 0;
}

static int run(struct script_cmd *c, struct err *err)
{
	struct out o = { .per_event = c->script.per_event };
	struct session *s = NULL;
	int ret;

	c->session.data.live = !c->time || !strchr(c->time, '%');	/* parts of a whole need the whole */
	ret = session_open(&s, &c->session, err);
	if (ret)
		return ret;
	o.set = s->data->evset;
	o.path = s->data->path;
	ret = setup_filters(c, s, err);
	if (!ret && (c->header || c->header_only))
		print_header(s, c->show_info);
	if (c->header_only)
		goto out;
	if (!ret && stat_file_is(s->data)) {
		ret = run_counts(s, c->script.dump, err);
		goto out;
	}
	if (!ret && o.per_event)
		ret = open_event_files(&o, err);
	if (!ret) {
		fflush(stdout);
		ret = script_run(s, &c->script, write_out, &o, err);
	}
	if (!ret && c->debug_mode)
		fprintf(stderr, "Misordered timestamps: %llu\n", (unsigned long long)c->script.nr_misordered);
out:
	if (c->script.fields.notes.len)
		fputs(c->script.fields.notes.buf, stderr);
	close_event_files(&o, &c->script);
	diag_merge(&c->script.diag, &s->diag);
	warn_diag(&c->script.diag);
	session_close(s);
	return ret;
}

int cmd_script(int argc, const char **argv)
{
	static struct script_cmd c = {
		.session = { .sym = SYM_OPTS_INIT }, .script = { .inlines = true }, .max_stack = 127,
	};
	const struct option opts[] = {
		OPT_STRING('c', "comms", &c.comms, "comm[,comm...]", "only display events for these comms"),
		OPT_STRING('C', "cpu", &c.cpus, "cpu", "list of cpus to show"),
		OPT_BOOL('D', "dump-raw-trace", &c.script.dump, "dump raw trace in ASCII"),
		OPT_BOOL('d', "debug-mode", &c.debug_mode, "say at the end how many time stamps were out of order"),
		OPT_BOOL('L', "Latency", &c.script.latency, "short commands and CPU numbers"),
		OPT_CALLBACK('F', "fields", &c, "str", "comma separated output fields, prepend with 'type:'; +field to add, "
			     "-field to remove. Types: hw,sw,trace,raw,break,synth", parse_fields),
		OPT_BOOL('f', "force", &c.session.data.force, "don't complain, do it"),
		OPT_BOOL('G', "hide-call-graph", &c.script.hide_chain, "when printing symbols do not display call chain"),
		OPT_STRING('i', "input", &c.session.data.path, "file", "input file name"),
		OPT_BOOL('I', "show-info", &c.show_info, "display extended information from perf.data file"),
		OPT_STRING('k', "vmlinux", &c.session.sym.vmlinux, "file", "vmlinux pathname"),
		OPT_STRING('S', "symbols", &c.symbols, "symbol[,symbol...]", "only consider these symbols"),
		OPT_INCR('v', "verbose", &log_level, "be more verbose (show symbol address, etc)"),
		OPT_UINT('j', "jobs", &c.session.jobs, "n", "threads to use (0: one per CPU)"),
		OPT_BOOL(0, "deltatime", &c.script.deltatime, "show time stamps relative to previous event"),
		OPT_BOOL(0, "reltime", &c.script.reltime, "show time stamps relative to start"),
		OPT_BOOL(0, "ns", &c.script.ns, "use 9 decimal places when displaying time"),
		OPT_BOOL(0, "demangle", &c.session.sym.demangle, "enable symbol demangling"),
		OPT_BOOL(0, "demangle-kernel", &c.session.sym.demangle_kernel, "enable kernel symbol demangling"),
		OPT_STRING(0, "dsos", &c.dsos, "dso[,dso...]", "only consider symbols in these DSOs"),
		OPT_BOOL(0, "full-source-path", &c.script.frame.full_source_path, "show full source file name path for source lines"),
		OPT_BOOL(0, "header", &c.header, "show data header"),
		OPT_BOOL(0, "header-only", &c.header_only, "show only data header"),
		OPT_BOOL(0, "inline", &c.script.inlines, "show inline function"),
		OPT_STRING(0, "kallsyms", &c.session.sym.kallsyms, "file", "kallsyms pathname"),
		OPT_UINT(0, "max-stack", &c.max_stack, "n", "set the maximum stack depth when showing call chains; default: 127"),
		OPT_BOOL(0, "per-event-dump", &c.script.per_event, "dump trace output to files named by the monitored events"),
		OPT_STRING(0, "pid", &c.pids, "pid[,pid...]", "only consider symbols in these pids"),
		OPT_STRING(0, "tid", &c.tids, "tid[,tid...]", "only consider symbols in these tids"),
		OPT_STRING(0, "time", &c.time, "str", "time span of interest (start,stop)"),
		OPT_STRING(0, "stop-bt", &c.script.stop_bt, "symbol[,symbol...]", "stop display of call chains at these symbols"),
		OPT_CALLBACK(0, "symfs", &c.session.sym, "directory[,layout]", "look for files with symbols relative to this directory; "
			     "layout: hierarchy (default) or flat", parse_symfs),
		OPT_BOOL(0, "show-kernel-path", &c.script.frame.show_kernel_path, "show the path of kernel modules"),
		OPT_BOOL(0, "show-task-events", &c.show[0], "show the fork/comm/exit events"),
		OPT_BOOL(0, "show-mmap-events", &c.show[1], "show the mmap events"),
		OPT_BOOL(0, "show-switch-events", &c.show[2], "show context switch events (if recorded)"),
		OPT_BOOL(0, "show-namespace-events", &c.show[3], "show namespace events (if recorded)"),
		OPT_BOOL(0, "show-lost-events", &c.show[4], "show lost events (if recorded)"),
		OPT_BOOL(0, "show-round-events", &c.show[5], "show round events (if recorded)"),
		OPT_BOOL(0, "show-bpf-events", &c.show[6], "show bpf related events (if recorded)"),
		OPT_BOOL(0, "show-cgroup-events", &c.show[7], "show cgroup events (if recorded)"),
		OPT_BOOL(0, "show-text-poke-events", &c.show[8], "show text poke related events (if recorded)"),
		OPT_BOOL(0, "show-on-off-events", &c.show[9], "show the events of --switch-on and --switch-off too"),
		OPT_STRING(0, "switch-on", &c.script.switch_on, "event", "consider events after the occurrence of this event"),
		OPT_STRING(0, "switch-off", &c.script.switch_off, "event", "stop considering events after the occurrence of this event"),
		OPT_U64(0, "addr-range", &c.script.filter.addr_range, "n", "with -S 0xADDR: samples in that many bytes from there on"),
		OPT_MISSING('a', "all-cpus", NULL, NO_SCRIPTS),
		OPT_MISSING('g', "gen-script", "lang", NO_SCRIPTS),
		OPT_MISSING('s', "script", "name", NO_SCRIPTS),
		OPT_MISSING('l', "list", NULL, NO_SCRIPTS),
		OPT_MISSING(0, "dlfilter", "file", "filter plug-ins are not built into this perf"),
		OPT_MISSING(0, "dlarg", "argument", "filter plug-ins are not built into this perf"),
		OPT_MISSING(0, "list-dlfilters", NULL, "filter plug-ins are not built into this perf"),
		OPT_MISSING(0, "itrace", "opts", NO_AUX),
		OPT_MISSING(0, "insn-trace", "raw|disasm", NO_AUX),
		OPT_MISSING(0, "call-trace", NULL, NO_AUX),
		OPT_MISSING(0, "call-ret-trace", NULL, NO_AUX),
		OPT_MISSING(0, "graph-function", "symbol[,symbol...]", NO_AUX),
		OPT_MISSING(0, "dump-unsorted-raw-trace", NULL, "records are dumped in order only: use -D"),
		OPT_MISSING(0, "max-blocks", "n", "brstackinsn needs a disassembler, which is not built yet"),
		OPT_MISSING(0, "merge-callchains", NULL, "user call chains that the kernel defers are not joined yet"),
		OPT_MISSING(0, "stitch-lbr", NULL, "call chains from LBR registers are not stitched yet"),
		OPT_MISSING(0, "unwind-style", "style", "one unwinder is built in: there is nothing to choose"),
		OPT_MISSING(0, "addr2line", "path", "no helper programs are run: there is nothing to choose"),
		OPT_MISSING(0, "guest-code", NULL, NO_GUEST),
		OPT_MISSING(0, "guestkallsyms", "file", NO_GUEST),
		OPT_MISSING(0, "guestmodules", "file", NO_GUEST),
		OPT_MISSING(0, "guestmount", "directory", NO_GUEST),
		OPT_MISSING(0, "guestvmlinux", "file", NO_GUEST),
		OPT_MISSING(0, "xed", NULL, "the xed disassembler is not run by this perf"),
		OPT_END()
	};
	struct err err = ERR_INIT;
	int ret;

	script_fields_init(&c.script.fields);
	argc = parse_options(argc, argv, opts, usage, 0);
	if (argc > 0) {
		fprintf(stderr, "Error: there is no script '%s': " NO_SCRIPTS "\n", argv[0]);
		if (c.session.data.force)
			fprintf(stderr, "Hint: fields are chosen with -F %s; -f opens files of other users\n", argv[0]);
		return 129;
	}
	for (size_t i = 0; i < ARRAY_SIZE(c.show); i++)
		c.script.show |= c.show[i] ? 1u << i : 0;
	c.script.max_stack = c.max_stack;
	pager_start("script");
	ret = run(&c, &err);
	free(c.script.nr_lines);
	release_filters(&c.script.filter);
	script_fields_release(&c.script.fields);
	if (ret == -EPIPE)
		return 0;
	return ret ? die_err(&err) : 0;
}
