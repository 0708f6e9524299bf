# each packet of Arm SPE
event arm_spe_0// type=9 config=0x300000001 period=1024 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all
event dummy:u type=software config=9 sample=ip|tid|time|cpu|identifier ids=11 flags=sample_id_all|mmap|comm|mmap2
feature cpuid str:"0x00000000410fd0c0"
time_conv time_shift=1 time_mult=4 time_zero=100
auxtrace_info auxtrace_type=4 priv=9,1
switch_cpu_wide tid=100 time=20 cpu=0
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 spe-pc:0x400100 spe-context:100 spe-ldst:0 spe-events:0x16 spe-va:0x7f0012345678 spe-pa:0x81234678:128 spe-latency:300 spe-issue:20 spe-translation:5 spe-source:8 spe-time:2000 spe-target:0x1:1 spe-previous:0x1234:2 spe-context-el2:7 spe-source2:0x123 spe-address9:5 spe-counter9:7  spe-other:0x0e spe-other:1 spe-other:6 spe-ldst:4 spe-ldst:0x1e spe-ldst:0xdd spe-ldst:0x25 spe-branch:9  spe-branch:0x17 spe-branch:0x18 spe-events1:0xff spe-events4:0xffffff00 spe-events8:0x8000000000000000 spe-pad:0  spe-pad:0 spe-pad:0 spe-end:0 hex:ff spe-align:0 spe-align:0 hex:4b0371
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 spe-pc:0x400200 spe-context:100 spe-branch:3 spe-events:0x82 spe-target:0x400800 spe-latency:30 spe-time:2100 spe-pc:0xffff800000000300:1 spe-context:200 spe-ldst:1 spe-events:0x52e spe-va:0xff0000000010 spe-latency:9 spe-time:2200 spe-pc:0x400300 spe-ldst:0 spe-events:0x73e spe-va:0x7f0012345680 spe-time:2300
