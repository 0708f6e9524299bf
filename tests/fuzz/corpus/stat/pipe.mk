# through a pipe, of a perf that had no clusters, with a command
format pipe
event task-clock config=task-clock sample=identifier read=enabled|running ids=1
event cgroups config=page-faults sample=identifier read=enabled|running ids=2
feature stat
feature nrcpus u32:2,2
feature version str:"6.5.1"
feature cmdline u32:4 str:"perf" str:"stat" str:"-G" str:"a,b"
event_update update_type=1 id=1 data="scale" u8:0,0,0
event_update update_type=2 id=1 data="task\e" u8:0,0
event_update update_type=3 id=2 u16:0,1,0 zero:2
thread_map nr=2 u64:10 text:"one" zero:13 u64:11 zero:16
cpu_map u16:1,1,8 zero:2 hex:0300000000000000
stat_config data=0:5,1:0,2:1,3:2
stat id=1 cpu=0 thread=1 val=10 ena=5 run=5
stat id=2 cpu=1 thread=0 val=10 ena=5 run=5
stat id=9 cpu=7 thread=0 val=10 ena=5 run=5
stat_round round_type=1 time=1000
