# code and types of BPF programs
event cpu-clock config=cpu-clock sample=ip|tid|time|period flags=sample_id_all|ksymbol
feature arch str:"x86_64"
feature bpf_prog_info u32:1 u32:132,24 u64:0x19
feature bpf_prog_info u32:1,7 hex:0102030405060708 u32:5,0 u64:0,0,0 u32:0,0 u64:0 text:"prog" zero:12
feature bpf_prog_info u32:0,0 u64:0,0 u32:1,1 u64:8,16 u32:0
feature bpf_prog_info hex:31c0ffc0c3 zero:3 u64:0xffffffffc0001000 u32:5 zero:4
feature bpf_btf u32:2 u32:7,4 u32:0 u32:8,36
feature bpf_btf hex:9feb0100 u32:24,0,0,0,12 text:"\0prog\0other\0"
feature clock_data u32:1 u32:1 u64:1600000000000000000,5000
feature mem_topology u64:1,0x1000,2 u64:0,64,70 u64:0x70b,0x21 u64:3,64,0
feature cpu_domain_info u32:17,2 u32:0,2 u32:0 str:"SMT" str:"3" str:"0-1" u32:1 str:"MC" str:"f" str:"0-3" u32:1,0
ksymbol addr=0xffffffffc0001000 len=5 ksym_type=1 name="bpf_prog_0102030405060708_prog" time=1
sample tid=1 ip=0xffffffffc0001002 misc=kernel time=5
