# each packet of ETE, packets without their end, and words of each kind of unit
event cs_etm// type=9 config=0x4000 period=1024 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all
event dummy:u type=software config=9 sample=ip|tid|time|cpu|identifier ids=11 flags=sample_id_all|mmap|comm|mmap2
feature arch str:"aarch64"
auxtrace_info auxtrace_type=3 priv=1,0x800000004,1,0x5050505050505050,0,9,0xc1,0x10,0,0,0x1088,3,0,0x47705a13,1,0x3030303030303030,1,4,1,2,3,4,0x4040404040404040,2,8,0x40,0x12,3,4,5,6,7,3,0x4040404040404040,3,9,1,2,3,4,5,6,7,8,9
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 etm-async:0 hex:010101 hex:011f4102030405 etm-addr:0x7f8e58fd80 hex:95ef89 hex:9565 hex:96ef89 hex:9a46060550  hex:9b46860550 hex:9e46860500c0ffffff hex:90 hex:91 hex:92 hex:8246060550b1 hex:2a000000 hex:8346860550e12a0000002b000000  etm-context:0xffff000000001000,2,7 hex:8646860500c0ffffff39 hex:80 hex:8100 hex:8138  hex:b0 hex:b1 hex:b2 hex:b4ef89 hex:b565 hex:b646060550 hex:b746060550 etm-source:0x401000 hex:b946060500c0ffffff  hex:04 hex:0003 hex:0005 hex:05 hex:07 hex:08 hex:0902efcdab8967452301 hex:0a hex:0b hex:88 hex:70 hex:71 hex:7f  hex:02ff01 hex:0281828384858687888f hex:0305818203 hex:0610 hex:0601 hex:061d hex:0658 hex:06bc01 hex:0600  hex:f6 hex:f7 hex:d8 hex:d9 hex:da hex:db hex:f8 hex:fe hex:dc hex:dd hex:de hex:df hex:f5 hex:d5 hex:d6 hex:d7  hex:c0 hex:d4 hex:e0 hex:f4 hex:0c25 hex:0dd5 hex:0d35 hex:0e0305 hex:0f03 hex:10 hex:1f  hex:2d05 hex:2e02 hex:2f03 hex:30 hex:31 hex:32 hex:33 hex:34 hex:35 hex:36 hex:37 hex:38 hex:3f  hex:a003 hex:a56503 hex:a6ef8903 hex:aa4606055004 hex:ab4686055004 hex:ac8501 hex:af hex:20 hex:2c hex:40 hex:6c05 hex:6d01 hex:5001 hex:00
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 etm-async:0 hex:0000
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 etm-async:0 hex:01
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 etm-async:0 hex:0181
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 etm-async:0 hex:02ff
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 etm-async:0 hex:06
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 etm-async:0 hex:0680
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 etm-async:0 hex:09
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 etm-async:0 hex:0d
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 etm-async:0 hex:0e01
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 etm-async:0 hex:81
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 etm-async:0 hex:81c0
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 etm-async:0 hex:82010203
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 etm-async:0 hex:95
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 etm-async:0 hex:9581
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 etm-async:0 hex:9d010203040506
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 etm-async:0 hex:2d
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 etm-async:0 hex:a5
