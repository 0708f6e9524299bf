event kmem:kmalloc type=tracepoint config=11 sample=identifier|ip|tid|time|cpu|raw|period ids=1
event kmem:kfree type=tracepoint config=12 sample=identifier|ip|tid|time|cpu|raw|period ids=2
event kmem:kmem_cache_alloc type=tracepoint config=13 sample=identifier|ip|tid|time|cpu|raw|period ids=3
event kmem:kmem_cache_free type=tracepoint config=14 sample=identifier|ip|tid|time|cpu|raw|period ids=4
event kmem:kmalloc_node type=tracepoint config=15 sample=identifier|ip|tid|time|cpu|raw|period ids=5
feature numa_topology u32:2,0 u64:1000,500 str:"0-1" u32:1 u64:1000,500 str:"2-3"
feature tracing_data hex:170844 text:"tracing" text:"0.6" u8:0,0,8 u32:4096
feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0
feature tracing_data u32:1 text:"kmem" u8:0 u32:5
feature tracing_data u64:585 text:"name: kmalloc\nID: 11\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned long call_site;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:unsigned long ptr;\toffset:16;\tsize:8;\tsigned:0;\n\tfield:unsigned long bytes_req;\toffset:24;\tsize:8;\tsigned:0;\n\tfield:unsigned long bytes_alloc;\toffset:32;\tsize:8;\tsigned:0;\n\tfield:int node;\toffset:40;\tsize:4;\tsigned:1;\n\nprint fmt: \"kmalloc\"\n"
feature tracing_data u64:411 text:"name: kfree\nID: 12\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned long call_site;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:unsigned long ptr;\toffset:16;\tsize:8;\tsigned:0;\n\nprint fmt: \"kfree\"\n"
feature tracing_data u64:603 text:"name: kmem_cache_alloc\nID: 13\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned long call_site;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:unsigned long ptr;\toffset:16;\tsize:8;\tsigned:0;\n\tfield:unsigned long bytes_req;\toffset:24;\tsize:8;\tsigned:0;\n\tfield:unsigned long bytes_alloc;\toffset:32;\tsize:8;\tsigned:0;\n\tfield:int node;\toffset:40;\tsize:4;\tsigned:1;\n\nprint fmt: \"kmem_cache_alloc\"\n"
feature tracing_data u64:431 text:"name: kmem_cache_free\nID: 14\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned long call_site;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:unsigned long ptr;\toffset:16;\tsize:8;\tsigned:0;\n\nprint fmt: \"kmem_cache_free\"\n"
feature tracing_data u64:595 text:"name: kmalloc_node\nID: 15\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned long call_site;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:unsigned long ptr;\toffset:16;\tsize:8;\tsigned:0;\n\tfield:unsigned long bytes_req;\toffset:24;\tsize:8;\tsigned:0;\n\tfield:unsigned long bytes_alloc;\toffset:32;\tsize:8;\tsigned:0;\n\tfield:int node;\toffset:40;\tsize:4;\tsigned:1;\n\nprint fmt: \"kmalloc_node\"\n"
feature tracing_data u32:0,0 u64:0
feature event_desc
comm pid=5 tid=5 comm="five"
comm pid=6 tid=6 comm="six"
sample id=1 pid=5 tid=5 cpu=0 time=1000 u16:11 u8:0,0 u32:5 u64:0xa0,0x1000,30,32 u32:-1
sample id=2 pid=5 tid=5 cpu=0 time=2000 u16:12 u8:0,0 u32:5 u64:0xf,0x1000
sample id=3 pid=5 tid=5 cpu=0 time=3000 u16:13 u8:0,0 u32:5 u64:0xb0,0x1000,60,64 u32:0
sample id=4 pid=5 tid=5 cpu=1 time=4000 u16:14 u8:0,0 u32:5 u64:0xf,0x1000
sample id=2 pid=5 tid=5 cpu=1 time=5000 u16:12 u8:0,0 u32:5 u64:0xf,0x9000
sample id=5 pid=5 tid=5 cpu=1 time=6000 u16:15 u8:0,0 u32:5 u64:0xb0,0x2000,40,64 u32:1
sample id=1 pid=5 tid=5 cpu=3 time=7000 u16:11 u8:0,0 u32:5 u64:0xc0,0x3000,8,8 u32:1
sample id=1 pid=6 tid=6 cpu=3 time=8000 u16:11 u8:0,0 u32:5 u64:0xc0,0x4000,8,8 u32:1
