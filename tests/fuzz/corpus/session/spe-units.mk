event arm_spe_0// type=9 config=0x300000001 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all
feature cpuid str:"0x00000000410fd0c0"
time_conv time_shift=1 time_mult=4 time_zero=100
auxtrace_info auxtrace_type=4 priv=2,4,9,2,0x1010101010101010,1,4,0x410fd030,9,1024,5,0x1010101010101010,0,4,0x410fd0c0,9,1024,0
comm tid=100 comm="a" time=10
switch_cpu_wide tid=100 time=20 cpu=0
aux aux_size=64 time=90 cpu=0 flags=1
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 spe-pc:0x400100 spe-context:100 spe-ldst:0 spe-events:0x7ff spe-va:0x12345678 spe-source:8
auxtrace offset=45 reference=9 idx=0 tid=-1 cpu=0 spe-time:20 spe-pc:0x400200:1 spe-branch:3 spe-target:0x400800 spe-end:0 spe-align:0 hex:2005
