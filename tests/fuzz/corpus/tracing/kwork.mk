event irq:softirq_raise type=tracepoint config=11 sample=identifier|ip|tid|time|cpu|raw|callchain ids=1
event irq:softirq_entry type=tracepoint config=12 sample=identifier|ip|tid|time|cpu|raw|callchain ids=2
event irq:softirq_exit type=tracepoint config=13 sample=identifier|ip|tid|time|cpu|raw|callchain ids=3
event workqueue:workqueue_activate_work type=tracepoint config=14 sample=identifier|ip|tid|time|cpu|raw|callchain ids=4
event workqueue:workqueue_execute_start type=tracepoint config=15 sample=identifier|ip|tid|time|cpu|raw|callchain ids=5
event workqueue:workqueue_execute_end type=tracepoint config=16 sample=identifier|ip|tid|time|cpu|raw|callchain ids=6
event irq:irq_handler_entry type=tracepoint config=17 sample=identifier|ip|tid|time|cpu|raw|callchain ids=7
event irq:irq_handler_exit type=tracepoint config=18 sample=identifier|ip|tid|time|cpu|raw|callchain ids=8
event sched:sched_switch type=tracepoint config=19 sample=identifier|ip|tid|time|cpu|raw|callchain ids=9
feature tracing_data hex:170844 text:"tracing" text:"0.6" u8:0,0,8 u32:4096
feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0
feature tracing_data u32:3
feature tracing_data text:"irq" u8:0 u32:5
feature tracing_data u64:365 text:"name: softirq_raise\nID: 11\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned int vec;\toffset:8;\tsize:4;\tsigned:0;\n\nprint fmt: \"softirq_raise\"\n"
feature tracing_data u64:365 text:"name: softirq_entry\nID: 12\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned int vec;\toffset:8;\tsize:4;\tsigned:0;\n\nprint fmt: \"softirq_entry\"\n"
feature tracing_data u64:363 text:"name: softirq_exit\nID: 13\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned int vec;\toffset:8;\tsize:4;\tsigned:0;\n\nprint fmt: \"softirq_exit\"\n"
feature tracing_data u64:424 text:"name: irq_handler_entry\nID: 17\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:int irq;\toffset:8;\tsize:4;\tsigned:1;\n\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:0;\n\nprint fmt: \"irq_handler_entry\"\n"
feature tracing_data u64:407 text:"name: irq_handler_exit\nID: 18\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:int irq;\toffset:8;\tsize:4;\tsigned:1;\n\tfield:int ret;\toffset:12;\tsize:4;\tsigned:1;\n\nprint fmt: \"irq_handler_exit\"\n"
feature tracing_data text:"workqueue" u8:0 u32:3
feature tracing_data u64:387 text:"name: workqueue_activate_work\nID: 14\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned long work;\toffset:8;\tsize:8;\tsigned:0;\n\nprint fmt: \"workqueue_activate_work\"\n"
feature tracing_data u64:447 text:"name: workqueue_execute_start\nID: 15\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned long work;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:unsigned long function;\toffset:16;\tsize:8;\tsigned:0;\n\nprint fmt: \"workqueue_execute_start\"\n"
feature tracing_data u64:443 text:"name: workqueue_execute_end\nID: 16\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned long work;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:unsigned long function;\toffset:16;\tsize:8;\tsigned:0;\n\nprint fmt: \"workqueue_execute_end\"\n"
feature tracing_data text:"sched" u8:0 u32:1
feature tracing_data u64:519 text:"name: sched_switch\nID: 19\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:int prev_pid;\toffset:8;\tsize:4;\tsigned:1;\n\tfield:int next_pid;\toffset:12;\tsize:4;\tsigned:1;\n\tfield:char prev_comm[8];\toffset:16;\tsize:8;\tsigned:0;\n\tfield:char next_comm[8];\toffset:24;\tsize:8;\tsigned:0;\n\nprint fmt: \"sched_switch\"\n"
feature tracing_data u32:0,0 u64:0
feature event_desc
mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 filename="[kernel.kallsyms]_text" misc=kernel time=0
sample id=1 pid=5 tid=5 cpu=0 time=2000000 chain=-128,0xffffffff81003010 u16:11 u8:0,0 u32:5 u32:9
sample id=2 pid=5 tid=5 cpu=0 time=3000000 chain=-128,0xffffffff81003010 u16:12 u8:0,0 u32:5 u32:9
sample id=1 pid=5 tid=5 cpu=0 time=3500000 chain=-128,0xffffffff81003010 u16:11 u8:0,0 u32:5 u32:9
sample id=3 pid=5 tid=5 cpu=0 time=4000000 chain=-128,0xffffffff81003010 u16:13 u8:0,0 u32:5 u32:9
sample id=2 pid=5 tid=5 cpu=0 time=4100000 chain=-128,0xffffffff81003010 u16:12 u8:0,0 u32:5 u32:9
sample id=3 pid=5 tid=5 cpu=0 time=4200000 chain=-128,0xffffffff81003010 u16:13 u8:0,0 u32:5 u32:9
sample id=2 pid=5 tid=5 cpu=0 time=5000000 chain=-128,0xffffffff81003010 u16:12 u8:0,0 u32:5 u32:1
sample id=3 pid=5 tid=5 cpu=0 time=5500000 chain=-128,0xffffffff81003010 u16:13 u8:0,0 u32:5 u32:1
sample id=4 pid=5 tid=5 cpu=0 time=6000000 chain=-128,0xffffffff81003010 u16:14 u8:0,0 u32:5 u64:0x100
sample id=5 pid=5 tid=5 cpu=1 time=7000000 chain=-128,0xffffffff81003010 u16:15 u8:0,0 u32:5 u64:0x100,0xffffffff81002000
sample id=6 pid=5 tid=5 cpu=1 time=8000000 chain=-128,0xffffffff81003010 u16:16 u8:0,0 u32:5 u64:0x100,0xffffffff81002000
sample id=7 pid=5 tid=5 cpu=0 time=9000000 chain=-128,0xffffffff81003010 u16:17 u8:0,0 u32:5 u32:5,262160 text:"disk" u8:0
sample id=8 pid=5 tid=5 cpu=0 time=9500000 chain=-128,0xffffffff81003010 u16:18 u8:0,0 u32:5 u32:5,1
sample id=2 pid=5 tid=5 cpu=0 time=10000000 chain=-128,0xffffffff81003010 u16:12 u8:0,0 u32:5 u32:3
sample id=7 pid=5 tid=5 cpu=0 time=10100000 chain=-128,0xffffffff81003010 u16:17 u8:0,0 u32:5 u32:5,262160 text:"disk" u8:0
sample id=8 pid=5 tid=5 cpu=0 time=10600000 chain=-128,0xffffffff81003010 u16:18 u8:0,0 u32:5 u32:5,1
sample id=3 pid=5 tid=5 cpu=0 time=11000000 chain=-128,0xffffffff81003010 u16:13 u8:0,0 u32:5 u32:3
