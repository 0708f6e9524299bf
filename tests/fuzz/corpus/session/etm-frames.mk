# frames with bytes of several sources; units that make no commits, and of ETMv3
event cs_etm// type=9 config=0x4000 period=1024 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all
event dummy:u type=software config=9 sample=ip|tid|time|cpu|identifier ids=11 flags=sample_id_all|mmap|comm|mmap2
feature arch str:"aarch64"
auxtrace_info auxtrace_type=3 priv=0,0x800000003,0,0x4040404040404040,0,7,1,0x10,0x20000000,0,0x1088,0x3030303030303030,1,1,2,3,4,0x4040404040404040,2,1
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 etm-frames:0x10,0,0,0,0,0,0,0,0,0,0,0,0x80,1,0 etm-frames:0x12,4,0xf7,0xf6,0,5,0,5,0,5,0,5,0,5,0xdb hex:2104f6f725c2f624f7f7f604f60400f5 hex:ffffff7fffffff7fffffff7fffffff7f hex:040404040404040404040404040404ff
