# thousands of records that are older than the one before: they are sorted, not merged
event cpu-clock config=cpu-clock sample=ip|tid|time flags=sample_id_all|comm
comm tid=1 comm="a" time=1
repeat 2500
sample tid=$i+1 ip=0x1000+$i time=9000-$i%7*1000-$i
end
finished_round
sample tid=1 ip=0x10 time=20000
comm tid=5 comm="b" time=500
finished_round
sample tid=2 ip=0x10 time=20001
