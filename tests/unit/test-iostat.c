/* Unit tests of --iostat: a server of two sockets with two stacks of I/O controllers. */
#include "test.h"
#include "fake-root.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "../../ui/lines.h"
#include "../../util/base/fs.h"
#include "../../util/stat/iostat.h"
#include "../../util/stat/stat-display.h"

#define IIO_FORMATS "format/event=config:0-7\n", "format/umask=config:8-15\n", \
		"format/ch_mask=config:36-43\n", "format/fc_mask=config:44-46\n", "cpumask=0,1\n"

static struct iostat io;
static struct evset *set;
static struct err err;

static void server(const char *list)
{
	fake_pmu("cpu", "4\n", "format/event=config:0-7\n", NULL);
	fake_pmu("uncore_iio_10", "31\n", IIO_FORMATS, "die0=0000:3a\n", "die1=0000:ae\n", NULL);
	fake_pmu("uncore_iio_0", "30\n", IIO_FORMATS, "die0=0000:00\n", "die1=0001:80\n", "die2=rubbish\n",
		 "dies=0000:01\n", NULL);
	fake_pmu("uncore_iio_free_running_0", "32\n", IIO_FORMATS, NULL);
	set = evset_new();
	REQUIRE(!iostat_init(&io, list, &err));
	REQUIRE(!iostat_events(&io, set, &err));
}

static void end(void)
{
	iostat_release(&io);
	evset_free(set);
}

TEST(iostat_ports_by_stack_and_die)
{
	struct strbuf out = STRBUF_INIT;

	server(NULL);
	iostat_list(&io, &out);
	CHECK_STR(strbuf_str(&out), "S0-uncore_iio_0<0000:00>\nS1-uncore_iio_0<0001:80>\n"
				    "S0-uncore_iio_10<0000:3a>\nS1-uncore_iio_10<0000:ae>\n");
	strbuf_release(&out);
	end();
}

TEST(iostat_events_of_each_stack)
{
	const u64 all = 0xfull << 36 | 0x7ull << 44;

	server(NULL);
	REQUIRE(set->ev.nr == 8);
	CHECK_INT(evset_at(set, 0)->attr.type, 30);
	CHECK_INT(evset_at(set, 0)->attr.config, all | 0x483);
	CHECK_INT(evset_at(set, 1)->attr.config, all | 0x183);
	CHECK_INT(evset_at(set, 2)->attr.config, all | 0x4c0);
	CHECK_INT(evset_at(set, 7)->attr.config, all | 0x1c0);
	CHECK_INT(evset_at(set, 7)->attr.type, 31);
	end();
	server("0:3a");
	CHECK_INT(set->ev.nr, 4);
	CHECK_INT(evset_at(set, 0)->attr.type, 31);
	end();
}

TEST(iostat_refuses_what_is_no_port)
{
	static const char *const bad[] = { "0000:01", "0000", "x:0", "0000:00 ", "-1:0", "0:100" };
	static const char *const gaps[] = { "", "0000:00,", "0000:00,,0001:80", "," };

	server(NULL);
	end();
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		CHECK_INT(iostat_init(&io, bad[i], &err), -EINVAL);
		CHECK(strstr(err.msg, "is not a root port of this machine"));
	}
	for (size_t i = 0; i < ARRAY_SIZE(gaps); i++) {
		CHECK_INT(iostat_init(&io, gaps[i], &err), -EINVAL);
		CHECK(strstr(err.msg, "a name is missing in '"));
		CHECK(strstr(err.msg, gaps[i]));
	}
	fs_set_root("nothing");
	CHECK_INT(iostat_init(&io, NULL, &err), -ENODEV);
}

/* counts of both dies: n * 1 MB in event n, ten times that on the second die */
static const char *shown(const char *output, const char *separator)
{
	static const struct cpu_location place[] = { { .cpu = 0, .socket = 0 }, { .cpu = 1, .socket = 1 } };
	static struct strbuf text;
	static const int cpus[] = { 0, 1 };
	const struct stat_times times = { .elapsed_ns = 1000000000 };
	const s32 tid = -1;
	struct stat_show_opts o = { .mode = AGGR_DIE, .no_merge = true, .no_derive = true, .iostat = &io,
				    .place = place, .metric_only = true, .title = "'system wide'" };
	const struct lines_opts look = { .separator = separator };
	int fd = open("out", O_CREAT | O_TRUNC | O_RDWR, 0600);
	struct lines_printer printer;
	struct stat_show *show = stat_show_new(&o, set);
	struct counts c = { 0 };

	counts_init(&c, set->ev.nr, cpus, 2, &tid, 1);
	for (u32 e = 0; e < set->ev.nr; e++)
		for (u32 cpu = 0; cpu < 2; cpu++) {
			c.v[counts_at(&c, e, cpu, 0)] = (struct count){
				(e + 1) * (cpu ? 10 : 1) * (1u << 18), 1000, 1000
			};
			c.state[counts_at(&c, e, cpu, 0)] = COUNT_READ;
		}
	if (set->ev.nr == 8)
		c.state[counts_at(&c, 6, 1, 0)] = COUNT_UNSUPPORTED;
	lines_printer_init(&printer, lines_format_find(output), &look, fd);
	o.sink = &printer.sink;
	stat_show_run_end(show, &c, &times);
	REQUIRE(!stat_show_table(show, &err) && !stat_show_finish(show, &err));
	stat_show_free(show);
	lines_printer_release(&printer);
	counts_release(&c);
	lseek(fd, 0, SEEK_SET);
	strbuf_reset(&text);
	fd_read_all(fd, &text);
	close(fd);
	return strbuf_str(&text);
}

TEST(iostat_rows)
{
	server(NULL);
	CHECK_STR(shown("separated", ","),
		  "port,Inbound Read(MB),Inbound Write(MB),Outbound Read(MB),Outbound Write(MB),\n"
		  "0000:00,1,2,3,4,\n0001:80,10,20,30,40,\n0000:3a,5,6,7,8,\n0000:ae,50,60,,80,\n");
	CHECK_STR(shown("text", NULL),
		  "\n Performance counter stats for 'system wide':\n\n"
		  "port        Inbound Read(MB)    Inbound Write(MB)    Outbound Read(MB)   "
		  "Outbound Write(MB)\n"
		  "0000:00                    1                    2                    "
		  "3                    4\n"
		  "0001:80                   10                   20                   "
		  "30                   40\n"
		  "0000:3a                    5                    6                    "
		  "7                    8\n"
		  "0000:ae                   50                   60                    "
		  "-                   80\n"
		  "\n       1.000000000 seconds time elapsed\n\n");
	end();
	server("0001:80");
	CHECK_STR(shown("json-lines", NULL), "{\"port\" : \"0001:80\", \"Inbound Read(MB)\" : \"10\", "
					    "\"Inbound Write(MB)\" : \"20\", \"Outbound Read(MB)\" : \"30\", "
					    "\"Outbound Write(MB)\" : \"40\"}\n");
	end();
}
