# one of each type of record, and two that nobody knows
event a sample=ip|tid|time|id|cpu|identifier|stream_id flags=sample_id_all read=enabled|running|id
default tid=5 time=77
mmap addr=0x1000 len=0x1000 filename="/bin/a"
lost id=1 lost=2
comm comm="abc"
exit ppid=1
throttle
unthrottle
fork ppid=1
read values=1,2,3,4
sample ip=1
mmap2 addr=0x1000 len=0x1000 filename="/bin/a"
aux aux_size=5
itrace_start
lost_samples lost=4
switch misc=switch_out
switch_cpu_wide next_prev_pid=1 next_prev_tid=1
namespaces ns=1:2,3:4,5:6
ksymbol addr=0xffffffffc0000000 len=64 ksym_type=1 name="bpf_prog_1"
bpf_event bpf_type=1 id=2 tag=0102030405060708
cgroup id=7 path="/system.slice"
text_poke addr=0xffffffff81000000 old_len=2 new_len=2 bytes=0f0b9090
aux_output_hw_id hw_id=3
callchain_deferred cookie=9 chain=1,2,3
build_id id=0102 filename="/bin/a"
id_index entries=1:0:0:5
auxtrace_info auxtrace_type=1 priv=1,2,3
auxtrace data="01234567" offset=0
auxtrace_error error_type=1 msg="bad"
thread_map nr=1 u64:5 text:"comm" zero:12
cpu_map u16:0,1,0,0
stat_config data=1:2,3:4
stat id=1 val=5 ena=6 run=7
stat_round round_type=1 time=9
event_update update_type=2 id=1 data="name" zero:4
time_conv time_mult=1
finished_init
bpf_metadata program="prog" nr=1 text:"name" zero:252 text:"value" zero:251
schedstat_cpu timestamp=9 cpu=1 version=17 yields=2 run_time=3
schedstat_domain timestamp=9 cpu=1 version=17 domain=1 u32:1,2,3
record type=32768 u64:1
record type=200 u32:5 zero:4
finished_round
