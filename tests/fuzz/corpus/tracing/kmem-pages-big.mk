order big
event kmem:mm_page_alloc type=tracepoint config=11 sample=identifier|ip|tid|time|cpu|raw|period|callchain ids=1
event kmem:mm_page_free type=tracepoint config=12 sample=identifier|ip|tid|time|cpu|raw|period|callchain ids=2
feature tracing_data hex:170844 text:"tracing" text:"0.6" u8:0,1,8 u32:4096
feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0
feature tracing_data u32:1 text:"kmem" u8:0 u32:2
feature tracing_data u64:787 text:"name: mm_page_alloc\nID: 11\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned long pfn;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:unsigned int order;\toffset:16;\tsize:4;\tsigned:0;\n\tfield:unsigned long gfp_flags;\toffset:24;\tsize:8;\tsigned:0;\n\tfield:int migratetype;\toffset:32;\tsize:4;\tsigned:1;\n\nprint fmt: \"pfn=0x%lx order=%d gfp_flags=%s\", REC->pfn, REC->order, (REC->gfp_flags) ? __print_flags(REC->gfp_flags, \"|\", {0x100ccaUL, \"GFP_HIGHUSER_MOVABLE\"}, {0xcc0UL, \"GFP_KERNEL\"}, {0x100UL, \"__GFP_ZERO\"}, {0x40000UL, \"__GFP_COMP\"}, {0x800000UL, \"__GFP_ZEROTAGS\"}) : \"none\"\n"
feature tracing_data u64:420 text:"name: mm_page_free\nID: 12\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned long pfn;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:unsigned int order;\toffset:16;\tsize:4;\tsigned:0;\n\nprint fmt: \"mm_page_free\"\n"
feature tracing_data u32:0,0 u64:0
feature event_desc
mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 filename="[kernel.kallsyms]_text" misc=kernel time=0
comm pid=5 tid=5 comm="five"
sample id=1 pid=5 tid=5 cpu=0 time=1000 chain=-128,0xffffffff81000010,0xffffffff81000110,0xffffffff81000310 u16:11 u8:0,0 u32:5 u64:100 u32:0,0 u64:0xcc0 u32:0
sample id=2 pid=5 tid=5 cpu=1 time=2000 chain=-128,0xffffffff81000200 u16:12 u8:0,0 u32:5 u64:100 u32:0
sample id=1 pid=5 tid=5 cpu=0 time=3000 chain=-128,0xffffffff81000010,0xffffffff81000220,0xffffffff81000310 u16:11 u8:0,0 u32:5 u64:100 u32:0,0 u64:0x100cca u32:1
sample id=1 pid=5 tid=5 cpu=0 time=4000 chain=-128,0xffffffff81000010,0xffffffff81000110,0xffffffff81000310 u16:11 u8:0,0 u32:5 u64:-1 u32:3,0 u64:0xcc0 u32:0
sample id=1 pid=5 tid=5 cpu=0 time=5000 chain=-128,0xffffffff81000010,0xffffffff81000110,0xffffffff81000310 u16:11 u8:0,0 u32:5 u64:512 u32:2,0 u64:0xdc0 u32:2
sample id=2 pid=5 tid=5 cpu=1 time=6000 chain=-128,0xffffffff81000200 u16:12 u8:0,0 u32:5 u64:513 u32:0
sample id=2 pid=5 tid=5 cpu=1 time=6500 chain=-128,0xffffffff81000200 u16:12 u8:0,0 u32:5 u64:512 u32:0
sample id=2 pid=5 tid=5 cpu=1 time=7000 chain=-128,0xffffffff81000200 u16:12 u8:0,0 u32:5 u64:900 u32:1
sample id=1 pid=5 tid=5 cpu=0 time=8000 chain=-128,0xffffffff81000010,0xffffffff81000110,0xffffffff81000310 u16:11 u8:0,0 u32:5 u64:1024 u32:10,0 u64:0 u32:4
sample id=2 pid=5 tid=5 cpu=1 time=9000 chain=-128,0xffffffff81000200 u16:12 u8:0,0 u32:5 u64:1024 u32:10
sample id=1 pid=5 tid=5 cpu=0 time=9500 chain=-128,0xffffffff81000010,0xffffffff81000110,0xffffffff81000310 u16:11 u8:0,0 u32:5 u64:2048 u32:11,0 u64:0x80800cc0 u32:3
