# offsets of traces at the end of numbers
event cs_etm// type=8 config=0x4000 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all
feature arch str:"aarch64"
time_conv time_shift=1 time_mult=4 time_zero=100
auxtrace_info auxtrace_type=3 priv=1,0x800000002,0,0x4040404040404040,0,8,0x1040,0x10,0x28000ea1,0,0x1088,0,0,1,0x4040404040404040,1,8,0x1040,0x80000000,0x28000ea1,0,0x1088,0,0,1
comm tid=100 comm="a" time=10
mmap2 tid=100 addr=0x400000 len=0x1000 prot=5 flags=2 filename="/200" time=11
switch_cpu_wide tid=100 time=20 cpu=0
aux_output_hw_id hw_id=0x12 time=20 cpu=1
aux aux_offset=0 aux_size=48 flags=0 time=30 cpu=0
aux aux_offset=48 aux_size=480 flags=0 time=40 cpu=0
auxtrace offset=0xffffffffffffffff reference=9 idx=0 tid=-1 cpu=0 etm-frames:0x10,0,0,0,0,0,0,0,0,0,0,0,0x80,1,0,4,0x85,0x20,0,0x40,0,0,0,0,0,0xb0,0x64,0,0,0,0xf7,0xf6,0xf7,0x9d,0x22,0,0x40,0,0,0,0,0,0xf7,0xf7,0xf6 etm-frames:0x12,0,0,0,0,0,0,0,0,0,0,0,0x80,1,0,4,0x85,0x26,0,0x40,0,0,0,0,0,0x30,0xf7,0x06,0x1d,0x95,0x22,0x90,4
auxtrace offset=0xffffffffffffffff reference=9 idx=0 tid=-1 cpu=0 hex:ffffff7fffffff7fffffff7fffffff7f etm-frames:0x10,0,0,0,0,0,0,0,0,0,0,0,0x80,1,0,2,0x88,7,0x85,0x20,0,0x40,0,0,0,0,0,0x30,0xf7,0xf6,0xd4,0,5,4
auxtrace offset=0xffffffffffffffff reference=9 idx=1 tid=-1 cpu=1 etm-async:0 hex:0100 hex:04 etm-context:0x4000b8,0 hex:d4d4d4 etm-async:0 hex:0100 etm-context:0x400080,0 etm-atoms:ENEENEE hex:07 hex:ac05 etm-addr:0x400098 etm-atoms:E
