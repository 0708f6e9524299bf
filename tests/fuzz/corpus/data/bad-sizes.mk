event a sample=ip|tid|time|callchain|raw|identifier flags=sample_id_all
sample ip=1 tid=1 chain=1,2 chain_nr=0x2000000000000000 raw="x"
sample ip=1 tid=1 chain=1 raw="x" raw_size=0xfffffff0
comm tid=1 comm="short" record_size=9
record type=3 record_size=0
sample ip=3
record type=3 record_size=65535
