# counts of tasks, as a stream
format pipe
event cycles:u type=hardware config=0 sample=identifier read=enabled|running ids=5
event dummy config=dummy sample=identifier read=enabled|running ids=6
event_update update_type=1 id=5 data=000000000000f87f
thread_map nr=3 u64:10 text:"one" zero:13 u64:11 text:"two, \e[1m \"" zero:5 u64:-1 zero:16
cpu_map u16:1,1,8,0,0 u64:0x5 zero:6
stat_config data=0:7,1:0,2:0,3:2
stat id=5 cpu=0 thread=0 val=7 ena=10 run=10
stat id=5 cpu=2 thread=1 val=8 ena=10 run=5
stat id=6 cpu=0 thread=2 val=9 ena=10 run=0
stat_round round_type=1 time=1000
