event syscalls:sys_enter_read type=tracepoint config=21 sample=identifier|ip|tid|time|cpu|raw|period ids=21
event syscalls:sys_exit_read type=tracepoint config=31 sample=identifier|ip|tid|time|cpu|raw|period ids=31
event syscalls:sys_enter_write type=tracepoint config=22 sample=identifier|ip|tid|time|cpu|raw|period ids=22
event syscalls:sys_exit_write type=tracepoint config=32 sample=identifier|ip|tid|time|cpu|raw|period ids=32
event syscalls:sys_enter_poll type=tracepoint config=23 sample=identifier|ip|tid|time|cpu|raw|period ids=23
event syscalls:sys_exit_poll type=tracepoint config=33 sample=identifier|ip|tid|time|cpu|raw|period ids=33
feature tracing_data hex:170844 text:"tracing" text:"0.6" u8:0,0,8 u32:4096
feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0
feature tracing_data u32:1
feature tracing_data text:"syscalls" u8:0 u32:6
feature tracing_data u64:412 text:"name: sys_enter_read\nID: 21\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n\tfield:long fd;\toffset:16;\tsize:8;\tsigned:0;\n\nprint fmt: \"sys_enter_read\"\n"
feature tracing_data u64:411 text:"name: sys_exit_read\nID: 31\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n\nprint fmt: \"sys_exit_read\"\n"
feature tracing_data u64:414 text:"name: sys_enter_write\nID: 22\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n\tfield:long fd;\toffset:16;\tsize:8;\tsigned:0;\n\nprint fmt: \"sys_enter_write\"\n"
feature tracing_data u64:413 text:"name: sys_exit_write\nID: 32\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n\nprint fmt: \"sys_exit_write\"\n"
feature tracing_data u64:367 text:"name: sys_enter_poll\nID: 23\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: \"sys_enter_poll\"\n"
feature tracing_data u64:411 text:"name: sys_exit_poll\nID: 33\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n\nprint fmt: \"sys_exit_poll\"\n"
feature tracing_data u32:0 u64:0
feature event_desc
comm pid=5 tid=5 comm="five"
sample id=21 pid=5 tid=5 cpu=0 time=1000000 u16:21 u8:0,0 u32:5 u32:0 u32:0 u64:3
sample id=31 pid=5 tid=5 cpu=0 time=1010000 u16:31 u8:0,0 u32:5 u32:0 u32:0 u64:100
sample id=21 pid=5 tid=5 cpu=0 time=1010500 u16:21 u8:0,0 u32:5 u32:0 u32:0 u64:3
sample id=31 pid=5 tid=5 cpu=0 time=1020500 u16:31 u8:0,0 u32:5 u32:0 u32:0 u64:50
sample id=21 pid=5 tid=5 cpu=0 time=2000000 u16:21 u8:0,0 u32:5 u32:0 u32:0 u64:4
sample id=31 pid=5 tid=5 cpu=0 time=2010000 u16:31 u8:0,0 u32:5 u32:0 u32:0 u64:-11
sample id=22 pid=5 tid=5 cpu=0 time=4000000 u16:22 u8:0,0 u32:5 u32:0 u32:0 u64:1
sample id=32 pid=5 tid=5 cpu=0 time=4500000 u16:32 u8:0,0 u32:5 u32:0 u32:0 u64:7
sample id=23 pid=5 tid=5 cpu=0 time=5000000 u16:23 u8:0,0 u32:5 u32:0 u32:0 u64:
sample id=33 pid=5 tid=5 cpu=0 time=8000000 u16:33 u8:0,0 u32:5 u32:0 u32:0 u64:1
sample id=32 pid=5 tid=5 cpu=0 time=8100000 u16:32 u8:0,0 u32:5 u32:0 u32:0 u64:9
sample id=22 pid=5 tid=5 cpu=0 time=9000000 u16:22 u8:0,0 u32:5 u32:0 u32:0 u64:9
