event sched:sched_switch type=tracepoint config=11 sample=identifier|ip|tid|time|cpu|raw|period ids=1
event sched:sched_wakeup type=tracepoint config=12 sample=identifier|ip|tid|time|cpu|raw|period ids=2
event power:cpu_idle type=tracepoint config=13 sample=identifier|ip|tid|time|cpu|raw|period ids=3
event power:cpu_frequency type=tracepoint config=14 sample=identifier|ip|tid|time|cpu|raw|period ids=4
feature tracing_data hex:170844 text:"tracing" text:"0.6" u8:0,0,8 u32:4096
feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0
feature tracing_data u32:2
feature tracing_data text:"sched" u8:0 u32:2
feature tracing_data u64:576 text:"name: sched_switch\nID: 11\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\tfield:int prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n\tfield:int next_pid;\toffset:56;\tsize:4;\tsigned:1;\n\nprint fmt: \"sched_switch\"\n"
feature tracing_data u64:406 text:"name: sched_wakeup\nID: 12\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\tfield:int pid;\toffset:24;\tsize:4;\tsigned:1;\n\nprint fmt: \"sched_wakeup\"\n"
feature tracing_data text:"power" u8:0 u32:2
feature tracing_data u64:396 text:"name: cpu_idle\nID: 13\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:int state;\toffset:8;\tsize:4;\tsigned:0;\n\tfield:int cpu_id;\toffset:12;\tsize:4;\tsigned:0;\n\nprint fmt: \"cpu_idle\"\n"
feature tracing_data u64:406 text:"name: cpu_frequency\nID: 14\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:int state;\toffset:8;\tsize:4;\tsigned:0;\n\tfield:int cpu_id;\toffset:12;\tsize:4;\tsigned:0;\n\nprint fmt: \"cpu_frequency\"\n"
feature tracing_data u32:0 u64:0
feature event_desc
comm pid=5 tid=5 comm="five"
comm pid=6 tid=6 comm="six"
sample id=4 pid=0 tid=0 cpu=0 time=1000000 u16:14 u8:0,0 u32:0 u32:1000000 u32:0
sample id=3 pid=0 tid=0 cpu=1 time=1000000 u16:13 u8:0,0 u32:0 u32:1 u32:1
sample id=1 pid=5 tid=5 cpu=0 time=2000000  u16:11 u8:0,0 u32:5 hex:66697665 zero:12 u32:5 u32:0 u64:1 hex:736978 zero:13 u32:6 u32:0
sample id=4 pid=0 tid=0 cpu=0 time=3000000 u16:14 u8:0,0 u32:0 u32:2000000 u32:0
sample id=2 pid=6 tid=6 cpu=0 time=4000000 u16:12 u8:0,0 u32:6 hex:66697665 zero:12 u32:5 u32:0
sample id=3 pid=0 tid=0 cpu=1 time=4000000 u16:13 u8:0,0 u32:0 u32:4294967295 u32:1
sample id=1 pid=0 tid=0 cpu=1 time=4100000  u16:11 u8:0,0 u32:0 hex:737761707065722f31 zero:7 u32:0 u32:0 u64:0 hex:66697665 zero:12 u32:5 u32:0
sample id=1 pid=6 tid=6 cpu=0 time=6000000  u16:11 u8:0,0 u32:6 hex:736978 zero:13 u32:6 u32:0 u64:2 hex:737761707065722f30 zero:7 u32:0 u32:0
sample id=1 pid=5 tid=5 cpu=1 time=7000000  u16:11 u8:0,0 u32:5 hex:66697665 zero:12 u32:5 u32:0 u64:0 hex:6e696e65 zero:12 u32:9 u32:0
sample id=2 pid=9 tid=9 cpu=1 time=8000000 u16:12 u8:8,0 u32:9 hex:736978 zero:13 u32:6 u32:0
sample id=1 pid=0 tid=0 cpu=0 time=8500000  u16:11 u8:0,0 u32:0 hex:737761707065722f30 zero:7 u32:0 u32:0 u64:0 hex:736978 zero:13 u32:6 u32:0
sample id=1 pid=9 tid=9 cpu=1 time=9000000  u16:11 u8:0,0 u32:9 hex:6e696e65 zero:12 u32:9 u32:0 u64:1 hex:66697665 zero:12 u32:5 u32:0
sample id=1 pid=5 tid=5 cpu=1 time=11000000  u16:11 u8:0,0 u32:5 hex:66697665 zero:12 u32:5 u32:0 u64:64 hex:737761707065722f31 zero:7 u32:0 u32:0
