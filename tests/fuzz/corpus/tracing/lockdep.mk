event lock:lock_acquire type=tracepoint config=11 sample=identifier|ip|tid|time|cpu|raw|callchain ids=1
event lock:lock_acquired type=tracepoint config=12 sample=identifier|ip|tid|time|cpu|raw|callchain ids=2
event lock:lock_contended type=tracepoint config=13 sample=identifier|ip|tid|time|cpu|raw|callchain ids=3
event lock:lock_release type=tracepoint config=14 sample=identifier|ip|tid|time|cpu|raw|callchain ids=4
event lock:contention_begin type=tracepoint config=15 sample=identifier|ip|tid|time|cpu|raw|callchain ids=5
event lock:contention_end type=tracepoint config=16 sample=identifier|ip|tid|time|cpu|raw|callchain ids=6
feature tracing_data hex:170844 text:"tracing" text:"0.6" u8:0,0,8 u32:4096
feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0
feature tracing_data u32:1 text:"lock" u8:0 u32:6
feature tracing_data u64:489 text:"name: lock_acquire\nID: 11\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned long lockdep_addr;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:unsigned int flags;\toffset:16;\tsize:4;\tsigned:0;\n\tfield:__data_loc char[] name;\toffset:24;\tsize:4;\tsigned:0;\n\nprint fmt: \"lock_acquire\"\n"
feature tracing_data u64:435 text:"name: lock_acquired\nID: 12\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned long lockdep_addr;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:__data_loc char[] name;\toffset:16;\tsize:4;\tsigned:0;\n\nprint fmt: \"lock_acquired\"\n"
feature tracing_data u64:437 text:"name: lock_contended\nID: 13\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned long lockdep_addr;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:__data_loc char[] name;\toffset:16;\tsize:4;\tsigned:0;\n\nprint fmt: \"lock_contended\"\n"
feature tracing_data u64:433 text:"name: lock_release\nID: 14\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned long lockdep_addr;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:__data_loc char[] name;\toffset:16;\tsize:4;\tsigned:0;\n\nprint fmt: \"lock_release\"\n"
feature tracing_data u64:434 text:"name: contention_begin\nID: 15\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned long lock_addr;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:unsigned int flags;\toffset:16;\tsize:4;\tsigned:0;\n\nprint fmt: \"contention_begin\"\n"
feature tracing_data u64:419 text:"name: contention_end\nID: 16\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned long lock_addr;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:int ret;\toffset:16;\tsize:4;\tsigned:1;\n\nprint fmt: \"contention_end\"\n"
feature tracing_data u32:0,0 u64:0
feature event_desc
mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 filename="[kernel.kallsyms]_text" misc=kernel time=0
comm pid=5 tid=5 comm="five"
comm pid=6 tid=6 comm="six"
sample id=1 pid=5 tid=5 cpu=0 time=1000 u16:11 u8:0,0 u32:5 u64:0x100,0 u32:524320,0 text:"lockaaa" u8:0
sample id=2 pid=5 tid=5 cpu=0 time=1100 u16:12 u8:0,0 u32:5 u64:0x100 u32:524312,0 text:"lockaaa" u8:0
sample id=4 pid=5 tid=5 cpu=0 time=1500 u16:14 u8:0,0 u32:5 u64:0x100 u32:524312,0 text:"lockaaa" u8:0
sample id=1 pid=5 tid=5 cpu=0 time=2000 u16:11 u8:0,0 u32:5 u64:0x100,0 u32:524320,0 text:"lockaaa" u8:0
sample id=3 pid=5 tid=5 cpu=0 time=2100 u16:13 u8:0,0 u32:5 u64:0x100 u32:524312,0 text:"lockaaa" u8:0
sample id=2 pid=5 tid=5 cpu=0 time=2600 u16:12 u8:0,0 u32:5 u64:0x100 u32:524312,0 text:"lockaaa" u8:0
sample id=4 pid=5 tid=5 cpu=0 time=3000 u16:14 u8:0,0 u32:5 u64:0x100 u32:524312,0 text:"lockaaa" u8:0
sample id=1 pid=5 tid=5 cpu=0 time=4000 u16:11 u8:0,0 u32:5 u64:0x100,1 u32:524320,0 text:"lockaaa" u8:0
sample id=4 pid=5 tid=5 cpu=0 time=4100 u16:14 u8:0,0 u32:5 u64:0x100 u32:524312,0 text:"lockaaa" u8:0
sample id=1 pid=5 tid=5 cpu=0 time=5000 u16:11 u8:0,0 u32:5 u64:0x100,2 u32:524320,0 text:"lockaaa" u8:0
sample id=2 pid=5 tid=5 cpu=0 time=5100 u16:12 u8:0,0 u32:5 u64:0x100 u32:524312,0 text:"lockaaa" u8:0
sample id=4 pid=5 tid=5 cpu=0 time=5500 u16:14 u8:0,0 u32:5 u64:0x100 u32:524312,0 text:"lockaaa" u8:0
sample id=1 pid=5 tid=5 cpu=0 time=6000 u16:11 u8:0,0 u32:5 u64:0x200,0 u32:524320,0 text:"lockaaa" u8:0
sample id=2 pid=5 tid=5 cpu=0 time=6100 u16:12 u8:0,0 u32:5 u64:0x200 u32:524312,0 text:"lockaaa" u8:0
sample id=4 pid=5 tid=5 cpu=0 time=6200 u16:14 u8:0,0 u32:5 u64:0x200 u32:524312,0 text:"lockaaa" u8:0
sample id=1 pid=6 tid=6 cpu=0 time=8000 u16:11 u8:0,0 u32:5 u64:0x300,0 u32:524320,0 text:"lockbbb" u8:0
sample id=3 pid=6 tid=6 cpu=0 time=8100 u16:13 u8:0,0 u32:5 u64:0x300 u32:524312,0 text:"lockbbb" u8:0
sample id=5 pid=6 tid=6 cpu=0 time=8200 chain=-128,0xffffffff81001001,0xffffffff81001011,0xffffffff81001021,0xffffffff81001031,0xffffffff81002010,0xffffffff81003010 u16:15 u8:0,0 u32:5 u64:0x300 u32:1
sample id=6 pid=6 tid=6 cpu=0 time=8400 chain=-128,0xffffffff81000001 u16:16 u8:0,0 u32:5 u64:0x300 u32:0
sample id=2 pid=6 tid=6 cpu=0 time=8500 u16:12 u8:0,0 u32:5 u64:0x300 u32:524312,0 text:"lockbbb" u8:0
sample id=1 pid=6 tid=6 cpu=0 time=9000 u16:11 u8:0,0 u32:5 u64:0x300,0 u32:524320,0 text:"lockbbb" u8:0
sample id=3 pid=6 tid=6 cpu=0 time=9100 u16:13 u8:0,0 u32:5 u64:0x300 u32:524312,0 text:"lockbbb" u8:0
