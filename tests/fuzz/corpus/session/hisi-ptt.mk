# HiSilicon PTT: packets of 4 words and of 8
event hisi_ptt// type=9 config=0 period=1024 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all
event dummy:u type=software config=9 sample=ip|tid|time|cpu|identifier ids=11 flags=sample_id_all|mmap|comm|mmap2
auxtrace_info auxtrace_type=6 priv=9
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 hex:03020100070605040b0a09080f0e0d0c13121110ffffffff
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 hex:00f8ffff0100000002000000030000000400000005000000060000000700000000f8ffff01
