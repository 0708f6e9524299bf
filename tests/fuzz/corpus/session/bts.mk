event intel_bts// type=9 config=0 period=1 sample=ip|tid|time|identifier ids=10 flags=sample_id_all
auxtrace_info auxtrace_type=2 priv=9,10,512,0,1,0
comm tid=100 comm="a" time=10
auxtrace offset=0 reference=9 idx=0 tid=100 cpu=-1 bts:0x401010,0x401000,0 hex:201040000000000000104000
auxtrace offset=36 reference=9 idx=0 tid=100 cpu=-1 hex:000000000000000000000000 bts:0xffffffff81000010,0x401030,16
