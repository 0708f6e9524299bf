event a sample=ip ids=1
feature hostname str:"x"
feature cmdline u32:1000000 str:"perf"
feature cpu_topology u32:0xffffffff
feature event_desc u32:0xffffffff,0xffffffff
feature build_id hex:ffffffffffffffffffffffff
feature 200 u32:1
sample ip=1
patch @section:3 u64:0xfffffffffffffff0,100
patch @section:11+8 u64:0xffffffffffffffff
header data_size=0xfffffffffffffff0
