event cs_etm// type=8 config=0x4000 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all
feature arch str:"aarch64"
auxtrace_info auxtrace_type=3 priv=1,0x800000001,0,0x5050505050505050,0,9,0x9080,0x10,0x08000ea1,0,0x80001088,3,0,0x47705a13,1
comm tid=100 comm="a" time=10
mmap2 tid=100 addr=0x400000 len=0x1000 prot=5 flags=2 filename="/200" time=11
aux aux_offset=0 aux_size=4096 flags=0x100 time=30 cpu=0
auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 etm-async:0 hex:010500 hex:04 etm-context:0x400080,0,100 etm-atoms:EE hex:2f00 hex:2d02 hex:f7 etm-addr:0x400088 hex:2d01 hex:f7 hex:31 hex:36 hex:38 hex:0c25 hex:0dd5 hex:0e0205 hex:15 etm-source:0x400084 hex:0a hex:0631 etm-addr:0x40009c etm-addr:0x400080 hex:a1 hex:05 hex:aa1c004000 hex:05 hex:0900aabbccddeeff0011 hex:88 hex:0605 etm-addr:0x400098 hex:04 etm-context:0xffff800000000800,1 hex:f7 hex:0003 hex:91 etm-atoms:NENENENE
auxtrace offset=200 reference=9 idx=0 tid=-1 cpu=0 etm-async:0 hex:011f410203040506 hex:824c00000020 etm-atoms:E hex:93 etm-async:0 hex:0100 etm-context:0x4000ac,0 hex:f7 hex:000000
