order big
event sched:sched_switch type=tracepoint config=11 sample=identifier|ip|tid|time|cpu|raw|period|callchain ids=1 flags=sample_id_all
event sched:sched_stat_runtime type=tracepoint config=12 sample=identifier|ip|tid|time|cpu|raw|period|callchain ids=2 flags=sample_id_all
event sched:sched_process_fork type=tracepoint config=13 sample=identifier|ip|tid|time|cpu|raw|period|callchain ids=3 flags=sample_id_all
event sched:sched_wakeup_new type=tracepoint config=14 sample=identifier|ip|tid|time|cpu|raw|period|callchain ids=4 flags=sample_id_all
event sched:sched_migrate_task type=tracepoint config=15 sample=identifier|ip|tid|time|cpu|raw|period|callchain ids=5 flags=sample_id_all
event sched:sched_waking type=tracepoint config=16 sample=identifier|ip|tid|time|cpu|raw|period|callchain ids=6 flags=sample_id_all
feature nrcpus u32:2,2
feature arch str:"x86_64"
feature tracing_data hex:170844 text:"tracing" text:"0.6" u8:0,1,8 u32:4096
feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0
feature tracing_data u32:1 text:"sched" u8:0 u32:6
feature tracing_data u64:678 text:"name: sched_switch\nID: 11\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\tfield:int prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n\tfield:int next_pid;\toffset:56;\tsize:4;\tsigned:1;\n\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n\nprint fmt: \"sched_switch\"\n"
feature tracing_data u64:468 text:"name: sched_stat_runtime\nID: 12\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\tfield:int pid;\toffset:24;\tsize:4;\tsigned:1;\n\tfield:long runtime;\toffset:32;\tsize:8;\tsigned:1;\n\nprint fmt: \"sched_stat_runtime\"\n"
feature tracing_data u64:541 text:"name: sched_process_fork\nID: 13\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:char parent_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\tfield:int parent_pid;\toffset:24;\tsize:4;\tsigned:1;\n\tfield:char child_comm[16];\toffset:28;\tsize:16;\tsigned:0;\n\tfield:int child_pid;\toffset:44;\tsize:4;\tsigned:1;\n\nprint fmt: \"sched_process_fork\"\n"
feature tracing_data u64:512 text:"name: sched_wakeup_new\nID: 14\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\tfield:int pid;\toffset:24;\tsize:4;\tsigned:1;\n\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;\n\tfield:int target_cpu;\toffset:32;\tsize:4;\tsigned:1;\n\nprint fmt: \"sched_wakeup_new\"\n"
feature tracing_data u64:564 text:"name: sched_migrate_task\nID: 15\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\tfield:int pid;\toffset:24;\tsize:4;\tsigned:1;\n\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;\n\tfield:int orig_cpu;\toffset:32;\tsize:4;\tsigned:1;\n\tfield:int dest_cpu;\toffset:36;\tsize:4;\tsigned:1;\n\nprint fmt: \"sched_migrate_task\"\n"
feature tracing_data u64:504 text:"name: sched_waking\nID: 16\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\tfield:int pid;\toffset:24;\tsize:4;\tsigned:1;\n\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;\n\tfield:int target_cpu;\toffset:32;\tsize:4;\tsigned:1;\n\nprint fmt: \"sched_waking\"\n"
feature tracing_data u32:0,0 u64:0
feature event_desc
mmap pid=-1 tid=-1 addr=0xffffffff81000000 len=0x1000000 filename="[kernel.kallsyms]_text" pgoff=0xffffffff81000000 misc=kernel
comm pid=5 tid=5 comm="a" time=1
sample id=1 cpu=0 time=1000000000 tid=7 pid=7 chain=-128,0xffffffff81000010,0xffffffff81000110 u16:11 u8:0,0 u32:7  text:"x" zero:15 u32:7,120 u64:1 text:"swapper/0" zero:7 u32:0,120
sample id=6 cpu=0 time=1000100000 tid=0 pid=0 chain=-128,0xffffffff81000010,0xffffffff81000110 u16:16 u8:0,0 u32:0  text:"a" zero:15 u32:5,120,0
sample id=1 cpu=0 time=1000110000 tid=0 pid=0 chain=-128,0xffffffff81000010,0xffffffff81000110 u16:11 u8:0,0 u32:0  text:"swapper/0" zero:7 u32:0,120 u64:0 text:"a" zero:15 u32:5,120
sample id=3 cpu=0 time=1000120000 tid=5 pid=5 chain=-128,0xffffffff81000010,0xffffffff81000110 u16:13 u8:0,0 u32:5  text:"a" zero:15 u32:5 text:"a" zero:15 u32:6
sample id=4 cpu=0 time=1000125000 tid=5 pid=5 chain=-128,0xffffffff81000010,0xffffffff81000110 u16:14 u8:0,0 u32:5  text:"a" zero:15 u32:6,120,0
sample id=2 cpu=0 time=1000190000 tid=5 pid=5 chain=-128,0xffffffff81000010,0xffffffff81000110 u16:12 u8:0,0 u32:5  text:"a" zero:15 u32:5,0 u64:80000
sample id=1 cpu=0 time=1000200000 tid=5 pid=5 chain=-128,0xffffffff81000010,0xffffffff81000110 u16:11 u8:0,0 u32:5  text:"a" zero:15 u32:5,120 u64:0 text:"b" zero:15 u32:6,120
sample id=5 cpu=0 time=1000210000 tid=6 pid=6 chain=-128,0xffffffff81000010,0xffffffff81000110 u16:15 u8:0,0 u32:6  text:"a" zero:15 u32:5,120,0,1
sample id=1 cpu=1 time=1000300000 tid=0 pid=0 chain=-128,0xffffffff81000010,0xffffffff81000110 u16:11 u8:0,0 u32:0  text:"swapper/1" zero:7 u32:0,120 u64:0 text:"a" zero:15 u32:5,120
sample id=1 cpu=0 time=1000350000 tid=6 pid=6 chain=-128,0xffffffff81000010,0xffffffff81000110 u16:11 u8:0,0 u32:6  text:"b" zero:15 u32:6,120 u64:2 text:"c" zero:15 u32:9,120
sample id=2 cpu=1 time=1000360000 tid=6 pid=6 chain=-128,0xffffffff81000010,0xffffffff81000110 u16:12 u8:0,0 u32:6  text:"b" zero:15 u32:6,0 u64:5000
sample id=6 cpu=1 time=1000380000 tid=6 pid=6 chain=-128,0xffffffff81000010,0xffffffff81000110 u16:16 u8:0,0 u32:6  text:"c" zero:15 u32:9,120,1
sample id=1 cpu=0 time=1000400000 tid=5 pid=5 chain=-128,0xffffffff81000010,0xffffffff81000110 u16:11 u8:0,0 u32:5  text:"a" zero:15 u32:5,120 u64:32 text:"swapper/0" zero:7 u32:0,120
sample id=6 cpu=1 time=1000500000 tid=6 pid=6 chain=-128,0xffffffff81000010,0xffffffff81000110 u16:16 u8:0,0 u32:6  text:"a" zero:15 u32:5,120,1
sample id=1 cpu=1 time=1000600000 tid=6 pid=6 chain=-128,0xffffffff81000010,0xffffffff81000110 u16:11 u8:0,0 u32:6  text:"b" zero:15 u32:6,120 u64:0 text:"a" zero:15 u32:5,120
sample id=1 cpu=1 time=1000600000 tid=5 pid=5 chain=-128,0xffffffff81000010,0xffffffff81000110 u16:11 u8:0,0 u32:5  text:"a" zero:15 u32:5,120 u64:1 text:"a" zero:15 u32:5,120
lost id=1 lost=9 time=1000800000
