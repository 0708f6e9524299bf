/* perf mem: what data a program reads and writes, and how long that takes. */
#include "builtin-mem.h"
#include "builtin-options.h"
#include "builtin-session.h"
#include "util/base/log.h"
#include "util/cli/progress.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"
#include "util/mem/mem-events.h"
#include "util/mem/mem-lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mem_cmd {
	struct session_opts session;
	u32 kinds;			/* enum mem_kind; 0: not given */
	bool phys, page_size, all_kernel, all_user, types, hide_unresolved, dump;
	const char *cpus, *event, *sort, *separator;
	unsigned int ldlat;
};

static const char *const words[] = { "record", "report", NULL };

static const char *const usage[] = {
	"perf mem [<options>] record [<options>] [<options of perf record>] [<command>]",
	"perf mem [<options>] report [<options>] [<options of perf report>]",
	NULL
};

static int parse_type(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct mem_cmd *c = opt->value;
	struct err err = ERR_INIT;

	return mem_kinds_parse(arg, &c->kinds, &err) ? opt_err(opt, &err) : 0;
}

/* what options fill */
static struct mem_cmd c = { .session.sym = SYM_OPTS_INIT };

static const struct option all_options[] = {
#include "builtin-mem.def"
	OPT_GROUP("Options of record:"),
#include "builtin-mem-record.def"
	OPT_GROUP("Options of report:"),
#include "builtin-mem-report.def"
	OPT_END(),
};

static const struct option record_options[] = {
#include "builtin-mem.def"
#include "builtin-mem-record.def"
	OPT_END(),
};

static const struct option report_options[] = {
#include "builtin-mem.def"
#include "builtin-mem-report.def"
	OPT_END(),
};

/* ---- record ---- */

static int mem_record(int argc, const char **argv)
{
	struct mem_record_opts o;

	/* its own options stand before those of perf record */
	argc = parse_options(argc, argv, record_options, usage,
			     PARSE_STOP_AT_NON_OPTION | PARSE_KEEP_UNKNOWN | PARSE_KEEP_DASHDASH);
	o = (struct mem_record_opts){ .command = "mem", .event = c.event, .kinds = c.kinds, .ldlat = c.ldlat,
				      .cpus = c.cpus, .phys = c.phys, .page_size = c.page_size,
				      .all_kernel = c.all_kernel, .all_user = c.all_user };
	return mem_record_run(&o, argc, argv);
}

/* ---- report ---- */

static int print_lines(void *cmd UNUSED, struct session *s, struct err *err)
{
	struct mem_lines_opts o = { .separator = c.separator, .cpus = c.cpus, .write = write_stdout,
				    .hide_unresolved = c.hide_unresolved, .phys_addr = c.phys,
				    .page_size = c.page_size };

	progress_end();
	return mem_lines(s, &o, err);
}

/* the keys, unless those of report --mem-mode are right; the caller frees them */
static char *sort_keys(void)
{
	const char *data = c.phys ? ",phys_daddr" : "", *size = c.page_size ? ",data_page_size" : "";

	if (c.sort)
		return xstrdup(c.sort);
	if (c.types)
		return xstrdup("mem,snoop,tlb,type");
	if (c.kinds == MEM_STORE)
		return xasprintf("mem,sym,dso,symbol_daddr,dso_daddr,tlb,locked%s%s", data, size);
	if (c.phys || c.page_size)
		return xasprintf("local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,"
				 "blocked%s%s", data, size);
	return NULL;
}

static int mem_report(int argc, const char **argv)
{
	struct args a = { 0 };
	char *keys;
	int ret;

	argc = parse_options(argc, argv, report_options, usage,
			     PARSE_KEEP_UNKNOWN | PARSE_STOP_AT_NON_OPTION | PARSE_KEEP_DASHDASH);
	if (c.dump && argc)
		return opt_usage_error(report_options, NULL, usage, "'%s' has no meaning with -D",
				       argv[0]);
	if (c.dump)
		return session_run(&c.session, false, print_lines, &c);
	keys = sort_keys();
	args_add_all(&a, 3, (const char *[]){ "report", "--mem-mode", "-n" });
	if (c.session.data.force)
		args_add(&a, "-f");
	if (c.hide_unresolved)
		args_add(&a, "-U");
	if (c.session.data.path)
		args_add_all(&a, 2, (const char *[]){ "-i", c.session.data.path });
	if (c.cpus)
		args_add_all(&a, 2, (const char *[]){ "-C", c.cpus });
	if (c.separator)
		args_add_all(&a, 2, (const char *[]){ "-t", c.separator });
	if (keys)
		args_add_all(&a, 2, (const char *[]){ "-s", keys });
	args_add_all(&a, argc, argv);
	ret = args_run(&a, cmd_report);
	free(keys);
	return ret;
}

int cmd_mem(int argc, const char **argv)
{
	argc = parse_options_sub(argc, argv, all_options, words, usage, PARSE_STOP_AT_NON_OPTION);
	if (argc && !strcmp(argv[0], "record"))
		return mem_record(argc, argv);
	if (argc && !strcmp(argv[0], "report"))
		return mem_report(argc, argv);
	return opt_no_subcommand(all_options, words, usage, argc ? argv[0] : NULL);
}
