event lock:contention_begin type=tracepoint config=15 sample=identifier|ip|tid|time|cpu|raw|callchain ids=5
event lock:contention_end type=tracepoint config=16 sample=identifier|ip|tid|time|cpu|raw|callchain ids=6
feature tracing_data hex:170844 text:"tracing" text:"0.6" u8:0,0,8 u32:4096
feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0
feature tracing_data u32:1 text:"lock" u8:0 u32:2
feature tracing_data u64:434 text:"name: contention_begin\nID: 15\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned long lock_addr;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:unsigned int flags;\toffset:16;\tsize:4;\tsigned:0;\n\nprint fmt: \"contention_begin\"\n"
feature tracing_data u64:419 text:"name: contention_end\nID: 16\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned long lock_addr;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:int ret;\toffset:16;\tsize:4;\tsigned:1;\n\nprint fmt: \"contention_end\"\n"
feature tracing_data u32:0,0 u64:0
feature event_desc
mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 filename="[kernel.kallsyms]_text" misc=kernel time=0
comm pid=5 tid=5 comm="five"
comm pid=6 tid=6 comm="six"
sample id=5 pid=5 tid=5 cpu=0 time=1000 chain=-128,0xffffffff81001001,0xffffffff81001011,0xffffffff81001021,0xffffffff81001031,0xffffffff81002010,0xffffffff81003010 u16:15 u8:0,0 u32:5 u64:0xffffffff81800000 u32:33
sample id=5 pid=5 tid=5 cpu=0 time=1500 chain=-128,0xffffffff81001001,0xffffffff81001011,0xffffffff81001021,0xffffffff81001031,0xffffffff81002010,0xffffffff81003010 u16:15 u8:0,0 u32:5 u64:0xffffffff81800000 u32:32
sample id=6 pid=5 tid=5 cpu=0 time=3000 chain=-128,0xffffffff81000001 u16:16 u8:0,0 u32:5 u64:0xffffffff81800000 u32:0
sample id=5 pid=5 tid=5 cpu=0 time=4000 chain=-128,0xffffffff81001001,0xffffffff81001011,0xffffffff81001021,0xffffffff81001031,0xffffffff81002010,0xffffffff81003010 u16:15 u8:0,0 u32:5 u64:0x200 u32:32
sample id=5 pid=5 tid=5 cpu=0 time=4100 chain=-128,0xffffffff81001001,0xffffffff81001011,0xffffffff81001021,0xffffffff81001031,0xffffffff81002110,0xffffffff81003010 u16:15 u8:0,0 u32:5 u64:0x300 u32:1
sample id=6 pid=5 tid=5 cpu=0 time=4200 chain=-128,0xffffffff81000001 u16:16 u8:0,0 u32:5 u64:0x300 u32:0
sample id=6 pid=5 tid=5 cpu=0 time=5000 chain=-128,0xffffffff81000001 u16:16 u8:0,0 u32:5 u64:0x200 u32:0
sample id=5 pid=6 tid=6 cpu=0 time=6000 chain=-128,0xffffffff81001001,0xffffffff81001011,0xffffffff81001021,0xffffffff81001031,0xffffffff81001818,0xffffffff81002110,0xffffffff81003010 u16:15 u8:0,0 u32:5 u64:0xffffffff81800000 u32:4
sample id=6 pid=6 tid=6 cpu=0 time=6500 chain=-128,0xffffffff81000001 u16:16 u8:0,0 u32:5 u64:0xffffffff81800000 u32:0
sample id=5 pid=6 tid=6 cpu=1 time=7000 chain=-128,0xffffffff81001001,0xffffffff81001011,0xffffffff81001021,0xffffffff81001031,0xffffffff81002110,0xffffffff81003010 u16:15 u8:0,0 u32:5 u64:0x300 u32:1
sample id=6 pid=6 tid=6 cpu=0 time=7050 chain=-128,0xffffffff81000001 u16:16 u8:0,0 u32:5 u64:0x300 u32:0
