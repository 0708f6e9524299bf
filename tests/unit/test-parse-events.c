/* Unit tests of the event-string parser: string to names and attributes, on fake machines. */
#include "test.h"
#include "err-text.h"
#include "fake-root.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../../util/base/strbuf.h"
#include "../../util/pmu/parse-events.h"

static void flag(struct strbuf *sb, const struct event *ev, u64 bit, const char *name)
{
	if (ev->attr.flags & bit)
		strbuf_addf(sb, " %s", name);
}

/* one line an event: "name type:config[ what is set]", members of groups begin with "+" */
static char *describe(const char *str)
{
	struct evset *set = evset_new();
	struct err err = ERR_INIT;
	struct strbuf sb = STRBUF_INIT;

	if (parse_events(set, str, NULL, &err)) {
		CHECK(err.code < 0);
		CHECK_INT(set->ev.nr, 0);
		strbuf_addf(&sb, "error: %s", err_text(&err));
	}
	vec_foreach(&set->ev, p) {
		const struct event *ev = *p;

		strbuf_addf(&sb, "%s%s%s %u:0x%llx", ev->idx ? "\n" : "", ev->leader != ev->idx ? "+" : "",
			    ev->name, ev->attr.type, (unsigned long long)ev->attr.config);
		if (ev->attr.config1 || ev->attr.config2)
			strbuf_addf(&sb, " 1=0x%llx 2=0x%llx", (unsigned long long)ev->attr.config1,
				    (unsigned long long)ev->attr.config2);
		if (ev->attr.bp_type)
			strbuf_addf(&sb, " bp=%u", ev->attr.bp_type);
		flag(&sb, ev, ATTR_EXCLUDE_USER, "xu");
		flag(&sb, ev, ATTR_EXCLUDE_KERNEL, "xk");
		flag(&sb, ev, ATTR_EXCLUDE_HV, "xh");
		flag(&sb, ev, ATTR_EXCLUDE_IDLE, "xi");
		flag(&sb, ev, ATTR_EXCLUDE_GUEST, "xG");
		flag(&sb, ev, ATTR_EXCLUDE_HOST, "xH");
		flag(&sb, ev, ATTR_PINNED, "pinned");
		flag(&sb, ev, ATTR_EXCLUSIVE, "exclusive");
		flag(&sb, ev, ATTR_FREQ, "freq");
		if (attr_precise(&ev->attr))
			strbuf_addf(&sb, " p%u", attr_precise(&ev->attr));
		if (ev->attr.sample_period)
			strbuf_addf(&sb, " period=%llu", (unsigned long long)ev->attr.sample_period);
		if (ev->term_flags)
			strbuf_addf(&sb, " terms=0x%x", ev->term_flags);
		strbuf_addf(&sb, "%s%s%s%s%s", ev->precise_max ? " P" : "", ev->sample_read ? " S" : "",
			    ev->weak_group ? " W" : "", ev->keep_group ? " X" : "",
			    ev->group_name ? " " : "");
		strbuf_addf(&sb, "%s", ev->group_name ? ev->group_name : "");
		for (u32 i = 0; i < ev->nr_cpus; i++)
			strbuf_addf(&sb, "%s%d", i ? "," : " cpus=", ev->cpus[i]);
	}
	evset_free(set);
	return strbuf_detach(&sb);
}

#define CHECK_EVENTS(str, want) \
	do { char *got_ = describe(str); CHECK_STR(got_, want); free(got_); } while (0)

/* only the first line */
#define CHECK_ERROR(str, want) \
	do { \
		char *got_ = describe(str); \
		got_[strcspn(got_, "\n")] = 0; \
		CHECK_STR(got_, "error: " want); \
		free(got_); \
	} while (0)

static void no_machine(void)
{
	fake_file("/sys/x", "");
}

TEST(generic_names)
{
	no_machine();
	CHECK_EVENTS("cycles", "cycles 0:0x0");
	CHECK_EVENTS("cpu-cycles", "cpu-cycles 0:0x0");
	CHECK_EVENTS("instructions,branches", "instructions 0:0x1\nbranches 0:0x4");
	CHECK_EVENTS("ref-cycles", "ref-cycles 0:0x9");
	CHECK_EVENTS("cpu-clock", "cpu-clock 1:0x0");
	CHECK_EVENTS("cs", "cs 1:0x3");
	CHECK_EVENTS(" faults , cgroup-switches ", "faults 1:0x2\ncgroup-switches 1:0xb");
	CHECK_EVENTS("r1a8", "r1a8 4:0x1a8");
	CHECK_EVENTS("rffffffffffffffff:u", "rffffffffffffffff:u 4:0xffffffffffffffff xk xh");
}

TEST(cache_names)
{
	no_machine();
	CHECK_EVENTS("L1-dcache-loads", "L1-dcache-loads 3:0x0");
	CHECK_EVENTS("L1-dcache-load-misses", "L1-dcache-load-misses 3:0x10000");
	CHECK_EVENTS("l1d-write-miss", "l1d-write-miss 3:0x10100");
	CHECK_EVENTS("LLC-stores", "LLC-stores 3:0x102");
	CHECK_EVENTS("dTLB-prefetch-misses", "dTLB-prefetch-misses 3:0x10203");
	CHECK_EVENTS("iTLB-loads", "iTLB-loads 3:0x4");
	CHECK_EVENTS("branch-loads", "branch-loads 3:0x5");
	CHECK_EVENTS("node-load-misses:k", "node-load-misses:k 3:0x10006 xu xh");
	CHECK_EVENTS("L1-icache", "L1-icache 3:0x1");
	CHECK_EVENTS("branch-misses", "branch-misses 0:0x5");
}

TEST(modifiers)
{
	no_machine();
	CHECK_EVENTS("cycles:u", "cycles:u 0:0x0 xk xh");
	CHECK_EVENTS("cycles:k", "cycles:k 0:0x0 xu xh");
	CHECK_EVENTS("cycles:uk", "cycles:uk 0:0x0 xh");
	CHECK_EVENTS("cycles:ukh", "cycles:ukh 0:0x0");
	CHECK_EVENTS("cycles:h", "cycles:h 0:0x0 xu xk");
	CHECK_EVENTS("cycles:G", "cycles:G 0:0x0 xH");
	CHECK_EVENTS("cycles:H", "cycles:H 0:0x0 xG");
	CHECK_EVENTS("cycles:GH", "cycles:GH 0:0x0");
	CHECK_EVENTS("cycles:I", "cycles:I 0:0x0 xi");
	CHECK_EVENTS("cycles:upp", "cycles:upp 0:0x0 xk xh p2");
	CHECK_EVENTS("cycles:P", "cycles:P 0:0x0 P");
	CHECK_EVENTS("cycles:D", "cycles:D 0:0x0 pinned");
	CHECK_EVENTS("cycles:eSX", "cycles:eSX 0:0x0 exclusive S X");
	CHECK_EVENTS("CYCLES,Cs", "CYCLES 0:0x0\nCs 1:0x3");
}

TEST(groups)
{
	no_machine();
	CHECK_EVENTS("{cycles,instructions}", "cycles 0:0x0\n+instructions 0:0x1");
	CHECK_EVENTS("{cycles:u,instructions:k}:H",
		     "cycles:u 0:0x0 xk xh xG\n+instructions:k 0:0x1 xu xh xG");
	CHECK_EVENTS("{cpu-clock:u}:k", "cpu-clock:u 1:0x0 xh");
	CHECK_EVENTS("{ cycles , cs }:S,faults", "cycles 0:0x0 S\n+cs 1:0x3 S\nfaults 1:0x2");
	CHECK_EVENTS("{cycles,cs}:D", "cycles 0:0x0 pinned\n+cs 1:0x3");
	CHECK_EVENTS("ipc{cycles,instructions}:W", "cycles 0:0x0 W ipc\n+instructions 0:0x1 W");
	CHECK_EVENTS("cs,{cycles,cs},{cs}", "cs 1:0x3\ncycles 0:0x0\n+cs 1:0x3\ncs 1:0x3");
}

TEST(breakpoints)
{
	no_machine();
	CHECK_EVENTS("mem:0x1000", "mem:0x1000 5:0x0 1=0x1000 2=0x4 bp=3");
	CHECK_EVENTS("mem:0x1000:rw", "mem:0x1000:rw 5:0x0 1=0x1000 2=0x4 bp=3");
	CHECK_EVENTS("mem:0x1000/8:w", "mem:0x1000/8:w 5:0x0 1=0x1000 2=0x8 bp=2");
	CHECK_EVENTS("mem:0x1000:x:u", "mem:0x1000:x 5:0x0 1=0x1000 2=0x8 bp=4 xk xh");
	CHECK_EVENTS("mem:0x1000/2:u", "mem:0x1000/2 5:0x0 1=0x1000 2=0x2 bp=3 xk xh");
	fake_file("/proc/kallsyms",
		  "ffffffff81000000 T _text\nffffffff82003040 D jiffies\n0000000000000000 t hidden\n");
	CHECK_EVENTS("mem:jiffies/8:w", "mem:jiffies/8:w 5:0x0 1=0xffffffff82003040 2=0x8 bp=2");
	CHECK_EVENTS("mem:4096:r,cs", "mem:4096:r 5:0x0 1=0x1000 2=0x4 bp=1\ncs 1:0x3");
}

/* the file, the symbol and the offset that is added to it */
static const char *place(const char *str)
{
	static char buf[200];
	struct evset *set = evset_new();
	struct err err = ERR_INIT;
	const struct event *ev;

	if (parse_events(set, str, NULL, &err))
		return "error";
	ev = evset_at(set, 0);
	snprintf(buf, sizeof(buf), "%s %s+%llu/%llu %u %s", ev->bp_file ? ev->bp_file : "-",
		 ev->bp_symbol ? ev->bp_symbol : "-", (unsigned long long)ev->attr.config1,
		 (unsigned long long)ev->attr.config2, ev->attr.bp_type, ev->name);
	evset_free(set);
	return buf;
}

TEST(breakpoints_of_programs)
{
	no_machine();
	fake_file("/proc/kallsyms", "ffffffff81000000 T _text\nffffffff82003040 D jiffies\n");
	CHECK_STR(place("mem:./prog:counter:w"), "./prog counter+0/0 2 mem:./prog:counter:w");
	CHECK_STR(place("mem:libx.so.1:counter+0x10/4:rw:u"),
		  "libx.so.1 counter+16/4 3 mem:libx.so.1:counter+0x10/4:rw");
	CHECK_STR(place("mem:/usr/bin/x:main:x"), "/usr/bin/x main+0/8 4 mem:/usr/bin/x:main:x");
	CHECK_STR(place("mem:a/8:b:w"), "error");	/* a/8 is a length, b is not an access type */
	CHECK_STR(place("mem:jiffies:rw"), "- -+18446744071595634752/4 3 mem:jiffies:rw");
	CHECK_STR(place("mem:16/2:u"), "- -+16/2 3 mem:16/2");
	CHECK_STR(place("mem:./prog:"), "error");
	CHECK_STR(place("mem:./prog:counter+x:w"), "error");
	CHECK_STR(place("mem:./prog:counter/16:w"), "error");
}

TEST(terms_of_generic_events)
{
	no_machine();
	CHECK_EVENTS("cpu-clock/period=1000/u", "cpu-clock/period=1000/u 1:0x0 xk xh period=1000 terms=0x1");
	CHECK_EVENTS("cpu-clock/freq=50,name=foo,time=0,no-inherit/u",
		     "foo 1:0x0 xk xh freq period=50 terms=0x502");
	CHECK_EVENTS("{cs/name='a b'/,cs/call-graph=fp,max-stack=5/}",
		     "a b 1:0x3\n+cs/call-graph=fp,max-stack=5/ 1:0x3 terms=0x60");
	CHECK_EVENTS("cs/cpu=1-2/", "cs/cpu=1-2/ 1:0x3 terms=0x2000 cpus=1,2");
	CHECK_EVENTS("cs:", "cs: 1:0x3");
	CHECK_EVENTS("cycles/config1=7,config2=9/u", "cycles/config1=7,config2=9/u 0:0x0 1=0x7 2=0x9 xk xh");
	CHECK_ERROR("cs/config=1/", "term 'config' is for the events of PMUs, not for a generic event");
	fake_file("/sys/devices/system/cpu/possible", "0-1\n");
	CHECK_EVENTS("cs/cpu=1-2/",
		     "error: there is no CPU 2: this machine has 0-1\n  cs/cpu=1-2/\n         ^~~");
}

TEST(terms_of_what_is_counted)
{
	const struct parse_events_opts o = { .counting = true };
	struct evset *set = evset_new();
	struct err err = ERR_INIT;

	no_machine();
	CHECK_INT(parse_events(set, "cs/name=a,period=5/,cs/percore/,cs/no-inherit/", &o, &err), 0);
	CHECK_INT(parse_events(set, "cs/time=1/", &o, &err), -EINVAL);
	CHECK_STR(err_text(&err),
		  "term 'time' is only for samples, and perf stat takes none\n  cs/time=1/\n     ^~~~");
	CHECK_INT(parse_events(set, "cs/freqq=1/", &o, &err), -EINVAL);
	CHECK(!strstr(err_text(&err), "freq "));
	evset_free(set);
}

static void tracepoints(void)
{
	fake_tracepoint("sched", "sched_switch", "300\n");
	fake_tracepoint("sched", "sched_wakeup", "301\n");
	fake_tracepoint("sched", "sched_waking", "302\n");
	fake_tracepoint("probe", "foo", "900\n");
	fake_tracepoint("sdt_libc", "setjmp", "901\n");
}

TEST(tracepoints)
{
	tracepoints();
	CHECK_EVENTS("sched:sched_switch", "sched:sched_switch 2:0x12c");
	CHECK_EVENTS("sched:sched_switch:u", "sched:sched_switch 2:0x12c xk xh");
	CHECK_EVENTS("sched:sched_wak*", "sched:sched_wakeup 2:0x12d\nsched:sched_waking 2:0x12e");
	CHECK_EVENTS("{probe:*,s*:sched_sw[hi]*}", "probe:foo 2:0x384\n+sched:sched_switch 2:0x12c");
	CHECK_EVENTS("%sdt_libc:setjmp", "sdt_libc:setjmp 2:0x385");
	CHECK_EVENTS("sched:sched_switch/call-graph=no/,cs",
		     "sched:sched_switch 2:0x12c terms=0x40\ncs 1:0x3");
}

static void intel(void)
{
	fake_pmu("cpu", "4", "format/event=config:0-7", "format/umask=config:8-15",
		 "format/cmask=config:24-31", "format/offcore_rsp=config1:0-63",
		 "format/split=config2:0-3,60-63", "events/cpu-cycles=event=0x3c",
		 "events/mem-loads=event=0xcd,umask=0x1,ldlat=3", "format/ldlat=config1:0-15",
		 "caps/max_precise=3", NULL);
	fake_pmu("uncore_imc_0", "20", "format/event=config:0-7", "cpumask=0,8",
		 "events/data_reads=event=0x4", "events/data_reads.unit=MiB",
		 "events/data_reads.scale=6.1e-5", NULL);
	fake_pmu("uncore_imc_1", "21", "format/event=config:0-7", "cpumask=0,8",
		 "events/data_reads=event=0x4", NULL);
}

TEST(pmus)
{
	intel();
	CHECK_EVENTS("cpu/event=0x3c,umask=0x1/", "cpu/event=0x3c,umask=0x1/ 4:0x13c");
	CHECK_EVENTS("cpu/event=0x3c/upp,cs", "cpu/event=0x3c/upp 4:0x3c xk xh p2\ncs 1:0x3");
	CHECK_EVENTS("cpu/event=1,cmask=255,offcore_rsp=0xffffffffffffffff/:k",
		     "cpu/event=1,cmask=255,offcore_rsp=0xffffffffffffffff/:k 4:0xff000001 "
		     "1=0xffffffffffffffff 2=0x0 xu xh");
	CHECK_EVENTS("cpu/split=0xa5/", "cpu/split=0xa5/ 4:0x0 1=0x0 2=0xa000000000000005");
	CHECK_EVENTS("cpu/mem-loads,period=7/",
		     "cpu/mem-loads,period=7/ 4:0x1cd 1=0x3 2=0x0 period=7 terms=0x1");
	CHECK_EVENTS("mem-loads:pp", "mem-loads:pp 4:0x1cd 1=0x3 2=0x0 p2");
	CHECK_EVENTS("cpu/config=0x1234,name=x/", "x 4:0x1234");
	CHECK_EVENTS("cpu/r12a/", "cpu/r12a/ 4:0x12a");
	CHECK_EVENTS("cpu/instructions/", "cpu/instructions/ 0:0x1");
	CHECK_EVENTS("cpu//", "cpu// 4:0x0");
	CHECK_EVENTS("uncore_imc/event=4/",
		     "uncore_imc_0/event=4/ 20:0x4 cpus=0,8\nuncore_imc_1/event=4/ 21:0x4 cpus=0,8");
	CHECK_EVENTS("imc_1/data_reads/", "imc_1/data_reads/ 21:0x4 cpus=0,8");
	CHECK_EVENTS("uncore_imc_0/data_reads/", "uncore_imc_0/data_reads/ 20:0x4 cpus=0,8");
}

TEST(hybrid)
{
	fake_pmu("cpu_core", "4", "cpus=0-1", "format/event=config:0-7", NULL);
	fake_pmu("cpu_atom", "10", "cpus=2-3", "format/event=config:0-7", NULL);
	CHECK_EVENTS("cycles:u", "cpu_atom/cycles/u 0:0xa00000000 xk xh cpus=2,3\n"
		     "cpu_core/cycles/u 0:0x400000000 xk xh cpus=0,1");
	CHECK_EVENTS("r3c", "cpu_atom/r3c/ 10:0x3c cpus=2,3\ncpu_core/r3c/ 4:0x3c cpus=0,1");
	CHECK_EVENTS("cpu_atom/cycles/", "cpu_atom/cycles/ 0:0xa00000000 cpus=2,3");
	CHECK_EVENTS("cs", "cs 1:0x3");
}

TEST(hybrid_groups)
{
	fake_pmu("cpu_core", "4", "cpus=0-1", "format/event=config:0-7", NULL);
	fake_pmu("cpu_atom", "10", "cpus=2-3", "format/event=config:0-7", NULL);
	fake_pmu("uncore_imc_0", "20", "cpumask=0", "format/event=config:0-7", NULL);
	fake_pmu("uncore_imc_1", "21", "cpumask=0", "format/event=config:0-7", NULL);
	CHECK_EVENTS("{cs,cycles,instructions}:D",
		     "cs 1:0x3 pinned\n+cpu_atom/cycles/ 0:0xa00000000 cpus=2,3\n"
		     "+cpu_atom/instructions/ 0:0xa00000001 cpus=2,3\n"
		     "cpu_core/cycles/ 0:0x400000000 pinned cpus=0,1\n"
		     "+cpu_core/instructions/ 0:0x400000001 cpus=0,1");
	CHECK_EVENTS("{imc/event=1/,imc/event=2/}",
		     "uncore_imc_0/event=1/ 20:0x1 cpus=0\n+uncore_imc_0/event=2/ 20:0x2 cpus=0\n"
		     "uncore_imc_1/event=1/ 21:0x1 cpus=0\n+uncore_imc_1/event=2/ 21:0x2 cpus=0");
	CHECK_EVENTS("cycles/cpu=cpu_atom/", "cpu_atom/cycles/ 0:0xa00000000 terms=0x2000 cpus=2,3");
	CHECK_EVENTS("cycles/cpu=1-2/", "cpu_atom/cycles/ 0:0xa00000000 terms=0x2000 cpus=2\n"
		     "cpu_core/cycles/ 0:0x400000000 terms=0x2000 cpus=1");
	CHECK_ERROR("cycles/cpu=9/",
		    "none of the CPUs of term cpu= is one that this event can be counted on");
}

TEST(groups_of_several_pmus_are_noted)
{
	struct evset *set = evset_new();
	struct strbuf notes = STRBUF_INIT;
	const struct parse_events_opts o = { .notes = &notes };
	struct err err = ERR_INIT;

	intel();
	REQUIRE(!parse_events(set, "{cycles,uncore_imc/event=1/},{cs,cycles},{imc/event=1/,imc/event=2/}", &o,
			      &err));
	CHECK_STR(strbuf_str(&notes), "a group holds events of one PMU: 'cycles' and 'uncore_imc_0/event=1/' "
		  "are in groups of their own\na group holds events of one PMU: "
		  "'cycles' and 'uncore_imc_1/event=1/' are in groups of their own\n");
	evset_free(set);
}

TEST(auto_counter_reload)
{
	fake_pmu("cpu", "4", "format/event=config:0-7", "format/acr_mask=config2:0-63", NULL);
	CHECK_EVENTS("{cycles/period=2000000/,instructions/ratio-to-prev=0.5/,branches/ratio-to-prev=2/}",
		     "cycles/period=2000000/ 0:0x0 1=0x0 2=0x2 period=2000000 terms=0x1\n"
		     "+instructions/ratio-to-prev=0.5/ 0:0x1 1=0x0 2=0x7 period=1000000 terms=0x1\n"
		     "+branches/ratio-to-prev=2/ 0:0x4 1=0x0 2=0x6 period=2000000 terms=0x1");
	CHECK_ERROR("{cycles,instructions/ratio-to-prev=0.5/}",
		    "ratio-to-prev needs a period of the event before it, like cycles/period=2000000/");
}

TEST(tracing_sinks)
{
	fake_pmu("cs_etm", "30", "format/cycacc=config:0", "format/sinkid=config2:0-31",
		 "sinks/tmc_etr0=0x1234", NULL);
	CHECK_EVENTS("cs_etm/cycacc,@tmc_etr0/u", "cs_etm/cycacc,@tmc_etr0/u 30:0x1 1=0x0 2=0x1234 xk xh");
	CHECK_ERROR("cs_etm/@other/",
		    "PMU cs_etm has no sink 'other': its sysfs directory 'sinks' lists them");
	CHECK_ERROR("cs_etm/@../", "PMU cs_etm has no sink '..': its sysfs directory 'sinks' lists them");
}

TEST(probes_without_tracefs)
{
	struct evset *set = evset_new();
	struct err err = ERR_INIT;

	fake_pmu("kprobe", "6", "format/retprobe=config:0", NULL);
	fake_pmu("uprobe", "8", "format/retprobe=config:0", "format/ref_ctr_offset=config:32-63", NULL);
	REQUIRE(!parse_events(set, "kprobe/func=do_exit,offset=4,retprobe/,uprobe/path='/proc/self/exe',"
			      "offset=0x10/u,kprobe/addr=0x99/", NULL, &err));
	CHECK_U64(evset_at(set, 0)->attr.config, 1);
	CHECK_STR((const char *)(uintptr_t)evset_at(set, 0)->attr.config1, "do_exit");
	CHECK_U64(evset_at(set, 0)->attr.config2, 4);
	CHECK_STR((const char *)(uintptr_t)evset_at(set, 1)->attr.config1, "/proc/self/exe");
	CHECK_U64(evset_at(set, 1)->attr.config2, 16);
	CHECK_U64(evset_at(set, 2)->attr.config2, 0x99);
	CHECK_ERROR("uprobe/path/", "term 'path' needs a value");
	CHECK_ERROR("uprobe/path=\"/no/such\",offset=1/",
		    "a probe cannot be set in '/no/such': No such file or directory");
	CHECK_ERROR("uprobe/path=\"/proc/self\",offset=1/",
		    "a probe cannot be set in '/proc/self': it is not a regular file");
	CHECK_ERROR("kprobe/offset=x/", "term 'offset' needs a number");
	CHECK_ERROR("uprobe/func=x/", "unknown term 'func' for PMU uprobe");
	evset_free(set);
}

TEST(names_in_quotes_and_aliases)
{
	fake_pmu("uncore_type_0_0", "30", "format/event=config:0-7", "alias=uncore_cha_0", NULL);
	CHECK_EVENTS("cycles/name='A:orig=cycles,desc=x/y'/u,cs",
		     "A:orig=cycles,desc=x/y 0:0x0 xk xh\ncs 1:0x3");
	CHECK_EVENTS("uncore_cha_0/event=3/", "uncore_cha_0/event=3/ 30:0x3");
	CHECK_EVENTS("cpu/cycles,name=x/,cpu/r3c/u", "x 0:0x0\ncpu/r3c/u 4:0x3c xk xh");
}

TEST(events_of_absent_counters)
{
	fake_pmu("software", "1", NULL);
	CHECK_EVENTS("cpu/event=0x3c/", "error: this machine has no PMU named cpu, "
		     "so its term 'event' is not known\n  cpu/event=0x3c/\n"
		     "      ^~~~~\nHint: this machine has no hardware counters (virtual machines often have "
		     "none); this works now: software events, like -e cpu-clock");
	CHECK_EVENTS("mem-stores:u", "error: this machine has no event 'mem-stores': "
		     "it has no hardware counters (virtual machines often have none)\n  mem-stores:u\n"
		     "  ^~~~~~~~~~\nHint: this works now: software events, like -e page-faults");
	fake_pmu("cpu", "4", "format/event=config:0-7", NULL);
	CHECK_EVENTS("mem-loads", "error: this machine has no event 'mem-loads': "
		     "no PMU of its CPUs has one for memory accesses\n  mem-loads\n"
		     "  ^~~~~~~~~\nHint: this works now: software events, like -e page-faults");
}

TEST(arm64)
{
	fake_pmu("armv8_cortex_a72", "8", "cpus=4-5", "format/event=config:0-15", "format/long=config1:0",
		 "events/cpu_cycles=event=0x0011", NULL);
	fake_pmu("armv8_cortex_a53", "7", "cpus=0-3", "format/event=config:0-15",
		 "events/cpu_cycles=event=0x0011", NULL);
	fake_pmu("arm_spe_0", "9", "cpumask=0-5", "format/ts_enable=config:0",
		 "format/event_filter=config1:0-63", "format/min_latency=config2:0-11", "nr_addr_filters=2",
		 NULL);
	CHECK_EVENTS("cycles", "armv8_cortex_a53/cycles/ 0:0x700000000 cpus=0,1,2,3\n"
		     "armv8_cortex_a72/cycles/ 0:0x800000000 cpus=4,5");
	CHECK_EVENTS("armv8_cortex_a72/cpu_cycles,long/u",
		     "armv8_cortex_a72/cpu_cycles,long/u 8:0x11 1=0x1 2=0x0 xk xh cpus=4,5");
	CHECK_EVENTS("arm_spe/ts_enable=1,min_latency=4095/",
		     "arm_spe/ts_enable=1,min_latency=4095/ 9:0x1 1=0x0 2=0xfff period=4096 "
		     "cpus=0,1,2,3,4,5");
	CHECK_EVENTS("arm_spe_0//", "arm_spe_0// 9:0x1 period=4096 cpus=0,1,2,3,4,5");
}

TEST(units_of_sysfs)
{
	struct evset *set = evset_new();
	struct err err = ERR_INIT;

	fake_pmu("power", "22", "cpumask=0", "format/event=config:0-7", "events/energy-pkg=event=0x02",
		 "events/energy-pkg.unit=Joules", "events/energy-pkg.scale=2.3283064365386962890625e-10",
		 "events/energy-pkg.per-pkg=1", "events/bad=event=0x100", "events/needs=event=?", NULL);
	REQUIRE(!parse_events(set, "power/energy-pkg/", NULL, &err));
	CHECK_STR(evset_at(set, 0)->unit, "Joules");
	CHECK(evset_at(set, 0)->scale > 2.3e-10 && evset_at(set, 0)->scale < 2.4e-10);
	CHECK(evset_at(set, 0)->per_pkg && !evset_at(set, 0)->snapshot);
	CHECK_STR(evset_at(set, 0)->pmu, "power");
	CHECK(parse_events(set, "power/bad/", NULL, &err) < 0);
	CHECK(parse_events(set, "power/needs/", NULL, &err) < 0);
	CHECK_INT(parse_events(set, "power/needs,event=3/", NULL, &err), 0);
	CHECK_U64(evset_at(set, 1)->attr.config, 3);
	evset_free(set);
}

TEST(hostile_sysfs)
{
	fake_pmu("odd", "30", "format/a=config:0-70", "format/b=config9:1", "format/c=config:5-2",
		 "format/d=config", "format/e=config:63", "events/x=", "events/y=e=1,,=,e",
		 "events/z=nothing=1", NULL);
	fake_pmu("none", "x", NULL);
	CHECK_EVENTS("odd/e/", "odd/e/ 30:0x8000000000000000");
	for (const char *const *s = (const char *const[]){ "odd/a/", "odd/b/", "odd/c/", "odd/d/", "odd/x/",
							   "odd/z/", "none//", NULL }; *s; s++) {
		char *got = describe(*s);

		CHECK(!strncmp(got, "error: ", 7));
		free(got);
	}
	free(describe("odd/y/"));
}

TEST(unknown_names)
{
	tracepoints();
	intel();
	CHECK_EVENTS("cyclse",
		     "error: event 'cyclse' not found (did you mean 'cycles'?)\n  cyclse\n  ^~~~~~\n"
		     "Hint: 'perf list' shows the available events");
	CHECK_EVENTS("cs,sched:sched_swich", "error: tracepoint system 'sched' has no event 'sched_swich' "
		     "(did you mean 'sched_switch'?)\n  cs,sched:sched_swich\n           ^~~~~~~~~~~\n"
		     "Hint: 'perf list sched:*' shows the events of this system");
	CHECK_EVENTS("shced:x", "error: there is no event or tracepoint system 'shced' (did you mean "
		     "'sched'?)\n  shced:x\n"
		     "  ^~~~~\nHint: 'perf list tracepoint' shows the available tracepoints");
	CHECK_EVENTS("probe_x:y", "error: there is no event or tracepoint system 'probe_x' (did you mean "
		     "'probe'?)\n  probe_x:y\n"
		     "  ^~~~~~~\nHint: this kernel cannot have probes in programs: "
		     "there is no /sys/kernel/tracing/uprobe_events");
	fake_file("/sys/kernel/tracing/uprobe_events", "");
	CHECK_EVENTS("probe_x:y", "error: there is no event or tracepoint system 'probe_x' (did you mean "
		     "'probe'?)\n  probe_x:y\n"
		     "  ^~~~~~~\nHint: a probe in a program is added by: "
		     "perf probe -x PROGRAM 'probe_x:y=FUNCTION'");
	CHECK_EVENTS("sched_switch", "error: event 'sched_switch' not found: tracepoints are named with "
		     "their system, like sched:sched_switch\n  sched_switch\n  ^~~~~~~~~~~~");
	CHECK_EVENTS("cpu/evnet=1/",
		     "error: unknown term 'evnet' for PMU cpu (did you mean 'event'?)\n  cpu/evnet=1/\n"
		     "      ^~~~~\nHint: terms of PMU cpu: cmask event ldlat offcore_rsp split umask");
	CHECK_EVENTS("cpu/mem-loads=1/", "error: event 'mem-loads' of PMU cpu takes no value\n"
		     "  cpu/mem-loads=1/\n                ^");
	CHECK_EVENTS("slots", "error: event 'slots' not found\n  slots\n  ^~~~~\n"
		     "Hint: 'perf list' shows the available events");
	CHECK_EVENTS("cpu/event=0x100/",
		     "error: value 0x100 is too large for 'event' of PMU cpu: the largest is 0xff\n"
		     "  cpu/event=0x100/\n            ^~~~~");
}

TEST(syntax_errors)
{
	tracepoints();
	CHECK_ERROR("", "an event is missing at the end");
	CHECK_ERROR("cs,", "an event is missing at the end");
	CHECK_ERROR(",cs", "an event is expected here");
	CHECK_ERROR("{cs", "this group has no closing brace");
	CHECK_ERROR("cs}", "',' is expected here");
	CHECK_ERROR("{}", "an event is expected here");
	CHECK_ERROR("cs:z", "unknown modifier 'z' (modifiers: u k h I G H p P S D W e b R X)");
	CHECK_ERROR("cs/period=1,freq=2/", "terms 'period' and 'freq' exclude each other");
	CHECK_ERROR("cs/no-inherit,inherit/", "terms 'no-inherit' and 'inherit' exclude each other");
	CHECK_ERROR("cs:uku", "modifier 'u' is given twice");
	CHECK_ERROR("cs:W", "modifier W is for groups: {a,b}:W");
	CHECK_ERROR("r11112222333344445", "a raw event has at most 16 hexadecimal digits");
	CHECK_ERROR("cs/driver-config=x/", "settings of a driver begin with @, such as cs_etm/@tmc_etr0/");
	CHECK_ERROR("cs/ratio-to-prev=x/", "ratio-to-prev is a number above 0, like 0.5");
	CHECK_ERROR("cs/ratio-to-prev=2/",
		    "ratio-to-prev is for members of a group: the ratio to the one before it");
	CHECK_ERROR("{cs/period=5/,faults/ratio-to-prev=2/}",
		    "ratio-to-prev needs counters that reload each other: this PMU has no field acr_mask");
	CHECK_ERROR("cs:pppp", "the highest precision is 3: at most ppp");
	CHECK_ERROR("cycles:{k,u}",
		    "modifiers have no braces: write the event twice, like cycles:k,cycles:u");
	CHECK_ERROR("./x.c", "a file is not an event: names of events contain no path");
	CHECK_ERROR("/bin/ls", "a file is not an event: names of events contain no path");
	CHECK_ERROR("cs/period=", "the terms have no closing '/'");
	CHECK_ERROR("cs/period=/", "term 'period=' has no value");
	CHECK_EVENTS("uprobe/path=/bin/x,offset=1/",
		     "error: term 'path=' has no value\n  uprobe/path=/bin/x,offset=1/\n         ^~~~\n"
		     "Hint: a value that holds a slash is put into quotes: path='/bin/x'");
	CHECK_ERROR("cs/period=x/", "term 'period' needs a number");
	CHECK_ERROR("cs/period=0x12345678123456789/", "term 'period' needs a number of 64 bits");
	CHECK_ERROR("cs/name/", "term 'name' needs a value");
	CHECK_ERROR("cs/call-graph=foo/", "call-graph is one of fp, dwarf, lbr, no");
	CHECK_ERROR("mem:", "an address is expected here: mem:ADDRESS[/LENGTH][:rwx], like mem:0x7f00/8:w");
	CHECK_ERROR("mem:zz", "'zz' is neither an address nor a symbol of the kernel");
	CHECK_ERROR("mem:0x10/9", "a breakpoint's length is 1 to 8 bytes");
	CHECK_ERROR("mem:0x10:q", "a breakpoint's access is made of r, w and x");
	CHECK_ERROR("nope/a=1/", "there is no PMU or event 'nope'");
	CHECK_ERROR("sched:*foo", "no tracepoint matches 'sched:*foo'");
	CHECK_ERROR("../../x:id", "a file is not an event: names of events contain no path");
	CHECK_ERROR("cs cs", "',' is expected here");
}

TEST(filters)
{
	struct evset *set = evset_new();
	struct err err = ERR_INIT;

	tracepoints();
	CHECK(parse_filter(set, 0, "pid > 1", &err) < 0);
	REQUIRE(!parse_events(set, "cs,sched:sched_switch", NULL, &err));
	CHECK_INT(parse_filter(set, 1, "pid > 1", &err), 0);
	CHECK_INT(parse_filter(set, 1, "pid < 9", &err), 0);
	CHECK_STR(evset_at(set, 1)->filter, "(pid > 1) && (pid < 9)");
	/* that of a software event is on its samples */
	CHECK_INT(parse_filter(set, 0, "pid > 7", &err), 0);
	CHECK_STR(evset_at(set, 1)->filter, "((pid > 1) && (pid < 9)) && (pid > 7)");
	CHECK(!evset_at(set, 0)->filter);
	CHECK_STR(evset_at(set, 0)->bpf_filter, "pid > 7");
	CHECK(parse_filter(set, 0, "prev_pid == 1", &err) < 0);
	CHECK_STR(evset_at(set, 0)->bpf_filter, "pid > 7");
	evset_free(set);
}
