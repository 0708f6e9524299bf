# into and out of a virtual machine, by events, an instruction and PSB packets; cycles and a clock around it
event intel_pt// type=8 config=0x2602 period=1 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all|exclude_kernel
event dummy:u type=software config=9 sample=ip|tid|time|cpu|identifier ids=11 flags=sample_id_all|mmap|comm|mmap2
feature arch str:"x86_64"
auxtrace_info auxtrace_type=1 priv=8,0,1,0,1,0x400,0x800,0,0,0,0x200,0x3c000,16,1,2,20,0,0
comm ev=dummy:u tid=100 comm="pttest" time=10 s_id=11
mmap2 ev=dummy:u tid=100 addr=0x400000 len=0x1000 prot=5 flags=2 filename="/200" time=11 s_id=11
auxtrace offset=0 reference=9 idx=0 tid=100 cpu=-1 pt-psb:0 pt-tsc:1000 pt-tma:62:3 pt-pip:0x1000 pt-cbr:20 pt-mode:1 pt-psbend:0 pt-pge:0x400080 pt-cyc:9 pt-tnt:TTT pt-fup:0x400082 pt-pip:0x2001 pt-tip:0x400080 pt-cyc:8 pt-mtc:63 pt-tnt:TT pt-fup:0x400080 pt-pip:0x1000 pt-tip:0x400087 pt-cyc:30 pt-tnt:N pt-pip:0x2001 pt-tip:0x400095 pt-ptw-ip:5 pt-fup:0x400091 pt-mtc:64 pt-cyc:700 pt-tip:0x400080 pt-cbr:30 pt-cyc:5 pt-mtc:70 pt-pip:0x1000 pt-tip:0x400087 pt-tnt:N pt-pgd:0,0
auxtrace offset=200 reference=9 idx=0 tid=100 cpu=-1 pt-psb:0 pt-tsc:3000 pt-tma:70:1 pt-vmcs:5 pt-pip:0x2001 pt-mode:1 pt-fup:0x400082 pt-psbend:0 pt-cyc:4 pt-tnt:TN pt-cfe:0x88:3 pt-fup:0x400084 pt-ovf:0 pt-fup:0x400090 pt-mtc:72 pt-cyc:1 pt-pgd:0,0 pt-pip:0x1000 pt-pge:0x400080 pt-cyc:3 pt-tnt:T pt-mtc:90
auxtrace offset=0 reference=19 idx=1 tid=-1 cpu=1 pt-psb:0 pt-tsc:900 pt-tma:9:2 pt-pip:0x3001 pt-mode:1 pt-fup:0xffffffff81000000,6 pt-psbend:0 pt-tip:0x400080 pt-pip:0x3000 pt-tip:0x400080 pt-tnt:TT pt-cyc:7 pt-tnt:TN pt-mtc:12
