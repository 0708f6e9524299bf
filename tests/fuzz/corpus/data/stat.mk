# perf stat record
event cycles type=hardware config=0 sample=identifier read=enabled|running ids=1
feature stat
cpu_map u16:0,1,0,0
thread_map nr=1 u64:0 zero:16
stat_config data=1:0,2:0,3:1
stat id=1 val=100 ena=10 run=10
stat_round round_type=1 time=1000
