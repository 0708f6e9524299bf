event cpu-clock config=cpu-clock period=4000 sample=ip|tid|time|callchain flags=sample_id_all ids=1 size=160 tail=0xff
event two config=2 period=4000 sample=ip|tid|time|callchain flags=sample_id_all ids=none
feature hostname str:"box"
feature cmdline u32:0xffffffff
feature numa_topology u32:0x10000000
feature 200 u32:1
sample tid=10 ip=0x400100 time=10 chain=1,2 chain_nr=0x2000000000000001
comm tid=10 comm="x" record_size=12
sample tid=10 ip=0x400100 time=10 chain=1,2
record type=9 record_size=4
patch @section:3 u64:0xffffffffffffff00,0x200
