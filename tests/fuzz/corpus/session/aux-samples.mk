# parts of an Intel PT trace in samples; the second one repeats the first
event intel_pt// type=8 config=0x2400 period=1 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all|exclude_kernel
event cycles:u type=hardware config=0 period=1000 sample=ip|tid|time|cpu|identifier|aux ids=12 flags=sample_id_all
feature arch str:"x86_64"
auxtrace_info auxtrace_type=1 priv=8,0,1,0,1,0x400,0x800,0,0,0,0x200,0x3c000,16,1,2,20,0,0
sample ev=cycles:u ip=1 tid=100 time=1500 id=12 pt-psb:0 pt-tsc:1000 pt-cbr:20 pt-mode:1 pt-psbend:0 pt-pge:0x400080 pt-tnt:TTT pt-psb:0 pt-tsc:1400 pt-cbr:20 pt-mode:1 pt-psbend:0
sample ev=cycles:u ip=1 tid=100 time=2500 id=12 pt-psb:0 pt-tsc:1000 pt-cbr:20 pt-mode:1 pt-psbend:0 pt-pge:0x400080 pt-tnt:TTT pt-psb:0 pt-tsc:1400 pt-cbr:20 pt-mode:1 pt-psbend:0 pt-tnt:TTT pt-pgd:0,0
