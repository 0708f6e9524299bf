/* Recording and showing: samples, call chains by each way, the kernel's functions, waits. */
#include "machine.h"

#define RECORD "record -q -o x.data -e cpu-clock:u -F 1000 "

TEST(a_program)
{
	need("events");
	perf_file();
	perf(RECORD "@ test -w noploop 0.3");
	perf("report -i x.data --stdio");
	shows("noploop");
	perf("script -i x.data -F comm,sym");
	shows("perf-noploop");
}

TEST(frame_pointer_chains)
{
	need("events");
	perf(RECORD "--call-graph fp @ test -w callchain 0.3");
	perf("report -i x.data --stdio --children -g none");
	shows("handle_request");
}

TEST(dwarf_chains)
{
	need("events");
	perf(RECORD "--call-graph dwarf @ test -w callchain 0.3");
	perf("report -i x.data --stdio --children -g none");
	shows("handle_request");
	shows("serve_requests");
}

TEST(hardware_samples)
{
	need("hardware-events");
	perf("record -q -o x.data -e cycles:u @ test -w noploop 0.3");
	perf("report -i x.data --stdio");
	shows("noploop");
}

TEST(functions_of_the_kernel)
{
	need("rights");
	need("kernel-symbols");
	perf("record -q -o x.data -e cpu-clock:k -F 1000 @ bench syscall basic -l 300000");
	perf("report -i x.data --stdio --sort sym");
	shows("[k] ");
}

TEST(whole_cpus)
{
	need("events");
	need("rights");
	perf("record -q -a -o x.data -e cpu-clock -F 1000 @ test -w noploop 0.3");
	perf("report -i x.data --stdio --sort comm");
	shows("perf-noploop");
}

TEST(waits_off_the_cpu)
{
	need("rights");
	need("bpf");
	need("tracepoints");
	perf("record -q --off-cpu --off-cpu-thresh 1 -o x.data -e cpu-clock -F 100 "
	     "@ test -w context_switch_loop 50");
	perf("evlist -i x.data");
	shows("offcpu-time");
}

TEST(flame_graph)
{
	need("events");
	perf(RECORD "-g @ test -w callchain 0.2");
	perf("report -i x.data --flamegraph=x.html");
	perf("report -i x.data --folded");
	shows("handle_request;");
}
