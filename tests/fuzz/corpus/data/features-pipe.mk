format pipe
# every header feature
event a sample=ip|time|identifier ids=1,2,3 flags=sample_id_all
event b sample=ip|time|identifier ids=4,5,6
feature hostname str:"host"
feature osrelease str:"6.1.0"
feature version str:"7.2"
feature arch str:"x86_64"
feature nrcpus u32:2,2
feature cpudesc str:"A CPU"
feature cpuid str:"AuthenticAMD,25,1,1"
feature total_mem u64:16000000
feature cmdline u32:2 str:"perf" str:"record"
feature event_desc
feature cpu_topology u32:1 str:"0-1" u32:1 str:"0-1" u32:0,0,1,0 u32:1 str:"0-1" u32:0,0
feature numa_topology u32:1 u32:0 u64:16000000,8000000 str:"0-1"
feature branch_stack
feature pmu_mappings u32:2 u32:1 str:"software" u32:2 str:"tracepoint"
feature group_desc u32:1 str:"{a,b}" u32:0,2
feature auxtrace u64:0
feature stat
feature cache u32:1,1 u32:1,64,64,8 str:"Data" str:"32K" str:"0-1"
feature sample_time u64:1000,9000
feature mem_topology u64:1,0x8000000,1 u64:0,64,0xffff
feature clockid u64:1
feature dir_format u64:1
feature bpf_prog_info u32:0
feature bpf_btf u32:0
feature compressed u32:1,1,1,3,528384
feature cpu_pmu_caps u32:1 str:"branches" str:"16"
feature clock_data u32:1 u32:1 u64:1600000000000000000,5000
feature hybrid_topology u32:1 str:"cpu_core" str:"0-1"
feature pmu_caps u32:1 u32:1 str:"branches" str:"32" str:"cpu"
feature cpu_domain_info u32:0,0
feature e_machine u32:62,0
feature cacheline_size u32:64
feature 77 text:"unknown"
sample ip=1 time=1000 id=1
sample ev=b ip=2 time=9000 id=6
