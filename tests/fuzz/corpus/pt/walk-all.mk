# the same, with a file of another size: half of the sizes ask for other events
event intel_pt// type=8 config=0x2602 period=1 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all|exclude_kernel
event dummy:u type=software config=9 sample=ip|tid|time|cpu|identifier ids=11 flags=sample_id_all|mmap|comm|mmap2
feature arch str:"x86_64"
auxtrace_info auxtrace_type=1 priv=8,0,1,0,1,0x400,0x800,0,0,0,0x200,0x3c000,16,1,2,20,0,0
comm ev=dummy:u tid=100 comm="pttest12" time=10 s_id=11
mmap2 ev=dummy:u tid=100 addr=0x400000 len=0x1000 prot=5 flags=2 filename="/200" time=11 s_id=11
auxtrace offset=0 reference=9 idx=0 tid=100 cpu=-1 pt-psb:0 pt-tsc:1000 pt-tma:62:3 pt-cbr:20 pt-mode:1 pt-psbend:0 pt-pge:0x400080 pt-tnt:TTTNTN pt-tip:0x40008b pt-tsc:2000 pt-pgd:0,0
auxtrace offset=64 reference=9 idx=0 tid=100 cpu=-1 pt-pge:0x400080 pt-mtc:5 pt-cyc:40 pt-tnt:TT pt-fup:0x400080 pt-tip:0x400090 pt-tnt:T pt-tip:0x400080 pt-ptw-ip:7 pt-fup:0x400087 pt-tnt:TTTNTN pt-tip:0x400095 pt-fup:0x400095 pt-pgd:0,0
auxtrace offset=128 reference=9 idx=0 tid=100 cpu=-1 pt-psb:0 pt-tsc:3000 pt-mode:1 pt-fup:0x400082 pt-psbend:0 pt-mode:0x21 pt-fup:0x400090 pt-mode:0x22 pt-fup:0x400091 pt-tip:0x400087 pt-mode:0x20 pt-fup:0x400087 pt-tnt:N pt-tip:0x40008b pt-pgd:0,0 pt-pge:0x40008d pt-tnt:TNT pt-ovf:0 pt-fup:0x400094 pt-tip:0x400087 pt-tnt:N pt-tip:0x400097 pt-tip:0x400080
auxtrace offset=256 reference=9 idx=0 tid=100 cpu=-1 pt-psb:0 pt-tsc:4000 pt-mode:1 pt-pip:8 pt-fup:0x400080 pt-psbend:0 pt-tnt:TT pt-cfe:0x87:3 pt-fup:0x400087 pt-evd0:9 pt-tip:0x400095 pt-tnt:N pt-ovf:0 pt-pge:0x400080 pt-tnt:TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTN pt-tip:0x400099 pt-tracestop:0
auxtrace offset=0 reference=19 idx=1 tid=-1 cpu=1 pt-psb:0 pt-tsc:900 pt-mode:2 pt-fup:0xffffffff81000000,6 pt-psbend:0 pt-tnt:TN pt-tip:0x400080 pt-tnt:TTN pt-exstop-ip:0 pt-fup:0x400089 pt-mwait:1:2 pt-pwre:3 pt-pwrx:4 pt-tip:0x400080 pt-bbp:1 hex:040102030405060708 pt-bep-ip:0 pt-fup:0x400080 pt-tnt:TT
auxtrace offset=512 reference=9 idx=0 tid=100 cpu=-1 pt-pad:0
