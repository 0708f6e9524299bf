# what a pipe has as records
format pipe
event cycles type=hardware config=0 sample=identifier|ip|tid|time flags=sample_id_all ids=1,2
event sched:sched_switch type=tracepoint config=5 sample=identifier|ip|tid|time|raw ids=3
feature hostname str:"box"
feature nrcpus u32:2,2
feature cpu_topology u32:1 str:"0-1" u32:1 str:"0-1" u32:0,0,1,0
feature mem_topology u64:1,0x1000,2 u64:0,64,70 u64:0x70b,0x21 u64:3,64,0
feature clock_data u32:1 u32:1 u64:1600000000000000000,5000
feature event_desc
event_type u64:5 text:"sched:sched_switch" zero:46
event_update update_type=0 id=1 data="msec" u8:0,0,0,0
event_update update_type=1 id=1 u64:0x3ff0000000000000
event_update update_type=2 id=1 data="name" u8:0,0,0,0
event_update update_type=3 id=1 u16:0,2,0,1
event_update update_type=3 id=1 u16:1,1,8 zero:2 hex:0300000000000000
event_update update_type=3 id=1 u16:2,0,0,3,0,0
cpu_map u16:0,2,0,1
cpu_map u16:1,1,4 hex:05000000
cpu_map u16:1,2,8 zero:2 hex:01000000000000000300000000000000
cpu_map u16:2 u8:1,0 u16:2,5
stat_config data=0:5,1:0,2:1
thread_map nr=1 u64:10 text:"one" zero:13
time_conv u64:1,2,3,4,5 u8:1,1 zero:6
header_feature feat_id=3 str:"other"
record type=90 text:"unknown!"
sample id=1 tid=7 ip=0x10 time=5
build_id pid=-1 id=0102030405060708090a0b0c0d0e0f1011121314 filename="/bin/a"
finished_init
tracing_data data="no formats"
