# two sockets, intervals, an event that was refused
order big
event task-clock config=task-clock sample=identifier read=enabled|running ids=1
event cycles type=hardware config=0 sample=identifier read=enabled|running ids=none
event page-faults config=page-faults sample=identifier read=enabled|running ids=2
feature stat
feature nrcpus u32:4,4
feature event_desc
feature cpu_topology u32:2 str:"0-1" str:"2-3" u32:4 str:"0" str:"1" str:"2" str:"3" u32:0,0,1,0,0,1,1,1
feature numa_topology u32:1,7 u64:1000,500 str:"0-3"
feature cache u32:1,2,2,64,8,8 str:"Unified" str:"1M" str:"0-1"
feature cache u32:3,64,8,8 str:"Unified" str:"8M" str:"0-3"
event_update update_type=0 id=1 data="msec" u8:0,0,0,0
event_update update_type=0x70756f7267 id=2 data="a/b" u8:0,0,0,0,0
event_update update_type=0x70756f7267 id=0 data="/" u8:0,0,0,0,0,0,0
thread_map nr=1 u64:-1 zero:16
cpu_map u16:2,0,0,3,0,0
stat_config data=0:4,1:50,2:1
stat id=1 cpu=0 val=1000000 ena=100 run=100
stat id=1 cpu=1 val=2000000 ena=100 run=50
stat id=2 cpu=2 val=100 ena=100 run=0
stat_round round_type=0 time=1000
stat id=1 cpu=0 val=1 ena=1 run=100
stat id=2 cpu=2 val=0xffffffffffffffff ena=100 run=1
stat_round round_type=0 time=500 u64:7,8
