#!/bin/sh
# The text of a tracepoint is the recorded kernel's, whatever plug-ins of libtraceevent are installed.
. "$(dirname "$0")/lib.sh"
need GCC

{
	printf "name: sched_switch\nID: 5\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	printf "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	printf "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	printf "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:long prev_state;\toffset:8;\tsize:8;\tsigned:1;\n"
	printf "\nprint fmt: \"prev_state=%%s\", __print_flags(REC->prev_state, \"|\", { 0x20, \"Z\" }, { 0x80, \"I\" })\n"
} > format
mkdata x.data <<END
event sched:sched_switch type=tracepoint config=5 sample=identifier|ip|tid|time|raw|period ids=1
feature tracing_data hex:170844 text:"tracing" text:"0.6" u8:0,0,8 u32:4096
feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0
feature tracing_data u32:1 text:"sched" u8:0 u32:1 u64:$(wc -c < format) file:format u32:0 u32:0 u64:0
feature event_desc
sample id=1 tid=5 time=1 raw="\x05\0\0\0\x05\0\0\0\x20\0\0\0\0\0\0\0"
sample id=1 tid=5 time=2 raw="\x05\0\0\0\x05\0\0\0\x80\0\0\0\0\0\0\0"
END
cat > plugin_sched.c <<END
#include <stdio.h>
void loaded(void) { fclose(fopen("$PWD/loaded", "w")); }
int tep_plugin_loader(void *tep) { loaded(); return 0; }
__attribute__((constructor)) static void init(void) { loaded(); }
END
dir=$HOME/.local/lib/traceevent/plugins
mkdir -p "$dir"
gcc -shared -fPIC -o "$dir/plugin_sched.so" plugin_sched.c || exit 1
export TRACEEVENT_PLUGIN_DIR="$dir"

check 'states are shown as the format has them' '
	$PERF script -i x.data -F trace > out
	printf "%s\n" prev_state=Z prev_state=I > want
	tr -d " " < out | same want -
'
check 'no plug-in is loaded from where the environment or the home folder has it' '
	$PERF script -i x.data > out
	test -s out
	$PERF report --stdio -s trace -i x.data > out
	grep -q % out
	test ! -e loaded
'
check_if PEER61 'one is loaded by upstream from there: the test is able to fail' '
	"$PEER" script -i x.data > out 2> err || true
	test -e loaded
'
