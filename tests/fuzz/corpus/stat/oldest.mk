# modes without levels, a command with control groups
event cycles type=hardware config=0 sample=identifier read=enabled|running ids=1
feature stat
feature nrcpus u32:2,2
feature version str:"4.9"
feature cmdline u32:5 str:"perf" str:"stat" str:"--for-each-cgroup" str:"a" str:"--"
cpu_map u16:0,2,0,1
stat_config data=0:2,1:1000,2:1
stat id=1 cpu=1 val=10 ena=5 run=5
stat_round round_type=1 time=1000
