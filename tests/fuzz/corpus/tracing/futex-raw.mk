event raw_syscalls:sys_enter type=tracepoint config=14 sample=identifier|ip|tid|time|cpu|raw|callchain ids=4
event raw_syscalls:sys_exit type=tracepoint config=15 sample=identifier|ip|tid|time|cpu|raw|callchain ids=5
feature tracing_data hex:170844 text:"tracing" text:"0.6" u8:0,0,8 u32:4096
feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0
feature tracing_data u32:2
feature tracing_data text:"raw_syscalls" u8:0 u32:1 u64:417 text:"name: sys_enter\nID: 14\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned long id;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:unsigned long args[6];\toffset:16;\tsize:48;\tsigned:0;\n\nprint fmt: \"sys_enter\"\n"
feature tracing_data text:"raw_syscalls" u8:0 u32:1 u64:410 text:"name: sys_exit\nID: 15\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned long id;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:unsigned long ret;\toffset:16;\tsize:8;\tsigned:0;\n\nprint fmt: \"sys_exit\"\n"
feature tracing_data u32:0,0 u64:0
feature event_desc
feature arch str:"x86_64"
comm pid=1 tid=1 comm="first"
comm pid=1 tid=2 comm="second"
comm pid=1 tid=3 comm="third"
mmap2 pid=1 tid=1 addr=0x400000 len=0x1000 pgoff=0 filename="/usr/bin/convoy"
mmap2 pid=1 tid=1 addr=0x7f0000000000 len=0x1000 pgoff=0 filename="/usr/lib/libc.so.6"
sample id=4 pid=1 tid=1 cpu=0 time=100000 chain=-512,0x7f0000000100,0x400110 u16:14 u8:0,0 u32:1 u64:202,0xa0,0x80,2,0,0,0
sample id=4 pid=1 tid=2 cpu=0 time=150000 chain=-512,0x7f0000000100,0x400120 u16:14 u8:0,0 u32:2 u64:202,0xb0,0x80,2,0,0,0
sample id=4 pid=1 tid=3 cpu=0 time=240000 chain=-512,0x7f0000000100,0x400130 u16:14 u8:0,0 u32:3 u64:202,0xb0,0x81,2,0,0,0
sample id=5 pid=1 tid=3 cpu=0 time=246000 chain=-512,0x7f0000000100,0x400100 u16:15 u8:0,0 u32:3 u64:202,1
sample id=5 pid=1 tid=2 cpu=0 time=250000 chain=-512,0x7f0000000100,0x400100 u16:15 u8:0,0 u32:2 u64:202,0
sample id=4 pid=1 tid=2 cpu=0 time=300000 chain=-512,0x7f0000000100,0x400140 u16:14 u8:0,0 u32:2 u64:202,0xa0,0x81,2,0,0,0
sample id=5 pid=1 tid=2 cpu=0 time=306000 chain=-512,0x7f0000000100,0x400100 u16:15 u8:0,0 u32:2 u64:202,1
sample id=5 pid=1 tid=1 cpu=0 time=310000 chain=-512,0x7f0000000100,0x400100 u16:15 u8:0,0 u32:1 u64:202,0
