feature event_desc
event cpu-clock type=software config=cpu-clock sample=identifier|ip|tid|time flags=sample_id_all|comm
comm tid=7 comm="prog" time=1
sample tid=7 ip=0x1000 time=2
auxtrace_info auxtrace_type=1 priv=1,2,3
sample tid=7 ip=0x1000 time=3
auxtrace offset=0 reference=9 idx=0 tid=7 cpu=0 data="sixteen bytes..."
sample tid=7 ip=0x1001 time=4
auxtrace offset=16 reference=9 idx=0 tid=7 cpu=0 data="twenty-four other bytes."
